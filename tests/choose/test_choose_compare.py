"""Predicted against measured, and regrets, of samples whose times are planted."""

import math

import pandas as pd
import pytest

from contend.base.errors import InvalidInputError
from contend.samples import LabConditions, Sample
from contend.schedules import algorithms
from contend.tune.choose.compare import (
    ALWAYS,
    CHOSEN,
    RANDOM,
    best_fixed,
    compare,
    errors,
    regrets,
    rivals,
)
from support import networks
from support.synthesis import sample

PLOGP = networks.plogp()
SIZES = (64, 4096, 65536)
LATE = LabConditions.from_counters({"frames": 1, "late_ns": 10**9})


def run(
    algorithm: str,
    factor: float = 1.0,
    n: int = 8,
    sizes: tuple[int, ...] = SIZES,
    operation: str = "bcast",
    **fields: object,
) -> list[Sample]:
    """Samples that take `factor` times what is predicted with the options in `parameters`."""
    entry = algorithms(operation).get(algorithm)
    given = fields.get("parameters") or {}
    options = {name: value for name, value in given.items() if name != "root"}  # type: ignore[attr-defined]
    times = entry.seconds(PLOGP, n, entry.uniform(n, list(sizes)), **options) * factor
    return [
        sample(m, n, [float(time)] * 6, experiment=operation, algorithm=algorithm, **fields)
        for m, time in zip(sizes, times, strict=True)
    ]


def seconds(algorithm: str, m: int, n: int = 8, **options: int) -> float:
    return float(algorithms("bcast").get(algorithm).seconds(PLOGP, n, m, **options))


def test_the_error_is_predicted_over_measured_less_1() -> None:
    rows = compare(PLOGP, run("binomial", 1.25) + run("flat", 0.5))
    assert len(rows) == 2 * len(SIZES)
    for row in rows.itertuples():
        assert row.predicted == pytest.approx(seconds(row.algorithm, row.m))
        assert row.error == pytest.approx(-0.2 if row.algorithm == "binomial" else 1.0)


def test_options_are_those_of_the_samples_or_the_default() -> None:
    samples = run("segmented_chain", parameters={"segment": 1024.0}, sizes=(65536,))
    samples += run("segmented_chain", sizes=(65536,))
    rows = compare(PLOGP, samples)
    assert [dict(options)["segment"] for options in rows["options"]] == [1024, 16384]
    assert rows["error"].abs().max() < 1e-12


def test_segments_longer_than_the_message_are_one_schedule() -> None:
    samples = [
        one
        for segment, factor in ((8192.0, 1.0), (16384.0, 3.0))
        for one in run("segmented_chain", factor, sizes=(1024,), parameters={"segment": segment})
    ]
    (row,) = compare(PLOGP, samples).itertuples()
    assert dict(row.options) == {"segment": 1024}
    assert row.measured == pytest.approx(2 * row.predicted)
    assert row.launches == 2


def test_points_of_another_root_or_placement_are_another_call() -> None:
    samples = run("binomial") + run("flat", parameters={"root": 3.0})
    samples += run("segmented_chain", processes_per_node=2)
    assert set(compare(PLOGP, samples)["root"]) == {0, 3}
    assert regrets(compare(PLOGP, samples)).empty


def test_errors_are_summarised_by_algorithm() -> None:
    samples = run("binomial", 2.0, sizes=(64, 4096)) + run("binomial", 0.8, sizes=(65536,))
    (row,) = errors(compare(PLOGP, samples)).itertuples()
    assert (row.operation, row.algorithm, row.points) == ("bcast", "binomial", 3)
    assert row.bias == pytest.approx(-0.5)
    assert row.median == row.worst == pytest.approx(0.5)


def test_samples_of_an_overburdened_emulation_are_left_out() -> None:
    late = run("flat", 100.0, lab=LATE)
    assert late[0].is_flagged
    assert set(compare(PLOGP, run("binomial") + late)["algorithm"]) == {"binomial"}
    everything = compare(PLOGP, run("binomial") + late, include_flagged=True)
    assert set(everything["algorithm"]) == {"binomial", "flat"}
    with pytest.raises(InvalidInputError, match="could not keep up in any"):
        compare(PLOGP, late)


def test_other_samples_are_no_candidates() -> None:
    native = sample(64, 8, [1e-9], experiment="bcast")
    assert set(compare(PLOGP, [native, *run("binomial")])["algorithm"]) == {"binomial"}
    with pytest.raises(InvalidInputError, match="no sample of a schedule among bcast/native"):
        compare(PLOGP, [native])


@pytest.mark.parametrize("operation", ["alltoall", "alltoallv", "reduce", "allgather"])
def test_every_operation_is_predicted_as_it_is_run(operation: str) -> None:
    name = algorithms(operation).names()[0]
    rows = compare(PLOGP, run(name, 2.0, operation=operation))
    assert rows["error"].to_numpy() == pytest.approx(-0.5)


def planted_choice() -> pd.DataFrame:
    """Two algorithms of which the predicted one is the best for one size alone.

    With 8 ranks a binomial tree is predicted to be faster than a flat one for every size.
    """
    samples = run("binomial", sizes=(64,)) + run("binomial", 10.0, sizes=(4096, 65536))
    return compare(PLOGP, samples + run("flat"))


def test_the_regret_is_the_measured_time_of_the_choice_over_the_least() -> None:
    found = regrets(planted_choice()).set_index("m")
    assert set(found["algorithm"]) == {"binomial"}
    assert found["regret"][64] == 1.0
    assert found["best_algorithm"].to_dict() == {64: "binomial", 4096: "flat", 65536: "flat"}
    for m in (4096, 65536):
        expected = 10 * seconds("binomial", m) / seconds("flat", m)
        assert found["regret"][m] == pytest.approx(expected)
        assert expected > 1


def test_what_overlaps_with_the_best_is_not_told_from_it() -> None:
    close = run("binomial", 0.5, sizes=(64,)) + run("binomial", 20.0, sizes=(64,), launch=1)
    found = regrets(compare(PLOGP, close + run("flat", 1.0, sizes=(64,))))
    assert found["regret"][0] > 1
    assert not found["is_told_from_best"][0]
    assert regrets(planted_choice())["is_told_from_best"].tolist() == [False, True, True]


def test_what_begins_within_the_interval_of_the_best_is_not_told_from_it() -> None:
    wide = run("flat", 0.01, sizes=(64,)) + run("flat", 50.0, sizes=(64,), launch=1)
    slow = run("binomial", 60.0, sizes=(64,)) + run("binomial", 60.0, sizes=(64,), launch=1)
    found = regrets(compare(PLOGP, wide + slow))
    assert found["algorithm"].tolist() == ["binomial"] and found["regret"][0] > 1
    assert not found["is_told_from_best"][0]


def test_what_has_no_interval_is_not_told_from_the_best() -> None:
    single = [
        one.model_copy(update={"times_s": one.times_s[:5]})  # too few for an interval
        for one in run("binomial") + run("flat", 0.1)
    ]
    points = compare(PLOGP, single)
    assert points["low"].isna().all()
    assert not regrets(points)["is_told_from_best"].any()
    best = rivals(points).set_index("rule")["best"]
    assert best.drop(RANDOM).tolist() == [1.0, 1.0, 1.0]


def test_rivals_are_what_predicts_nothing() -> None:
    rules = rivals(planted_choice()).set_index("rule")
    flat = [seconds("flat", 64) / seconds("binomial", 64), 1.0, 1.0]
    binomial = [1.0, *(10 * seconds("binomial", m) / seconds("flat", m) for m in (4096, 65536))]
    assert list(rules.index) == [CHOSEN, f"{ALWAYS}flat", f"{ALWAYS}binomial", RANDOM]
    assert rules["mean"][f"{ALWAYS}flat"] == pytest.approx(sum(flat) / 3)
    assert rules["worst"][f"{ALWAYS}binomial"] == pytest.approx(max(binomial))
    assert rules["mean"][CHOSEN] == pytest.approx(sum(binomial) / 3)
    random = sum((a + b) / 2 for a, b in zip(flat, binomial, strict=True)) / 3
    assert rules["mean"][RANDOM] == pytest.approx(random)
    assert rules["best"][f"{ALWAYS}flat"] == pytest.approx(2 / 3)
    assert math.isnan(rules["best"][RANDOM])
    assert list(best_fixed(rivals(planted_choice()))["rule"]) == [CHOSEN, f"{ALWAYS}flat", RANDOM]


def test_an_algorithm_that_lacks_a_call_is_never_always_taken() -> None:
    samples = run("binomial") + run("flat", 1.5) + run("segmented_chain", 0.1, sizes=(65536,))
    rules = set(rivals(compare(PLOGP, samples))["rule"])
    assert rules == {CHOSEN, f"{ALWAYS}binomial", f"{ALWAYS}flat", RANDOM}


def test_an_algorithm_that_is_always_taken_has_its_predicted_options() -> None:
    few, many = {"segment": 65536.0}, {"segment": 1024.0}
    samples = run("segmented_chain", sizes=(65536,), parameters=few)
    samples += run("segmented_chain", 50.0, sizes=(65536,), parameters=many)
    assert seconds("segmented_chain", 65536, segment=1024) < seconds(
        "segmented_chain", 65536, segment=65536
    )
    rules = rivals(compare(PLOGP, samples + run("flat", 9.0, sizes=(65536,))))
    chain = rules.set_index("rule")["mean"][f"{ALWAYS}segmented_chain"]
    expected = 50 * seconds("segmented_chain", 65536, segment=1024)
    assert chain == pytest.approx(expected / seconds("segmented_chain", 65536, segment=65536))


def test_of_equal_predictions_the_one_with_fewer_options_is_chosen() -> None:
    whole = run("segmented_chain", 0.5, sizes=(64,), parameters={"segment": 64.0})
    found = regrets(compare(PLOGP, whole + run("chain", sizes=(64,))))
    assert found["algorithm"].tolist() == ["chain"]
    assert found["regret"].to_numpy() == pytest.approx(2.0)


def test_a_call_with_one_candidate_is_no_choice() -> None:
    assert regrets(compare(PLOGP, run("binomial"))).empty
    assert rivals(compare(PLOGP, run("binomial"))).empty
