"""Examples in docstrings give what they show."""

import doctest
import importlib
from pathlib import Path

import contend

ROOT = Path(contend.__file__).parent


def test_examples_in_docstrings_are_right():
    names = [
        ".".join(("contend", *path.relative_to(ROOT).with_suffix("").parts))
        for path in ROOT.rglob("*.py")
        if ">>>" in path.read_text()
    ]
    modules = {name.removesuffix(".__init__") for name in names}
    results = {name: doctest.testmod(importlib.import_module(name)) for name in modules}
    assert [name for name, result in results.items() if result.failed] == []
    assert sum(result.attempted for result in results.values()) > 10
