"""A library's default is foretold as the algorithm that it runs, where measured times say so."""

from collections.abc import Sequence

import numpy as np
import pytest

from contend.base.document import Columns, Quantity
from contend.models.network import Level, Network
from contend.models.network.evidence import BeatenBound, ErrorSummary, MeasuredPoints, ValidatedForm
from contend.models.prediction.library_default import predicted_as_run
from contend.models.prediction.predict import predicted
from contend.models.timeouts import Timeouts
from contend.models.timeouts.record import TimeoutPoints
from contend.schedules.pointtopoint import Hockney
from support.libraries import (
    BOTH,
    HALVING,
    LARGE,
    MPICH,
    PAIRWISE,
    SIZES,
    Law,
    as_mpich,
    known,
    pairwise,
    with_all,
    with_default,
)


def told(network: Network, algorithm: str = "native", n: object = 16, m: object = LARGE) -> Columns:
    return predicted_as_run(network, network.find("reduce_scatter", algorithm), n, m)


def run_as(network: Network, **point: object) -> list[str]:
    """The algorithm that each prediction is of; "" for the default as it is."""
    return [
        regime.removeprefix("as ").removesuffix(", by growth") if regime.startswith("as ") else ""
        for regime in told(network, **point)["regime"]
    ]


def test_a_default_that_becomes_another_algorithm_is_foretold_as_that() -> None:
    network, truth = known(), as_mpich(16, LARGE)
    found, other = told(network), told(network, PAIRWISE)
    assert found["regime"].tolist() == [f"as {PAIRWISE}, by growth"]
    assert found["low"][0] <= truth <= found["high"][0]
    assert abs(found["seconds"][0] / truth - 1) < 0.10
    assert found["high"][0] / found["low"][0] < 1.1 * other["high"][0] / other["low"][0]


def test_without_the_rules_it_is_known_less_well() -> None:
    before, now = told(known(library="no MPI")), told(known())
    width = [rows["high"][0] / rows["low"][0] for rows in (before, now)]
    assert width[0] > 1.2 * width[1]


def test_launches_of_their_own_do_not_hide_it() -> None:
    seen = [run_as(known(seed=seed)) for seed in range(2, 8)]
    assert seen == [[PAIRWISE]] * len(seen)


def test_rows_stand_in_the_order_asked_for_each_by_its_algorithm() -> None:
    network = known()
    n, m = np.array([16, 4, 16, 8]), np.array([LARGE, LARGE, 64, LARGE])
    found = told(network, n=n, m=m)
    assert (found["n"].tolist(), found["m"].tolist()) == (n.tolist(), m.tolist())
    assert run_as(network, n=n, m=m) == [PAIRWISE, HALVING, HALVING, PAIRWISE]
    for place in range(n.size):
        alone = told(network, n=n[place], m=m[place])
        assert alone["seconds"][0] == pytest.approx(found["seconds"][place])


def test_numbers_of_processes_may_be_floats() -> None:
    network = known()
    assert told(network, n=16.0)["seconds"] == told(network, n=16)["seconds"]


def test_points_of_the_default_itself_count_first() -> None:
    network = known(lambda n, m: 1.02 * as_mpich(n, m))
    assert run_as(network, n=8) == [PAIRWISE]
    assert told(network, n=8)["seconds"] > 1.005 * told(network, PAIRWISE, n=8)["seconds"]


@pytest.mark.parametrize(
    ("default", "library", "forced"),
    [
        (as_mpich, "Open MPI v5.0.11, package: test", BOTH),
        (as_mpich, "MPICH Version: 3.4", BOTH),
        (as_mpich, "MPICH Version: 6.0", BOTH),
        (as_mpich, MPICH, ()),
        (lambda n, m: 1.2 * as_mpich(n, m), MPICH, BOTH),
        (pairwise, MPICH, BOTH),  # a file of rules, or a variable, in effect
    ],
    ids=["no rules", "older", "newer", "nothing forced", "slower", "told otherwise"],
)
def test_where_nothing_bears_it_out_its_own_times_count(
    default: Law, library: str, forced: Sequence[str]
) -> None:
    assert run_as(known(default, library, forced)) == [""]


@pytest.mark.parametrize("factor", [1.08, 1.5])
@pytest.mark.parametrize("sizes", [SIZES, (64,), (4096,)], ids=["all", "small", "large"])
def test_what_is_apart_at_some_sizes_speaks_for_all(sizes: Sequence[int], factor: float) -> None:
    def slower(n: float, m: float) -> float:
        return as_mpich(n, m) * (factor if m in sizes else 1.0)

    assert run_as(known(slower)) == [""]


def test_two_points_are_too_few() -> None:
    network = known()
    default = network.find("reduce_scatter", "native")
    assert default.measured is not None
    for count, expected in ((3, PAIRWISE), (2, "")):
        few = MeasuredPoints.of(default.measured.table()[-count:])
        assert run_as(with_default(network, measured=few)) == [expected]


def is_held(network: Network, truth: float, n: int = 16, m: int = LARGE) -> bool:
    """Whether the interval of what the default is said to run holds the time that it takes."""
    found = told(network, n=n, m=m)
    assert found["regime"][0].startswith("as ")
    return bool(found["low"][0] <= truth <= found["high"][0])


def folding(n: float, m: float) -> float:
    """Halving that takes no other time than pairwise does where n is a power of two."""
    return (1.02 if n in (2, 4, 8, 16) else 2.5) * pairwise(n, m)


def test_the_interval_holds_what_a_variable_would_make_it_run() -> None:
    network = known(folding, other=folding, counts=(4, 6, 8), most=LARGE)
    assert run_as(network, n=12) == [PAIRWISE]
    assert is_held(network, folding(12, LARGE), n=12)


def test_and_what_a_file_of_rules_would() -> None:
    def ruled(n: float, m: float) -> float:
        return pairwise(n, m) if m >= LARGE else folding(n, m)

    network = known(ruled, other=folding)
    assert run_as(network, n=6) == [HALVING]
    assert is_held(network, pairwise(6, LARGE), n=6)


def test_a_rival_that_was_not_measured_is_none_that_is_ruled_out() -> None:
    network = known(folding, other=folding, counts=(4, 6, 8), most=LARGE)
    few = known(folding, other=folding, counts=(4, 6), most=LARGE)
    one = few.find("reduce_scatter", HALVING)
    some = tuple(one if each.algorithm == HALVING else each for each in network.operations)
    assert is_held(network.model_copy(update={"operations": some}), folding(12, LARGE), n=12)


def test_the_form_that_validation_chose_stays_within_what_was_seen() -> None:
    forms = [*known().find("reduce_scatter", "native").forms][:2]
    errors = {}
    for name, off in zip((*forms, "growth"), (0.01, 0.02, 0.03), strict=True):
        every, common = (
            ErrorSummary(regime=which, points=20, median=off, worst=off, factor_worst=1.1)
            for which in ("all", "common")
        )
        errors[name] = ValidatedForm(
            errors=(every,), common=common, n_seen=(2, 3, 5, 8), m_seen=(SIZES[0], SIZES[-1])
        )
    network = with_default(known(), validation=errors)
    found = told(network, n=np.array([4, 16]))
    assert found["form"].tolist() == [forms[0], "growth"]
    assert run_as(network, n=np.array([4, 16])) == ["", PAIRWISE]


def test_names_of_one_algorithm_do_not_hide_it() -> None:
    network = known()
    again = network.find("reduce_scatter", PAIRWISE).model_copy(update={"algorithm": "mpich:other"})
    twice = network.model_copy(update={"operations": (*network.operations, again)})
    assert run_as(twice) == [PAIRWISE]


def test_what_was_measured_of_the_default_is_not_known_worse() -> None:
    network = known()
    default = network.find("reduce_scatter", "native")
    for n, m in ((4, 1024), (8, LARGE)):
        alone, found = predicted(network, default, n, m), told(network, n=n, m=m)
        width = [rows["high"][0] / rows["low"][0] for rows in (alone, found)]
        assert found["regime"][0].startswith("as ")
        assert width[1] < 1.2 * width[0]


def test_another_form_that_is_asked_for_is_of_its_own_times() -> None:
    network = known()
    default = network.find("reduce_scatter", "native")
    other = min({*default.forms} - {"growth"})
    found = predicted_as_run(network, default, 16, LARGE, other)
    assert found["seconds"] == predicted(network, default, 16, LARGE, other)["seconds"]


@pytest.mark.parametrize("per_node", [2, None])
def test_several_processes_on_a_node_are_not_told(per_node: int | None) -> None:
    assert run_as(with_all(known(), processes_per_node=per_node)) == [""]


def test_an_algorithm_that_was_not_measured_leaves_its_pairs_to_the_default() -> None:
    network = known(forced=(HALVING,))
    assert run_as(network, n=16, m=np.array([64, LARGE])) == [HALVING, ""]


def test_what_the_default_has_not_seen_is_beyond_also_where_the_algorithm_has() -> None:
    few = known().find("reduce_scatter", "native")
    found = told(with_default(known(counts=(2, 4, 8, 16)), **dict(few)))
    assert found["regime"].tolist() == [f"as {PAIRWISE}, by growth"]
    assert found["extrapolates"].tolist() == ["n"]


def test_time_outs_leave_it_to_its_own_times() -> None:
    seen = TimeoutPoints(n=(8,), m=(LARGE,), launch=(0,), repetitions=(20,), late=(2,), waits=(2,))
    cost = Quantity(value=0.2, unit="s")
    lost = Timeouts(cost=cost, n_fitted=(8,), m_fitted=(LARGE,), points=seen)
    assert run_as(with_default(known(), timeouts=lost)) == [""]


def test_no_bound_is_told_that_the_default_beats() -> None:
    assert np.isfinite(told(with_line(known()))["lower_bound"]).all()
    beaten = with_default(with_line(known()), beaten_bound=BeatenBound())
    assert np.isnan(told(beaten)["lower_bound"]).all()


def with_line(network: Network) -> Network:
    """The same with alpha and beta, so that there is a bound."""
    line = Hockney(alpha=Quantity(value=1e-6, unit="s"), beta=Quantity(value=1e-10, unit="s/B"))
    return network.model_copy(update={"levels": (Level(name="all", hockney=line),)})
