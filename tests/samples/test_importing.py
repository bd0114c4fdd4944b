"""Importing: which samples of a file are new, and which launch they are of."""

import errno
import os
from pathlib import Path

import pytest

from contend.errors import StorageError
from contend.samples import Provenance, Sample, SampleStore, store
from contend.samples.importing import imported
from support.synthesis import sample


def read(path: Path, seconds: float = 1e-3, **fields: object) -> tuple[Path, list[Sample]]:
    """A file of two launches of one point, and what a reader makes of it."""
    path.parent.mkdir(exist_ok=True)
    path.write_text(f"{seconds} {fields}")
    known = {"provenance": Provenance(source=f"osu: {path.name}"), "statistic": "mean"} | fields
    return path, [sample(times_s=[seconds], launch=launch, **known) for launch in (0, 1)]


def test_every_file_is_launches_of_its_own_even_with_equal_digits(tmp_path: Path) -> None:
    files = [read(tmp_path / "a.txt"), read(tmp_path / "b.txt")]
    assert [one.launch for one in imported([], files).new] == [0, 1, 2, 3]
    first = imported([], files[:1]).new
    assert [one.launch for one in imported(first, files[1:]).new] == [2, 3]


def test_the_same_file_is_added_once_wherever_it_lies(tmp_path: Path) -> None:
    file = read(tmp_path / "a.txt")
    first = imported([], [file, file])
    assert (len(first.new), first.left_out) == (2, {file[0]: 2})
    moved = read(tmp_path / "elsewhere" / "a.txt")
    again = imported(first.new, [moved])
    assert (again.new, again.left_out) == ([], {moved[0]: 2})


def test_two_files_of_one_command_are_two_runs_and_stay_two(tmp_path: Path) -> None:
    files = [read(tmp_path / "1" / "out"), read(tmp_path / "2" / "out")]
    first = imported([], files).new
    assert [one.launch for one in first] == [0, 1, 2, 3]
    assert imported(first, files).new == []


def test_processes_per_node_are_part_of_a_point(tmp_path: Path) -> None:
    first = imported([], [read(tmp_path / "a.txt", processes_per_node=1)]).new
    second = imported(first, [read(tmp_path / "a.txt", processes_per_node=4)]).new
    assert [(one.processes_per_node, one.launch) for one in second] == [(4, 0), (4, 1)]
    assert len({one.point for one in [*first, *second]}) == 4


def test_a_file_that_has_changed_is_another_run_and_named(tmp_path: Path) -> None:
    first = imported([], [read(tmp_path / "a.txt")])
    changed = imported(first.new, [read(tmp_path / "a.txt", 2e-3), read(tmp_path / "b.txt")])
    assert [path.name for path in changed.changed] == ["a.txt"]
    assert [one.launch for one in changed.new] == [2, 3, 4, 5]
    of_others = read(tmp_path / "a.txt", 3e-3, n=16)
    assert first.changed == imported(first.new, [of_others]).changed == []


def test_what_was_left_of_a_file_joins_its_launches(tmp_path: Path) -> None:
    other, file = read(tmp_path / "other.txt"), read(tmp_path / "a.txt", 2e-3)
    there = imported([], [other, file]).new
    new = imported(there[:3], [file]).new
    assert new == there[3:]


def test_files_of_versions_that_kept_no_checksum_are_known_by_name(tmp_path: Path) -> None:
    file = read(tmp_path / "a.txt")
    assert imported(file[1], [file]).new == []
    assert len(imported(file[1], [read(tmp_path / "b.txt")]).new) == 2


def test_an_import_waits_for_the_disk_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    calls, fsync = [], os.fsync
    monkeypatch.setattr(store.os, "fsync", lambda one: (calls.append(one), fsync(one)))
    with SampleStore(tmp_path / "samples.jsonl") as opened:
        assert opened.extend(sample(m) for m in range(3000)) == 3000
    assert len(calls) == 1


def test_an_import_that_fails_leaves_the_file_as_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "samples.jsonl"
    with SampleStore(path) as opened:
        opened.append(sample(8))
        before = path.read_bytes()

        def full(_: int) -> None:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

        monkeypatch.setattr(store.os, "fsync", full)
        with pytest.raises(StorageError, match="No space left"):
            opened.extend([sample(16), sample(32)])
        assert path.read_bytes() == before
        with pytest.raises(ZeroDivisionError):
            opened.extend(sample(1 // m) for m in (1, 0))
        assert path.read_bytes() == before
