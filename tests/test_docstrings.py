"""Examples in docstrings give what they show."""

import doctest
import importlib
import pkgutil

import pytest

import contend

MODULES = [
    found.name
    for found in pkgutil.walk_packages(contend.__path__, "contend.")
    if not found.name.endswith("__main__")
]


@pytest.mark.parametrize("name", MODULES)
def test_examples_in_docstrings_are_right(name: str) -> None:
    found = doctest.testmod(importlib.import_module(name))
    assert found.failed == 0


def test_there_are_examples() -> None:
    finder = doctest.DocTestFinder()
    tests = [t for name in MODULES for t in finder.find(importlib.import_module(name))]
    assert sum(bool(test.examples) for test in tests) > 10
