"""Sentences for every kind of signature."""

from __future__ import annotations

import pytest

from contend.document import Quantity
from contend.network import Operation
from contend.network.evidence import ErrorSummary, ValidatedForm
from contend.number_text import listed
from contend.pointtopoint.hockney import given
from contend.prediction.validate import ALL
from contend.report import text
from contend.signature import FittedForm

ALPHA = Quantity(value=2e-6, unit="s", low=1.9e-6, high=2.1e-6)
BETA = Quantity(value=1e-9, unit="s/B", low=0.9e-9, high=1.1e-9)


def operation(gamma: Quantity, delta: Quantity, threshold: Quantity | None = None) -> Operation:
    parameters = {"alpha": ALPHA, "beta": BETA, "gamma": gamma, "delta": delta}
    fit = FittedForm(
        form="hockney_2007",
        parameters=parameters | ({"M": threshold} if threshold else {}),
        relative_residual=0.031,
        degrees_of_freedom=3,
        n_fitted=(4,),
        m_fitted=(1, 1024, 8192, 65536),
    )
    return Operation(operation="alltoall", algorithm="native", forms={"hockney_2007": fit})


NO_JUMP = Quantity(value=0.0, unit="s")
JUMP = Quantity(value=4.5e-6, unit="s", low=2.2e-6, high=6.7e-6)


def gamma(value: float, low: float, high: float) -> Quantity:
    return Quantity(value=value, unit="1", low=low, high=high)


def test_gamma_and_its_interval_are_said_in_words() -> None:
    said = text.signature(operation(gamma(2.3, 2.1, 2.5), NO_JUMP))
    assert said[0] == (
        "With 4 processes exchanging at once, a byte costs 2.3 times (95 % interval: 2.1 to 2.5) "
        "what it costs when two processes are alone (gamma)."
    )


def test_the_jump_is_said_with_m_and_delta() -> None:
    threshold = Quantity(value=8192.0, unit="B")
    said = text.signature(operation(gamma(2.3, 2.1, 2.5), JUMP, threshold))
    assert said[1] == (
        "From 8 KiB per message (M) on, contention adds 4.5 µs (delta, 95 % interval: 2.2 µs to "
        "6.7 µs) to each message."
    )


def test_a_jump_at_the_smallest_size_is_said_to_hold_everywhere() -> None:
    said = text.signature(operation(gamma(2.3, 2.1, 2.5), JUMP, Quantity(value=1.0, unit="B")))
    assert said[1].startswith("At every size fitted, from 1 B per message (M) on,")


def test_no_jump_is_said() -> None:
    said = text.signature(operation(gamma(2.3, 2.1, 2.5), NO_JUMP))
    assert "delta = 0, no M" in said[1]


def test_gamma_by_convention_is_not_presented_as_a_measurement() -> None:
    said = text.signature(operation(Quantity(value=1.0, unit="1"), NO_JUMP))
    assert "gamma is 1 by convention" in said[0]
    assert "2 µs (alpha, 95 % interval: 1.9 µs to 2.1 µs) plus 1 ns/B (beta" in said[0]
    assert "times" not in said[0]


def test_a_given_gamma_has_no_interval() -> None:
    said = text.signature(operation(Quantity(value=4.36, unit="1"), NO_JUMP))
    assert "costs 4.36 times what it costs" in said[0]


def test_gamma_below_one_is_explained() -> None:
    said = text.signature(operation(gamma(0.6, 0.5, 0.7), NO_JUMP))
    assert "Less than once" in said[0]


@pytest.mark.parametrize(("low", "high"), [(0.12, 3.19), (0.9, 1.3), (0.98, 1.11)])
def test_a_wide_interval_that_holds_one_determines_nothing(low: float, high: float) -> None:
    said = text.signature(operation(gamma(1.05, low, high), NO_JUMP))
    assert "not determined" in said[0]
    assert "no more than" not in said[0]


def test_no_contention_is_said_of_a_stated_amount_that_is_excluded() -> None:
    said = text.signature(operation(gamma(1.01, 0.95, 1.08), NO_JUMP))
    assert "contention adds no more than 10 % per byte" in said[0]


def test_less_than_once_is_said_where_the_interval_excludes_one() -> None:
    said = text.signature(operation(gamma(0.9, 0.5, 1.6), NO_JUMP))
    assert "Less than once" not in said[0]
    assert "not determined" in said[0]


def test_a_jump_that_may_be_none_is_not_determined() -> None:
    may_be = JUMP.model_copy(update={"low": 0.0})
    said = text.signature(operation(gamma(2.3, 2.1, 2.5), may_be, Quantity(value=8192, unit="B")))
    assert "not determined" in said[1]


def test_a_fit_that_is_off_by_more_than_half_is_unusable_and_not_described() -> None:
    known = operation(gamma(2.3, 2.1, 2.5), JUMP, Quantity(value=8192.0, unit="B"))
    fit = known.forms["hockney_2007"].model_copy(update={"relative_residual": 0.51})
    (said,) = text.signature(known.model_copy(update={"forms": {"hockney_2007": fit}}))
    assert said.startswith("The fit of hockney_2007 is unusable: at n = 4")
    assert "2.3" not in said


def test_gamma_held_at_zero_has_its_upper_bound() -> None:
    said = text.signature(operation(gamma(0.0, 0.0, 0.25), NO_JUMP))
    assert "gamma was held at 0 (95 % interval: 0 to 0.25)" in said[0]


def test_what_was_fitted_is_said() -> None:
    said = text.signature(operation(gamma(2.3, 2.1, 2.5), NO_JUMP))
    assert said[2] == (
        "Fitted at n = 4 on 4 sizes, 1 B to 64 KiB; there the fitted times are off by 3.1 % "
        "(standard deviation)."
    )


def test_an_operation_without_the_form_says_so() -> None:
    bare = Operation(operation="alltoall", algorithm="native", forms={})
    assert text.signature_sentence(bare) == (
        "The network file holds no fit of hockney_2007 for this operation, which takes 4 sizes at "
        "one number of processes."
    )


def validated(points: int, median: float) -> Operation:
    """An operation whose signature was off by these errors."""
    errors = ErrorSummary(
        regime=ALL,
        points=points,
        median=median,
        percentile_90=2 * median,
        worst=3 * median,
        factor_90=1 + 2 * median,
        factor_worst=1 + 3 * median,
    )
    found = ValidatedForm(errors=(errors,), n_seen=(8,), m_seen=(8,))
    known = operation(gamma(2.3, 2.1, 2.5), NO_JUMP)
    return known.model_copy(update={"validation": {"hockney_2007": found}})


def test_the_errors_on_unseen_points_are_said() -> None:
    assert text.accuracy(validated(20, 0.05)) == (
        "Predictions (by hockney_2007) were tried on 20 points that the fit had not seen: half are "
        "within 5.0 % of the measured time, 90 % within 10 %, and the worst is off by 15 %."
    )


def test_few_unseen_points_have_no_percentiles() -> None:
    assert "one point" in text.accuracy(validated(1, 0.05))
    assert "90 %" not in text.accuracy(validated(8, 0.05))


def test_nothing_to_validate_on_is_said() -> None:
    known = operation(gamma(2.3, 2.1, 2.5), NO_JUMP)
    assert "contend validate NETWORK SAMPLES" in text.accuracy(known)


def test_a_line_that_is_off_by_more_than_half_is_unusable() -> None:
    line = given(2e-6, 1e-9).model_copy(update={"relative_residual": 0.8, "sizes_seen": (1, 8)})
    assert text.message(line).startswith("The fit of alpha + beta m is unusable: where it was fit")


def test_given_parameters_are_not_presented_as_measured() -> None:
    assert text.message(given(2e-6, 1e-9)) == (
        "A message between two processes alone takes 2 µs (alpha) to start, and 1 ns/B (beta), "
        "which is 1 GB/s. These values were given, not measured."
    )


@pytest.mark.parametrize("count", [1, 10, 11, 1000])
def test_a_row_of_numbers_stays_short(count: int) -> None:
    assert len(listed(list(range(count)))) < 40


def test_bounds_say_what_they_are_of() -> None:
    of_launches = gamma(2.3, 2.1, 2.5).model_copy(update={"bounds": "95 % over launches"})
    said = text.signature(operation(of_launches, NO_JUMP))
    assert "2.3 times (95 % over launches: 2.1 to 2.5)" in said[0]


def test_one_launch_excludes_contention_only_within_itself() -> None:
    within = gamma(1.01, 0.95, 1.08).model_copy(update={"bounds": "95 % within one launch"})
    assert "as far as one launch can tell" in text.signature(operation(within, NO_JUMP))[0]
