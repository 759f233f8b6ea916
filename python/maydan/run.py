"""The files of a run."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from ._maydan import Bot, Game, PlayedGame, _generations, _read_config, _read_games
from .frames import frame

if TYPE_CHECKING:
    from .dataset import Dataset

#: Most bytes of a line of metrics.
_LONGEST = 1 << 20


class Run:
    """A run by its folder of checkpoints, as in ``Run("models/shatara-demo")``.

    Its games are in the folder of the same name in ``data/`` beside ``models/``, unless ``data`` says otherwise. The
    run may go on meanwhile: every method reads what is there when it is called.
    """

    def __init__(self, folder: str | os.PathLike[str], data: str | os.PathLike[str] | None = None) -> None:
        self.folder = Path(folder)
        if not (self.folder / "config.toml").is_file():
            raise ValueError(f"{self.folder}: expected the folder of a run, found no config.toml in it")
        absolute = self.folder.absolute()
        self.data = Path(data) if data is not None else absolute.parent.parent / "data" / absolute.name
        #: The configuration with every key resolved, as nested dicts.
        self.config: dict[str, Any] = _read_config(self.folder / "config.toml")
        try:
            #: The game under the options of the run.
            self.game = Game(self.config["game"], **self.config.get("rules", {}))
        except KeyError:
            raise ValueError(f"{self.folder / 'config.toml'}: game: expected a game's id, found none") from None

    @property
    def name(self) -> str:
        """The run's name."""
        return self.folder.absolute().name

    @property
    def generations(self) -> list[int]:
        """Generations whose network is there, in order. Generation 0 is the random start."""
        return _generations(self.folder)

    @property
    def played(self) -> list[int]:
        """Generations that have games on disk, in order; those of the last one may be incomplete."""
        return _generations(self.data)

    def bot(self, generation: int | None = None) -> Bot:
        """The network of a generation, or the newest one."""
        return Bot.load(self.folder if generation is None else self.folder / f"gen-{generation:06}")

    def games(self, generations: int | Iterable[int] | None = None) -> Iterator[PlayedGame]:
        """The games of one generation, of several, or of all, one after the other.

        Each is held against the rules as it is read.
        """
        if generations is None:
            generations = self.played
        elif isinstance(generations, int):
            generations = [generations]
        for generation in generations:
            yield from _read_games(self.game, self.data, generation)

    def events(self, event: str | None = None) -> Iterator[dict[str, Any]]:
        """The lines of ``metrics.jsonl``, or those of one kind of event, oldest first."""
        path = self.folder / "metrics.jsonl"
        if not path.exists():
            return
        with path.open("rb") as lines:
            number = 0
            while line := lines.readline(_LONGEST):
                number += 1
                if not line.endswith(b"\n"):
                    # Under way, or cut short by a kill.
                    break
                try:
                    found = json.loads(line)
                    kind = found["event"]
                except (ValueError, KeyError, TypeError, RecursionError) as error:
                    raise ValueError(f"{path}: line {number}: expected an event, found {error}") from None
                if event is None or kind == event:
                    yield found

    def metrics(self, event: str = "selfplay", library: Literal["polars", "pandas"] | None = None) -> Any:
        """Events of one kind as a DataFrame: ``selfplay``, ``train``, ``holdout``, ``match``, ``ratings``, ...

        Of polars if it is there, else of pandas, unless ``library`` says which. Fields in fields have names with dots,
        as ``losses.policy``.
        """
        rows = [_flat(found) for found in self.events(event)]
        names = list(dict.fromkeys(name for row in rows for name in row))
        columns = {name: [row.get(name) for row in rows] for name in names}
        return frame(columns, library)

    def dataset(self, generation: int | None = None, **settings: Any) -> Dataset:
        """What the training on a generation draws from: see `Dataset`."""
        from .dataset import Dataset

        return Dataset(self, generation, **settings)

    def __repr__(self) -> str:
        return f"<maydan.Run {self.folder} of {self.game.name}>"


def _flat(fields: dict[str, Any], prefix: str = "") -> dict[str, Any]:
    flat: dict[str, Any] = {}
    for name, value in fields.items():
        if isinstance(value, dict):
            flat |= _flat(value, f"{prefix}{name}.")
        else:
            flat[prefix + name] = value
    return flat
