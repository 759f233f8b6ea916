"""Our network in PyTorch. Skipped where PyTorch is not installed."""

import json
import sys
from pathlib import Path

import numpy
import pytest

import maydan
import maydan.training

torch = pytest.importorskip("torch")
from maydan.torch import Network, losses  # noqa: E402

MODELS = Path(__file__).parents[2] / "models"


@pytest.mark.parametrize("name", ["shatara", "omega", "shatra"])
def test_the_module_says_what_the_bot_says(name):
    network, bot = (kind.load(MODELS / f"{name}.maydan") for kind in (Network, maydan.Bot))
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
