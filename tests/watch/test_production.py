"""From a site's file to a network, and to decisions."""

import sys
import warnings

import numpy as np
import pytest
from benchmarks.watched_machines import compared

from contend.base.errors import FileFormatError
from contend.cli.app import main
from contend.models.fitting.estimator import FitOptions, read_any
from contend.models.fitting.estimators.production import Production
from contend.models.fitting.fit import fit_network
from contend.models.fitting.production import with_defaults
from contend.models.network import Network
from contend.models.prediction.predict import predict
from contend.samples.origin import Unsaved
from contend.samples.readers._text import SkippedWarning
from contend.tune.choose.decide import decide
from support.production import Key, call, record, write

SOURCE = Unsaved("site", b"")
SIZES = (64, 1024, 16384, 262144)
DEFAULT = {64: "linear_sync", 1024: "linear", 16384: "linear_sync", 262144: "linear_sync"}


def samples_of(tmp_path, jobs):
    with warnings.catch_warnings(action="ignore", category=SkippedWarning):
        return read_any(write(tmp_path / "site.jsonl", jobs))


def network_of(tmp_path, jobs):
    return Production().fit(samples_of(tmp_path, jobs), SOURCE, FitOptions())


def seconds(n, m):
    return (n - 1) * (1e-5 + 1e-9 * m)


def timed(key, seed=0, factor=1.0):
    rng = np.random.default_rng([seed, key.n, key.m])
    times = factor * seconds(key.n, key.m) * np.exp(0.02 * rng.standard_normal(5))
    return call(key, [(0.0, float(one)) for one in times])


def tried(number, ratio=1.0, n=8, m=16384):
    """A job that had the default and another by turns, and a load of its own."""
    load = 1.0 + 0.3 * (number % 3)
    return record(
        timed(Key(n=n, m=m, algorithm="linear_sync"), number, load),
        timed(Key(n=n, m=m, algorithm="pairwise"), number + 50, load * ratio),
    )


def test_all_operations_are_fitted_and_flagged(tmp_path):
    keys = [Key(op, n, m) for op in ("alltoall", "bcast") for n in (4, 8) for m in SIZES]
    network = network_of(tmp_path, [record(timed(key)) for key in keys])
    assert [one.title for one in network.operations] == [
        "alltoall/native, 1 per node", "bcast/native, 1 per node",
    ]  # fmt: skip
    assert all(one.is_of_production and [*one.forms] == ["growth"] for one in network.operations)
    rows = predict(network, network.find("alltoall"), [8, 6], [1024, 16384])
    times = [seconds(8, 1024), seconds(6, 16384)]
    assert rows["seconds"].to_numpy() == pytest.approx(times, rel=0.1)
    assert (rows["low"] < times).all()
    assert (rows["high"] > times).all()


def test_the_command_fits_all_and_a_file_keeps_the_flag(tmp_path, monkeypatch):
    jobs = [
        record(timed(Key(name, n, m))) for name in ("allreduce", "bcast") for n in (4, 8)
        for m in SIZES
    ]  # fmt: skip
    site, out = write(tmp_path / "site.jsonl", jobs), tmp_path / "site.json"
    monkeypatch.setattr(sys, "argv", ["contend", "fit", str(site), "-o", str(out)])
    with warnings.catch_warnings(action="default"), pytest.raises(SystemExit) as done:
        main()
    assert not done.value.code
    network = Network.load(out)
    assert {one.operation for one in network.operations} == {"allreduce", "bcast"}
    assert all(one.is_of_production for one in network.operations)
    assert "contend_watch: site.jsonl" in network.origin.sources


def test_what_was_watched_may_be_fitted_beside_what_was_measured(tmp_path):
    some = samples_of(tmp_path, [record(timed(Key(m=m))) for m in SIZES])
    network = fit_network(some, SOURCE, FitOptions())
    assert "hockney_2007" in network.operations[0].forms
    assert network.operations[0].is_of_production is None


def test_what_the_library_takes_by_itself_is_its_default(tmp_path):
    jobs = [record(timed(Key(m=16384, algorithm=name))) for name in ("linear_sync", "pairwise")]
    found = {one.provenance.date and one.algorithm for one in
             with_defaults(samples_of(tmp_path, jobs))}  # fmt: skip
    assert found == {"native", "openmpi:pairwise"}


def test_the_only_algorithm_of_an_unknown_library_is_its_default(tmp_path):
    jobs = [record(timed(Key(algorithm="some")), library="Open MPI v3.0.0")]
    assert [one.algorithm for one in with_defaults(samples_of(tmp_path, jobs))] == ["native"]


def test_of_several_by_an_unknown_library_none_is_the_default(tmp_path):
    jobs = [record(timed(Key(algorithm=name)), library="Open MPI v3.0.0") for name in "ab"]
    found = {one.algorithm for one in with_defaults(samples_of(tmp_path, jobs))}
    assert found == {"openmpi:a", "openmpi:b"}


def departures(network, **options):
    return [one for one in decide(network, **options).rules if not one.is_default]


def test_jobs_that_had_both_tell_of_the_n_and_sizes_that_they_had(tmp_path):
    jobs = [tried(k, 0.5, m=m) for k in range(6) for m in (8192, 16384)]
    network = network_of(tmp_path, jobs)
    (rule,) = departures(network)
    assert (rule.operation, rule.algorithm, rule.n, rule.n_to) == ("alltoall", "pairwise", 8, 9)
    assert rule.gain_low > 1
    assert rule.gain == pytest.approx(2.0, rel=0.05)
    assert not departures(network, n=[7, 9, 16, 64])
    assert not departures(network, n=[8], m=[1024, 262144])
    whys = [one.why for one in decide(network, n=[16]).rules]
    assert whys == ["no watched job had both the default and another there"]


def test_jobs_that_had_one_each_tell_nothing_of_which_is_faster(tmp_path):
    jobs = [
        record(timed(Key(m=m, algorithm=name), k, factor))
        for k in range(6)
        for m in (8192, 16384)
        for name, factor in (("linear_sync", 3.0), ("pairwise", 1.0))
    ]
    network = network_of(tmp_path, jobs)
    assert {one.algorithm for one in network.operations} == {"native", "openmpi:pairwise"}
    assert not departures(network)


def test_one_job_that_had_both_is_not_enough(tmp_path):
    assert not departures(network_of(tmp_path, [tried(0, 0.5, m=m) for m in (8192,)]))


def test_a_slower_algorithm_is_not_taken(tmp_path):
    jobs = [tried(k, ratio, m=m) for k in range(6) for m, ratio in ((8192, 1.3), (16384, 0.99))]
    assert not departures(network_of(tmp_path, jobs))


def test_defaults_alone_stay_and_it_is_said(tmp_path):
    network = network_of(tmp_path, [record(timed(Key(m=m))) for m in SIZES])
    assert [one.why for one in decide(network).rules] == [
        "no other algorithm was measured where the default was"
    ]


@pytest.mark.parametrize("jobs", [[], [{"format": "contend-watch"}]])
def test_a_file_without_a_job_is_an_error(tmp_path, jobs):
    with pytest.raises(FileFormatError):
        samples_of(tmp_path, jobs)


def test_watched_programs_foretell_as_a_campaign_does():
    rows = [compared(seed) for seed in (1, 4, 9)]
    errors = {
        name: np.concatenate([one.loc[one["network"] == name, "error"] for one in rows])
        for name in ("programs", "campaign")
    }
    assert np.median(errors["programs"]) <= 1.5 * np.median(errors["campaign"])
    for one in rows:
        inside = one.groupby("network")["is_inside"].mean()
        assert inside["programs"] >= 0.7
    assert np.mean([one.loc[one["network"] == "programs", "is_inside"] for one in rows]) >= 0.8
