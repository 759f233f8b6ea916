"""Runs, their games, and what training draws from them."""

import json

import numpy
import pytest

import maydan


def test_a_run_says_what_it_is(run):
    assert run.name == "tiny" and run.game == maydan.Game("shatara", no_progress_plies=60)
    assert run.config["selfplay"]["games"] == 12
    assert run.generations == [0, 1, 2, 3] and run.played == [0, 1, 2]
    assert run.bot().generation == 3 and run.bot(1).generation == 1
    assert run.bot().game == run.game


def test_games_come_move_by_move(run):
    games = list(run.games())
    assert len(games) == 36 and [game.generation for game in games] == [0] * 12 + [1] * 12 + [2] * 12
    assert [game.index for game in run.games(1)] == list(range(12))
    for game in games:
        states = game.states()
        assert len(states) == len(game.actions) + 1 == len(game) + 1
        assert str(states[0]) == game.start and states[-1].actions == game.actions
        if states[-1].is_over:
            assert (states[-1].outcome, states[-1].reason) == (game.outcome, game.reason)
        else:
            assert game.reason in ("cut_off", "resignation")
        text = game.to_text()
        assert text.startswith("[maydan 1]\n[game shatara]\n") and f"[result {game.outcome} {game.reason}]" in text
        assert all(action in text for action in game.actions)


@pytest.mark.parametrize("library", ["polars", "pandas"])
def test_metrics_are_a_frame(run, library):
    pytest.importorskip(library)
    frame = run.metrics("train", library)
    assert sorted(set(frame["generation"])) == [0, 1, 2]
    assert {"losses.policy", "losses.value", "learning_rate"} <= set(frame.columns)
    assert len(run.metrics(library=library)) == 3
    assert len(run.metrics("nothing", library)) == 0


def test_events_are_read_as_far_as_they_are_whole(run, tmp_path):
    whole = list(run.events())
    assert {event["event"] for event in whole} >= {"selfplay", "train", "evaluator"}
    (tmp_path / "config.toml").write_text('game = "shatara"\n')
    copy = maydan.Run(tmp_path)
    assert list(copy.events()) == []
    lines = (run.folder / "metrics.jsonl").read_text()
    (tmp_path / "metrics.jsonl").write_text(lines + '{"event": "selfpl')
    assert list(copy.events()) == whole
    (tmp_path / "metrics.jsonl").write_text(lines + "[" * 100_000 + "\n")
    with pytest.raises(ValueError, match="metrics.jsonl: line"):
        list(copy.events())


def test_a_dataset_is_the_training_of_a_generation(run):
    dataset = run.dataset()
    assert dataset.generation == 2 and dataset.seed == 1 and dataset.batch_size == 32
    last = {event["generation"]: event["step"] for event in run.events("train")}
    assert len(dataset) == last[2] - last[1]
    batches = list(dataset)
    assert len(batches) == len(dataset)
    for batch in batches:
        rows = len(batch["legal"])
        assert rows == 32 and batch["planes"].shape == (32, *run.game.planes_shape)
        assert batch["is_legal"].any(axis=0).all()
        assert (batch["policy"][~batch["is_legal"]] == 0).all()
        assert numpy.allclose(batch["policy"].sum(axis=1), 1, atol=1e-2)
        assert numpy.allclose(batch["wdl"].sum(axis=1), 1) and numpy.allclose(batch["search_wdl"].sum(axis=1), 1)
        assert (batch["moves_left"] >= 1).all() and (batch["legal"] < run.game.num_actions).all()


def test_rows_are_positions_of_the_games(run):
    """Unmirrored, every row is the encoding of a position of the window's games, with that position's legal actions."""
    window = {"minimum_rows": 1_000_000, "maximum_rows": 1_000_000, "holdout": 0}
    dataset = maydan.Dataset(run, mirror=False, window=window, passes=1.0, steps=4)
    known = {}
    for game in run.games():
        for state in game.states():
            if not state.is_over:
                known.setdefault(state.encode().tobytes(), []).append(state)
    for batch in dataset:
        for row in range(len(batch["planes"])):
            states = known[batch["planes"][row].tobytes()]
            legal = batch["legal"][row][batch["is_legal"][row]].tolist()
            assert legal in [[action.index for action in state.legal_actions] for state in states]


def test_batches_are_the_same_from_wherever_one_begins(run):
    dataset = run.dataset(1)
    whole = list(dataset)
    later = list(dataset.batches(2, 4))
    for one, other in zip(whole[2:4], later, strict=True):
        assert one.keys() == other.keys()
        assert all((one[name] == other[name]).all() for name in one)
    other = next(iter(run.dataset(1, seed=2)))
    assert not (other["planes"] == whole[0]["planes"]).all()


def test_held_out_rows_are_not_trained_on(run):
    dataset = run.dataset(2)
    held_out = dataset.held_out()
    rows = sum(len(batch["planes"]) for batch in held_out)
    events = [event for event in run.events("holdout") if event["generation"] == 3]
    assert rows > 0 and (not events or events[0]["rows"] == rows)
    assert dataset.held_out(most=5)[0]["planes"].shape[0] == 5


@pytest.mark.parametrize("library", ["polars", "pandas"])
def test_statistics_are_those_of_the_command(run, library, maydan_program):
    pytest.importorskip(library)
    commands = {
        "openings": lambda: maydan.stats.openings(run, min_count=2),
        "reserves": lambda: maydan.stats.reserves(run, bands=2),
        "effect": lambda: maydan.stats.effect(run),
        "compare": lambda: maydan.stats.compare(run, bands=2),
    }
    options = {"openings": ["--min-count", "2"], "reserves": ["--bands", "2"], "compare": ["--bands", "2"]}
    for question, ask in commands.items():
        command = ["stats", question, run.name, "--root", run.folder.parents[1], "--json", *options.get(question, [])]
        expected = json.loads(maydan_program(*command))
        tables = ask()
        assert tables.games == expected["games"] == 36 and tables.skipped == []
        assert set(expected["tables"]) <= set(tables), question
        for name, rows in expected["tables"].items():
            frame = tables.frame(name, library)
            assert len(frame) == len(rows)
            for column in rows[0] if rows else []:
                for value, row in zip(frame[column].to_list(), rows, strict=True):
                    # What JSON has no number for is null there.
                    none = value is None or value != value or value in (float("inf"), float("-inf"))
                    assert row[column] is None if none else value == row[column], (name, column)
            assert tables.title(name) and isinstance(tables.note(name), str)
    table = maydan.stats.explore(run, run.game.start(), range(1, 3)).frame("explore", library)
    assert len(table) >= 1


@pytest.mark.parametrize(
    "mistake, message",
    [
        (lambda run: maydan.Run(run.folder / "gen-000001"), "found no config.toml"),
        (lambda run: list(run.games(7)) or run.dataset(7, window={"rows": 1}), "unknown field `rows`"),
        (lambda run: run.dataset(batch_size=0), "batch_size: expected 1 to 65536, found 0"),
        (lambda run: run.dataset(batch_size=100_000), "batch_size: expected 1 to 65536"),
        (lambda run: run.dataset(value_lambda=2.0), "value_lambda: expected 0 to 1"),
        (lambda run: run.dataset(window={"growth": -1.0}), "window.growth: expected 0 to 1"),
        (lambda run: maydan.stats.openings(), "runs: expected at least one"),
        (lambda run: maydan.stats.openings(run, depth=0), "depth: expected 1 to 200 plies"),
        (lambda run: maydan.stats.openings(run, speed=3), "unknown option `speed`"),
        (lambda run: maydan.stats.openings(run, bands="many"), "bands: expected a whole number"),
        (lambda run: maydan.stats.reserves("no/such/run"), "no games"),
        (lambda run: maydan.stats.reserves(run, generations=range(50, 60)), "no whole file of games"),
        (lambda run: maydan.stats.reserves(run, generations=range(9, 3)), "generations: expected a range"),
        (lambda run: maydan.stats.explore(run, "x"), "position"),
        (lambda run: maydan.stats.study("no-such.toml"), "no-such.toml"),
        (lambda run: run.metrics(library="excel"), "expected 'polars' or 'pandas'"),
    ],
)
def test_mistakes_raise_value_errors(run, mistake, message):
    with pytest.raises(ValueError, match=message):
        mistake(run)


def test_damaged_and_foreign_files_raise(run, tmp_path):
    models, data = tmp_path / "models" / "x", tmp_path / "data" / "x"
    models.mkdir(parents=True)
    (models / "config.toml").write_text('game = "shatara"\n')
    copy = maydan.Run(models)
    with pytest.raises(ValueError, match="expected games, found none"):
        copy.dataset()
    (data / "gen-000000").mkdir(parents=True)
    source = sorted((run.data / "gen-000000").glob("*.parquet"))[0]
    (data / "gen-000000" / "0000.parquet").write_bytes(source.read_bytes())
    with pytest.raises(ValueError, match="cannot be mixed"):
        list(copy.games())
    with pytest.raises(ValueError, match="cannot be mixed"):
        copy.dataset()
    (data / "gen-000000" / "0000.parquet").write_bytes(source.read_bytes()[:-100])
    with pytest.raises(ValueError, match="0000.parquet"):
        list(copy.games())
    with pytest.raises(ValueError, match="0000.parquet"):
        list(copy.dataset())
