"""Tables of the grid of exchanges: each algorithm beside the automatic choice."""

import subprocess
from argparse import Namespace
from pathlib import Path

import pytest
from benchmarks.exchange import Part, of_members

from contend.measure.exchange.table import Cell, Row
from contend.measure.mpi import MPI

NETWORK = "two-clusters,buffer=24KiB"


def cell(seconds, *, is_late=False):
    return Cell(seconds, seconds, 20, is_flagged=is_late)


def shown(**rows):
    found = {Part(NETWORK, name, Path()): own for name, own in rows.items()}
    return of_members(found).to_dict("records")


def test_an_algorithm_has_its_best_window_with_each_library():
    one = {"native": cell(4.0), "lg window=1": cell(6.0), "lg window=2": cell(3.0)}
    other = {"native": cell(2.0), "lg": cell(1.0, is_late=True)}
    first = [Row(64, one | {"auto": cell(2.0)}), Row(65536, {"auto": cell(1.0)} | other)]
    assert shown(one=first, other=[Row(64, other | {"auto": cell(1.0)})]) == [
        {"network": NETWORK, "algorithm": "native", "64 B": "2.00 / 2.00", "64 KiB": "2.00 / –"},
        {"network": "", "algorithm": "lg", "64 B": "1.50 / 1.00*", "64 KiB": "1.00* / –"},
    ]


def test_members_have_the_window_that_was_the_fastest_at_a_size(monkeypatch):
    one = {"lg": cell(2.0), "lg window=1": cell(3.0), "spaced": cell(1.0)}
    other = {"lg": cell(4.0), "lg window=1": cell(3.0), "spaced": cell(9.0)}
    library = {"native": cell(1.0), "native:pairwise": cell(5.0), "auto": cell(1.0)}
    rows = [Row(64, one | library), Row(1024, other | library), Row(4096, library)]
    monkeypatch.setattr(Part, "rows", lambda self: rows)
    part = Part(NETWORK, "one", Path())
    assert set(part.members(64)) == {"lg", "spaced"}
    assert set(part.members(1024)) == {"lg window=1", "spaced"}
    with pytest.raises(SystemExit, match="no member of the portfolio at 4 KiB"):
        part.members(4096)


@pytest.mark.parametrize(
    ("rivals", "windows_of", "members"), [(True, None, []), (False, 64, ["lg window=2"])]
)
def test_members_are_measured_as_asked_for(monkeypatch, *, rivals, windows_of, members):
    asked: list[list[str]] = []
    monkeypatch.setattr(subprocess, "run", lambda words, **_: asked.append(words))
    rows = [Row(64, {"lg": cell(2.0), "lg window=2": cell(1.0)})]
    monkeypatch.setattr(Part, "rows", lambda self: rows)
    given = Namespace(rivals=rivals, windows_of=windows_of, sizes="256KiB")
    mpich = MPI("mpicc", ("mpiexec",), "MPICH", "5.0.2")
    Part(NETWORK, "one", Path()).measure(mpich, given, None)
    (words,) = asked
    names = words[words.index("--algorithms") + 1].split(",")
    assert [name for name in names if not name.startswith("native")] == [*members, "auto"]
    assert "native" in names
