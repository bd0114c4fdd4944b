"""Defaults of watched programs are predicted by the algorithms that their calls showed."""

import warnings
from pathlib import Path

import numpy as np
import pytest
from benchmarks.defaults_as_run import compared

import measured
from contend.base.document import Columns
from contend.models.fitting.estimator import FitOptions, read_any
from contend.models.fitting.estimators.production import Production
from contend.models.network import Network
from contend.models.prediction.combination import weighed
from contend.models.prediction.library_default import predicted_as_run
from contend.models.prediction.predict import predicted
from contend.samples.origin import Unsaved
from contend.samples.readers._text import SkippedWarning
from contend.schedules.libraries import library_of
from support.production import LIBRARY, Key, call, record, write

COUNTS, BETWEEN = (4, 6, 8), (5, 7)
SIZES = (1500, 3000, 5000, 10000, 20000, 40000, 80000, 160000)
ROUNDS = {"basic_linear": lambda n: n - 1.0}  # others have trees


def name_of(n: int, m: int) -> str:
    """What Open MPI broadcasts by: to all from the root at most n from some size on."""
    library, version = library_of(LIBRARY)
    return library.default("bcast", n, m, version, ppn=1).algorithm.name


def seconds(n: int, m: int) -> float:
    rounds = ROUNDS.get(name_of(n, m), lambda n: np.ceil(np.log2(n)))(n)
    return float(rounds * (1e-4 + 1e-7 * m))


def network_of(path: Path, *, is_shown: bool = True) -> Network:
    jobs = [
        record(call(Key("bcast", n, m, name_of(n, m) if is_shown else None),
                    [(0.0, seconds(n, m))] * 3))
        for n in COUNTS for m in SIZES
    ]  # fmt: skip
    with warnings.catch_warnings(action="ignore", category=SkippedWarning):
        samples = read_any(write(path / "site.jsonl", jobs))
    return Production().fit(samples, Unsaved("site", b""), FitOptions())


def errors(rows: Columns) -> np.ndarray:
    truth = [seconds(int(n), int(m)) for n, m in zip(rows["n"], rows["m"], strict=True)]
    return np.abs(rows["seconds"] / truth - 1)


def test_what_ran_tells_how_the_default_grows(tmp_path: Path) -> None:
    network = network_of(tmp_path)
    default = network.find("bcast")
    assert default.is_as_ruled
    n, m = (values.ravel() for values in np.meshgrid(BETWEEN, (12000, 28000, 60000, 120000)))
    rows, alone = predicted_as_run(network, default, n, m), predicted(network, default, n, m)
    assert set(rows["regime"]) == {"as openmpi:basic_linear, by growth"}
    assert errors(rows).max() < 0.6 * errors(alone).max()
    assert errors(rows).max() < 0.1
    assert rows["extrapolates"].tolist() == alone["extrapolates"].tolist()


def test_calls_that_show_nothing_are_of_the_default_as_it_is(tmp_path: Path) -> None:
    network = network_of(tmp_path, is_shown=False)
    default = network.find("bcast")
    assert default.is_as_ruled is None
    rows, alone = (by(network, default, 7, [*SIZES]) for by in (predicted_as_run, predicted))
    assert rows["seconds"].tolist() == alone["seconds"].tolist()


def test_an_algorithm_of_few_points_is_left_to_the_default(tmp_path: Path) -> None:
    network = network_of(tmp_path)
    assert name_of(8, 1500) == "knomial"
    assert predicted_as_run(network, network.find("bcast"), 8, 1500)["regime"] == ["all sizes"]


def rows_of(seconds: float, factor: float) -> Columns:
    """A prediction between a time over and a time by the factor."""
    numbers = {"seconds": seconds, "low": seconds / factor, "high": seconds * factor}
    columns = {name: np.array([value]) for name, value in numbers.items()}
    return columns | {"lower_bound": np.array([np.nan]), "extrapolates": np.array([""])}


def test_the_narrower_of_two_predictions_counts_more() -> None:
    found = weighed(rows_of(1.0, np.exp(0.4)), rows_of(2.0, np.exp(0.2)))
    assert found["seconds"] == pytest.approx(2.0**0.8)  # by 1/0.2^2 to 1/0.4^2


def test_what_two_predictions_disagree_by_makes_the_interval_wider() -> None:
    same, apart = (weighed(rows_of(1.0, 1.5), rows_of(other, 1.5)) for other in (1.0, 2.0))
    assert same["high"] / same["seconds"] == pytest.approx(1.5)
    assert apart["high"] / apart["seconds"] > 1.7
    assert apart["low"] * apart["high"] == pytest.approx(apart["seconds"] ** 2)


def test_without_an_interval_the_own_times_of_a_default_stay() -> None:
    nothing = rows_of(2.0, np.nan)
    assert weighed(rows_of(1.0, 1.5), nothing)["seconds"] == 1.0
    assert weighed(rows_of(1.0, 1.5), nothing)["high"] == pytest.approx(1.5)


def test_measured_defaults_are_predicted_better_by_what_ran(tmp_path: Path) -> None:
    found = compared(measured.unpack("library-algorithms-openmpi-5", tmp_path) / "samples.jsonl")
    errors = found.groupby("by")["error"].quantile([0.5, 0.9]).unstack()
    assert (errors.loc["what ran"] < 0.75 * errors.loc["its own times"]).all()
    assert found.groupby("by")["is_inside"].mean()["what ran"] >= 0.9
