"""The statistics of `maydan stats` and `maydan study` as DataFrames.

>>> tables = maydan.stats.reserves(maydan.Run("models/shatara-demo"))     # doctest: +SKIP
>>> tables["first_uses"]                                                  # doctest: +SKIP

Every number, interval and filter is that of the command; ``docs/statistics.md`` says what each means.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from typing import Any

from ._maydan import State, _stats, _study
from .frames import frame
from .run import Run

_Runs = Run | str | os.PathLike[str]


class Tables(Mapping[str, Any]):
    """Tables by name, each a DataFrame of polars if it is there, else of pandas."""

    def __init__(self, counted: tuple[int, list[str], list[tuple[str, str, str, dict[str, list[Any]]]]]) -> None:
        #: Number of games that were counted.
        self.games = counted[0]
        #: What was wrong with files that had to be left out.
        self.skipped = counted[1]
        self._tables = {name: (title, note, columns) for name, title, note, columns in counted[2]}

    def __getitem__(self, name: str) -> Any:
        return self.frame(name)

    def __iter__(self) -> Iterator[str]:
        return iter(self._tables)

    def __len__(self) -> int:
        return len(self._tables)

    def frame(self, name: str, library: str | None = None) -> Any:
        """A table as a DataFrame of the library named, ``polars`` or ``pandas``."""
        return frame(self._tables[name][2], library)

    def title(self, name: str) -> str:
        """A table's title."""
        return self._tables[name][0]

    def note(self, name: str) -> str:
        """What a reader of a table must know: n, interval, filters, definition."""
        return self._tables[name][1]

    def __repr__(self) -> str:
        return f"<maydan.stats.Tables of {self.games} games: {', '.join(self)}>"


def openings(*runs: _Runs, generations: range | None = None, **options: Any) -> Tables:
    """The openings of runs: tree, first moves, diversity, first-move advantage, length, results.

    Options: ``depth``, ``min_count``, ``bands``, ``opening_plies``, ``max_positions``.
    """
    return _ask("openings", runs, generations, options)


def explore(run: _Runs, position: str | State, generations: range | None = None) -> Tables:
    """What was played in one position, at whatever ply games came to it."""
    return _ask("explore", (run,), generations, {"position": str(position)})


def reserves(*runs: _Runs, generations: range | None = None, **options: Any) -> Tables:
    """When and how reserves are used: reinforcements, promotions, placings. Option: ``bands``."""
    return _ask("reserves", runs, generations, options)


def effect(*runs: _Runs, generations: range | None = None, **options: Any) -> Tables:
    """What a kind of action changes in the result, from the actions that self-play drew by chance.

    Options, where no configuration is kept beside the games: ``drawn_plies``, ``temperature``.
    """
    return _ask("effect", runs, generations, options)


def compare(*runs: _Runs, generations: range | None = None, **options: Any) -> Tables:
    """How runs of other seeds differ, number by number. Option: ``bands``."""
    return _ask("compare", runs, generations, options)


def study(file: str | os.PathLike[str], root: str | os.PathLike[str] = ".", settings: tuple[str, ...] = ()) -> Tables:
    """The tables of a study over the games that `maydan study` has played; ``settings`` are those of its ``--set``."""
    return Tables(_study(file, root, list(settings)))


def _ask(question: str, runs: tuple[_Runs, ...], generations: range | None, options: dict[str, Any]) -> Tables:
    if not runs:
        raise ValueError("runs: expected at least one")
    if generations is not None and (generations.step != 1 or not generations or generations.start < 0):
        raise ValueError(f"generations: expected a range such as range(10, 20), found {generations}")
    folders = [run.data if isinstance(run, Run) else run for run in runs]
    first, last = (0, None) if generations is None else (generations.start, generations.stop - 1)
    return Tables(_stats(question, folders, first, last, options))
