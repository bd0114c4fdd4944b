"""What was under way when a sweep was killed."""

import pytest

from contend.sweeps import Case, sweep
from contend.sweeps.journal import Journal
from contend.sweeps.record import key_of
from contend.sweeps.source import source_of
from contend.wholefile import unfinished

RING = "pattern:ring:1MB"
CASE = Case(network="line:20us:1GB/s", ranks=4)


@pytest.mark.parametrize(("deaths", "is_blamed"), [(1, False), (2, False), (3, True)])
def test_a_case_that_was_under_way_at_every_end_is_reported(tmp_path, deaths, is_blamed):
    kept = tmp_path / "sweep.jsonl"
    with source_of(RING) as source:
        key = key_of(source.sha256, CASE, {})
    for _ in range(deaths):
        Journal(kept).begin(key)  # and killed
    found = sweep(RING, [CASE, CASE.but(compute=2)], executor="here", kept=kept)
    assert found["attempts"].to_dict() == {0: deaths if is_blamed else deaths + 1, 1: 1}
    assert ["killed" in error for error in found["error"].sort_index()] == [is_blamed, False]
    assert [path.name for path in tmp_path.iterdir()] == ["sweep.jsonl"]


def test_what_has_ended_is_not_under_way(tmp_path):
    journal = Journal(tmp_path / "sweep.jsonl")
    journal.begin("one")
    journal.begin("two")
    journal.end("one")
    after = Journal(tmp_path / "sweep.jsonl")
    assert (after.deaths("one"), after.deaths("two")) == (0, 1)


def test_a_torn_journal_is_none(tmp_path):
    (tmp_path / ".sweep.jsonl.under-way").write_text('{"abc": ')
    assert Journal(tmp_path / "sweep.jsonl").deaths("abc") == 0
    (tmp_path / ".sweep.jsonl.under-way").write_text("[1]")
    assert Journal(tmp_path / "sweep.jsonl").deaths("abc") == 0


def test_a_sweep_that_ends_removes_what_one_left_that_was_killed_as_it_wrote(tmp_path):
    begun = {tmp_path / f"..sweep.jsonl.{number:016x}.under-way" for number in (1, 2**60)}
    others = {tmp_path / "..other.jsonl.0000000000000001.under-way", tmp_path / "sweep.jsonl"}
    for path in begun | others:
        path.touch()
    journal = Journal(tmp_path / "sweep.jsonl")
    assert set(unfinished(journal.path)) == begun
    with journal:
        journal.begin("one")
    assert set(tmp_path.iterdir()) == others
