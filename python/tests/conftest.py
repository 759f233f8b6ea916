"""What several tests use."""

import os
import subprocess
from pathlib import Path

import pytest

import maydan

ROOT = Path(__file__).parents[2]

TINY = """
game = "shatara"
[run]
generations = 3
batch_size = 4
[rules]
no_progress_plies = 60
[model]
blocks = 1
channels = 8
policy_channels = 4
value_channels = 4
value_hidden = 8
[selfplay]
games = 12
games_per_file = 4
slots = 8
max_plies = 60
[selfplay.search]
playouts = 8
considered_actions = 4
[selfplay.playout_cap]
full_share = 0.5
cheap_playouts = 2
[window]
holdout = 3
[train]
batch_size = 32
[evaluate]
every = 2
opponents = ["random"]
games = 4
pool_games = 0
playouts = 4
"""


def program():
    """The program with training in it: `MAYDAN_PROGRAM`, or what `cargo build` made."""
    named = os.environ.get("MAYDAN_PROGRAM")
    built = [ROOT / "target" / profile / "maydan" for profile in ("debug", "release")]
    for path in [Path(named)] if named else built:
        if path.exists():
            return path.absolute()
    pytest.skip("no program to make a run with: cargo build, or name it in MAYDAN_PROGRAM")


@pytest.fixture(scope="session")
def maydan_program():
    """Runs the program and gives what it printed."""

    def call(*arguments, folder=ROOT):
        command = [program(), *arguments]
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
        if done.returncode != 0 and "needs libtorch" in done.stderr:
            pytest.skip("the program was built without training")
        assert done.returncode == 0, done.stderr
        return done.stdout

    return call


@pytest.fixture(scope="session")
def tiny():
    """The configuration of a run that takes seconds."""
    return TINY


@pytest.fixture(scope="session")
def run(tmp_path_factory, maydan_program, tiny):
    """A run of three tiny generations."""
    folder = tmp_path_factory.mktemp("runs")
    (folder / "tiny.toml").write_text(tiny)
    maydan_program("train", "tiny.toml", folder=folder)
    return maydan.Run(folder / "models" / "tiny")
