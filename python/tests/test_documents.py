"""The code of the documents runs as it is written."""

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
