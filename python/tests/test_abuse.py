"""Whatever a program hands in, it gets an exception or an answer: no panic, which is no `Exception`, and no abort."""

import itertools
import pickle
import random
import shutil

import numpy
import pytest

import maydan
import maydan.environment
from maydan import _maydan

#: Numbers that are refused or cheap, whatever they are taken for.
NUMBERS = [-1, 0, 1, 3, 2**63, -(2**63) - 1, 2**200, 0.5, -1e308, float("nan"), float("inf"), True]
WORDS = ["", "shatara", "e2e4", "\0", "\ud800", "é" * 300, "8/8/8/8/8/8/8/8[] w - - - 0 1", "/dev/null", "."]
OTHERS = [None, b"\xff", [], [1], ["x"], [None], {}, {"x": 1}, {1: 2}, (), object(), int, numpy.nan]
ARRAYS = [
    numpy.zeros(0),
    numpy.zeros((2, 3), "i8"),
    numpy.full(4, -1),
    numpy.full(4, 2**40),
    numpy.ones(4, bool),
    numpy.array(["a", "b"]),
    numpy.zeros((4, 4, 4), "c16"),
    numpy.arange(8)[::-2],
    numpy.array(3),
]


def uniform(planes):
    return numpy.zeros((len(planes), 4800)), numpy.zeros((len(planes), 3))


def targets(run):
    """Everything that can be called, by name, and things that it may be called with."""
    game, chess = maydan.Game("shatara"), maydan.Game("chess")
    state, batch = game.start(), game.batch(4, seed=1)
    result = maydan.search(state, uniform, playouts=2)
    bot = run.bot()
    played = next(run.games(0))
    window = maydan.Window(run.game, run.data, 1)
    pieces = [game, chess, state, chess.start(), batch, result, bot, played, window, state.legal_actions[0], uniform]
    objects = [game, state, batch, result, bot, played, window, state.legal_actions[0]]
    found = {}
    for thing in objects:
        kind = type(thing)
        for name in dir(thing):
            attribute = getattr(thing, name)
            own = name in vars(kind) and name not in ("__class__", "__new__", "__getattribute__")
            if callable(attribute) and own and name not in ("__init_subclass__", "__subclasshook__"):
                found[f"{kind.__name__}.{name}"] = attribute
    for name in _maydan.__all__:
        if callable(getattr(_maydan, name)):
            found[name] = getattr(_maydan, name)
    found["Run"] = maydan.Run
    found["Dataset"] = lambda *given: list(itertools.islice(maydan.Dataset(run, *given), 1))
    found["env"] = maydan.environment.env
    return found, pieces


def answered(call, *given, **named):
    """Calls, and lets exceptions pass; a panic of Rust is a `BaseException` and comes through."""
    try:
        answer = call(*given, **named)
        # What is lazy fails later.
        if hasattr(answer, "__next__"):
            list(itertools.islice(answer, 3))
        return True
    except Exception:
        return False


def test_junk_is_answered(run):
    found, pieces = targets(run)
    junk = NUMBERS + WORDS + OTHERS + ARRAYS + pieces
    chance = random.Random(1)
    tried = passed = 0
    for call in found.values():
        for given in junk:
            tried, passed = tried + 1, passed + answered(call, given)
        for _ in range(60):
            given = chance.choices(junk, k=chance.randint(0, 4))
            tried, passed = tried + 1, passed + answered(call, *given)
    # Not all of it is refused at the door.
    assert tried > 5000 and passed > 300


def test_junk_settings_are_answered(run):
    junk = NUMBERS + WORDS + OTHERS + ARRAYS
    state = maydan.Game("shatara").start()
    names = ["playouts", "seed", "batch_size", "mode", "considered_actions", "c_scale", "gumbel_scale", "leaves", "x"]
    calls = [
        (lambda **named: maydan.search(state, uniform, **named), names),
        (lambda **named: run.bot().play(run.game.start(), **named), names),
        (lambda **named: maydan.Game("shatara", **named), ["repetition", "reserve", "max_plies", "ladder", "x"]),
        (lambda **named: next(iter(run.dataset(1, **named))), ["window", "batch_size", "seed", "passes", "steps"]),
        (lambda **named: maydan.stats.reserves(run, **named), ["bands", "generations", "x"]),
    ]
    for call, keys in calls:
        for key, value in itertools.product(keys, junk):
            answered(call, **{key: value})


def test_answers_of_networks_are_checked():
    states = [maydan.Game("shatara").start()] * 3
    shapes = [(0,), (3,), (3, 4800), (3, 3), (4800, 3), (2, 4800), (3, 4801), (3, 4800, 1), ()]
    kinds = ["f8", "f2", "i8", "bool", "c16", "U1", "O"]
    for policy, value, kind in itertools.product(shapes, shapes, kinds):
        answers = numpy.zeros(policy, kind), numpy.zeros(value, kind)
        answered(maydan.search, states, lambda planes, answers=answers: answers, playouts=4)
    for number in (numpy.nan, numpy.inf, -numpy.inf, 1e38):
        answers = numpy.full((3, 4800), number), numpy.full((3, 3), number)
        answered(maydan.search, states, lambda planes, answers=answers: answers, playouts=4)
    for answer in (None, 1, "ab", (), (1,), (None, None), (1, 2, 3, 4), {"policy": 1}):
        assert not answered(maydan.search, states, lambda planes, answer=answer: answer, playouts=4)


def test_damaged_pickles_raise():
    game = maydan.Game("shatara")
    state = game.start().apply("e2e4")
    chance = random.Random(1)
    for thing in (game, state):
        whole = pickle.dumps(thing)
        # Strings and numbers alone, so that what is unpickled stays of these classes.
        inside = [at for at in range(len(whole)) if 32 <= whole[at] < 127 and chr(whole[at]).isalnum()]
        for _ in range(300):
            damaged = bytearray(whole)
            damaged[chance.choice(inside)] = chance.choice(b"0123456789abcdefghwKQ")
            answered(pickle.loads, bytes(damaged))


@pytest.mark.parametrize("name", ["config.toml", "metrics.jsonl", "checkpoint.toml", "weights.safetensors", "parquet"])
def test_damaged_files_of_runs_raise(tmp_path, run, name):
    folder, data = tmp_path / "models" / "tiny", tmp_path / "data" / "tiny"
    shutil.copytree(run.folder, folder)
    shutil.copytree(run.data, data)
    paths = list(data.glob("gen-000001/*")) if name == "parquet" else list(folder.rglob(name))
    # The newest network, and not what is kept for training.
    path = max(path for path in paths if "training" not in path.parts)
    whole = path.read_bytes()
    chance = random.Random(1)

    def read():
        dead = maydan.Run(folder)
        dead.metrics("selfplay", "pandas")
        dead.bot().evaluate([dead.game.start()])
        list(dead.games())
        return next(iter(dead.dataset(1)))

    assert answered(read)
    refused = 0
    for _ in range(40):
        damaged = bytearray(whole[: chance.randrange(len(whole))] if chance.random() < 0.3 else whole)
        for _ in range(chance.randint(1, 8) if damaged else 0):
            damaged[chance.randrange(len(damaged))] = chance.randrange(256)
        path.write_bytes(damaged)
        refused += not answered(read)
    assert refused > 0
    path.unlink()
    answered(read)
