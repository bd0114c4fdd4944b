"""Under every exported file programs compute what they compute without, byte by byte.

Each operation in place and not, by operations of MPI and of the program, those that commute and
those that do not, of derived datatypes, of no elements, on 2 to 8 ranks; each algorithm of each
operation has its turn in a file. What is called, and what it is to give: results.c.
"""

from __future__ import annotations

from functools import cache

import pytest
from results import Computing, Results, computing

from support.decisions import rule
from support.mpis import any_mpi

pytestmark = [pytest.mark.mpi, pytest.mark.timeout(900)]
mpi = any_mpi
__all__ = ["computing"]

COUNTS = "0,1,20,700"
TURNS = range(8)  # files; in turn k each operation has its algorithm k, k + 8, ...


def rules_of(computing: Computing, turn: int) -> list[list[object]]:
    """Rules with which each operation has an algorithm, all of them in a few files of a turn."""
    files: list[list[object]] = []
    for operation in computing.library.operations(computing.version):
        own = [
            rule(operation, one.name)
            for one in computing.library.algorithms(operation, computing.version)
            if one.ranks != "two"
        ][turn :: len(TURNS)]
        for place, each in enumerate(own):
            files += [[]] * (place + 1 - len(files))
            files[place] = [*files[place], each]
    return files


@cache
def native(computing: Computing) -> Results:
    """What the library computes by itself."""
    return computing.under({}, "all", "all", COUNTS)


@pytest.mark.parametrize("turn", TURNS)
def test_results_are_those_without_the_file(computing, tmp_path, turn):
    own = native(computing)
    assert len(own) > 4000 and not any(wrong for _, wrong in own.values())
    for place, rules in enumerate(rules_of(computing, turn)):
        variables = computing.by_file(tmp_path / f"rules-{place}", *rules)
        found = computing.under(variables, "all", "all", COUNTS)
        differing = [name for name in own if found.get(name) != own[name]]
        assert not differing, ([(one.operation, one.algorithm) for one in rules], differing[:5])
