"""What a watched program leaves, held against what it was made to do."""

import json
import threading
from collections import Counter
from pathlib import Path

import pytest

pytestmark = [pytest.mark.mpi, pytest.mark.timeout(300)]

# Of watched.c: bytes of the block of every rank of four.
EVERY = {
    "bcast": [10] * 4, "scatter": [20] * 4, "gather": [40] * 4, "scatterv": [1, 2, 3, 4],
    "gatherv": [1, 2, 3, 4], "alltoall": [80] * 4, "allgather": [160] * 4,
    "allgatherv": [2] * 4, "alltoallv": [320] * 4, "alltoallw": [320] * 4, "reduce": [640] * 4,
    "allreduce": [1280] * 4, "reduce_scatter": [320] * 4, "reduce_scatter_block": [2560] * 4,
    "scan": [5120] * 4, "exscan": [10240] * 4, "barrier": [0] * 4,
}  # fmt: skip
HAS_LARGE = ("MPICH 4", "MPICH 5", "Open MPI 5", "Intel")


def size_class(m):
    """The power of two that is not smaller."""
    return 0 if m == 0 else 1 << (m - 1).bit_length()


def counts(record):
    """Calls and bytes by operation, n and size, whatever ran."""
    calls, moved = Counter(), Counter()
    for row in record["calls"]:
        key = row["operation"], row["n"], row["size"]
        calls[key] += row["calls"]
        moved[key] += row["bytes"]
    return calls, moved


def test_every_operation_is_counted_with_its_ranks_and_bytes(mpi, watch):
    done = watch("every")
    assert done.code == 0, done.err
    calls, moved = Counter(), Counter()
    for operation, blocks in EVERY.items():
        times = 1 + (operation == "allreduce" and mpi.title.startswith(HAS_LARGE))
        for m in blocks:
            key = operation, 4, size_class(m)
            calls[key] += times
            moved[key] += times * m
    assert counts(done.record) == (calls, moved)


def test_the_record_says_of_which_job_it_is(mpi, watch):
    record = watch("sums", 7, CONTEND_WATCH_NAME="a job").record
    (row,) = record.pop("calls")
    assert 0 < record.pop("seconds") < 100
    assert record.pop("began") > 1.7e9
    assert len(record.pop("job")) == 16
    assert mpi.family.split()[0] in record.pop("library")
    assert record == {
        "format": "contend-watch", "version": 1, "name": "a job", "ranks": 4, "nodes": 1,
        "clock_error": 0, "ended": "finalize", "not_kept": 0, "other_calls": {},
    }  # fmt: skip
    assert (row["operation"], row["n"], row["nodes"], row["ppn"]) == ("allreduce", 4, 1, 4)
    assert row["calls"] == 28 == sum(count for _, count in row["bins"])
    assert (row["algorithm"] is not None) == (mpi.family == "Open MPI")


def test_other_calls_are_counted_by_name(mpi, watch):
    record = watch("others").record
    expected = {
        "iallreduce": 12, "ibarrier": 4, "neighbor_alltoall": 8,
        "allreduce (intercommunicator)": 4,
    }  # fmt: skip
    if "barrier_init" in record["other_calls"]:
        expected["barrier_init"] = 4
    assert record["other_calls"] == expected
    assert record["calls"] == []


def test_lateness_is_waiting_and_not_the_time_together(watch):
    late_us = 20_000
    record = watch("late", 12, late_us, ranks=3).record
    (row,) = (row for row in record["calls"] if row["operation"] == "allreduce")
    assert len(row["samples"]) >= 6
    for m, ranks, spread, together, waited in row["samples"]:
        assert (m, ranks) == (4, 3)
        assert spread > late_us * 1e-6
        assert waited == pytest.approx(spread / 2, rel=0.5)
        assert waited < spread
        assert together >= 0
    together = sorted(sample[3] for sample in row["samples"])
    assert together[0] < late_us * 1e-6, "none of the waiting counts"
    spent = sum(row["samples"][i][4] for i in range(len(row["samples"]))) / len(row["samples"])
    assert row["seconds"] >= 0.8 * 36 * spent


def test_communicators_that_are_freed_and_made_anew_are_told_apart(watch):
    record = watch("communicators", 100, 3).record
    calls, _ = counts(record)
    assert calls == {("allreduce", 2, 4): 50 * 3 * 4, ("allreduce", 4, 4): 50 * 3 * 4}
    for row in record["calls"]:
        assert row["ppn"] == row["n"]
        assert 2 <= len(row["samples"]) <= 16
        assert all(sample[1] == row["n"] for sample in row["samples"])


def test_beyond_the_table_calls_are_counted_as_not_kept(watch):
    record = watch("keys").record
    kept = sum(row["calls"] for row in record["calls"])
    assert record["not_kept"] > 0
    assert kept + record["not_kept"] == 8 * 22 * 4


def test_threads_lose_no_call(watch):
    done = watch("threads", 4, 100, ranks=2)
    record = done.record
    if not record["calls"]:
        pytest.skip("this library has no MPI_THREAD_MULTIPLE")
    (row,) = record["calls"]
    assert row["calls"] == 4 * 100 * 2 == sum(count for _, count in row["bins"])
    assert row["samples"] == [], "which of several threads was first differs by rank"


@pytest.mark.parametrize(("end", "ended"), [("exit", "exit"), ("abort", "abort")])
def test_an_end_without_finalize_leaves_the_line_of_a_rank(watch, end, ended):
    done = watch(end, 50, ranks=2)
    assert not done.site.exists()
    lines = [line for line in done.last_lines.values() if line["ended"] == ended]
    assert lines
    for line in lines:
        assert line["complete"] is False
        assert counts(line)[0] == {("allreduce", 2, 4): 50}


def test_a_killed_job_leaves_what_it_has_written_from_time_to_time(watch):
    done = watch("killed", 1500, ranks=2, CONTEND_WATCH_EVERY=0.3)
    assert not done.site.exists()
    assert set(done.last_lines) == {0, 1}
    for line in done.last_lines.values():
        assert line["ended"] is None
        ((key, count),) = counts(line)[0].items()
        assert key == ("allreduce", 2, 4)
        assert 0 < count <= 1500
    first, second = ({tuple(sample[1:3]) for row in line["calls"] for sample in row["samples"]}
                     for line in done.last_lines.values())  # fmt: skip
    assert first & second


def test_lines_of_ranks_go_when_the_record_is_there(watch):
    done = watch("late", 60, 20_000, ranks=2, CONTEND_WATCH_EVERY=0.1)
    assert counts(done.record)[0] == {("allreduce", 2, 4): 120, ("barrier", 2, 0): 120}


def test_two_jobs_at_once_leave_two_records(watch):
    both = [threading.Thread(target=watch, args=("sums", 20), kwargs={"ranks": 2}) for _ in "12"]
    for one in both:
        one.start()
    for one in both:
        one.join()
    done = watch("sums", 20, ranks=2)
    assert len({record["job"] for record in done.records}) == 3
    assert all(counts(record)[0] == {("allreduce", 2, 4): 40} for record in done.records)


def test_forked_processes_write_nothing(watch):
    assert counts(watch("forks", 9, ranks=2).record)[0] == {("allreduce", 2, 4): 18}


def test_what_a_program_spawns_leaves_no_record(mpi, watch):
    done = watch("spawns", 5, ranks=2)
    if done.code != 0:
        pytest.skip("this launcher spawns no processes here")
    record = done.record
    assert counts(record)[0] == {("allreduce", 2, 4): 10}
    assert record["other_calls"] == {"allreduce (several worlds)": 2}


def test_numbers_are_json_in_every_locale_and_a_path_outlives_a_change_of_folder(
    watch, tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    done = watch("german", 4, CONTEND_WATCH="here.jsonl", ranks=2)
    assert done.code == 0, done.err
    (line,) = (tmp_path / "here.jsonl").read_text().splitlines()
    assert counts(json.loads(line))[0] == {("allreduce", 2, 4): 8}


def test_a_file_that_cannot_be_written_is_said_once_and_changes_nothing(watch, tmp_path):
    done = watch("sums", 5, site=tmp_path / "nowhere" / "site.jsonl", ranks=2)
    assert (done.code, done.out.split()) == (0, ["ended"] * 2)
    (said,) = done.said
    assert "cannot write" in said
    assert "No such file" in said


def test_a_full_disk_is_said_once_and_changes_nothing(watch):
    done = watch("sums", 5, site=Path("/dev/full"), ranks=2)
    assert (done.code, done.out.split()) == (0, ["ended"] * 2)
    (said,) = done.said
    assert "/dev/full: No space left" in said


def test_of_another_mpi_than_it_was_built_for_it_notes_nothing(watch):
    done = watch("sums", 5, ranks=2, CONTEND_MPI="libc.so.6")
    assert (done.code, done.out.split()) == (0, ["ended"] * 2)
    assert "another MPI library" in "".join(done.said)
    assert not done.site.exists()


def test_without_its_variable_nothing_is_written(watch, tmp_path):
    done = watch("sums", 5, ranks=2, CONTEND_WATCH="")
    assert (done.code, list(tmp_path.iterdir())) == (0, [])
