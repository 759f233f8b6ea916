"""Training a run by a program of one's own: ``[train] command = ["python", "train.py"]``.

The loop calls the program for each generation, with the path of a JSON file as its last argument::

    order = maydan.training.Order.from_arguments()
    weights = order.weights()
    for step, batch in enumerate(order.dataset(), 1):
        ...
        order.report(step, policy=policy_loss, value=value_loss)
    order.finish(weights)
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy

from .dataset import Dataset
from .run import Run

#: Version of the file that is understood.
_FORMAT = 1
#: Most bytes of a header of safetensors.
_LONGEST = 100_000_000


class Order:
    """What the loop asks a program to do."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        try:
            fields = json.loads(Path(path).read_bytes())
            if fields["format"] != _FORMAT:
                raise ValueError(f"format: expected {_FORMAT}, found {fields['format']}")
            #: The run, up to the generation's games.
            self.run = Run(fields["run"], fields["data"])
            #: The generation whose games are the newest.
            self.generation: int = fields["generation"]
            #: Steps that the run's own training would take, and rows of each.
            self.steps: int = fields["steps"]
            self.batch_size: int = fields["batch_size"]
            #: Steps that were taken in the generations before.
            self.steps_before: int = fields["steps_before"]
            self.seed: int = fields["seed"]
            #: How much of the run is over, 0 to 1, where its length is known.
            self.progress: float | None = fields["progress"]
            #: A folder of the program's own, as for its optimiser. A training that was interrupted is asked for again,
            #: so what is kept there must say which generation it is for.
            self.state = Path(fields["state"])
            #: The file of the network that played the newest games: weights of ours, or a module
            #: (`maydan.torch.export`).
            self.network = Path(fields["weights"])
            #: Where the network is written that plays next, in the same format.
            self.output = Path(fields["output"])
        except (KeyError, TypeError, json.JSONDecodeError) as error:
            raise ValueError(f"{path}: expected an order of `maydan train`, found {error!r}") from None

    @classmethod
    def from_arguments(cls) -> Order:
        """The order whose path is the program's last argument."""
        if len(sys.argv) < 2:
            raise ValueError("expected the path of an order as the last argument: `[train] command` gives it")
        return cls(sys.argv[-1])

    def dataset(self, **settings: Any) -> Dataset:
        """The batches that the run's own training would draw, `steps` of them (see `Dataset`)."""
        return Dataset(self.run, self.generation, **{"steps": self.steps, **settings})

    def weights(self) -> dict[str, numpy.ndarray]:
        """The weights that played the newest games, by name, where the network is ours."""
        return read_weights(self.network)

    def report(
        self,
        step: int,
        *,
        learning_rate: float | None = None,
        gradient_norm: float | None = None,
        rows: int | None = None,
        **losses: float,
    ) -> None:
        """Says how the training goes: `step` of its own steps, and mean losses by head since the last report.

        It moves the bar and becomes a line of metrics.jsonl. `rows` are rows learnt from so far, if they are not
        `step * batch_size`.
        """
        said = {"step": step, "losses": {head: float(loss) for head, loss in losses.items()}}
        said |= {"learning_rate": learning_rate, "gradient_norm": gradient_norm, "rows": rows}
        print(json.dumps(said), flush=True)

    def finish(self, weights: Mapping[str, numpy.ndarray]) -> None:
        """Writes the weights that play next: the tensors of `weights`, of the same names and shapes."""
        write_weights(self.output, weights)


def read_weights(path: str | os.PathLike[str]) -> dict[str, numpy.ndarray]:
    """The tensors of a checkpoint's ``weights.safetensors``, float32, by name."""
    return parse_weights(Path(path).read_bytes(), str(path))


def parse_weights(content: bytes, name_of_file: str) -> dict[str, numpy.ndarray]:
    """The tensors of a file's content; ``name_of_file`` is for messages."""
    try:
        length = int.from_bytes(content[:8], "little")
        if len(content) < 8 or length > min(len(content) - 8, _LONGEST):
            raise ValueError("a header that is cut short")
        header = json.loads(content[8 : 8 + length])
        header.pop("__metadata__", None)
        data = memoryview(content)[8 + length :]
        weights = {}
        for name, tensor in header.items():
            first, end = tensor["data_offsets"]
            if tensor["dtype"] != "F32" or not 0 <= first <= end <= len(data):
                raise ValueError(f"{name}: {tensor}")
            weights[name] = numpy.frombuffer(data[first:end], "<f4").reshape(tensor["shape"]).copy()
        return weights
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise ValueError(f"{name_of_file}: expected a safetensors file of 32-bit floats, found {error}") from None


def write_weights(path: str | os.PathLike[str], weights: Mapping[str, numpy.ndarray]) -> None:
    """Writes tensors as a safetensors file of 32-bit floats, whole or not at all."""
    header, parts, end = {}, [], 0
    for name, values in weights.items():
        values = numpy.asarray(values, "<f4")
        header[name] = {"dtype": "F32", "shape": list(values.shape), "data_offsets": [end, end + values.nbytes]}
        parts.append(values.tobytes())
        end += values.nbytes
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    path = Path(path)
    partial = path.with_name(path.name + ".partial")
    with partial.open("wb") as file:
        file.write(len(text).to_bytes(8, "little") + text)
        for part in parts:
            file.write(part)
        file.flush()
        os.fsync(file.fileno())
    partial.replace(path)
