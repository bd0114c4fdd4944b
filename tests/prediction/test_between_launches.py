"""How far launches of the same points lie apart, from samples to the sentence."""

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from contend.models.fitting.estimator import FitOptions
from contend.models.fitting.fit import fit_network
from contend.models.network import Network
from contend.models.prediction.between_launches import by_launch, launch_errors
from contend.models.prediction.validate import record
from contend.models.prediction.verdict import verdict
from contend.report import text
from contend.samples import Sample
from contend.schedules.pointtopoint import hockney
from support.synthesis import SIZES, alltoall, exchange_time, sample, save

COUNTS = (4, 8, 16, 32)


def several(factors: dict[int, float], counts: tuple[int, ...] = COUNTS) -> list[Sample]:
    """An exchange that each launch measures longer or shorter as a whole."""
    return [
        one
        for launch, factor in factors.items()
        for one in alltoall(counts, lambda n, m, by=factor: by * exchange_time(n, m), launch=launch)
    ]


def fitted(samples: list[Sample], folder: Path) -> Network:
    source = save([sample()], folder / "samples.jsonl")
    known = hockney.given(1e-5, 1e-9)
    return fit_network(samples, source, FitOptions(n_fit=16, known_hockney=known))


@pytest.mark.parametrize("seed", range(20))
def test_each_launch_stands_against_the_median_of_the_others_at_its_point(seed: int) -> None:
    rng = np.random.default_rng(seed)
    times = {
        (n, m, launch): float(rng.lognormal())
        for n in (4, 8)
        for m in (64, 1024)
        for launch in range(5)
        if rng.random() < 0.5
    }
    rows = pd.DataFrame([(*key, time) for key, time in times.items()])
    apart, points = [], set()
    for (n, m, launch), time in times.items():
        others = [other for key, other in times.items() if key[:2] == (n, m) and key[2] != launch]
        if others:
            apart.append(abs(time / np.median(others) - 1))
            points.add((n, m))
    found = launch_errors(rows.set_axis(["n", "m", "launch", "seconds"], axis=1))
    if not apart:
        assert found is None
        return
    assert found is not None
    assert (found.points, found.launches) == (len(points), len(apart))
    assert found.median == pytest.approx(np.median(apart))
    assert found.percentile_90 == pytest.approx(np.quantile(apart, 0.9))
    assert found.worst == pytest.approx(max(apart))


def test_a_launch_is_its_median_at_each_point() -> None:
    samples = [
        sample(64, 4, times, launch=number) for number, times in enumerate([(1, 2, 9), (4,)])
    ]
    rows = by_launch(samples)
    assert rows[["launch", "seconds"]].to_numpy().tolist() == [[0, 2], [1, 4]]


def test_validation_keeps_it_of_points_that_the_form_that_predicts_has_not_seen(
    tmp_path: Path,
) -> None:
    samples = several({0: 1.0, 1: 1.0, 2: 1.1})
    network = fitted(samples, tmp_path)
    assert network.operations[0].between_launches is None
    (operation,) = record(network, samples).operations
    found = operation.between_launches
    assert found is not None
    seen = operation.forms[verdict(operation).form].n_fitted
    assert found.points == (len(COUNTS) - len(seen)) * len(SIZES)
    assert found.launches == 3 * found.points
    assert found.worst == pytest.approx(0.1)
    assert found.median == pytest.approx(1 - 1 / 1.05)  # of 1 against the median of 1 and 1.1


def test_a_node_that_is_named_and_one_that_is_not_are_one_point() -> None:
    rows = by_launch(
        sample(64, 4, (time,), launch=launch, processes_per_node=per_node)
        for launch, per_node, time in ((0, None, 1.0), (0, 4, 3.0), (1, 4, 1.0))
    )
    found = launch_errors(rows)
    assert found is not None and (found.points, found.launches) == (1, 2)
    assert (found.median, found.worst) == (pytest.approx(0.75), pytest.approx(1.0))


def test_where_only_some_points_have_several_launches_nothing_is_compared(tmp_path: Path) -> None:
    samples = [*several({0: 1.0, 1: 1.1}, (4, 8, 16)), *several({0: 1.0}, (32,))]
    (operation,) = record(fitted(samples, tmp_path), samples).operations
    (said,) = text.between_launches(operation)
    assert said.startswith("Launches differ too") and "as near as" not in said


def test_of_single_launches_nothing_is_known(tmp_path: Path) -> None:
    samples = [*several({0: 1.0, 1: 1.2}, (16,)), *several({0: 1.0}, (4, 8, 32))]
    (operation,) = record(fitted(samples, tmp_path), samples).operations
    assert operation.validation and operation.between_launches is None
    assert text.between_launches(operation) == []


def test_the_sentence_says_when_predictions_are_as_near_as_a_launch(tmp_path: Path) -> None:
    samples = several({0: 1.0, 1: 1.0, 2: 1.1})
    (operation,) = record(fitted(samples, tmp_path), samples).operations
    points = operation.between_launches.points  # type: ignore[union-attr]
    assert text.between_launches(operation) == [
        f"Launches differ too: at {points} of these points, which several have measured, half of "
        "them are within 4.8 % of the median of the others, nine in ten within 10 %. Predictions "
        "are as near as another launch is."
    ]
    steep = several({0: 1.0, 1: 1.0, 2: 1.001}, (4, 16))
    far = alltoall((8, 32), lambda n, m: 3 * exchange_time(n, m))
    mixed = [*steep, *far, *(one.model_copy(update={"launch": 1}) for one in far)]
    (operation,) = record(fitted(mixed, tmp_path), mixed).operations
    (said,) = text.between_launches(operation)
    assert "as near as" not in said


def test_a_network_file_keeps_it_where_the_same_fit_is_merged(tmp_path: Path) -> None:
    samples, path = several({0: 1.0, 1: 1.1}), tmp_path / "network.json"
    fit = fitted(samples, tmp_path)
    judged = record(fit, samples)
    judged.merge_into(path)
    fit.merge_into(path)
    kept = Network.load(path).operations[0].between_launches
    assert kept is not None and kept == judged.operations[0].between_launches
    old = json.loads(path.read_text())
    del old["operations"][0]["between_launches"]
    path.write_text(json.dumps(old))
    assert Network.load(path).operations[0].between_launches is None
