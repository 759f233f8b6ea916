"""The games as environments of PettingZoo, ``maydan.environment.env("shatara")``.

Needs the packages of ``pip install maydan[environments]``; nothing else of the package does. Many games at once,
without an environment around them, are a `maydan.Batch`.
"""

from __future__ import annotations

from typing import Any, ClassVar

import numpy
from gymnasium import spaces
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from ._maydan import Game, State

AGENTS = ["white", "black"]


def env(game: str | Game = "shatara", render_mode: str | None = None, **options: Any) -> AECEnv:
    """An environment of a game, with the wrappers that tell a wrong order of calls and actions that are not legal."""
    made = GameEnvironment(game, render_mode, **options)
    made = wrappers.TerminateIllegalWrapper(made, illegal_reward=-1)
    made = wrappers.AssertOutOfBoundsWrapper(made)
    return wrappers.OrderEnforcingWrapper(made)


class GameEnvironment(AECEnv):
    """A game as an environment of two agents, ``white`` and ``black``.

    An observation is a dict: ``observation``, the planes ``[C, H, W]`` by the side to move, and ``action_mask``, int8
    ``[A]``: 1 for the legal actions of the agent, 0 everywhere while it is the other one's turn. The same agent may act
    twice in a row. The end of a game rewards its winner with 1 and its loser with -1; draws reward nobody. ``infos``
    has the position string, and once the game is over the reason.
    """

    metadata: ClassVar[dict[str, Any]] = {
        "render_modes": ["ansi", "human"],
        "name": "maydan",
        "is_parallelizable": False,
    }

    def __init__(self, game: str | Game = "shatara", render_mode: str | None = None, **options: Any) -> None:
        super().__init__()
        if render_mode not in (None, *self.metadata["render_modes"]):
            raise ValueError(f"render_mode: expected one of {self.metadata['render_modes']}, found {render_mode!r}")
        if isinstance(game, Game) and options:
            raise ValueError("options: expected none beside a Game, which has its own")
        self.game = game if isinstance(game, Game) else Game(game, **options)
        self.render_mode = render_mode
        self.possible_agents = list(AGENTS)
        space = spaces.Dict(
            {
                "observation": spaces.Box(-numpy.inf, numpy.inf, self.game.planes_shape, numpy.float32),
                "action_mask": spaces.Box(0, 1, (self.game.num_actions,), numpy.int8),
            }
        )
        self.observation_spaces = {agent: space for agent in AGENTS}
        self.action_spaces = {agent: spaces.Discrete(self.game.num_actions) for agent in AGENTS}
        self.state_of_game: State = self.game.start()

    def observation_space(self, agent: str) -> spaces.Dict:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begins a game where it starts, or at the position string ``options["position"]``. Nothing is drawn."""
        position = (options or {}).get("position")
        self.state_of_game = self.game.start() if position is None else self.game.parse(position)
        self.agents = list(AGENTS)
        self.rewards = {agent: 0 for agent in AGENTS}
        self._cumulative_rewards = {agent: 0 for agent in AGENTS}
        self.truncations = {agent: False for agent in AGENTS}
        self._judge()

    def observe(self, agent: str) -> dict[str, numpy.ndarray]:
        state = self.state_of_game
        if state.side_to_move == agent:
            mask = state.legal_mask().astype(numpy.int8)
        else:
            mask = numpy.zeros(self.game.num_actions, numpy.int8)
        return {"observation": state.encode(), "action_mask": mask}

    def step(self, action: int | None) -> None:
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0
        self.state_of_game = self.state_of_game.apply(action)
        self._judge()
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def _judge(self) -> None:
        state = self.state_of_game
        over = state.is_over
        self.agent_selection = state.side_to_move
        self.terminations = {agent: over for agent in AGENTS}
        self.infos = {agent: {"position": str(state)} for agent in AGENTS}
        if over:
            score = state.white_score or 0
            self.rewards = {"white": int(score), "black": -int(score)}
            for info in self.infos.values():
                info["reason"] = state.reason

    def render(self) -> str | None:
        """Draws board and zones: returns the text (``ansi``), or prints it (``human``)."""
        if self.render_mode == "ansi":
            return self.state_of_game.draw()
        if self.render_mode == "human":
            print(self.state_of_game.draw())
        return None

    def close(self) -> None:
        pass
