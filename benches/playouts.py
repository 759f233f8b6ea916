#!/usr/bin/env python3
"""Random games of chess by OpenSpiel, Pgx and our own Python package beside ours in Rust, in turns: steps a second, a step being the legal moves, a
uniform pick, the move played and the test of the end.

    benches/playouts.py --install target/playouts-venv    # once: makes the folder and installs both with pip
    target/playouts-venv/bin/python benches/playouts.py   # measures

    .venv/bin/python benches/playouts.py                  # the package alone, after `make python`

The package is measured twice: with actions that it draws itself (`Batch.random_actions`), and with actions that numpy draws from the mask of the legal
ones, as a policy does. It runs on every core. OpenSpiel is measured twice: the loop written in Python, each call of which goes to C++, and two of its random bots, whose games `evaluate_bots` runs in
C++ from start to end. Ours and OpenSpiel run on one thread; Pgx runs a batch compiled for the CPU on every core it finds, a finished game starting anew. All
ends are each program's own.
"""

import argparse
import itertools
import random
import re
import statistics
import subprocess
import sys
import time
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
ROUNDS = 5
SECONDS = 2.0
# Positions that Pgx and our package step together.
BATCH = 512
# The ratio of our speed to each other one that we aim at; at most so much for our own package.
AIMS = {"OpenSpiel, games in C++": 15, "OpenSpiel, loop in Python": 15, "package, its own actions": 2}


def install(folder: Path) -> None:
    venv.create(folder, with_pip=True)
    subprocess.run([folder / "bin/pip", "install", "--quiet", "open_spiel", "pgx", "jax"], check=True)
    print(f"installed: now run {folder}/bin/python {Path(__file__).relative_to(ROOT)}")


def ours():
    """The project's own benchmark, on its table without planes."""
    command = ["cargo", "bench", "--quiet", "--no-default-features", "--bench", "playouts", "--", "cozy-chess, no planes"]

    def steps_per_second() -> float:
        output = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout
        return 1e6 * float(re.search(r"^ *maydan +([\d.]+) M/s", output, re.MULTILINE).group(1))

    return {"maydan": steps_per_second}


def package():
    try:
        import maydan
        import numpy
    except ImportError:
        return {}
    batch = maydan.Game("chess").batch(BATCH, seed=1)
    chance = numpy.random.default_rng(1)

    def draw() -> int:
        batch.step(batch.random_actions())
        batch.reset(batch.is_over)
        return BATCH

    def choose() -> int:
        mask = batch.legal_mask()
        batch.step(numpy.argmax(mask * chance.random(mask.shape, dtype=numpy.float32), axis=1))
        batch.reset(batch.is_over)
        return BATCH

    return {"package, its own actions": lambda: rate(draw), "package, actions of numpy": lambda: rate(choose)}


def openspiel():
    try:
        import pyspiel
    except ImportError:
        return {}
    game = pyspiel.load_game("chess")
    bots = [pyspiel.make_uniform_random_bot(player, 1) for player in range(2)]
    seeds = itertools.count()

    def loop() -> int:
        state, steps = game.new_initial_state(), 0
        while not state.is_terminal():
            state.apply_action(random.choice(state.legal_actions()))
            steps += 1
        return steps

    def play() -> int:
        state = game.new_initial_state()
        pyspiel.evaluate_bots(state, bots, next(seeds))
        return state.move_number()

    return {"OpenSpiel, games in C++": lambda: rate(play), "OpenSpiel, loop in Python": lambda: rate(loop)}


def pgx():
    try:
        import jax
        import pgx as games
        from pgx.experimental import auto_reset
    except ImportError:
        return {}
    env = games.make("chess")
    step = auto_reset(env.step, env.init)

    def one(state, key):
        pick = jax.random.categorical(key, jax.numpy.where(state.legal_action_mask, 0.0, -jax.numpy.inf))
        return step(state, pick, key)

    @jax.jit
    def steps(states, key):
        return jax.vmap(one)(states, jax.random.split(key, BATCH))

    states = jax.jit(jax.vmap(env.init))(jax.random.split(jax.random.PRNGKey(0), BATCH))
    keys = [jax.random.PRNGKey(1)]
    held = [jax.block_until_ready(steps(states, keys[0]))]

    def play() -> int:
        keys[0], key = jax.random.split(keys[0])
        held[0] = jax.block_until_ready(steps(held[0], key))
        return BATCH

    return {f"Pgx, batch of {BATCH}": lambda: rate(play)}


def rate(work) -> float:
    """Steps a second of `work`, which tells how many it did."""
    start, done = time.perf_counter(), 0
    while time.perf_counter() - start < SECONDS:
        done += work()
    return done / (time.perf_counter() - start)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--install", metavar="FOLDER", type=Path, help="make a virtual environment and install the programs there")
    arguments = parser.parse_args()
    if arguments.install:
        return install(arguments.install.resolve())
    contenders = ours() | package() | openspiel() | pgx()
    if len(contenders) == 1:
        sys.exit("neither OpenSpiel nor Pgx nor our package is installed here: see --help")
    rates = {name: [] for name in contenders}
    for _ in range(ROUNDS):
        for name, measure in contenders.items():
            rates[name].append(measure())
    print("chess, random games")
    for name, theirs in rates.items():
        ratio = statistics.median(ours / other for ours, other in zip(rates["maydan"], theirs))
        aim = f" (aim {AIMS[name]}x)" if name in AIMS else ""
        compared = "" if name == "maydan" else f"   maydan is {ratio:.1f}x{aim}"
        print(f"  {name:<28} {statistics.median(theirs) / 1e6:>9.4f} M/s{compared}")


if __name__ == "__main__":
    main()
