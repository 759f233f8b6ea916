"""Searches with networks in Python, and bots."""

import zipfile
from pathlib import Path

import numpy
import pytest

import maydan

MODELS = Path(__file__).parents[2] / "models"
#: White mates with e1e8.
MATE = "6k1/5ppp/8/8/8/8/8/4RK2[] w - - - 0 1"


def uniform(planes):
    """Every action alike, every position a draw."""
    rows = len(planes)
    return numpy.zeros((rows, 4800)), numpy.tile([-9.0, 9.0, -9.0], (rows, 1))


@pytest.fixture(scope="module")
def shatara():
    return maydan.Game("shatara")


@pytest.mark.parametrize("mode", ["puct", "gumbel"])
def test_a_mate_is_found_and_proven(shatara, mode):
    result = maydan.search(shatara.parse(MATE), uniform, playouts=300, mode=mode)
    assert str(result.best) == "e1e8" and result.proof == "win"
    assert result.value == 1.0 and result.wdl == (1.0, 0.0, 0.0)
    assert result.principal_variation == ["e1e8"]
    assert result.playouts <= 300


def test_arrays_stand_beside_the_actions(shatara):
    result = maydan.search(shatara.start(), uniform, playouts=100)
    n = len(result.actions)
    assert n == 20
    for array in [result.visits, result.q, result.prior, result.policy]:
        assert array.shape == (n,)
    assert result.visits.sum() == 100
    assert numpy.allclose(result.prior, 1 / 20) and numpy.isclose(result.policy.sum(), 1)
    dense = result.dense_policy()
    assert dense.shape == (shatara.num_actions,)
    assert all(dense[action] == policy for action, policy in zip(result.actions, result.policy, strict=True))
    assert result.raw_wdl[1] > 0.99 and result.state == shatara.start()


def test_many_states_fill_batches(shatara):
    sizes = []

    def counted(planes):
        sizes.append(len(planes))
        return uniform(planes)

    batch = shatara.batch(20, seed=1)
    for _ in range(10):
        batch.step(batch.random_actions())
    states = list(batch)
    results = maydan.search(states, counted, playouts=16, mode="gumbel", gumbel_scale=1.0, seed=7)
    assert len(results) == 20 and max(sizes) == 20
    assert [result.state for result in results] == states
    again = maydan.search(states, uniform, playouts=16, mode="gumbel", gumbel_scale=1.0, seed=7)
    assert [list(result.visits) for result in again] == [list(result.visits) for result in results]
    other = maydan.search(states, uniform, playouts=16, mode="gumbel", gumbel_scale=1.0, seed=8)
    assert [list(result.visits) for result in other] != [list(result.visits) for result in results]


def test_a_search_may_hold_batches_to_a_size(shatara):
    def small(planes):
        assert len(planes) <= 3
        return uniform(planes)

    assert len(maydan.search([shatara.start()] * 9, small, playouts=8, batch_size=3)) == 9
    assert maydan.search(shatara.start(), small, playouts=64, batch_size=3).playouts == 64
    assert maydan.search([], uniform) == []


def test_what_a_network_says_is_heard(shatara):
    favourite = shatara.start().legal_actions[7]

    def likes_one(planes):
        policy, wdl = uniform(planes)
        policy[:, favourite] = 5.0
        return policy, wdl, numpy.full(len(planes), 30.0)

    result = maydan.search(shatara.start(), likes_one, playouts=32)
    assert result.best == favourite and numpy.argmax(result.prior) == 7
    assert result.moves_left > 10


@pytest.mark.parametrize(
    "answer, message",
    [
        (lambda b: numpy.zeros((b, 4800)), "expected a tuple"),
        (lambda b: (numpy.zeros((b, 4800)),), "expected a tuple of 2 or 3"),
        (lambda b: (numpy.zeros((b, 10)), numpy.zeros((b, 3))), r"policy: expected an array of shape \[1, 4800\]"),
        (lambda b: (numpy.zeros((b, 4800)), numpy.zeros((b, 2))), "wdl: expected an array of shape"),
        (lambda b: (numpy.zeros((b, 4800)), numpy.full((b, 3), numpy.nan)), "wdl: expected finite numbers"),
        (lambda b: (numpy.zeros((b, 4800)), numpy.zeros((b, 3)), 7), "moves_left: expected an array"),
    ],
)
def test_wrong_answers_raise(shatara, answer, message):
    with pytest.raises(ValueError, match=message):
        maydan.search(shatara.start(), lambda planes: answer(len(planes)))


def test_what_a_network_raises_comes_through(shatara):
    class Broken(Exception):
        pass

    def broken(planes):
        raise Broken("no memory left")

    with pytest.raises(Broken, match="no memory left"):
        maydan.search(shatara.start(), broken)
    with pytest.raises(KeyboardInterrupt):

        def interrupted(planes):
            raise KeyboardInterrupt

        maydan.search(shatara.start(), interrupted)


@pytest.mark.parametrize(
    "mistake, message",
    [
        (lambda game: maydan.search(game.start(), uniform, playouts=0), "playouts: expected 1 to"),
        (lambda game: maydan.search(game.start(), uniform, c_scale=-1.0), "c_scale: expected 0"),
        (lambda game: maydan.search(game.start(), uniform, depth=3), "unknown field `depth`"),
        (lambda game: maydan.search(game.start(), uniform, batch_size=0), "batch_size: expected 1 to"),
        (
            lambda game: maydan.search([game.start(), maydan.Game("chess").start()], uniform),
            "state 1: expected a state of shatara",
        ),
        (lambda game: maydan.search(game.parse(MATE).apply("e1e8"), uniform), "the game is over"),
    ],
)
def test_mistakes_raise_value_errors(shatara, mistake, message):
    with pytest.raises(ValueError, match=message):
        mistake(shatara)


def test_a_bot_plays_and_explains():
    bot = maydan.Bot.load(MODELS / "shatara.maydan")
    state = bot.game.start()
    assert bot.play(state, playouts=50) in state.legal_actions
    result = bot.analyse(bot.game.parse(MATE), playouts=100)
    assert str(result.best) == "e1e8" and result.proof == "win"
    same = maydan.Bot.load(MODELS / "shatara-small")
    assert same.id == bot.id and same.generation == bot.generation


def test_a_bot_is_a_network_for_searches():
    bot = maydan.Bot.load(MODELS / "shatara.maydan")
    states = [bot.game.start(), bot.game.start().apply("e2e4"), bot.game.parse(MATE)]
    policy, wdl, moves_left = bot.evaluate(states)
    assert policy.shape == (3, bot.game.num_actions) and wdl.shape == (3, 3) and moves_left.shape == (3,)
    assert numpy.allclose(wdl.sum(axis=1), 1, atol=1e-5)
    for i, state in enumerate(states):
        result = bot.analyse(state, playouts=1)
        legal = [action.index for action in state.legal_actions]
        prior = numpy.exp(policy[i, legal] - policy[i, legal].max())
        assert numpy.allclose(prior / prior.sum(), result.prior, atol=1e-5)
        assert numpy.allclose(wdl[i], result.raw_wdl, atol=1e-5)


def field(number, content):
    """A field of protobuf that has a length."""
    length, left = b"", len(content)
    while left > 127:
        length, left = length + bytes([left & 127 | 128]), left >> 7
    return bytes([number << 3 | 2]) + length + bytes([left]) + content


def test_a_graph_of_any_architecture_is_a_bot(tmp_path):
    with zipfile.ZipFile(MODELS / "shatara.maydan") as archive:
        graph = archive.read("model.onnx")
    ours = maydan.Bot.load(MODELS / "shatara.maydan")
    note = field(1, b"maydan.json") + field(2, ours.game.network_note().encode())
    (tmp_path / "net.onnx").write_bytes(graph + field(14, note))
    bot = maydan.Bot.load(tmp_path / "net.onnx")
    assert bot.game == ours.game
    states = [ours.game.start(), ours.game.parse(MATE)]
    for found, expected in zip(bot.evaluate(states), ours.evaluate(states), strict=True):
        assert (found == expected).all()
    (tmp_path / "net.onnx").write_bytes(graph)
    with pytest.raises(ValueError, match="expected maydan.json in it"):
        maydan.Bot.load(tmp_path / "net.onnx")
    other = maydan.Game("omega").network_note().encode()
    (tmp_path / "net.onnx").write_bytes(graph + field(14, field(1, b"maydan.json") + field(2, other)))
    with pytest.raises(ValueError, match="evaluator: "):
        maydan.Bot.load(tmp_path / "net.onnx").play(maydan.Game("omega").start())


def test_bots_that_are_not_there_raise(tmp_path):
    with pytest.raises(ValueError, match="no-such-bot"):
        maydan.Bot.load("no-such-bot")
    (tmp_path / "x.maydan").write_bytes(b"not a zip archive")
    with pytest.raises(ValueError, match="x.maydan"):
        maydan.Bot.load(tmp_path / "x.maydan")
    bot = maydan.Bot.load(MODELS / "shatar.maydan")
    with pytest.raises(ValueError, match="expected a state of shatar"):
        bot.play(maydan.Game("chess").start())
