"""Jobs without a record: the last lines of their ranks are merged, and that is said."""

import numpy as np
import pytest

from contend.base.errors import FileFormatError
from contend.samples.watch.store import Site, WatchWarning, read_jobs
from support import watching

PROGRAM = watching.Watched((watching.Row(n=4, ppn=2, calls=10), watching.Row("bcast", n=2, ppn=2)))


@pytest.fixture
def lines(rng):
    return watching.rank_lines(rng, PROGRAM)


@pytest.fixture
def killed(site, lines):
    return watching.write_killed(site, lines)


def merged(site):
    """The last job, of which it is known that it was killed."""
    last = read_jobs(site)[-1]
    assert last.ended == "killed"
    return last


def test_ranks_add_up(site, lines, killed):
    job = merged(site)
    assert (job.job, job.ranks, len(job.calls)) == (lines[0]["job"], 4, 2)
    first = [one["calls"][0] for one in lines]
    row = job.calls[0]
    assert (row.operation, row.n, row.nodes, row.ppn, row.size) == ("alltoall", 4, 2, 2, 4096)
    assert (row.calls, row.bytes) == (40, 40 * 4096)
    assert row.seconds == pytest.approx(sum(one["seconds"] for one in first))
    assert sum(count for _, count in row.bins) == 40
    for index, count in row.bins:
        assert count == sum(dict(map(tuple, one["bins"])).get(index, 0) for one in first)


def test_calls_that_all_ranks_kept_are_matched(site, lines, killed):
    rows = [one["calls"][0]["samples"] for one in lines]
    begins, ends = (np.array([[one[at] for one in row] for row in rows]) for at in (3, 4))
    last = begins.max(axis=0)
    found = np.array(merged(site).calls[0].samples)
    assert found.shape == (10, 5) and (found[:, :2] == (4096, 4)).all()
    wanted = (last - begins.min(axis=0), ends.max(axis=0) - last, (last - begins).mean(axis=0))
    assert np.allclose(found[:, 2:].T, np.array(wanted) * 1e-9, rtol=1e-9)


def test_a_call_that_a_rank_did_not_keep_is_no_sample(site, lines):
    del lines[2]["calls"][0]["samples"][3:5]
    watching.write_killed(site, lines)
    assert len(merged(site).calls[0].samples) == 8


def test_a_call_that_ended_before_it_began_is_no_sample(site, lines):
    for one in lines:
        one["calls"][0]["samples"][0][4] = -(2**62)
    watching.write_killed(site, lines)
    assert len(merged(site).calls[0].samples) == 9


def test_the_last_line_of_a_rank_counts(site, lines):
    early = [one | {"calls": [], "seconds": 1.0} for one in lines]
    later = [lines[0] | {"seconds": 700.0}]
    watching.write_killed(site, early + lines[::-1] + later)
    job = merged(site)
    assert job.calls[0].calls == 40 and job.seconds == 700.0


def test_a_torn_line_leaves_the_one_before(site, lines, killed):
    jobs = read_jobs(site)
    with killed.open("a") as file:
        file.write(watching.line_of(lines[1])[:-50])
    with pytest.warns(WatchWarning, match=f"{killed.name} line 5 is incomplete"):
        assert read_jobs(site) == jobs


def test_a_job_with_a_record_is_not_counted_again(site, record, lines):
    watching.write_killed(site, [one | {"job": record["job"]} for one in lines])
    found = Site([site])
    assert len([*found]) == 2 and not found.killed


def test_jobs_of_a_site_whose_jobs_were_all_killed_are_read(site, killed):
    job = merged(site)
    site.unlink()
    assert read_jobs(site) == [job]


def test_ranks_that_are_missing_are_no_error(site, lines):
    watching.write_killed(site, lines[:3])
    job = merged(site)
    assert job.calls[0].calls == 30 and not job.calls[0].samples


def test_ranks_of_two_jobs_in_a_file_are_an_error(site, lines):
    watching.write_killed(site, [*lines[:2], lines[2] | {"job": "0" * 16}])
    with pytest.raises(FileFormatError, match="several jobs"):
        read_jobs(site)


@pytest.mark.parametrize(
    ("changes", "rule"),
    [
        ({"rank": -1}, "rank"),
        ({"rank": "1"}, "rank"),
        ({"rank": 4}, "rank 4 of 4"),
        ({"complete": True}, "complete"),
        ({"version": 2}, "version 2"),
    ],
)
def test_what_is_no_line_of_a_rank_is_an_error(site, lines, changes, rule):
    path = watching.write_killed(site, [*lines[:3], lines[3] | changes])
    with pytest.raises(FileFormatError, match=f"{path.name} line 4.*{rule}"):
        read_jobs(site)


def test_other_calls_and_those_not_kept_add_up(site, lines):
    for rank, one in enumerate(lines):
        one.update(not_kept=rank, other_calls={"ibcast": 2, f"own{rank}": 1})
    watching.write_killed(site, lines)
    job = merged(site)
    assert job.not_kept == 6
    assert job.other_calls == {"ibcast": 8, "own0": 1, "own1": 1, "own2": 1, "own3": 1}
