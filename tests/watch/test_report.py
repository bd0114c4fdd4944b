"""Sums over jobs: quantiles, waiting, the best known in a place, and what could be gained."""

import json
import subprocess
import sys
import time
from itertools import islice

import numpy as np
import pytest

from contend.samples.watch.report import PREDICTED, SEEN, Best, Reference, losses, waiting
from contend.samples.watch.store import Site
from contend.samples.watch.totals import quantile, totals_of
from support import watching
from support.watching import Row, Watched

SLOW, FAST = Row(algorithm="pairwise"), Row(algorithm="linear_sync", calls=20)


def faster(share):
    """A law by which the one algorithm takes a share of the other's time."""
    return lambda row: (
        watching.usual_seconds(row) * (share if row.algorithm == "linear_sync" else 1)
    )


def report(tmp_path, rng, *programs, references=None, **about):
    """What is lost by jobs of these programs."""
    jobs = [watching.job(rng, program, **about) for program in programs]
    return losses(totals_of(Site([watching.write_site(tmp_path / "s.jsonl", jobs)])), references)


@pytest.mark.parametrize("share", [0.0, 0.1, 0.5, 0.9, 0.99, 1.0])
def test_quantiles_are_within_five_percent_of_those_of_the_durations(rng, share):
    durations = 10 ** rng.uniform(-7, 2, 5001)
    bins, counts = watching.bins_of(durations)
    value = quantile(dict(zip(bins.tolist(), counts.tolist(), strict=True)), share)
    assert value == pytest.approx(np.quantile(durations, share, method="lower"), rel=0.0501)


def test_no_durations_have_no_quantile():
    assert quantile({}, 0.5) is None


def test_sums_are_those_of_the_jobs(tmp_path, rng):
    jobs = [watching.job(rng, Watched((SLOW, Row("bcast")))) for _ in range(3)]
    site = watching.write_site(tmp_path / "s.jsonl", jobs)
    totals = totals_of(Site([site]))
    assert totals.jobs == 3 and totals.seconds == sum(32 * one["seconds"] for one in jobs)
    for at, row in enumerate(sorted(losses(totals), key=lambda one: one.operation)):
        rows = [one["calls"][at] for one in jobs]
        assert row.operation == rows[0]["operation"]
        assert row.calls == sum(one["calls"] for one in rows)
        assert row.bytes == sum(one["bytes"] for one in rows)
        assert row.seconds == pytest.approx(sum(one["seconds"] for one in rows))
        assert row.sampled == 48


def test_waiting_is_the_share_before_the_last_rank_comes(tmp_path, rng):
    programs = [Watched((SLOW,), late=late) for late in (0.0, 2.0)]
    none, much = (report(tmp_path, rng, one)[0].waiting for one in programs)
    # Of an exponential spread each rank waits half in the mean: 1 call's time, beside that itself.
    assert none == 0.0 and 0.3 < much < 0.7


def test_who_leaves_before_the_last_comes_has_no_known_waiting(tmp_path, rng):
    (row,) = report(tmp_path, rng, Watched((Row("bcast"),)))
    assert row.waiting is None and waiting([row]) is None


def test_a_faster_algorithm_that_was_seen_is_a_gain(tmp_path, rng):
    first, second = report(tmp_path, rng, Watched((SLOW, FAST), faster(0.5), late=0.02))
    assert (first.algorithm, second.algorithm) == ("pairwise", "linear_sync")
    assert first.best.algorithm == "linear_sync" and first.best.source == SEEN
    law = watching.usual_seconds(SLOW)
    assert first.best.seconds == pytest.approx(law / 2, rel=0.1)
    assert first.gain == pytest.approx(first.calls * law / 2, rel=0.1)
    assert second.gain == 0.0 and second.best.algorithm == "linear_sync"


@pytest.mark.parametrize(
    "other",
    [
        Row(algorithm="linear_sync", n=16),
        Row(algorithm="linear_sync", ppn=16),
        Row(algorithm="linear_sync", m=512),
        Row("allgather", algorithm="linear_sync"),
        Row(algorithm="linear_sync", m=2049),  # of the same class, but with half as many bytes
        Row(algorithm="linear_sync", calls=4),  # too few to tell
    ],
)
def test_what_ran_elsewhere_is_no_rival(tmp_path, rng, other):
    rows = report(tmp_path, rng, Watched((SLOW, other), faster(0.1), late=0.02))
    (row,) = (one for one in rows if one.algorithm == "pairwise")
    assert row.gain == 0.0 and row.best.algorithm == "pairwise"


def test_times_that_overlap_are_no_gain(tmp_path, rng):
    program = Watched((SLOW, FAST), faster(0.97), late=0.02, noise=0.3)
    assert [one.gain for one in report(tmp_path, rng, program)] == [0.0, 0.0]


def test_calls_that_ranks_did_not_begin_together_make_no_rival(tmp_path, rng):
    rows = report(tmp_path, rng, Watched((SLOW, FAST), faster(0.5), late=50.0))
    assert all(one.best is None and one.gain is None for one in rows)


def test_clocks_that_may_be_far_off_make_no_rival(tmp_path, rng):
    program = Watched((SLOW, FAST), faster(0.5), late=0.02)
    assert all(one.best is None for one in report(tmp_path, rng, program, clock_error=1.0))


def test_no_more_is_gained_than_was_spent(tmp_path, rng):
    best = Best(1e-12, 1e-12, "magic", None, PREDICTED)
    (row,) = report(
        tmp_path, rng, Watched((SLOW,)), references=lambda calls: [Reference(1.0, best)]
    )
    assert row.gain <= row.seconds and row.bound == 1.0


def test_a_prediction_is_a_rival_of_what_was_seen(tmp_path, rng):
    program, asked = Watched((SLOW, FAST), faster(0.5), late=0.02), []
    law = watching.usual_seconds(SLOW)

    def references(calls):
        asked.extend(calls)
        return [Reference(None, Best(law / 4, law / 3, "native", None, PREDICTED)) for _ in calls]

    rows = report(tmp_path, rng, program, references=references)
    assert {m for _, m in asked} == {4096.0}
    assert all(one.best.source == PREDICTED and one.gain > 0 for one in rows)


def test_libraries_are_kept_apart(tmp_path, rng):
    jobs = [watching.job(rng, library=name) for name in ("Open MPI v4.1.4", "MPICH 4.0.2")]
    site = watching.write_site(tmp_path / "s.jsonl", jobs)
    assert {one.library for one in losses(totals_of(Site([site])))} == {
        one["library"] for one in jobs
    }


def test_a_job_without_calls_counts(tmp_path, rng):
    site = watching.write_site(tmp_path / "s.jsonl", [watching.job(rng, Watched(()))])
    totals = totals_of(Site([site]))
    assert totals.jobs == 1 and not losses(totals) and waiting([]) is None


def test_calls_of_one_rank_are_summed(tmp_path, rng):
    (row,) = report(tmp_path, rng, Watched((Row(n=1, ppn=1),), law=lambda row: 1e-6))
    assert row.n == 1 and row.calls == 100


@pytest.fixture(scope="module")
def large_site(tmp_path_factory):
    """A file of 1000 jobs of 20 to 60 rows."""
    few = [*watching.usual_jobs(np.random.default_rng(1), 10)]
    path = tmp_path_factory.mktemp("large") / "site.jsonl"
    return watching.write_site(path, watching.many_jobs(few, 1000))


@pytest.mark.full
def test_jobs_are_summed_up_in_few_times_what_json_takes(tmp_path, large_site):
    site = tmp_path / "part.jsonl"
    with large_site.open() as file:
        site.write_text("".join(islice(file, 100)))

    def seconds(read):
        begin = time.process_time()
        read()
        return time.process_time() - begin

    def summed():
        assert losses(totals_of(Site([site])))

    def parsed():
        with site.open() as file:
            for line in file:
                json.loads(line)

    pairs = [(seconds(summed), seconds(parsed)) for _ in range(5)]
    ours, theirs = map(sum, zip(*pairs, strict=True))
    assert ours < 5 * theirs  # 1.6 to 2.6


@pytest.mark.full
def test_a_thousand_jobs_are_reported_in_little_memory(large_site):
    # Of this program alone: ru_maxrss knows what was forked, too.
    program = (
        "import re, sys\n"
        "from contend.cli.app import main\n"
        "sys.argv[0] = 'contend'\n"
        "try:\n    main()\n"
        "finally:\n"
        "    status = open('/proc/self/status').read()\n"
        "    print(re.search(r'VmHWM:\\s*(\\d+) kB', status)[1], file=sys.stderr)\n"
    )
    words = [sys.executable, "-c", program, "report", large_site]
    done = subprocess.run(words, capture_output=True, text=True, check=True)
    assert "1000 jobs" in done.stdout
    assert int(done.stderr.split()[-1]) < 200 * 1024
