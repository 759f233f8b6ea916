"""The code of the documents runs as it is written."""

import json
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("document", ["python/README.md", "docs/python.md"])
def test_code_runs(document, monkeypatch):
    if "environment" in (text := (ROOT / document).read_text()):
        pytest.importorskip("pettingzoo")
    monkeypatch.chdir(ROOT)
    blocks = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    assert blocks
    names = {}
    for block in blocks:
        exec(compile(block, document, "exec"), names)


def test_the_docstring_of_the_package():
    import doctest

    import maydan

    assert doctest.testmod(maydan).attempted == 4
    assert doctest.testmod(maydan).failed == 0


def test_the_notebook_runs(run, monkeypatch):
    """Its cells one after the other, as a kernel runs them."""
    matplotlib = pytest.importorskip("matplotlib")
    pytest.importorskip("polars")
    matplotlib.use("Agg")
    monkeypatch.setenv("MAYDAN_RUN", str(run.folder))
    notebook = json.loads((ROOT / "python/examples/notebook.ipynb").read_text())
    cells = ["".join(cell["source"]) for cell in notebook["cells"] if cell["cell_type"] == "code"]
    names = {}
    for number, cell in enumerate(cells):
        exec(compile(cell, f"cell {number}", "exec"), names)
    figures = [matplotlib.pyplot.figure(number) for number in matplotlib.pyplot.get_fignums()]
    assert len(cells) == 5 and len(figures) == 2 and all(axes.lines for figure in figures for axes in figure.axes)
    matplotlib.pyplot.close("all")
