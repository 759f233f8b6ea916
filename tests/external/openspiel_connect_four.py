"""OpenSpiel's AlphaZero on Connect Four, for so many minutes, scored on the positions of examples/connect_four.

python3 -m pip install open_spiel jax flax chex optax orbax-checkpoint
cargo run --release --example connect_four -- --write-positions positions.txt
python3 tests/external/openspiel_connect_four.py positions.txt --minutes 10

Settings are those of OpenSpiel's own example but for what the arguments say; no evaluator runs beside the actors. The newest checkpoint is
scored when the time is over: how often do the likeliest action of the network, and a search of 100 simulations without noise, keep the value?
"""

import argparse
import multiprocessing
import os
import signal
import tempfile
import time

import pyspiel
from open_spiel.python.algorithms.alpha_zero import alpha_zero, evaluator
from open_spiel.python.utils import spawn


def config(path, arguments):
    game = pyspiel.load_game("connect_four")
    return alpha_zero.Config(
        game="connect_four",
        path=path,
        learning_rate=1e-3,
        weight_decay=1e-4,
        decouple_weight_decay=False,
        train_batch_size=128,
        replay_buffer_size=2**13,
        replay_buffer_reuse=4,
        max_steps=0,
        checkpoint_freq=1,
        actors=arguments.actors,
        evaluators=0,
        evaluation_window=50,
        eval_levels=7,
        uct_c=1.41,
        max_simulations=arguments.simulations,
        policy_alpha=1.0,
        policy_epsilon=0.25,
        temperature=1,
        temperature_drop=10,
        nn_model="resnet",
        nn_width=arguments.width,
        nn_depth=arguments.depth,
        observation_shape=game.observation_tensor_shape(),
        output_size=game.num_distinct_actions(),
        quiet=True,
        verbose=False,
        nn_api_version="nnx",
    )


def train(path, arguments):
    os.setsid()  # so that the actors can be stopped with it
    with spawn.main_handler():
        alpha_zero.alpha_zero(config(path, arguments))


def score(path, step, positions, arguments):
    """The shares of positions in which network and search keep the value."""
    game = pyspiel.load_game("connect_four")
    settings = config(path, arguments).replace(max_simulations=100)
    model = alpha_zero._init_model_from_config(settings)
    model.load_checkpoint(step)
    evaluation = evaluator.AlphaZeroEvaluator(game, model)
    bot = alpha_zero._init_bot(settings, game, evaluation, True)
    policy = search = 0
    for number, (moves, kept) in enumerate(positions):
        state = game.new_initial_state()
        for column in moves:
            state.apply_action(int(column))
        likeliest = max(evaluation.prior(state), key=lambda prior: prior[1])[0]
        policy += str(likeliest) in kept
        if number < arguments.searched:
            search += str(bot.mcts_search(state).best_child().action) in kept
    return policy / len(positions), search / min(arguments.searched, len(positions))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("positions")
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--actors", type=int, default=2)
    parser.add_argument("--simulations", type=int, default=40)
    parser.add_argument("--width", type=int, default=32)
    parser.add_argument("--depth", type=int, default=4)
    parser.add_argument("--searched", type=int, default=200, help="positions that are searched: a search takes seconds")
    arguments = parser.parse_args()
    positions = [line.split() for line in open(arguments.positions)]

    path = tempfile.mkdtemp()
    training = multiprocessing.get_context("spawn").Process(target=train, args=(path, arguments))
    training.start()
    training.join(60 * arguments.minutes)
    if training.exitcode is not None:
        raise SystemExit(f"the training ended by itself with exit code {training.exitcode}")
    os.killpg(training.pid, signal.SIGKILL)
    training.join()

    states = 0
    for name in os.listdir(path):
        if name.startswith("log-actor"):
            for line in open(os.path.join(path, name)):
                states += len(line.split("Actions: ")[1].split()) if "Actions: " in line else 0
    steps = [int(name.split("-")[-1]) for name in os.listdir(path) if name.startswith("checkpoint-")]
    step = max(steps)
    policy, search = score(path, step, positions, arguments)
    print(f"after {arguments.minutes:g} minutes: {states} positions played, learning step {step}")
    print(f"the value is kept by {100 * policy:.1f}% of the network's actions in {len(positions)} positions")
    print(f"and by {100 * search:.1f}% of those of 100 simulations in the first {arguments.searched}")


if __name__ == "__main__":
    main()
