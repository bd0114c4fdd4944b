from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from numpy.typing import ArrayLike

from contend.base.errors import InvalidInputError
from contend.models.fitting.estimator import FitOptions
from contend.models.fitting.fit import fit_network
from contend.models.network import Network, Operation
from contend.models.network.evidence import ErrorSummary, ValidatedForm
from contend.models.prediction import validate
from contend.models.prediction.predict import COLUMNS, predict
from contend.schedules.pointtopoint import hockney
from support.synthesis import SIZES, alltoall, save

ALPHA, BETA, M = 1e-5, 1e-9, 4096
NOISE = 0.05


def contended(n: int, m: int) -> float:
    """An all-to-all with gamma 3, and 40 us for each other process from 4 KiB on."""
    return (n - 1) * (ALPHA + 3 * BETA * m + 4e-5 * (m >= M))


def fitted(
    source: Path, seed: int = 0, noise: float = NOISE, knows_messages: bool = True
) -> Network:
    """A network fitted at n = 16 to noisy samples."""
    samples = alltoall((16,), contended, rng=np.random.default_rng(seed), noise=noise)
    known = hockney.given(ALPHA, BETA) if knows_messages else None
    return fit_network(samples, source, FitOptions(known_hockney=known))


@pytest.fixture
def source(tmp_path: Path) -> Path:
    return save(alltoall((16,), contended), tmp_path / "samples.jsonl")


@pytest.fixture
def network(source: Path) -> Network:
    return fitted(source)


def signature(network: Network, operation: Operation, n: ArrayLike, m: ArrayLike) -> pd.DataFrame:
    """What the published signature predicts, whose interval is made here."""
    return predict(network, operation, n, m, "hockney_2007")


def validated(network: Network, **factors: float) -> Operation:
    """The operation as if validation at n = 8 to 64 had found these factors by regime."""
    errors = tuple(
        ErrorSummary(
            regime=regime.replace("below", "m < M").replace("above", "m >= M"),
            points=9, median=0.1, percentile_90=0.2, worst=0.3,
            factor_90=factor, factor_worst=1.5 * factor,
        )
        for regime, factor in factors.items()
    )  # fmt: skip
    found = ValidatedForm(errors=errors, n_seen=(8, 64), m_seen=(32, 1024))
    return network.operations[0].model_copy(update={"validation": {"hockney_2007": found}})


def test_a_row_is_a_pair_of_n_and_m(network: Network) -> None:
    rows = predict(network, network.operations[0], [[8], [16]], [64, 4096, 10**6])
    assert tuple(rows.columns) == COLUMNS
    assert rows["n"].tolist() == [8] * 3 + [16] * 3
    assert rows["m"].tolist() == [64, 4096, 10**6] * 2
    one = predict(network, network.operations[0], 16, 10**6)
    pd.testing.assert_frame_equal(one, rows.iloc[[5]].reset_index(drop=True))


def test_an_exact_fit_predicts_the_truth_with_an_interval_of_no_width(source: Path) -> None:
    exact = fitted(source, noise=0.0)
    rows = signature(exact, exact.operations[0], [[2], [16], [500]], [1, 4095, 4096, 10**7])
    truth = [contended(n, m) for n, m in zip(rows["n"], rows["m"], strict=True)]
    for column in ("seconds", "low", "high"):
        assert rows[column].to_numpy() == pytest.approx(truth, rel=1e-6)
    assert rows["regime"].tolist() == ["m < M", "m < M", "m >= M", "m >= M"] * 3


@pytest.mark.full
@pytest.mark.parametrize("knows_messages", [True, False])
def test_the_interval_holds_a_new_measurement_95_times_in_100(
    source: Path, knows_messages: bool
) -> None:
    rng = np.random.default_rng(12)
    inside, narrow = [], []
    for seed in range(100):
        known = fitted(source, seed, knows_messages=knows_messages)
        rows = signature(known, known.operations[0], 16, [100, 2000, 5000, 50_000])
        truth = np.array([contended(n, m) for n, m in zip(rows["n"], rows["m"], strict=True)])
        measured = truth * np.exp(NOISE * rng.standard_normal(truth.size))
        inside.append((rows["low"] <= measured) & (measured <= rows["high"]))
        narrow.append(rows["high"] / rows["low"] < 1.6)
    assert np.mean(inside) == pytest.approx(0.95, abs=0.03)
    assert np.mean(narrow) > 0.9


def test_the_interval_grows_with_the_distance_from_what_was_seen(network: Network) -> None:
    seen, once, twice = (
        signature(network, network.operations[0], n, 1000).iloc[0] for n in (16, 32, 64)
    )
    widths = [np.log(row["high"] / row["seconds"]) for row in (seen, once, twice)]
    assert widths[1] == pytest.approx(2 * widths[0], rel=0.05)
    assert widths[2] == pytest.approx(3 * widths[0], rel=0.05)


def test_where_nobody_measured_the_worst_error_counts(network: Network) -> None:
    operation = validated(network, all=2.0)
    inside, outside = (signature(network, operation, n, 64).iloc[0] for n in (64, 65))
    assert inside["high"] / inside["seconds"] == pytest.approx(2.0)
    assert outside["high"] / outside["seconds"] > 3.0


@pytest.mark.parametrize(
    ("n", "m", "flags"),
    [
        (16, 64, ""),
        (16, SIZES[-1], ""),
        (15, 64, "n"),
        (17, 64, "n"),
        (16, 63, "m"),
        (16, SIZES[-1] + 1, "m"),
        (32, 0, "n m"),
    ],
)
def test_what_the_fit_did_not_see_is_flagged(network: Network, n: int, m: int, flags: str) -> None:
    (row,) = signature(network, network.operations[0], n, m).to_dict("records")
    assert row["extrapolates"] == flags


def test_a_regime_that_the_fit_did_not_see_is_flagged(source: Path) -> None:
    from_the_first = alltoall((16,), lambda n, m: (n - 1) * (ALPHA + 3 * BETA * m + 4e-5))
    options = FitOptions(known_hockney=hockney.given(ALPHA, BETA))
    network = fit_network(from_the_first, source, options)
    rows = signature(network, network.operations[0], 16, [32, 64])
    assert rows["regime"].tolist() == ["m < M", "m >= M"]
    assert rows["extrapolates"].tolist() == ["m regime", ""]


def test_what_validation_saw_is_no_extrapolation(network: Network) -> None:
    rows = signature(network, validated(network, all=1.1), [7, 8, 40, 64, 65], 32)
    assert rows["extrapolates"].tolist() == ["n", "", "", "", "n"]
    assert signature(network, validated(network, all=1.1), 16, 31)["extrapolates"].item() == "m"


def test_validation_widens_the_interval_and_never_narrows_it(network: Network) -> None:
    before = signature(network, network.operations[0], 32, SIZES)
    assert before["extrapolates"].tolist() == ["n"] * len(SIZES)
    wide = signature(network, validated(network, all=3.0), 32, SIZES)
    assert (before["interval_from"] == "fit").all()
    assert (wide["interval_from"] == "validation").all()
    assert (wide["high"] / wide["seconds"]).to_numpy() == pytest.approx(3.0)
    floor = np.fmax(wide["seconds"] / 3.0, wide["lower_bound"])
    assert wide["low"].to_numpy() == pytest.approx(floor.to_numpy())
    assert wide["seconds"].equals(before["seconds"])
    sure = signature(network, validated(network, all=1.001), 16, SIZES)
    assert sure.equals(signature(network, network.operations[0], 16, SIZES))


def test_each_regime_has_the_interval_of_its_own_validation(network: Network) -> None:
    operation = validated(network, all=2.0, below=4.0, above=1.5)
    rows = signature(network, operation, 32, [64, 4096])
    assert (rows["high"] / rows["seconds"]).tolist() == pytest.approx([4.0, 1.5])


def test_a_network_validated_elsewhere_is_as_unsure_as_it_was_wrong(source: Path) -> None:
    """Gamma grows with n, which the form does not know; so most of what it missed is inside."""
    samples = alltoall((8, 16, 32, 64), lambda n, m: (n / 16) ** 0.5 * contended(n, m))
    options = FitOptions(n_fit=16, known_hockney=hockney.given(ALPHA, BETA))
    network = validate.record(fit_network(samples, source, options), samples)
    unseen = [one for one in samples if one.n != 16]
    rows = signature(
        network, network.operations[0], [one.n for one in unseen], [one.m for one in unseen]
    )
    times = np.array([one.median for one in unseen])
    assert (rows["interval_from"] == "validation").all()
    assert np.mean((rows["low"] <= times) & (times <= rows["high"] * 1.000001)) >= 0.9


def test_the_lower_bound_is_that_of_a_total_exchange(source: Path) -> None:
    rows = predict(fitted(source), fitted(source).operations[0], [[8], [64]], [8000, 100_000])
    expected = (rows["n"] - 1) * (ALPHA + BETA * rows["m"])
    assert rows["lower_bound"].to_numpy() == pytest.approx(expected.to_numpy())
    unknown = fitted(source, knows_messages=False)
    assert predict(unknown, unknown.operations[0], 8, 64)["lower_bound"].isna().all()


def test_no_interval_reaches_below_a_bound_that_holds(network: Network) -> None:
    rows = predict(network, validated(network, all=9.0), [[8], [64], [900]], SIZES)
    holds = rows["lower_bound"].notna()
    assert holds.any()
    assert (rows["low"][holds] >= rows["lower_bound"][holds]).all()
    assert (rows["low"] <= rows["seconds"]).all()
    assert (rows["low"][holds] > rows["seconds"][holds] / 9.0).any()


def test_a_bound_above_its_own_prediction_or_within_its_scatter_is_none(source: Path) -> None:
    samples = alltoall((16,), lambda n, m: 0.99 * (n - 1) * (ALPHA + BETA * m))
    known = fit_network(samples, source, FitOptions(known_hockney=hockney.given(ALPHA, BETA)))
    rows = signature(known, known.operations[0], 16, SIZES)
    assert rows["lower_bound"][rows["m"] >= 4096].isna().all()
    noisy = signature(fitted(source), fitted(source).operations[0], 16, [64, 2**17])
    assert noisy["lower_bound"].isna().tolist() == [True, False]


def test_where_points_beat_the_bound_it_is_none_up_to_the_sizes_where_it_holds(
    source: Path,
) -> None:
    def combined(n: int, m: int) -> float:
        return (0.5 if m <= 1024 else 1.0) * contended(n, m)

    samples = alltoall((16,), combined)
    options = FitOptions(known_hockney=hockney.given(ALPHA, BETA))
    network = fit_network(samples, source, options)
    (operation,) = network.operations
    assert operation.beaten_bound is not None
    assert (operation.beaten_bound.above, operation.beaten_bound.below) == (None, 2048)
    table = {"latency_per_size": operation.forms["latency_per_size"]}
    operation = operation.model_copy(update={"forms": table})  # which leaves no scatter
    rows = predict(network, operation, 16, [32, 1024, 2047, 2**17])
    assert rows["lower_bound"].isna().tolist() == [True, True, True, False]


def test_the_bound_of_an_operation_that_is_no_exchange_is_its_own(network: Network) -> None:
    other = network.operations[0].model_copy(update={"operation": "bcast", "beaten_bound": None})
    line = network.point_to_point.hockney
    assert line is not None
    rows = predict(network, other, [16, 64], 1024)
    assert rows["lower_bound"].to_numpy() == pytest.approx(float(line.seconds(1024)))


def test_of_few_validated_points_the_worst_counts_and_is_said_to(network: Network) -> None:
    operation = validated(network, all=2.0)
    form = operation.validation["hockney_2007"]
    few = ErrorSummary(regime="all", points=8, median=0.1, worst=0.3, factor_worst=3.0)
    update = {"hockney_2007": form.model_copy(update={"errors": (few,)})}
    rows = signature(network, operation.model_copy(update={"validation": update}), 64, [64, 1024])
    assert (rows["high"] / rows["seconds"]).to_numpy() == pytest.approx(3.0)
    assert set(rows["interval_from"]) == {"worst of few"}


def test_every_form_predicts_with_an_interval_around_it(source: Path) -> None:
    samples = alltoall((8, 16), contended, rng=np.random.default_rng(3), noise=NOISE)
    network = fit_network(samples, source, FitOptions())
    for form in network.operations[0].forms:
        rows = predict(network, network.operations[0], [[4], [12], [99]], [1, 64, 10**6], form)
        if network.operations[0].forms[form].degrees_of_freedom == 0:
            assert rows["low"].isna().all()
            assert set(rows["interval_from"]) == {"none"}
            continue
        assert (rows["low"] <= rows["seconds"]).all()
        assert (rows["seconds"] <= rows["high"]).all()
        assert (rows["low"] > 0).all()


@pytest.mark.parametrize(
    ("n", "m", "form", "problem"),
    [
        (1, 64, "hockney_2007", "n = 1; an operation takes at least 2 processes"),
        ([8, 0], 64, "hockney_2007", "n = 0"),
        (8, -1, "hockney_2007", "m = -1; a size is 0 bytes or more"),
        (8, 64, "plogp_2005", "alltoall/native has no fit of plogp_2005; there is clement, "),
        (8, 64, "hockney_2008", "named 'hockney_2008'; did you mean 'hockney_2007'"),
    ],
)
def test_what_cannot_be_predicted_is_an_error(
    network: Network, n: int, m: int, form: str, problem: str
) -> None:
    with pytest.raises(InvalidInputError, match=problem):
        predict(network, network.operations[0], n, m, form)
