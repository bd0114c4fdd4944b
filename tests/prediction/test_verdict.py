"""Which form predicts, and that it was chosen on points that none of the compared has seen."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from contend.base.errors import InvalidInputError
from contend.base.statistics.rank import FEWEST
from contend.models.fitting.estimator import FitOptions
from contend.models.fitting.fit import fit_network
from contend.models.network import Network, Operation
from contend.models.network.evidence import ErrorSummary, ValidatedForm
from contend.models.prediction import validate
from contend.models.prediction.predict import predict
from contend.models.prediction.verdict import compared_forms, verdict
from contend.models.signature import FORMS
from contend.schedules.pointtopoint import hockney
from support.synthesis import SIZES, alltoall, save

KNOWN = hockney.given(1e-5, 1e-9)


def growing(n: int, m: int) -> float:
    """Gamma grows with n, which a line through two n sees and the signature does not."""
    return (n - 1) * (1e-5 + (1 + n / 8) * 1e-9 * m)


def validated(source: Path, counts: tuple[int, ...], seed: int = 1, noise: float = 0.05) -> Network:
    rng = np.random.default_rng(seed)
    samples = alltoall(counts, growing, rng=rng, noise=noise)
    options = FitOptions(n_fit=16, sizes=SIZES[::2], known_hockney=KNOWN)
    return validate.record(fit_network(samples, source, options), samples)


@pytest.fixture
def source(tmp_path: Path) -> Path:
    return save(alltoall((4,), growing), tmp_path / "samples.jsonl")


def of(errors: dict[str, tuple[int, float]], network: Network) -> Operation:
    """The operation as if these forms had these common points and median errors."""

    def form(points: int, median: float) -> ValidatedForm:
        common = ErrorSummary(
            regime="common", points=points, median=median, worst=1.0, factor_worst=2.0
        )
        return ValidatedForm(errors=(common,), common=common, n_seen=(8, 32), m_seen=(8,))

    given = {name: form(*pair) for name, pair in errors.items()}
    return network.operations[0].model_copy(update={"validation": given})


def points(operation: Operation) -> pd.DataFrame:
    assert operation.measured is not None
    return operation.measured.table()


def test_every_compared_form_is_ranked_on_the_same_points(source: Path) -> None:
    network = validated(source, (4, 8, 16, 32))
    (operation,) = network.operations
    compared = compared_forms(operation)
    assert {"hockney_2007", "affine_per_n", "power_per_size", "linear"} <= compared.keys()
    (points,) = {errors.points for errors in compared.values()}
    own = {name: one.errors[0].points for name, one in operation.validation.items()}
    assert points == min(own.values()) < own["hockney_2007"]


def test_common_points_are_those_that_no_form_has_fitted(source: Path) -> None:
    network = validated(source, (4, 8, 16, 32))
    (operation,) = network.operations
    rows = validate.compare_points(network, operation, points(operation))
    fitted = {(n, m) for n in (4, 16) for m in SIZES[::2]}
    unseen = {(n, m) for n in (4, 8, 16, 32) for m in SIZES} - fitted
    parts = rows[rows["is_common"]].groupby("form")
    assert len(parts) == len(operation.forms)
    for _, part in parts:
        assert set(zip(part["n"], part["m"], strict=True)) == unseen


@pytest.mark.parametrize("seed", range(5))
def test_the_form_that_is_best_on_common_points_predicts(source: Path, seed: int) -> None:
    network = validated(source, (4, 8, 16, 32), seed)
    (operation,) = network.operations
    chosen = verdict(operation)
    rows = validate.compare_points(network, operation, points(operation))
    common = rows[rows["is_common"]]
    best = common["error"].abs().groupby(common["form"]).median().idxmin()
    assert chosen.is_validated
    assert chosen.form == best != "hockney_2007"
    given = predict(network, operation, 8, SIZES, best)
    assert predict(network, operation, 8, SIZES).equals(given)
    assert not predict(network, operation, 8, SIZES, "hockney_2007").equals(given)


def test_a_form_that_has_seen_nearly_all_takes_no_points_from_the_others(source: Path) -> None:
    """At two n the forms that need two have all points of the sizes fitted."""
    samples = alltoall((8, 16), growing)
    network = fit_network(samples, source, FitOptions(n_fit=16, known_hockney=KNOWN))
    (operation,) = validate.record(network, samples).operations
    compared = compared_forms(operation)
    assert {"hockney_2007", "linear", "waves"} <= compared.keys()
    assert compared.keys().isdisjoint({"affine_per_n", "growth"})


@pytest.mark.parametrize("further", [(), (4,)], ids=["two n", "one n more than fitted"])
def test_what_could_not_be_judged_at_two_further_n_is_not_replaced(
    source: Path, further: tuple[int, ...]
) -> None:
    """A signature that is exact at n' is the best at any single other n, and still not taken."""
    samples = alltoall((8, 16, *further), lambda n, m: (n - 1) * (1e-5 + 2e-9 * m))
    fitted = [one for one in samples if one.n in (8, 16)]
    network = fit_network(fitted, source, FitOptions(n_fit=16, known_hockney=KNOWN))
    validated = validate.record(network, samples)
    errors = compared_forms(validated.operations[0])
    assert errors["hockney_2007"].median < 1e-3
    chosen = verdict(validated.operations[0])
    assert (chosen.form, chosen.is_validated) == ("growth", False)
    assert "growth makes use of every n" in chosen.reason
    assert "no other form is recommended" in chosen.reason


def test_growth_is_judged_at_each_n_by_all_others(source: Path) -> None:
    """Its errors where it has all other n are below those of its fit at n' and one more."""
    network = validated(source, (4, 6, 8, 12, 16, 24, 32), noise=0.0)
    (operation,) = network.operations
    fit = operation.forms["growth"]
    rows = points(operation)
    alone = FORMS.get("growth").seconds(
        fit.parameters, network.point_to_point, rows["n"], rows["m"]
    )
    unseen = ~rows["n"].isin(fit.n_fitted)
    of_fit = np.median(np.abs(alone / rows["seconds"] - 1)[unseen])
    every = validate.compare_points(network, operation, rows)
    own = every[(every["form"] == "growth") & ~every["n"].isin(fit.n_fitted)]
    assert 0 < own["error"].abs().median() < of_fit / 2


def test_too_few_common_points_are_no_recommendation(source: Path) -> None:
    network = validated(source, (4, 8, 16, 32))
    for points in (1, FEWEST - 1):
        operation = of({"linear": (points, 0.01), "hockney_2007": (points, 0.2)}, network)
        chosen = verdict(operation)
        assert (chosen.form, chosen.is_validated) == ("growth", False)
        assert "no form is recommended" in chosen.reason
    others = {"linear": (FEWEST, 0.01), "hockney_2007": (FEWEST, 0.2)}
    operation = of({**others, "growth": (FEWEST, 0.3)}, network)
    assert verdict(operation).form == "linear"
    assert "linear (1.0%), before hockney_2007 (20.0%)" in verdict(operation).reason


def test_of_equals_the_default_predicts(source: Path) -> None:
    network = validated(source, (4, 8, 16, 32))
    errors = {"clement": (20, 1e-12), "hockney_2007": (20, 3e-9), "growth": (20, 0.1)}
    operation = of(errors, network)
    assert verdict(operation).form == "hockney_2007"


def test_without_validation_nothing_is_recommended(source: Path) -> None:
    (operation,) = validated(source, (4, 8, 16, 32)).operations
    unknown = operation.model_copy(update={"validation": {}, "measured": None})
    assert "no form was validated" in verdict(unknown).reason


def test_without_the_default_a_signature_predicts_and_without_forms_none(source: Path) -> None:
    (operation,) = validated(source, (4, 8, 16, 32)).operations
    bare = operation.model_copy(update={"validation": {}, "measured": None})
    without = {name: fit for name, fit in operation.forms.items() if name != "growth"}
    assert verdict(bare.model_copy(update={"forms": without})).form == "hockney_2007"
    forms = {name: operation.forms[name] for name in ("waves", "linear")}
    assert verdict(bare.model_copy(update={"forms": forms})).form == "linear"
    with pytest.raises(InvalidInputError, match="has no fit"):
        verdict(bare.model_copy(update={"forms": {}}))
