"""Shatara Arena and its kin from Python: rules, search, bots, and the files of runs.

>>> import maydan
>>> state = maydan.Game("shatara").start()
>>> state = state.apply("e2e4")
>>> state.side_to_move, len(state.legal_actions)
('black', 20)

The rules and the search are those of the Rust library, compiled into this package. Nothing here needs PyTorch.
"""

from . import stats
from ._maydan import (
    GAMES,
    Action,
    Batch,
    Bot,
    Game,
    PlayedGame,
    SearchResult,
    State,
    Window,
    __version__,
    search,
)
from .dataset import Dataset
from .run import Run

__all__ = [
    "GAMES",
    "Action",
    "Batch",
    "Bot",
    "Dataset",
    "Game",
    "PlayedGame",
    "Run",
    "SearchResult",
    "State",
    "Window",
    "__version__",
    "search",
    "stats",
]
