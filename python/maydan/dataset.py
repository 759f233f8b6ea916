"""What training draws from the games of a run."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from ._maydan import Window

if TYPE_CHECKING:
    import numpy

    from .run import Run


#: Most rows of a batch.
_MOST_ROWS = 65_536


class Dataset:
    """The batches of one generation's training: the same rows in the same order as the run's own training draws them.

    ``for batch in Dataset(run, 12)`` gives dicts of numpy arrays, for B rows of which one has at most L legal actions:

    ==================  ===============  ==============================================================================
    ``planes``          ``[B, C, H, W]``  positions, float32, each by its side to move, half of them mirrored where the
                                          rules allow it
    ``legal``           ``[B, L]``        indices of the legal actions, int64, filled up with 0
    ``is_legal``        ``[B, L]``        where ``legal`` is not filled up, bool
    ``policy``          ``[B, L]``        the search's probability of each, float32
    ``policy_mask``     ``[B]``           1 where the policy is to be learnt (a full search), else 0, float32
    ``wdl``             ``[B, 3]``        the game's result: win, draw, loss, float32
    ``search_wdl``      ``[B, 3]``        the lambda-return of this and later searches, float32
    ``has_result``      ``[B]``           whether the game came to a result, or was cut off, bool
    ``moves_left``      ``[B]``           plies until the end of the game, float32
    ``moves_left_mask``  ``[B]``          1 where the rules ended the game, else 0, float32
    ``ply``             ``[B]``           ply of the row in its game, int64
    ==================  ===============  ==============================================================================

    The value target of the run's own training is ``wdl + value_mix * (search_wdl - wdl)``.

    Settings that are not given are those of the run: ``window`` (keys of ``[window]`` that differ), ``batch_size``,
    ``seed``, ``mirror``, ``value_lambda``, and ``passes``, which decides how many batches there are unless ``steps``
    does.
    """

    def __init__(
        self,
        run: Run,
        generation: int | None = None,
        *,
        window: dict[str, Any] | None = None,
        batch_size: int | None = None,
        seed: int | None = None,
        mirror: bool | None = None,
        value_lambda: float | None = None,
        passes: float | None = None,
        steps: int | None = None,
        prefetch: int = 8,
    ) -> None:
        if generation is None:
            if not run.played:
                raise ValueError(f"{run.data}: expected games, found none")
            generation = run.played[-1]

        def setting(given: Any, section: str, key: str, default: Any) -> Any:
            return given if given is not None else run.config.get(section, {}).get(key, default)

        self.run = run
        self.generation = generation
        self.batch_size: int = setting(batch_size, "train", "batch_size", 256)
        if not 1 <= self.batch_size <= _MOST_ROWS:
            raise ValueError(f"batch_size: expected 1 to {_MOST_ROWS}, found {self.batch_size}")
        self.seed: int = setting(seed, "run", "seed", 1)
        self.mirror: bool = setting(mirror, "sampler", "mirror", True)
        self.prefetch = prefetch
        #: The rows themselves, in memory.
        self.window = Window(
            run.game,
            run.data,
            generation,
            window={**run.config.get("window", {}), **(window or {})},
            value_lambda=setting(value_lambda, "train", "value_lambda", 0.95),
        )
        if steps is None:
            passes = setting(passes, "sampler", "passes", 4.0)
            steps = max(1, math.ceil(passes * self.window.new_rows / self.batch_size))
        #: Number of batches.
        self.steps = steps

    def __len__(self) -> int:
        return self.steps

    def __iter__(self) -> Iterator[dict[str, numpy.ndarray]]:
        return self.batches(0, self.steps)

    def batches(self, first: int, last: int) -> Iterator[dict[str, numpy.ndarray]]:
        """The batches with these numbers, made ready ahead on a thread of their own."""
        return self.window.batches(
            first, last, batch_size=self.batch_size, seed=self.seed, mirror=self.mirror, prefetch=self.prefetch
        )

    def held_out(self, most: int = 4096) -> list[dict[str, numpy.ndarray]]:
        """The newest rows of games that are held out of training, at most so many, in batches."""
        return self.window.held_out(most, self.batch_size)

    def torch(self) -> Any:
        """The batches as tensors: a ``torch.utils.data.IterableDataset`` for ``DataLoader(..., batch_size=None)``."""
        from .torch import TorchDataset

        return TorchDataset(self)

    def __repr__(self) -> str:
        return f"<maydan.Dataset of {self.run.name}, generation {self.generation}: {self.steps} batches>"
