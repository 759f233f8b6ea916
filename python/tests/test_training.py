"""Programs that train a run in place of its own learner."""

import json
import sys

import numpy
import pytest

import maydan
import maydan.training

#: A program that learns nothing but the mean result, in the bias of the value head's last layer.
PROGRAM = """
import maydan.training

order = maydan.training.Order.from_arguments()
weights = order.weights()
bias = next(name for name in weights if name.startswith("value") and weights[name].shape == (3,))
for step, batch in enumerate(order.dataset(), 1):
    chances = numpy.exp(weights[bias]) / numpy.exp(weights[bias]).sum()
    weights[bias] += 0.1 * (batch["wdl"].mean(axis=0) - chances)
    loss = -(batch["wdl"] * numpy.log(chances)).sum(axis=1).mean()
    order.report(step, value=loss, learning_rate=0.1)
(order.state / f"{order.generation}").write_text(str(step))
order.finish(weights)
"""


@pytest.fixture(scope="module")
def trained(tmp_path_factory, maydan_program, tiny):
    folder = tmp_path_factory.mktemp("trained")
    (folder / "tiny.toml").write_text(tiny)
    (folder / "train.py").write_text("import numpy\n" + PROGRAM)
    command = json.dumps([sys.executable, "train.py"])
    maydan_program("train", "tiny.toml", "--set", f"train.command={command}", folder=folder)
    return maydan.Run(folder / "models" / "tiny")


def test_a_program_trains_a_run(trained):
    assert trained.generations == [0, 1, 2, 3]
    events = list(trained.events("train"))
    steps = [max(event["step"] for event in events if event["generation"] == g) for g in range(3)]
    assert steps == sorted(steps) and all(event["losses"].keys() == {"value"} for event in events)
    for generation in range(3):
        taken = int((trained.folder / "training" / "command" / str(generation)).read_text())
        assert taken == steps[generation] - (steps[generation - 1] if generation else 0)
    before, after = (
        maydan.training.read_weights(trained.folder / f"gen-{g:06}" / "weights.safetensors") for g in (0, 3)
    )
    assert before.keys() == after.keys()
    changed = [name for name in before if not (before[name] == after[name]).all()]
    assert len(changed) == 1 and after[changed[0]].shape == (3,)


def test_weights_are_read_as_they_were_written(tmp_path):
    weights = {"a": numpy.arange(6, dtype=numpy.float32).reshape(2, 3), "b.c": numpy.float32(4.5)}
    maydan.training.write_weights(tmp_path / "w.safetensors", weights)
    back = maydan.training.read_weights(tmp_path / "w.safetensors")
    assert back.keys() == weights.keys() and all((back[name] == weights[name]).all() for name in weights)
    assert back["b.c"].shape == ()
    whole = (tmp_path / "w.safetensors").read_bytes()
    for cut in [0, 4, 20, len(whole) - 4]:
        (tmp_path / "w.safetensors").write_bytes(whole[:cut])
        with pytest.raises(ValueError, match="w.safetensors: expected a safetensors file"):
            maydan.training.read_weights(tmp_path / "w.safetensors")


def test_what_is_no_order_raises(tmp_path):
    for text in ["", "[]", '{"format": 2}', '{"format": 1}']:
        (tmp_path / "order.json").write_text(text)
        with pytest.raises(ValueError, match="order|format"):
            maydan.training.Order(tmp_path / "order.json")
