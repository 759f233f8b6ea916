"""The environments of PettingZoo, by its own tests."""

import pytest

pytest.importorskip("pettingzoo")

from pettingzoo.test import api_test, seed_test

import maydan
from maydan.environment import GameEnvironment, env


@pytest.mark.parametrize("name", maydan.GAMES)
def test_pettingzoo_accepts_it(name, capsys):
    api_test(env(name), num_cycles=200, verbose_progress=False)


def test_seeds():
    seed_test(lambda: env("shatara"), num_cycles=50)


@pytest.mark.parametrize("name", ["shatara", "shatra"])
def test_a_random_game_rewards_its_winner(name):
    environment = env(name, max_plies=120)
    totals = set()
    for seed in range(12):
        environment.reset(seed=seed)
        for agent in environment.possible_agents:
            environment.action_space(agent).seed(seed)
        total = {agent: 0 for agent in environment.possible_agents}
        for agent in environment.agent_iter():
            observation, reward, terminated, truncated, info = environment.last()
            total[agent] += reward
            if terminated or truncated:
                environment.step(None)
                assert "reason" in info
                continue
            mask = observation["action_mask"]
            assert mask.sum() == len(environment.unwrapped.state_of_game.legal_actions)
            environment.step(environment.action_space(agent).sample(mask))
        assert total["white"] == -total["black"] == environment.unwrapped.state_of_game.white_score
        totals.add(total["white"])
    # Random games of Shatara Arena end in draws, nearly all of them.
    assert name != "shatra" or len(totals) > 1


def test_positions_and_drawings():
    environment = GameEnvironment(maydan.Game("chess"), render_mode="ansi")
    environment.reset(options={"position": "6k1/5ppp/8/8/8/8/8/4RK2[] w - - - 0 1"})
    mate = environment.state_of_game.legal_actions
    environment.step(next(int(action) for action in mate if str(action) == "e1e8"))
    assert environment.terminations == {"white": True, "black": True}
    assert environment.rewards == {"white": 1, "black": -1} and environment.infos["white"]["reason"] == "checkmate"
    assert "R" in environment.render()
    with pytest.raises(ValueError, match="render_mode"):
        env("shatara", render_mode="rgb")
