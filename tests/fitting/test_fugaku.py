"""Collectives of one real machine: fitted at 8 nodes, compared at 64, by algorithm."""

from collections.abc import Callable
from pathlib import Path

import pandas as pd
import pytest
from benchmarks.against_all import against_all

from contend.models.fitting.estimator import FitOptions
from contend.models.fitting.estimators.schedules import Schedules
from contend.models.network import Network
from contend.samples import Sample
from contend.samples.reader import ReadOptions, recognise
from contend.schedules.fitting.fit import line, relative_errors
from contend.schedules.fitting.series import series_of
from contend.tune.choose.compare import compare, regrets


@pytest.fixture(scope="module")
def read() -> Callable[[Path], list[Sample]]:
    known: dict[Path, list[Sample]] = {}

    def once(path: Path) -> list[Sample]:
        if path not in known:
            known[path] = list(recognise(path).read(path, ReadOptions()))
        return known[path]

    return once


@pytest.fixture(scope="module")
def fitted() -> Callable[[list[Sample], Path], Network]:
    known: dict[Path, Network] = {}

    def once(samples: list[Sample], path: Path) -> Network:
        if path not in known:
            known[path] = Schedules().fit(samples, path, FitOptions(counts=(8,)))
        return known[path]

    return once


@pytest.fixture
def path(shared_data: Callable[[str], Path]) -> Path:
    return shared_data("fugaku_collectives/collectives.csv.gz")


@pytest.fixture
def samples(path: Path, read: Callable[[Path], list[Sample]]) -> list[Sample]:
    return read(path)


@pytest.fixture
def network(
    path: Path, samples: list[Sample], fitted: Callable[[list[Sample], Path], Network]
) -> Network:
    return fitted(samples, path)


@pytest.fixture
def errors(network: Network, samples: list[Sample]) -> pd.DataFrame:
    rows = compare(network.parameters, [sample for sample in samples if sample.n == 64])
    return rows.assign(size=rows["error"].abs())


def test_the_file_holds_what_its_description_says(samples: list[Sample]) -> None:
    assert len(samples) == 2024
    assert {sample.n for sample in samples} == {8, 64}
    assert len(series_of(samples, 8)) == 27
    assert sum(one.m.size for one in series_of(samples, 64)) == 110
    (total,) = [
        s for s in samples if s.series[:3] == ("alltoall", "native", 64) and s.m == 8 << 20
    ]  # a buffer of 512 MiB
    assert total.median == pytest.approx(82.3894e-3, rel=1e-4)


def test_parameters_of_eight_nodes_predict_sixty_four(errors: pd.DataFrame) -> None:
    assert len(errors) == 110
    assert errors["size"].median() == pytest.approx(0.08, abs=0.015)
    assert errors["size"].quantile(0.9) == pytest.approx(0.36, abs=0.05)
    medians = errors.groupby("operation")["size"].median()
    quiet = ["allgather", "allreduce", "gather", "reduce_scatter", "scatter"]
    assert medians[quiet].max() < 0.1
    assert medians["alltoall"] < 0.25


def test_what_is_far_off_is_what_meets_on_the_torus_or_is_pipelined(errors: pd.DataFrame) -> None:
    by_name = errors.set_index(["operation", "algorithm", "m"]).sort_index()
    ratio = 1 + by_name["error"]
    assert ratio["bcast", "binomial"].tolist() == pytest.approx([6 / 9] * 3, abs=0.01)
    assert ratio["alltoall", "ring", 8 << 20] == pytest.approx(0.38, abs=0.03)
    assert ratio["bcast", "flat", 8 << 20] == pytest.approx(0.28, abs=0.05)
    assert ratio["reduce", "binary"].median() == pytest.approx(2.1, abs=0.2)


def test_own_parameters_are_closer_than_common_ones_and_than_lines(
    samples: list[Sample], errors: pd.DataFrame, network: Network
) -> None:
    few, many = series_of(samples, 8), series_of(samples, 64)
    sets = {fit.title: fit.plogp for fit in network.schedules}
    lines = {name: line([s for s in few if s.operation == name]) for name in sets if "/" not in name
             and name != "all operations"}  # fmt: skip
    medians = {
        "operation": pd.concat([errors_of(one, sets[one.operation]) for one in many]).median(),
        "all": pd.concat([errors_of(one, sets["all operations"]) for one in many]).median(),
        "lines": pd.concat([errors_of(one, lines[one.operation]) for one in many]).median(),
    }
    assert errors["size"].median() < 0.75 * medians["operation"]
    assert medians["operation"] < medians["lines"] + 0.01
    assert medians["operation"] < medians["all"]


def errors_of(one: object, plogp: object) -> pd.Series:
    return pd.Series(relative_errors([one], plogp)).abs()  # type: ignore[list-item, arg-type]


def test_the_choice_is_the_best_of_the_catalogue_nearly_always(errors: pd.DataFrame) -> None:
    inside = regrets(errors)["regret"]
    assert len(inside) == 31
    assert (inside < 1.05).sum() >= 24
    assert inside.max() < 1.9


def test_algorithms_of_the_machine_are_far_ahead_for_large_messages(
    samples: list[Sample], errors: pd.DataFrame
) -> None:
    rows = against_all(errors, samples)
    assert len(rows) == 57
    assert rows["regret"].median() == pytest.approx(1.94, abs=0.1)
    assert rows["native_regret"].median() == pytest.approx(1.14, abs=0.01)
    small = rows[rows["m"] <= 1024]
    assert small["regret"].median() < 1.1
    assert rows[rows["m"] >= 1 << 20]["regret"].median() > 3
