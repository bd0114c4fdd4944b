import json
from pathlib import Path
from typing import Any

import pytest

from contend.base.errors import FileFormatError
from contend.tune.verification.calls import Kind, added, longest, read_watched

HEAD = {"ranks": 2, "left_out": 0, "library": "Open MPI v5.0.11", "sees_algorithms": True}
ROW = {
    "operation": "bcast", "n": 2, "m": 64, "asked": "chain", "ran": "chain", "segment": 0,
    "fanout": 4, "is_in_parts": False,
}  # fmt: skip


def write(folder: Path, rank: int, host: str = "a", **row: Any) -> None:
    lines = [{**HEAD, "rank": rank, "host": host}, {**ROW, "calls": 3, "seconds": 0.5, **row}]
    text = "".join(json.dumps(line) + "\n" for line in lines)
    (folder / f"{rank}.jsonl").write_text(text)


def test_a_call_of_all_ranks_counts_once_with_the_time_of_each(tmp_path: Path) -> None:
    write(tmp_path, 0, seconds=0.5)
    write(tmp_path, 1, seconds=1.5)
    watched = read_watched(tmp_path)
    assert watched is not None
    (one,) = watched.calls
    assert (one.kind.ran, one.calls, one.seconds) == ("chain", 3, {0: 0.5, 1: 1.5})
    assert longest(watched.calls) == 1.5
    assert (watched.files, watched.ranks, watched.per_node) == (2, 2, 2)


def test_ranks_that_saw_another_algorithm_stand_apart(tmp_path: Path) -> None:
    write(tmp_path, 0)
    write(tmp_path, 1, host="b", ran="pipeline")
    watched = read_watched(tmp_path)
    assert watched is not None
    assert {one.kind.ran: one.calls for one in watched.calls} == {"chain": 1.5, "pipeline": 1.5}
    assert watched.per_node == 1
    assert longest(watched.calls) == 0.5, "a call that ranks saw as two does not count twice"


def test_a_record_that_is_being_written_does_not_count(tmp_path: Path) -> None:
    (tmp_path / "1.jsonl.part").write_text("{")
    assert read_watched(tmp_path) is None


def test_a_broken_record_is_an_error_that_names_it(tmp_path: Path) -> None:
    (tmp_path / "1.jsonl").write_text("{")
    with pytest.raises(FileFormatError, match=r"1\.jsonl"):
        read_watched(tmp_path)


def test_runs_add_up(tmp_path: Path) -> None:
    write(tmp_path, 0)
    write(tmp_path, 1)
    watched = read_watched(tmp_path)
    assert watched is not None
    (both,) = added([watched.calls, watched.calls])
    assert both.kind == Kind("bcast", 2, 64, "chain", "chain", 0, 4)
    assert (both.calls, both.seconds) == (6, {0: 1.0, 1: 1.0})
