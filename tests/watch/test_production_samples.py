import warnings

import numpy as np
import pytest

from contend.base.errors import FileFormatError, InvalidInputError
from contend.samples.reader import ReadOptions, recognise
from contend.samples.readers._text import SkippedWarning
from contend.samples.readers.contend_watch import (
    APART,
    APART_IF_WAITING,
    FEWEST,
    MOST_POINTS,
    TOGETHER,
    Calls,
    WatchReader,
    pooled,
)
from support.production import Key, call, record, write

STEPS = 4 * [(0.0, 1e-3)]


def samples(path, jobs):
    write(path, jobs)
    with warnings.catch_warnings(action="ignore", category=SkippedWarning):
        return list(recognise(path).read(path, ReadOptions()))


def seconds_of(path, apart, operation="alltoall"):
    """Times that are taken of calls of 1, 2, ... ms whose ranks begin so much of them apart."""
    times = [(share * i * 1e-3, i * 1e-3) for i, share in enumerate(apart, start=1)]
    (one,) = samples(path / "s", [record(call(Key(operation), times))])
    return [round(1e3 * seconds) for seconds in one.times_s]


@pytest.mark.parametrize(("operation", "seconds"), [("bcast", 1.2e-3), ("alltoall", 1e-3)])
def test_half_of_what_ranks_wait_counts_where_some_can_leave_before(tmp_path, operation, seconds):
    row = call(Key(operation), [(0.5e-3, 1e-3)])
    row["samples"][1][4] = 0.4e-3
    (sample,) = samples(tmp_path / "s", [record(row)])
    assert sample.times_s == pytest.approx((seconds,))


@pytest.mark.parametrize(
    ("apart", "taken"),
    [
        ([0.0, TOGETHER, 0.2, 0.0, 0.01, 0.02, 0.09], [1, 2, 4, 5, 6, 7]),
        ([0.0, 0.5, 0.2, 0.9, 0.3, 0.8, APART], [1, 2, 3, 5, 6]),
        ([0.0, APART_IF_WAITING, APART_IF_WAITING * 1.01, 0.5], [1, 2, 4]),
    ],
)
def test_calls_that_began_together_count_or_the_nearest_to_that(tmp_path, apart, taken):
    assert FEWEST == 5
    assert seconds_of(tmp_path, apart) == taken


def test_calls_that_ranks_may_leave_before_the_last_has_come_are_less_far_apart(tmp_path):
    apart = [0.0, APART, APART * 1.01, 0.5]
    assert seconds_of(tmp_path, apart) == [1, 2, 3, 4]
    assert len(seconds_of(tmp_path, apart, "bcast")) == 3


def test_algorithms_are_compared_by_what_began_together_alone(tmp_path):
    apart = [(spread * 1e-3, 1e-3) for spread in (0.5, 0.6, 0.7, 0.8)]
    rows = [call(Key(), apart + STEPS), call(Key(), STEPS) | {"algorithm": "bruck"}]
    far = call(Key(m=65536), apart + STEPS)
    counts = {
        (one.algorithm, one.m): len(one.times_s)
        for one in samples(tmp_path / "s", [record(*rows, far)])
    }
    assert counts == {("native", 4096): 4, ("openmpi:bruck", 4096): 4, ("native", 65536): 5}
    (one,) = samples(tmp_path / "t", [record(rows[0])])
    assert len(one.times_s) == 5


def test_a_sample_says_where_it_is_from(tmp_path):
    (one,) = samples(tmp_path / "s", [record(call(Key(), STEPS))])
    assert (one.experiment, one.algorithm, one.n, one.m) == ("alltoall", "native", 8, 4096)
    assert (one.processes_per_node, one.conditions, one.is_of_production) == (1, None, True)
    assert one.provenance.source == "contend_watch: s"
    assert one.provenance.mpi_library == "Open MPI v4.1.4"
    assert one.provenance.date == "2023-11-14T22:13:20+00:00"


def test_the_clocks_error_counts_on_both_ends(tmp_path):
    times = [(0.5e-3, 1e-3), (0.0, 1e-3)]
    taken = [
        len(samples(tmp_path / "s", [record(call(Key("bcast"), times), clock_error=e)])[0].times_s)
        for e in (0.2e-3, 0.3e-3)
    ]
    assert taken == [2, 1]


def test_a_call_that_a_rank_did_not_keep_is_none(tmp_path):
    row = call(Key(), STEPS)
    row["samples"][2][1] = 7
    (one,) = samples(tmp_path / "s", [record(row)])
    assert len(one.times_s) == 3


def test_first_calls_open_connections(tmp_path):
    rows = [call(Key(), STEPS), call(Key(m=64), STEPS) | {"samples": [[64, 8, 0.0, 9e-3, 0.0]]}]
    (one,) = samples(tmp_path / "s", [record(*rows)])
    assert one.m == 4096
    assert max(one.times_s) == 1e-3


def test_nothing_that_began_together_is_an_error_that_says_so(tmp_path):
    jobs = [record(call(Key(), [(4e-3, 1e-3)]))]
    with pytest.raises(FileFormatError, match="none of the 2 sampled calls did all ranks begin"):
        samples(tmp_path / "s", jobs)


def test_what_was_left_out_is_told(tmp_path):
    path = write(tmp_path / "s", [record(call(Key(), [(0.0, 1e-3), (1.0, 1e-3)]))])
    with pytest.warns(SkippedWarning, match="1 of 3 sampled calls are taken"):
        list(WatchReader().read(path, ReadOptions()))


def test_parts_of_a_job_are_another_series(tmp_path):
    rows = [call(Key(n=8), STEPS), call(Key(n=4), STEPS)]
    found = samples(tmp_path / "s", [record(*rows)])
    assert {one.n: one.setting for one in found} == {8: "native", 4: "native@communicator=part"}


def test_nodes_that_hold_unequal_numbers_are_left_out(tmp_path):
    rows = [call(Key(), STEPS), call(Key(m=64, nodes=3), STEPS, ppn=None)]
    assert [one.m for one in samples(tmp_path / "s", [record(*rows)])] == [4096]


def test_processes_per_node_are_kept_apart(tmp_path):
    rows = [call(Key(nodes=4), STEPS, ppn=2), call(Key(), STEPS)]
    found = samples(tmp_path / "s", [record(row) for row in rows])
    assert [one.processes_per_node for one in found] == [1, 2]


def test_one_library_is_read_and_the_other_named(tmp_path):
    jobs = [record(call(Key(m=m), STEPS)) for m in (64, 128)]
    jobs.insert(0, record(call(Key(m=256), STEPS), library="MPICH 4.0.2"))
    path = write(tmp_path / "s", jobs)
    with (
        pytest.warns(SkippedWarning, match="1 of 3 jobs ran by MPICH 4.0.2"),
        pytest.warns(SkippedWarning, match="sampled calls"),
    ):
        found = list(WatchReader().read(path, ReadOptions()))
    assert {one.m for one in found} == {64, 128}


def test_jobs_are_launches_by_when_they_began(tmp_path):
    jobs = [record(call(Key(), [(0.0, t)] * 2), began=began) for began, t in ((2, 2e-3), (1, 1e-3))]
    found = samples(tmp_path / "s", jobs)
    assert [(one.launch, one.median) for one in found] == [(0, 1e-3), (1, 2e-3)]


def test_algorithms_have_the_librarys_name(tmp_path):
    found = samples(tmp_path / "s", [record(call(Key(algorithm="pairwise"), STEPS))])
    assert [one.algorithm for one in found] == ["openmpi:pairwise"]


def test_options_say_nothing_of_such_a_file(tmp_path):
    path = write(tmp_path / "s", [record(call(Key(), STEPS))])
    with pytest.raises(InvalidInputError, match="says itself"):
        list(WatchReader().read(path, ReadOptions(n=4)))


def calls_of(m, seconds, n=8):
    m = np.asarray(m, float)
    return Calls(np.zeros(m.size, int), np.array(["native"] * m.size), np.full(m.size, n), m,
                 np.asarray(seconds, float))  # fmt: skip


def test_a_size_that_half_of_the_calls_have_stays_what_it_is():
    found = pooled(calls_of([1000, 1000, 1000, 1100, 5000], [1, 1, 1, 1.1, 5]))
    assert found.m.tolist() == [1000, 1000, 1000, 1000, 5000]
    assert found.seconds == pytest.approx([1, 1, 1, 1, 5])


@pytest.mark.parametrize("power", [0.0, 0.5, 1.0])
def test_scattered_sizes_are_carried_along_the_slope_of_time(power):
    rng = np.random.default_rng(1)
    m = np.round(2 ** rng.uniform(10, 14, 200))
    found = pooled(calls_of(m, 1e-6 * m**power))
    assert np.unique(found.m).size <= 17
    assert found.seconds == pytest.approx(1e-6 * found.m**power, rel=0.01)


def test_time_that_falls_with_the_size_is_no_slope():
    found = pooled(calls_of([1000, 1040, 1080], [3, 2, 1]))
    assert found.seconds.tolist() == [3, 2, 1]


def test_sizes_of_two_algorithms_are_not_one_size():
    calls = calls_of([8000, 8000, 8400], [3, 3, 9])
    found = pooled(calls._replace(algorithm=np.array(["linear_sync", "linear_sync", "linear"])))
    assert found.m.tolist() == [8000, 8000, 8400]
    assert found.seconds.tolist() == [3, 3, 9]


def test_there_are_no_more_points_than_a_fit_can_take():
    rng = np.random.default_rng(2)
    parts = [
        calls_of(np.round(2 ** rng.uniform(0, 24, 500)), np.ones(500), n) for n in range(2, 12)
    ]
    found = pooled(Calls(*(np.concatenate(column) for column in zip(*parts, strict=True))))
    assert np.unique([found.n, found.m], axis=1).shape[1] <= MOST_POINTS
    assert np.unique(found.n).size == 10


def test_empty_messages_are_a_size_of_their_own(tmp_path):
    jobs = [record(call(Key("barrier", m=0), STEPS), call(Key(m=1), STEPS))]
    assert {(one.experiment, one.m) for one in samples(tmp_path / "s", jobs)} == {
        ("barrier", 0), ("alltoall", 1),
    }  # fmt: skip
