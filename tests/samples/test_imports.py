"""Importing: which samples of a file are new, and which launch they are of."""

import pytest

from contend.samples import Provenance
from contend.samples.imports import imported
from support.synthesis import sample


@pytest.fixture
def read(tmp_path):
    """A file of two launches of one point, and what a reader makes of it."""

    def read(name="a.txt", seconds=1e-3, **fields):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(f"{seconds} {fields}")
        known = {"provenance": Provenance(source=f"osu: {path.name}"), "statistic": "mean"} | fields
        return path, [sample(times_s=[seconds], launch=launch, **known) for launch in (0, 1)]

    return read


@pytest.mark.parametrize("names", [("a.txt", "b.txt"), ("1/out", "2/out")])
def test_every_file_is_launches_of_its_own_even_with_equal_digits(read, names):
    files = [read(name) for name in names]
    every = imported([], files).new
    assert [one.launch for one in every] == [0, 1, 2, 3]
    assert imported(every, files).new == []


def test_launches_of_a_file_follow_those_before(read):
    first = imported([], [read()]).new
    assert [one.launch for one in imported(first, [read("b.txt")]).new] == [2, 3]


def test_the_same_file_is_added_once_wherever_it_lies(read):
    file = read()
    first = imported([], [file, file])
    assert (len(first.new), first.left_out) == (2, {file[0]: 2})
    moved = read("elsewhere/a.txt")
    again = imported(first.new, [moved])
    assert (again.new, again.left_out) == ([], {moved[0]: 2})


def test_processes_per_node_are_part_of_a_point(read):
    first = imported([], [read(processes_per_node=1)]).new
    second = imported(first, [read(processes_per_node=4)]).new
    assert [(one.processes_per_node, one.launch) for one in second] == [(4, 0), (4, 1)]
    assert len({one.point for one in [*first, *second]}) == 4


def test_a_file_that_has_changed_is_another_run_and_named(read):
    first = imported([], [read()])
    changed = imported(first.new, [read(seconds=2e-3), read("b.txt")])
    assert [path.name for path in changed.changed] == ["a.txt"]
    assert [one.launch for one in changed.new] == [2, 3, 4, 5]
    of_others = read(seconds=3e-3, n=16)
    assert first.changed == imported(first.new, [of_others]).changed == []


def test_what_was_left_of_a_file_joins_its_launches(read):
    other, file = read("other.txt"), read(seconds=2e-3)
    every = imported([], [other, file]).new
    assert imported(every[:3], [file]).new == every[3:]


def test_files_of_versions_that_kept_no_checksum_are_known_by_name(read):
    file = read()
    assert imported(file[1], [file]).new == []
    assert len(imported(file[1], [read("b.txt")]).new) == 2
