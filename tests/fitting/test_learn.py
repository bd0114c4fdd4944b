"""The end of a study: whatever part of its samples lacks, there is a network and a report."""

import tempfile
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from contend.api.studies import learn, publish
from contend.base.errors import InvalidInputError
from contend.measure.design import Design
from contend.measure.study.files import StudyFiles
from contend.models.fitting.estimator import FitOptions
from contend.models.fitting.fit import fit_network
from contend.models.network import Network
from contend.samples import LabConditions, Sample
from support.synthesis import alltoall, noisy, pingpong, sample, save, trained

pytestmark = pytest.mark.usefixtures("quick_reports")
LATE = LabConditions.from_counters({"frames": 10, "late_ns": 10**9})
COUNTS, N_FIT = (3, 4, 6), 3
MIDDLES = (2048, 8192, 32768)
DESIGN = Design(COUNTS, N_FIT, (1024, 4096, 16384, 65536), MIDDLES, launches=2)
ALL_SIZES = (*DESIGN.sizes, *MIDDLES)
Select = Callable[[Sample], bool]


def measured() -> list[Sample]:
    """What a study of two launches measures."""
    rng = np.random.default_rng(3)
    single = (0, 1, 64, *ALL_SIZES)

    def exchange(n: int, m: int) -> float:
        return (n - 1) * (1e-4 + 2e-8 * m)

    overheads = (lambda m: 2e-5 + 1e-9 * m, lambda m: 3e-5 + 1e-9 * m)
    samples = [
        *pingpong(1e-4, 1e-8, single[1:]),
        *trained(lambda m: 5e-5 + 0 * m, lambda m: 5e-5 + 1e-8 * m, overheads,
                 lambda m: 64 if m < 4096 else 4, single),
        *alltoall(COUNTS, exchange, ALL_SIZES),
        *alltoall(COUNTS, exchange, ALL_SIZES, algorithm="direct"),
    ]  # fmt: skip
    return [
        one.model_copy(update={"launch": launch, "times_s": noisy(one.median, rng, 0.01, 5)})
        for one in samples
        for launch in (0, 1)
    ]


MEASURED = measured()


def flagged(samples: Sequence[Sample], is_chosen: Select) -> list[Sample]:
    """The samples, those chosen as an emulation that was late has measured them."""
    return [one.model_copy(update={"lab": LATE}) if is_chosen(one) else one for one in samples]


@pytest.fixture
def files(tmp_path: Path) -> StudyFiles:
    found = StudyFiles(tmp_path / "study")
    save(MEASURED, found.samples)
    return found


def learned(samples: Sequence[Sample], files: StudyFiles) -> Network:
    return learn(samples, files, DESIGN, "planted").network


def kinds(network: Network) -> set[str]:
    return {warning.kind for warning in network.warnings}


def of_plogp(algorithm: str, m: int) -> Select:
    return lambda one: (one.experiment, one.algorithm, one.m) == ("plogp", algorithm, m)


def test_a_whole_study_leaves_no_doubt_about_what_lacks(files: StudyFiles) -> None:
    network = learned(MEASURED, files)
    assert not kinds(network) & {"points_missing", "another_n", "not_fitted", "not_validated"}
    assert len(network.operations) == 2
    assert network.levels[0].plogp is not None
    assert network.levels[0].plogp.method == "trains"


@pytest.mark.parametrize("algorithm", ["round_trip", "saturation_gap"])
def test_an_empty_message_that_was_disturbed_leaves_plogp_by_another_method(
    files: StudyFiles, algorithm: str
) -> None:
    samples = flagged(MEASURED, of_plogp(algorithm, 0))
    network = learned(samples, files)
    assert network.levels[0].plogp is not None
    assert network.levels[0].plogp.method == "one_way"
    (doubt,) = (w for w in network.warnings if w.kind == "not_fitted")
    assert doubt.message == "pLogP needs the size 0; the method 'one_way' was taken instead"


@pytest.mark.parametrize("algorithm", ["round_trip", "saturation_gap"])
def test_a_size_of_plogp_that_was_disturbed_is_left_out(files: StudyFiles, algorithm: str) -> None:
    network = learned(flagged(MEASURED, of_plogp(algorithm, 4096)), files)
    plogp = network.levels[0].plogp
    assert plogp is not None
    assert plogp.method == "trains"
    assert 4096 not in plogp.size.array
    (doubt,) = (w for w in network.warnings if w.kind == "points_missing")
    assert (doubt.where, doubt.message.endswith(": 4 KiB")) == ("plogp", True)


def test_a_train_shorter_than_a_round_trip_is_left_out(files: StudyFiles) -> None:
    """The gap derived from it would be 0 s."""
    short = of_plogp("saturation_gap", 65536)
    samples = [
        one.model_copy(update={"times_s": tuple(t / 9 for t in one.times_s)}) if short(one) else one
        for one in MEASURED
    ]
    network = learned(samples, files)
    plogp = network.levels[0].plogp
    assert plogp is not None
    assert plogp.method == "trains"
    assert plogp.size.array.max() == 32768


def test_a_median_of_zero_is_left_out(files: StudyFiles) -> None:
    def zero(one: Sample) -> bool:
        return (one.experiment, one.n, one.m) == ("alltoall", 6, 8192)

    samples = [
        one.model_copy(update={"times_s": (0.0, 0.0, 1e-6)}) if zero(one) else one
        for one in MEASURED
    ]
    network = learned(samples, files)
    assert publish(network, samples, files).is_file()
    doubts = [w for w in network.warnings if w.kind == "points_missing"]
    assert [w.where for w in doubts] == ["alltoall/direct", "alltoall/native"]
    assert all(w.message.endswith("n=6 8 KiB") for w in doubts)


def test_without_samples_at_n_the_fit_is_at_another(files: StudyFiles) -> None:
    for samples in (
        flagged(MEASURED, lambda one: one.n == N_FIT),
        [one for one in MEASURED if one.n != N_FIT],
    ):
        network = learned(samples, files)
        for operation in network.operations:
            assert operation.forms["hockney_2007"].n_fitted == (6,)
        assert len(network.operations) == 2
        assert "another_n" in kinds(network)


def test_contend_fit_tells_a_wrong_n_from_one_that_was_disturbed(files: StudyFiles) -> None:
    options = FitOptions(n_fit=N_FIT)
    late = flagged(MEASURED, lambda one: one.n == N_FIT)
    assert "another_n" in kinds(fit_network(late, files.samples, options))
    with pytest.raises(InvalidInputError, match="no sample at n=5"):
        fit_network(MEASURED, files.samples, replace(options, n_fit=5))


def test_a_study_that_could_measure_nothing_ends_in_a_report_that_says_so(
    files: StudyFiles,
) -> None:
    samples = flagged(MEASURED, lambda one: True)
    network = learned(samples, files)
    assert (network.operations, network.levels) == ((), ())
    assert kinds(network) == {"not_fitted", "not_validated"}
    assert "could not keep up" in publish(network, samples, files).read_text()
    assert Network.load(files.network) == network


@settings(
    max_examples=25,
    phases=[Phase.generate],  # to shrink takes minutes
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(data=st.data())
def test_no_part_of_the_samples_is_needed(data: st.DataObject, tmp_path: Path) -> None:
    """Of any samples of a study, any part missing, disturbed, or shorter than the clock's step."""
    rng = np.random.default_rng(data.draw(st.integers(0, 2**32)))
    shares = data.draw(st.tuples(*[st.floats(0, 1)] * 4))
    shares = np.array([0.3 + shares[0], *shares[1:]])
    fates = rng.choice(["kept", "missing", "late", "zero"], len(MEASURED), p=shares / shares.sum())
    if data.draw(st.booleans()):  # all launches of a point share their fate
        fates = np.repeat(fates[::2], 2)
    changes = {"late": {"lab": LATE}, "zero": {"times_s": (0.0, 0.0, 1e-9)}}
    samples = [
        one.model_copy(update=changes.get(fate, {}))
        for one, fate in zip(MEASURED, fates, strict=True)
        if fate != "missing"
    ] or MEASURED[:1]
    files = StudyFiles(Path(tempfile.mkdtemp(dir=tmp_path)))
    files.samples.touch()
    network = learned(samples, files)
    assert Network.load(files.network) == network
    usable = [one for one in samples if not one.is_flagged and one.median > 0]
    trips = {one.m for one in usable if one.experiment == "pingpong"}
    assert bool(network.levels and network.levels[0].hockney) >= (len(trips) > 8)
    for algorithm in ("native", "direct"):
        own = [one for one in usable if one.experiment == "alltoall"]
        sizes = [
            {one.m for one in own if (one.algorithm, one.n) == (algorithm, n)} & {*DESIGN.sizes}
            for n in COUNTS
        ]
        fitted = algorithm in {operation.algorithm for operation in network.operations}
        assert fitted == (max(map(len, sizes)) > 0)  # of few sizes by growth alone


@pytest.mark.parametrize("part", ["pingpong", "plogp", "alltoall"])
def test_a_report_is_written_without_any_part(files: StudyFiles, part: str) -> None:
    samples = flagged(MEASURED, lambda one: one.experiment == part)
    assert publish(learned(samples, files), samples, files).is_file()


@pytest.mark.parametrize("part", ["pingpong", "plogp", "alltoall"])
def test_a_report_is_written_of_any_part_alone(files: StudyFiles, part: str) -> None:
    samples = [one for one in MEASURED if one.experiment == part]
    assert publish(learned(samples, files), samples, files).is_file()


def test_one_sample_ends_in_a_report(files: StudyFiles) -> None:
    alone = [sample(1024, 4)]
    assert publish(learned(alone, files), alone, files).is_file()
