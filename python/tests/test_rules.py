"""Games, states and actions."""

import pickle
import xml.etree.ElementTree

import numpy
import pytest

import maydan

#: Leaves of the tree of legal actions from the start, from the tables of tests/perft.
PERFT = {"shatara": [1, 20, 400, 9302], "chess": [1, 20, 400, 8902]}


@pytest.fixture(params=maydan.GAMES)
def game(request):
    return maydan.Game(request.param)


def play(state, plies, seed=0):
    """So many random plies, or fewer where the game ends."""
    chance = numpy.random.default_rng(seed)
    for _ in range(plies):
        if state.is_over:
            break
        state = state.apply(chance.choice(state.legal_actions))
    return state


def test_games_are_all_there():
    assert maydan.GAMES == ["shatara", "chess", "shatar", "omega", "omega-advanced", "shatra"]


@pytest.mark.parametrize("name", PERFT)
def test_perft(name):
    state = maydan.Game(name).start()
    assert [state.perft(depth) for depth in range(4)] == PERFT[name]
    assert sum(state.divide(3).values()) == PERFT[name][3]
    assert list(state.divide(1)) == [str(action) for action in state.legal_actions]


def test_an_action_is_a_string_and_an_index(game):
    state = game.start()
    policy = numpy.arange(game.num_actions)
    for action in state.legal_actions:
        assert policy[action] == int(action) == action.index
        assert action.kind in game.action_kinds
        by_all = {state.apply(action), state.apply(str(action)), state.apply(action.index)}
        by_all |= {state.apply(numpy.int64(action.index))}
        assert len(by_all) == 1
    indices = [action.index for action in state.legal_actions]
    assert numpy.flatnonzero(state.legal_mask()).tolist() == sorted(indices)


def test_a_state_never_changes(game):
    start = game.start()
    before = str(start)
    later = play(start, 30)
    assert str(start) == before == later.start
    assert len(later.actions) == 30 and later != start
    again = start
    for action in later.actions:
        again = again.apply(action)
    assert again == later and hash(again) == hash(later)


def test_position_strings_are_read_back(game):
    state = play(game.start(), 25)
    assert str(game.parse(str(state))) == str(state)
    assert game.parse(str(state)).actions == []


def test_pickling_keeps_the_history():
    game = maydan.Game("shatara", repetition=0, reserve="PPNB")
    state = game.start()
    for action in ["b1c3", "b8c6", "c3b1", "c6b8"]:
        state = state.apply(action)
    assert state.repetitions == 0  # castling rights and the reserve are as at the start, but the knights have moved
    copy = pickle.loads(pickle.dumps(state))
    assert copy == state and copy.actions == state.actions and copy.game == game
    assert copy.game.options["reserve"] == "PPNB"


def test_repetition_ends_a_game():
    state = maydan.Game("chess").start()
    while not state.is_over:
        for action in ["g1f3", "g8f6", "f3g1", "f6g8"]:
            state = state.apply(action)
            if state.is_over:
                break
    assert (state.outcome, state.reason, state.white_score) == ("draw", "repetition", 0.0)
    assert state.legal_actions == [] and not state.legal_mask().any()
    with pytest.raises(ValueError, match="the game is over"):
        state.apply("g1f3")


def test_planes(game):
    state = play(game.start(), 12)
    planes = state.encode()
    assert planes.shape == game.planes_shape and planes.dtype == numpy.float32
    assert len(game.planes) == planes.shape[0]
    assert len(game.action_planes) * planes.shape[1] * planes.shape[2] == game.num_actions
    assert numpy.isfinite(planes).all()
    mirror = game.mirror_actions
    assert (mirror[mirror] == numpy.arange(game.num_actions)).all()


def test_zones_and_drawing():
    state = maydan.Game("shatara").start()
    assert state.zones["white"] == {"P": 8, "N": 2, "B": 2, "R": 2, "Q": 1}
    assert maydan.Game("shatar").start().zones == {"white": {}, "black": {}}
    assert "K" in state.draw() and "reinforce" in state.game.rules_text.lower()


def test_pictures(game):
    for state in [game.start(), play(game.start(), 60)]:
        picture = xml.etree.ElementTree.fromstring(state._repr_svg_())
        assert picture.tag == "{http://www.w3.org/2000/svg}svg"
        pieces = [group for group in picture.iter() if group.get("class", "").startswith("piece ")]
        assert len(pieces) > 2


def test_games_are_equal_when_their_options_are():
    assert maydan.Game("shatara") == maydan.Game("shatara", repetition=3)
    assert maydan.Game("shatara") != maydan.Game("shatara", repetition=0)
    assert len({maydan.Game("shatara"), maydan.Game("shatara"), maydan.Game("chess")}) == 2
    assert maydan.Game("shatara") != "shatara"


@pytest.mark.parametrize(
    "mistake, message",
    [
        (lambda: maydan.Game("go"), "unknown game `go`"),
        (lambda: maydan.Game("shatara", colour=1), "unknown option `colour`"),
        (lambda: maydan.Game("shatara", repetition=1), "`repetition`: expected 0"),
        (lambda: maydan.Game("shatara", reserve="PXP"), "reserve"),
        (lambda: maydan.Game("shatara", reserve=object()), "`reserve`: "),
        (lambda: maydan.Game("shatara").parse("x"), "position field"),
        (lambda: maydan.Game("shatara").start().apply("e2e5"), "`e2e5` is not a legal action"),
        (lambda: maydan.Game("shatara").start().apply(-1), "index -1 is not a legal action"),
        (lambda: maydan.Game("shatara").start().apply(10**30), "is not a legal action"),
        (lambda: maydan.Game("shatara").start().apply("e" * 10_000), r"eeee\.\.\.` is not a legal"),
        (lambda: maydan.Game("shatara").start().perft(100), "depth: expected at most"),
        (lambda: maydan.Game("shatara").batch(1 << 40), "n: expected at most"),
    ],
)
def test_mistakes_raise_value_errors(mistake, message):
    with pytest.raises(ValueError, match=message):
        mistake()


def test_other_types_raise_type_errors():
    with pytest.raises(TypeError, match="expected an Action, a str or an int"):
        maydan.Game("shatara").start().apply(1.5)


def test_foreign_pickles_raise():
    restore = maydan._maydan._restore_state
    with pytest.raises(ValueError, match="position field"):
        restore(maydan.Game("shatara"), "nowhere", [])
    with pytest.raises(ValueError, match="`e2e5` is not a legal action"):
        restore(maydan.Game("shatara"), str(maydan.Game("shatara").start()), ["e2e5"])
    with pytest.raises(ValueError, match="unknown game"):
        maydan._maydan._restore_game("go", {})
