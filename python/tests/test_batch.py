"""Many games side by side."""

import numpy
import pytest

import maydan


@pytest.mark.parametrize("name", maydan.GAMES)
def test_a_batch_is_its_states(name):
    game = maydan.Game(name)
    batch = game.batch(16, seed=3)
    for _ in range(30):
        batch.step(batch.random_actions())
    mask, planes = batch.legal_mask(), batch.planes()
    assert mask.shape == (16, game.num_actions) and planes.shape == (16, *game.planes_shape)
    for i, state in enumerate(batch):
        assert (mask[i] == state.legal_mask()).all()
        assert (planes[i] == state.encode()).all()
        assert batch.is_over[i] == state.is_over and batch.plies[i] == state.ply
        assert ["white", "black"][batch.side_to_move[i]] == state.side_to_move
        assert numpy.isnan(batch.outcomes()[i]) != state.is_over


def test_random_games_come_to_an_end():
    batch = maydan.Game("shatar").batch(64, seed=1)
    while not batch.is_over.all():
        batch.step(batch.random_actions())
    outcomes, reasons = batch.outcomes(), batch.reasons()
    assert set(outcomes.tolist()) <= {-1.0, 0.0, 1.0} and len(set(reasons)) > 1
    assert (batch.random_actions() == -1).all() and not batch.legal_mask().any()
    for state, outcome in zip(batch, outcomes, strict=True):
        assert state.white_score == outcome
    batch.reset(outcomes == 0)
    assert (batch.is_over == (outcomes != 0)).all()
    batch.reset()
    assert (batch.plies == 0).all()


def test_the_seed_decides():
    def end(seed, n):
        batch = maydan.Game("shatara").batch(n, seed=seed)
        for _ in range(40):
            batch.step(batch.random_actions())
        return [str(state) for state in batch]

    assert end(5, 8) == end(5, 8) == end(5, 80)[:8]
    assert end(5, 8) != end(6, 8)


def test_a_copy_goes_its_own_way():
    batch = maydan.Game("shatara").batch(4, seed=1)
    batch.step(batch.random_actions())
    copy = batch.copy()
    before = [str(state) for state in batch]
    copy.step(copy.random_actions())
    assert [str(state) for state in batch] == before != [str(state) for state in copy]


def test_planes_in_other_types():
    batch = maydan.Game("shatara").batch(3)
    assert batch.planes("float16").dtype == numpy.float16
    assert batch.planes(numpy.float64).dtype == numpy.float64
    assert (batch.planes("float16") == batch.planes()).all()


def test_an_illegal_action_plays_nothing():
    batch = maydan.Game("shatara").batch(3)
    actions = batch.random_actions()
    before = [str(state) for state in batch]
    for wrong, message in [
        ([actions[0], -1, actions[2]], "game 1: index -1 is not a legal action of"),
        ([actions[0], actions[1], 1 << 40], "game 2: index 1099511627776"),
        (actions[:2], "expected 3 whole numbers"),
        (actions.astype(float), "expected 3 whole numbers"),
        (["a", "b", "c"], "expected 3 whole numbers"),
        ([[1, 2], [3, 4], [5, 6]], "expected 3 whole numbers"),
    ]:
        with pytest.raises(ValueError, match=message):
            batch.step(wrong)
        assert [str(state) for state in batch] == before
    batch.step(actions.astype(numpy.int32))
    assert (batch.plies == 1).all()
    with pytest.raises(ValueError, match="which: expected 3 bools"):
        batch.reset([True])
    with pytest.raises(IndexError):
        batch[3]


def test_no_games_at_all():
    batch = maydan.Game("shatara").batch(0)
    batch.step([])
    assert batch.planes().shape[0] == 0 and len(batch.outcomes()) == 0
