"""Defaults of MPICH as what they run, by samples that are kept: as they are, and told otherwise."""

import warnings
from collections.abc import Iterator, Sequence

import numpy as np
import pytest

import measured
from contend.models.fitting.estimator import FitOptions
from contend.models.fitting.fit import fit_network
from contend.models.network import Network
from contend.models.prediction.library_default import predicted_as_run
from contend.samples import Sample, quality, read_samples
from contend.samples.by_setting import by_setting
from contend.samples.origin import Unsaved

NAME = "library-algorithms-mpich-5"
NATIVE = "native"
COUNTS = (4, 6, 8, 12)
LARGE = 65536
OPERATIONS = ("allgather", "alltoall", "reduce_scatter")  # of more than one rule in what was run


@pytest.fixture(scope="module")
def samples(tmp_path_factory: pytest.TempPathFactory) -> list[Sample]:
    folder = measured.unpack(NAME, tmp_path_factory.mktemp("kept"))
    read = read_samples(folder / "samples.jsonl")
    return [*by_setting(quality.trusted(read, OPERATIONS))]


def own(samples: Sequence[Sample], operation: str, name: str = NATIVE) -> list[Sample]:
    return [one for one in samples if (one.experiment, one.algorithm) == (operation, name)]


def told(samples: Sequence[Sample], operation: str, name: str, least: int) -> list[Sample]:
    """The default where it had been told to run an algorithm for sizes from some on."""
    rng = np.random.default_rng(1)
    noise = {(one.n, one.m): np.exp(0.02 * rng.standard_normal()) for one in samples}
    other = {
        (one.n, one.m): one.model_copy(
            update={
                "algorithm": NATIVE,
                "times_s": tuple(time * noise[one.n, one.m] for time in one.times_s),
            }
        )
        for one in own(samples, operation, name)
    }
    return [
        other.get((one.n, one.m), one) if one.m >= least else one for one in own(samples, operation)
    ]


def without(samples: Sequence[Sample], operation: str, n: int) -> Network:
    left = [one for one in samples if one.experiment == operation and one.n != n]
    options = FitOptions(operation, n_fit=max(set(COUNTS) - {n}))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return fit_network(left, Unsaved("kept", b""), options)


def held(samples: Sequence[Sample], operation: str, default: Sequence[Sample]) -> Iterator[bool]:
    """Of each n left out, whether times that are said to be an algorithm's are in the interval."""
    forced = [one for one in samples if one.algorithm != NATIVE]
    for n in COUNTS:
        truth = {one.m: one.median for one in default if one.n == n}
        network = without([*forced, *default], operation, n)
        rows = predicted_as_run(network, network.find(operation, NATIVE), n, [*truth])
        is_as = np.char.startswith(rows["regime"], "as ")
        seconds = np.array([*truth.values()])
        yield from ((rows["low"] <= seconds) & (seconds <= rows["high"]))[is_as].tolist()


@pytest.mark.parametrize("operation", OPERATIONS)
def test_defaults_are_within_their_intervals(samples: list[Sample], operation: str) -> None:
    found = [*held(samples, operation, own(samples, operation))]
    assert len(found) >= 9
    assert np.mean(found) >= 0.9


@pytest.mark.parametrize("least", [0, LARGE])
@pytest.mark.parametrize("operation", OPERATIONS)
def test_so_are_those_that_were_told_to_run_something_else(
    samples: list[Sample], operation: str, least: int
) -> None:
    """What bears the rules out by chance is not believed to exclude what runs."""
    names = {one.algorithm for one in samples if one.experiment == operation} - {NATIVE}
    found = [
        one
        for name in sorted(names)
        for one in held(samples, operation, told(samples, operation, name, least))
    ]
    assert np.mean([*found, True]) >= 0.9
