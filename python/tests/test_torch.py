"""Our network in PyTorch. Skipped where PyTorch is not installed."""

import json
import subprocess
import sys
from pathlib import Path

import numpy
import pytest

import maydan
import maydan.training

torch = pytest.importorskip("torch")
from maydan.torch import Network, export, losses  # noqa: E402

MODELS = Path(__file__).parents[2] / "models"


@pytest.mark.parametrize("name", ["shatara", "omega", "shatra"])
def test_the_module_says_what_the_bot_says(name):
    compare(MODELS / f"{name}.maydan")


def test_the_module_of_a_checkpoint_says_what_its_bot_says(run):
    compare(run.folder / "gen-000003")


def compare(path):
    network, bot = (kind.load(path) for kind in (Network, maydan.Bot))
    batch = bot.game.batch(24, seed=1)
    for _ in range(30):
        batch.step(batch.random_actions())
    states = [state for state in batch if not state.is_over]
    policy, wdl, moves_left = bot.evaluate(states)
    with torch.no_grad():
        found = network(torch.from_numpy(numpy.stack([state.encode() for state in states])))
    scale = numpy.abs(policy).max()
    assert numpy.abs(found[0].numpy() - policy).max() < 1e-5 * scale
    assert numpy.abs(found[1].softmax(1).numpy() - wdl).max() < 1e-5
    assert numpy.abs(found[2].numpy() - moves_left).max() < 1e-5 * numpy.abs(moves_left).max()


def test_weights_go_both_ways(tmp_path):
    network = Network.load(MODELS / "shatara-small")
    network.save_weights(tmp_path / "w.safetensors")
    before = maydan.training.read_weights(MODELS / "shatara-small" / "weights.safetensors")
    after = maydan.training.read_weights(tmp_path / "w.safetensors")
    assert before.keys() == after.keys() and all((before[name] == after[name]).all() for name in before)
    with pytest.raises(ValueError, match="stem.gain"):
        network.load_weights({name: values for name, values in before.items() if name != "stem.gain"})


def test_a_fresh_network_learns(run):
    torch.manual_seed(1)
    network = Network(run.config["model"], Network.load(run.folder / "gen-000000").shape)
    optimiser = torch.optim.AdamW(network.parameters(), 1e-2)
    batch = next(iter(run.dataset(2).torch()))
    # What is left when everything is learnt: the entropy of the targets.
    value = batch["wdl"] + 0.5 * (batch["search_wdl"] - batch["wdl"])
    policy = torch.special.entr(batch["policy"]).sum(dim=1) * batch["policy_mask"]
    floor = policy.sum() / batch["policy_mask"].sum() + torch.special.entr(value).sum(dim=1).mean()
    before = sum(losses(network, batch)).item() - floor.item()
    for _ in range(100):
        optimiser.zero_grad()
        sum(losses(network, batch)).backward()
        optimiser.step()
    assert 0 < sum(losses(network, batch)).item() - floor.item() < 0.5 * before


def test_what_holds_no_network_raises(tmp_path):
    (tmp_path / "x.maydan").write_bytes(b"not a zip archive")
    (tmp_path / "checkpoint.toml").write_text("format = 1\n")
    for path in [tmp_path / "x.maydan", tmp_path]:
        with pytest.raises(ValueError, match="expected a bundle or the folder of a checkpoint"):
            Network.load(path)


def test_batches_are_tensors_however_many_workers_there_are(run):
    dataset = run.dataset(2)
    loaded = list(torch.utils.data.DataLoader(dataset.torch(), batch_size=None))
    assert len(loaded) == len(dataset)
    for tensors, arrays in zip(loaded, dataset, strict=True):
        assert all((tensors[name].numpy() == arrays[name]).all() for name in arrays)


#: Two processes that share the rows of every step.
DISTRIBUTED = """
import torch
import torch.distributed
from torch.nn.parallel import DistributedDataParallel

from maydan.torch import Network, losses
from maydan.training import Order

torch.distributed.init_process_group("gloo")
rank, processes = torch.distributed.get_rank(), torch.distributed.get_world_size()
order = Order.from_arguments()
network = Network.load(order.run.folder / f"gen-{order.generation:06}")
model = DistributedDataParallel(network)
optimiser = torch.optim.AdamW(model.parameters(), 3e-3)
dataset = order.dataset()
for step in range(len(dataset) // processes):
    at = step * processes + rank
    batch = {name: torch.from_numpy(array) for name, array in next(dataset.batches(at, at + 1)).items()}
    total = sum(losses(model, batch))
    optimiser.zero_grad()
    total.backward()
    optimiser.step()
    if rank == 0:
        order.report(step + 1, total=total.item(), rows=(step + 1) * processes * order.batch_size)
if rank == 0:
    print(f"{processes} processes")
    order.finish(network.weights())
torch.distributed.barrier()
torch.distributed.destroy_process_group()
"""


def test_processes_train_together(tmp_path, tiny, maydan_program):
    (tmp_path / "tiny.toml").write_text(tiny)
    (tmp_path / "train.py").write_text(DISTRIBUTED)
    command = [sys.executable, "-m", "torch.distributed.run", "--nproc-per-node=2", "train.py"]
    setting = f"train.command={json.dumps(command)}"
    printed = maydan_program("train", "tiny.toml", "--set", setting, folder=tmp_path)
    assert printed.count("2 processes") == 3
    trained = maydan.Run(tmp_path / "models" / "tiny")
    assert trained.generations == [0, 1, 2, 3] and all("total" in e["losses"] for e in trained.events("train"))


def test_the_example_trains(tmp_path, tiny, maydan_program):
    (tmp_path / "tiny.toml").write_text(tiny)
    program = Path(__file__).parents[1] / "examples" / "train.py"
    setting = f"train.command={json.dumps([sys.executable, str(program)])}"
    maydan_program("train", "tiny.toml", "--set", setting, folder=tmp_path)
    trained = maydan.Run(tmp_path / "models" / "tiny")
    assert trained.generations == [0, 1, 2, 3]
    assert all({"policy", "value", "moves_left"} <= event["losses"].keys() for event in trained.events("train"))


EXAMPLES = Path(__file__).parents[1] / "examples"


def test_a_network_of_another_architecture_plays_and_learns(tmp_path, tiny, maydan_program):
    (tmp_path / "tiny.toml").write_text(tiny)
    program = str(EXAMPLES / "transformer.py")
    subprocess.run([sys.executable, program, "new", "t.pt", "shatara"], cwd=tmp_path, check=True)
    settings = ["model.module=t.pt", f"train.command={json.dumps([sys.executable, program])}"]
    sets = [argument for setting in settings for argument in ("--set", setting)]
    maydan_program("train", "tiny.toml", *sets, folder=tmp_path)
    trained = maydan.Run(tmp_path / "models" / "tiny")
    assert trained.generations == [0, 1, 2, 3]
    files = [(trained.folder / f"gen-{generation:06}" / "module.pt").read_bytes() for generation in range(4)]
    assert len(set(files)) == 4
    assert all({"policy", "value", "moves_left"} <= event["losses"].keys() for event in trained.events("train"))
    assert all(event["losses"]["policy"] > 0 for event in trained.events("holdout"))
    # It is still the module that the program knows, and plays elsewhere.
    newest = torch.jit.load(trained.folder / "gen-000003" / "module.pt")
    assert {"places", "embed.weight"} <= newest.state_dict().keys()
    played = maydan_program("match", "tiny", "random", "--games", "2", "--playouts", "4", folder=tmp_path)
    assert "Elo of A over B" in played


class Small(torch.nn.Module):
    """From the mean of each plane."""

    def __init__(self, game):
        super().__init__()
        self.layer = torch.nn.Linear(game.planes_shape[0], game.num_actions + 4)
        self.actions = game.num_actions

    def forward(self, planes):
        out = self.layer(planes.mean(dim=(2, 3)))
        return out[:, : self.actions], out[:, self.actions : -1], out[:, -1].exp()


@pytest.mark.parametrize("name", ["shatara", "omega"])
def test_a_graph_plays_without_libtorch(tmp_path, name):
    pytest.importorskip("onnxscript")
    game = maydan.Game(name)
    torch.manual_seed(1)
    network = Small(game)
    export(network, tmp_path / "net.onnx", game)
    assert network.training and [path.name for path in tmp_path.iterdir()] == ["net.onnx"]
    bot = maydan.Bot.load(tmp_path / "net.onnx")
    assert bot.game == game
    states = [game.start(), game.start().apply(game.start().legal_actions[3])]
    policy, wdl, moves_left = bot.evaluate(states)
    with torch.no_grad():
        found = network(torch.from_numpy(numpy.stack([state.encode() for state in states])))
    assert numpy.abs(found[0].numpy() - policy).max() < 1e-5
    assert numpy.abs(found[1].softmax(1).numpy() - wdl).max() < 1e-5
    assert numpy.abs(found[2].numpy() - moves_left).max() < 1e-5
    assert bot.play(game.start(), playouts=8) in game.start().legal_actions


def test_what_is_no_network_of_the_game_is_not_exported(tmp_path):
    game = maydan.Game("shatara")
    for network, problem in [
        (Small(maydan.Game("omega")), "mat1 and mat2"),
        (torch.nn.Flatten(), "expected a tuple of policy, wdl, moves_left, found Tensor"),
    ]:
        with pytest.raises((ValueError, RuntimeError), match=problem):
            export(network, tmp_path / "net.pt", game)
    small = Small(game)
    small.actions -= 1
    with pytest.raises(ValueError, match=r"policy: expected \[2, 4800\] of 2 rows, found \[2, 4799\]"):
        export(small, tmp_path / "net.pt", game)
    with pytest.raises(ValueError, match="ends in .pt or .onnx"):
        export(Small(game), tmp_path / "net.bin", game)
    assert not list(tmp_path.iterdir())
