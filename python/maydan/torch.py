"""What needs PyTorch: our network as a module, any network as a file that runs play with, batches as tensors."""

from __future__ import annotations

import json
import os
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy
import torch
import torch.nn.functional as F
from torch import Tensor, nn

from ._maydan import Game, _read_config
from .dataset import Dataset
from .training import parse_weights, read_weights, write_weights

#: Most bytes of a file of a bundle that are read.
_LONGEST = 1 << 30
#: Plies that an output of 1 of the moves-left head stands for.
MOVES_LEFT_SCALE = 32.0
#: What the stem makes of a scalar.
_SCALAR_SCALE = 0.1
#: Pieces of a plane that make a 1 where the value head counts them.
_PIECES_SCALE = 8.0
#: Added to a kernel's variance times its fan-in before it is divided by the root of that.
_STANDARDISING = 1e-4
#: What is added to a value in a hole of the board: more than any value there.
_WALL = 16384.0


class TorchDataset(torch.utils.data.IterableDataset):
    """The batches of a dataset as dicts of tensors, in the memory of the numpy arrays.

    For ``torch.utils.data.DataLoader(dataset, batch_size=None)``: batches are made already. Of several workers each
    gives every n-th batch, so that all of them come once and in order.
    """

    def __init__(self, dataset: Dataset) -> None:
        super().__init__()
        self.dataset = dataset

    def __len__(self) -> int:
        return len(self.dataset)

    def __iter__(self) -> Iterator[dict[str, Tensor]]:
        worker = torch.utils.data.get_worker_info()
        steps = range(len(self.dataset))
        if worker is None:
            batches = iter(self.dataset)
        else:
            mine = steps[worker.id :: worker.num_workers]
            batches = (batch for step in mine for batch in self.dataset.batches(step, step + 1))
        for batch in batches:
            yield {name: torch.from_numpy(array) for name, array in batch.items()}


class Standardised(nn.Module):
    """A convolution whose kernels are standardised (Brock et al. 2021), with a gain and a bias an output channel."""

    def __init__(self, inputs: int, outputs: int, kernel: int, gain: float) -> None:
        super().__init__()
        fan_in = inputs * kernel * kernel
        self.weight = nn.Parameter(_uniform((outputs, inputs, kernel, kernel), fan_in**-0.5))
        self.gain = nn.Parameter(torch.full((outputs,), gain))
        self.bias = nn.Parameter(torch.zeros(outputs))

    def forward(self, x: Tensor, scale: Tensor | None = None) -> Tensor:
        dims, fan_in = (1, 2, 3), self.weight[0].numel()
        variance, mean = torch.var_mean(self.weight, dims, correction=0, keepdim=True)
        kernel = (self.weight - mean) * torch.rsqrt(variance * fan_in + _STANDARDISING) * self.gain.view(-1, 1, 1, 1)
        if scale is not None:
            kernel = kernel * scale
        return F.conv2d(x, kernel, self.bias, padding=self.weight.shape[-1] // 2)


def _uniform(shape: tuple[int, ...], deviation: float) -> Tensor:
    return (torch.rand(shape) - 0.5) * (12**0.5 * deviation)


def _linear(inputs: int, outputs: int, scale: float) -> nn.Linear:
    layer = nn.Linear(inputs, outputs)
    with torch.no_grad():
        layer.weight.copy_(_uniform((outputs, inputs), scale * (2 / inputs) ** 0.5))
        layer.bias.zero_()
    return layer


#: Gain after which a ReLU keeps the variance.
_RELU_GAIN = 1.7139


class _Board:
    """Which places are squares: a hole is 0 in all that a convolution sees, and nothing to what is pooled."""

    def __init__(self, planes: Tensor, plane: int | None) -> None:
        self.squares = None if plane is None else planes[:, plane : plane + 1]
        if self.squares is not None:
            self.scale = 1 / self.squares.mean(dim=(2, 3)).clamp_min(1e-3)

    def relu(self, x: Tensor) -> Tensor:
        return F.relu(x if self.squares is None else x + (self.squares - 1) * _WALL)

    def only(self, x: Tensor) -> Tensor:
        return x if self.squares is None else x * self.squares

    def scaled(self, means: Tensor) -> Tensor:
        return means if self.squares is None else means * self.scale

    def mean(self, x: Tensor) -> Tensor:
        return self.scaled(x.mean(dim=(2, 3)))

    def pool(self, x: Tensor) -> Tensor:
        return torch.cat([self.mean(x), x.amax(dim=(2, 3))], dim=1)


class _Block(nn.Module):
    def __init__(self, channels: int, pooling: str) -> None:
        super().__init__()
        self.conv1 = Standardised(channels, channels, 3, _RELU_GAIN)
        if pooling == "global":
            self.pool = _linear(2 * channels, channels, 0.1)
        self.conv2 = Standardised(channels, channels, 3, 0.2)
        if pooling == "squeeze_excite":
            squeezed = max(channels // 4, 4)
            self.squeeze, self.excite = _linear(channels, squeezed, 1.0), _linear(squeezed, channels, 1.0)
        self.pooling = pooling

    def forward(self, x: Tensor, board: _Board) -> Tensor:
        hidden = self.conv1(x)
        if self.pooling == "global":
            hidden = hidden + self.pool(board.pool(x))[:, :, None, None]
        change = self.conv2(board.relu(hidden))
        if self.pooling == "squeeze_excite":
            gate = self.excite(F.relu(self.squeeze(board.mean(board.only(change)))))
            change = change * gate.sigmoid()[:, :, None, None]
        return board.relu(change + x)


def _logits(inputs: int, planes: int) -> nn.Conv2d:
    """Logits of each plane of actions on each square."""
    layer = nn.Conv2d(inputs, planes, 1)
    with torch.no_grad():
        layer.weight.copy_(_uniform(tuple(layer.weight.shape), 0.1 * (2 / inputs) ** 0.5))
        layer.bias.zero_()
    return layer


class Network(nn.Module):
    """Our network, with its weights under the names that they have in ``weights.safetensors``.

    `model` is the table ``[model]`` of a configuration, `shape` the table ``[network]`` of a ``checkpoint.toml``. From
    planes ``[B, C, H, W]`` to policy logits ``[B, A]``, logits of win, draw and loss ``[B, 3]`` by the side to move,
    and plies left ``[B]``.
    """

    def __init__(self, model: dict[str, Any], shape: dict[str, Any]) -> None:
        super().__init__()
        self.model, self.shape = dict(model), dict(shape)
        channels, inputs = model["channels"], shape["channels"]
        self.board = shape.get("board")
        self.bit_planes = inputs - shape["scalars"]
        self.stem = Standardised(inputs, channels, 3, 3.0)
        for block in range(model["blocks"]):
            pooling = model["pooling"] if (block + 1) % model["pooling_every"] == 0 else "none"
            self.add_module(f"block{block}", _Block(channels, pooling))
        hidden, values = model["policy_channels"], model["value_channels"]
        self.policy = nn.ModuleDict(
            {
                "conv": Standardised(channels, hidden, 1, _RELU_GAIN),
                "pool": _linear(2 * channels, hidden, 0.1),
                "logits": _logits(hidden, shape["action_planes"]),
            }
        )
        self.value = nn.ModuleDict(
            {
                "conv": Standardised(channels, values, 1, _RELU_GAIN),
                "hidden": _linear(2 * values + inputs, model["value_hidden"], 1.0),
                "wdl": _linear(model["value_hidden"], 3, 0.1),
                "moves_left": _linear(model["value_hidden"], 1, 0.1),
            }
        )
        scale = torch.ones(1, inputs, 1, 1)
        scale[:, self.bit_planes :] = _SCALAR_SCALE
        self.register_buffer("scale", scale, persistent=False)

    def forward(self, planes: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        board = _Board(planes, self.board)
        x = board.relu(self.stem(planes, self.scale))
        for block in range(self.model["blocks"]):
            x = self.get_submodule(f"block{block}")(x, board)
        policy = self.policy["conv"](x) + self.policy["pool"](board.pool(x))[:, :, None, None]
        policy = self.policy["logits"](F.relu(policy)).flatten(1)
        value = board.relu(self.value["conv"](x))
        value = torch.cat([board.pool(value), self._count(planes, board)], dim=1)
        value = F.relu(self.value["hidden"](value))
        moves_left = F.softplus(self.value["moves_left"](value)).squeeze(1) * MOVES_LEFT_SCALE
        return policy, self.value["wdl"](value), moves_left

    def _count(self, planes: Tensor, board: _Board) -> Tensor:
        """How many pieces each plane of bits shows, scaled, and the scalars."""
        means = planes.mean(dim=(2, 3))
        squares = planes.shape[2] * planes.shape[3]
        return torch.cat(
            [means[:, : self.bit_planes] * (squares / _PIECES_SCALE), board.scaled(means[:, self.bit_planes :])], dim=1
        )

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Network:
        """The network of a bundle (``*.maydan``), or of a checkpoint by its folder, as ``models/run/gen-000012``."""
        path = Path(path)
        try:
            if path.suffix == ".maydan":
                model, shape, weights = _of_bundle(path)
            else:
                metadata = _read_config(path / "checkpoint.toml")
                model, shape = metadata["model"], metadata["network"]
                weights = read_weights(path / "weights.safetensors")
            network = cls(model, shape)
        except (KeyError, TypeError, zipfile.BadZipFile) as error:
            raise ValueError(f"{path}: expected a bundle or the folder of a checkpoint, found {error!r}") from None
        network.load_weights(weights)
        return network

    def load_weights(self, weights: dict[str, numpy.ndarray]) -> None:
        """Takes weights by name, as `maydan.training.read_weights` gives them.

        Raises ``ValueError`` where a name is missing or unknown, or a shape is another.
        """
        try:
            self.load_state_dict({name: torch.from_numpy(values) for name, values in weights.items()})
        except RuntimeError as error:
            raise ValueError(" ".join(str(error).split())) from None

    def weights(self) -> dict[str, numpy.ndarray]:
        """The weights by name, for ``Order.finish`` and `maydan.training.write_weights`."""
        return {name: values.detach().cpu().float().numpy() for name, values in self.state_dict().items()}

    def save_weights(self, path: str | os.PathLike[str]) -> None:
        """Writes the weights as a ``weights.safetensors``."""
        write_weights(path, self.weights())


def _of_bundle(path: Path) -> tuple[dict[str, Any], dict[str, Any], dict[str, numpy.ndarray]]:
    """Size, shape and weights of the network of a bundle."""
    with zipfile.ZipFile(path) as archive:
        for name in ("manifest.json", "model.safetensors"):
            if archive.getinfo(name).file_size > _LONGEST:
                raise ValueError(f"{path}: {name}: expected at most {_LONGEST} bytes, found more")
        manifest = json.loads(archive.read("manifest.json"))
        weights = parse_weights(archive.read("model.safetensors"), f"{path}: model.safetensors")
    given = manifest["input"]
    shape = {name: given[name] for name in ("encoding", "height", "width", "scalars")}
    shape |= {"channels": len(given["planes"]), "board": given.get("board")}
    shape |= {"action_planes": len(manifest["actions"]["planes"])}
    return manifest["network"]["model"], shape, weights


def losses(network: nn.Module, batch: dict[str, Tensor], value_mix: float = 0.5) -> tuple[Tensor, Tensor, Tensor]:
    """The losses that our own learner has of a batch of `TorchDataset`: policy and value in nats, moves left.

    `network` is any module from planes to policy logits, logits of win, draw and loss, and plies left.
    """
    policy, wdl, moves_left = network(batch["planes"])
    logits = policy.gather(1, batch["legal"]).masked_fill(~batch["is_legal"], -1e9)
    of_rows = -(batch["policy"] * logits.log_softmax(dim=1)).sum(dim=1)
    policy_loss = (of_rows * batch["policy_mask"]).sum() / batch["policy_mask"].sum().clamp_min(1)
    target = batch["wdl"] + value_mix * (batch["search_wdl"] - batch["wdl"])
    value_loss = -(target * wdl.log_softmax(dim=1)).sum(dim=1).mean()
    errors = F.huber_loss(moves_left / MOVES_LEFT_SCALE, batch["moves_left"] / MOVES_LEFT_SCALE, reduction="none")
    mask = batch["moves_left_mask"]
    return policy_loss, value_loss, (errors * mask).sum() / mask.sum().clamp_min(1)


#: Names of the outputs of a network, in their order.
_OUTPUTS = ("policy", "wdl", "moves_left")


def export(network: nn.Module, path: str | os.PathLike[str], game: Game) -> None:
    """Writes a network of any architecture as a file that runs, matches, engines and the page play with.

    `network` takes planes ``[B, C, H, W]`` and gives policy logits ``[B, A]``, logits of win, draw and loss ``[B, 3]``
    by the side to move, and plies left ``[B]``. A name that ends in ``.pt`` is traced (TorchScript, which libtorch
    computes), one in ``.onnx`` a graph that needs no libtorch (PyTorch wants ``onnxscript`` for it). The file says by
    which rules it plays. It appears whole or not at all. Raises ``ValueError`` where the outputs are others.
    """
    path = Path(path)
    if path.suffix not in (".pt", ".onnx"):
        raise ValueError(f"{path}: expected a name that ends in .pt or .onnx")
    training = network.training
    parameter = next(network.parameters(), torch.zeros(0))
    planes = torch.zeros(2, *game.planes_shape, device=parameter.device)
    partial = path.with_name(path.name + ".partial")
    try:
        network.eval()
        with torch.no_grad():
            _check_outputs(network(planes), game)
            if path.suffix == ".pt":
                traced = torch.jit.trace(network, planes, check_trace=False)
                torch.jit.save(traced, str(partial), _extra_files={"maydan.json": game.network_note()})
            else:
                _write_onnx(network, planes, partial, game)
    finally:
        network.train(training)
    partial.replace(path)


def _check_outputs(outputs: Any, game: Game) -> None:
    expected = ((2, game.num_actions), (2, 3), (2,))
    if not isinstance(outputs, tuple) or len(outputs) != 3:
        raise ValueError(f"expected a tuple of {', '.join(_OUTPUTS)}, found {type(outputs).__name__}")
    for name, shape, found in zip(_OUTPUTS, expected, outputs, strict=True):
        if tuple(found.shape) != shape:
            raise ValueError(f"{name}: expected {list(shape)} of 2 rows, found {list(found.shape)}")


def _write_onnx(network: nn.Module, planes: Tensor, path: Path, game: Game) -> None:
    batch = torch.export.Dim("batch")
    graph = torch.onnx.export(
        network,
        (planes,),
        input_names=["planes"],
        output_names=list(_OUTPUTS),
        dynamic_shapes=({0: batch},),
        dynamo=True,
        verbose=False,
    )
    # In one file, weights and all.
    graph.save(str(path), external_data=False)
    # A message of protobuf takes fields at its end: one more of `metadata_props`, with a key and a value.
    pair = [_field(1, b"maydan.json"), _field(2, game.network_note().encode())]
    with path.open("ab") as file:
        file.write(_field(14, b"".join(pair)))


def _field(number: int, content: bytes) -> bytes:
    """A field of protobuf that has a length."""
    return bytes([number << 3 | 2]) + _number(len(content)) + content


def _number(value: int) -> bytes:
    return bytes([value]) if value < 128 else bytes([value & 127 | 128]) + _number(value >> 7)
