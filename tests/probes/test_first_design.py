"""A first design: wide, log-spaced, and far cheaper than every point a hundred times."""

from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from benchmarks.first_design import COUNTS, TARGETS, high_over_low

from contend.base.document import Floats
from contend.base.errors import InvalidInputError
from contend.measure.probes.cost import Cost
from contend.measure.probes.first import SIZES, Assumed, FirstDesign
from contend.measure.probes.greedy import Limits
from contend.measure.probes.places import Places
from contend.measure.probes.proposal import OF_THE_PAPERS, Proposal
from contend.models.signature import FORMS, FittedForm, PointToPoint
from contend.models.signature.layout import Layout, Points
from contend.models.signature.prior import PRIOR, Usual
from contend.models.signature.process import Process

GIGABIT, FAST = Assumed(beta=8e-9), Assumed(beta=8e-8)  # Ethernet, as of the papers
NOTHING = PointToPoint()
EVERY = np.ones(len(TARGETS), dtype=bool)
FORM = FORMS.get("growth")


def designed(assumed: Assumed = GIGABIT, **limits: float) -> Proposal:
    given = Limits(**limits) if limits else None  # type: ignore[arg-type]
    return FirstDesign(TARGETS, COUNTS, given, assumed=assumed).proposal()


def fitted(chosen: np.ndarray, seconds: Floats) -> FittedForm:
    """To some of the targets, by a mask (k,)."""
    columns = {"n": TARGETS.n, "m": TARGETS.m, "seconds": seconds}
    return FORM.fit(pd.DataFrame({name: value[chosen] for name, value in columns.items()}), NOTHING)


def some(chosen: np.ndarray) -> Places:
    """Of the targets, by a mask (k,)."""
    return Places(TARGETS.n[chosen], TARGETS.m[chosen])


def mask(found: Proposal) -> np.ndarray:
    chosen = {(step.n, step.m) for step in found.steps}
    return np.array([pair in chosen for pair in TARGETS.pairs()])


def test_it_has_a_curve_of_sizes_and_spans_the_numbers_of_processes() -> None:
    found = designed()
    sizes = found.counts[found.n_fit or 0]
    assert len(sizes) >= 4
    assert np.diff(np.log(sizes)).max() <= np.log(64) + 1e-9
    assert max(found.counts) / min(found.counts) >= 8


def test_a_wide_pair_of_n_beats_a_near_one() -> None:
    """Of as many points; and from 8 points on the design is such a pair."""
    width = {
        pair: np.log(high_over_low(some(np.isin(TARGETS.n, pair)), GIGABIT)).mean()
        for pair in combinations(COUNTS, 2)
    }
    wide = [width[n, more] for n, more in width if more >= 8 * n]
    near = [width[n, more] for n, more in width if more == 2 * n]
    assert max(wide) < 0.9 * min(near)
    found = designed(points=8)
    assert len(found.steps) == 8
    assert max(found.counts) / min(found.counts) >= 4


@pytest.mark.parametrize("assumed", [GIGABIT, FAST])
def test_the_whole_grid_five_times_tells_as_much_as_a_hundred_times_for_a_fifth(
    assumed: Assumed,
) -> None:
    """Of the process each measured point is known to its noise, whatever it is repeated."""
    seconds = assumed.seconds(TARGETS)
    assert Cost().total(TARGETS, seconds) < 0.2 * Cost(repetitions=100).total(TARGETS, seconds)
    assert Cost().repetitions < OF_THE_PAPERS


@pytest.mark.parametrize("assumed", [GIGABIT, FAST])
def test_a_design_is_nearly_as_narrow_as_the_whole_grid_for_a_fifth_of_its_time(
    assumed: Assumed,
) -> None:
    whole = np.median(high_over_low(TARGETS, assumed))
    found = designed(assumed, until=1.05 * whole, least=0.0)
    assert found.whole_grid == Cost(repetitions=100).total(TARGETS, assumed.seconds(TARGETS))
    assert found.seconds < 0.2 * found.whole_grid
    own = np.median(high_over_low(some(mask(found)), assumed))
    assert own < 1.07 * whole
    assert own <= 1.005 * found.after  # that the machine repeats itself could not be foreseen


def test_by_simulation_a_cheap_design_errs_little_more_and_its_intervals_hold() -> None:
    """Machines as the prior says; medians of 100 repetitions of everything, or of 5 of some."""
    rng, found = np.random.default_rng(3), designed()
    assert found.seconds < 0.1 * found.whole_grid
    at_16 = TARGETS.n == 16
    points = Points(TARGETS.n[at_16], TARGETS.m[at_16], GIGABIT.seconds(TARGETS)[at_16])
    layout = Layout(points)
    parts = layout.parts_of(TARGETS.n, TARGETS.m, TARGETS.n, TARGETS.m)
    covariance = Process(layout, Usual()).sum(parts)
    middle = layout.usual(Usual(), TARGETS.n, TARGETS.m)
    errors: dict[int, list[float]] = {5: [], 100: []}
    inside = []
    for _ in range(25):
        exact = rng.multivariate_normal(middle, covariance, method="cholesky")
        ahead = exact + np.hypot(PRIOR.noise, PRIOR.launch) * rng.standard_normal(len(TARGETS))
        for repetitions, chosen in ((100, EVERY), (5, mask(found))):
            odd = PRIOR.noise * rng.standard_normal(len(TARGETS))
            scatter = np.median(0.1 * rng.standard_normal((repetitions, len(TARGETS))), axis=0)
            fit = fitted(chosen, np.exp(exact + odd + scatter))
            times = FORM.seconds(fit.parameters, NOTHING, TARGETS.n, TARGETS.m)
            error = np.abs(np.log(times) - ahead)
            errors[repetitions].append(float(np.median(error)))
            if repetitions == 5:
                half = FORM.half_width(fit.parameters, TARGETS.n, TARGETS.m)
                inside.append(np.mean(error <= half))
    assert np.mean(errors[5]) < 1.5 * np.mean(errors[100])
    assert 0.84 <= np.mean(inside) <= 0.97


def test_without_limits_it_ends_near_the_narrowest_that_there_is_and_costs_no_more() -> None:
    found = designed(FAST)
    enough = 1.15 * np.exp(found.least)
    assert found.after <= enough
    assert found.seconds == designed(FAST, until=enough).seconds
    assert found.seconds < designed(FAST, until=1.05 * np.exp(found.least), least=0.0).seconds


def test_a_budget_is_kept() -> None:
    for seconds in (6.0, 20.0):
        assert designed(FAST, seconds=seconds).seconds <= seconds
    assert designed(FAST, seconds=20.0).after <= designed(FAST, seconds=6.0).after


def test_n_of_two_is_no_n_to_fit_at() -> None:
    targets = Places.grid((2, 4), SIZES)
    assert FirstDesign(targets, (2, 4), Limits(points=4)).proposal().n_fit == 4


@pytest.mark.parametrize(
    ("targets", "limits", "said"),
    [
        (Places.grid(COUNTS, SIZES[:3]), None, "3 sizes"),
        (TARGETS, Limits(points=3), "3 points"),
        (TARGETS, Limits(seconds=1.0), "the budget is 1 s"),
    ],
)
def test_what_allows_no_curve_is_refused(targets: Places, limits: Limits | None, said: str) -> None:
    with pytest.raises(InvalidInputError, match=said):
        FirstDesign(targets, COUNTS, limits).proposal()


def test_another_operation_has_no_design() -> None:
    with pytest.raises(InvalidInputError, match="bcast"):
        FirstDesign(TARGETS, COUNTS, operation="bcast").proposal()


@pytest.mark.parametrize(
    ("counts", "sizes", "said"),
    [((1, 4), (64,), "n = 1"), ((4,), (0, 64), "m = 0"), ((), (64,), "no n or no m")],
)
def test_places_that_cannot_be_are_refused(
    counts: tuple[int, ...], sizes: tuple[int, ...], said: str
) -> None:
    with pytest.raises(InvalidInputError, match=said):
        Places.grid(counts, sizes)
