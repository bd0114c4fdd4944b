"""Sentences for every kind of signature."""

from __future__ import annotations

import pytest

from contend.base.document import Quantity
from contend.base.number_text import listed
from contend.models.network import Operation
from contend.models.network.evidence import ErrorSummary, ValidatedForm
from contend.models.prediction.validate import ALL
from contend.models.signature import FittedForm
from contend.report import text
from contend.schedules.pointtopoint.hockney import given

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


GAMMA = gamma(2.3, 2.1, 2.5)
FROM_8K = Quantity(value=8192.0, unit="B")
WITHIN = gamma(1.01, 0.95, 1.08).model_copy(update={"bounds": "95 % within one launch"})
# Gamma, delta and M; which sentence; what it says, and what it does not.
SENTENCES = {
    "gamma and its interval": (
        (GAMMA, NO_JUMP), 0,
        "With 4 processes exchanging at once, a byte costs 2.3 times (95 % interval: 2.1 to 2.5) "
        "what it costs when two processes are alone (gamma).", ""),
    "the jump": (
        (GAMMA, JUMP, FROM_8K), 1,
        "From 8 KiB per message (M) on, contention adds 4.5 µs (delta, 95 % interval: 2.2 µs to "
        "6.7 µs) to each message.", ""),
    "a jump at the smallest size": (
        (GAMMA, JUMP, Quantity(value=1.0, unit="B")), 1,
        "At every size fitted, from 1 B per message (M) on,", ""),
    "no jump": ((GAMMA, NO_JUMP), 1, "delta = 0, no M", ""),
    "a convention": (
        (Quantity(value=1.0, unit="1"), NO_JUMP), 0, "gamma is 1 by convention", "times"),
    "the fit of a convention": (
        (Quantity(value=1.0, unit="1"), NO_JUMP), 0,
        "2 µs (alpha, 95 % interval: 1.9 µs to 2.1 µs) plus 1 ns/B (beta", ""),
    "a given gamma": (
        (Quantity(value=4.36, unit="1"), NO_JUMP), 0, "costs 4.36 times what it costs", ""),
    "less than once": ((gamma(0.6, 0.5, 0.7), NO_JUMP), 0, "Less than once", ""),
    "a wide interval": (
        (gamma(1.05, 0.12, 3.19), NO_JUMP), 0, "not determined", "no more than"),
    "one and more": ((gamma(1.05, 0.9, 1.3), NO_JUMP), 0, "not determined", "no more than"),
    "just more than a tenth": (
        (gamma(1.05, 0.98, 1.11), NO_JUMP), 0, "not determined", "no more than"),
    "no contention": (
        (gamma(1.01, 0.95, 1.08), NO_JUMP), 0, "contention adds no more than 10 % per byte",
        "as far as"),
    "one launch": ((WITHIN, NO_JUMP), 0, "as far as one launch can tell", ""),
    "once within the interval": (
        (gamma(0.9, 0.5, 1.6), NO_JUMP), 0, "not determined", "Less than once"),
    "a jump that may be none": (
        (GAMMA, JUMP.model_copy(update={"low": 0.0}), FROM_8K), 1, "not determined", ""),
    "held at 0": (
        (gamma(0.0, 0.0, 0.25), NO_JUMP), 0, "gamma was held at 0 (95 % interval: 0 to 0.25)", ""),
    "what was fitted": (
        (GAMMA, NO_JUMP), 2,
        "Fitted at n = 4 on 4 sizes, 1 B to 64 KiB; there the fitted times are off by 3.1 % "
        "(standard deviation).", ""),
    "what bounds are of": (
        (GAMMA.model_copy(update={"bounds": "95 % over launches"}), NO_JUMP), 0,
        "2.3 times (95 % over launches: 2.1 to 2.5)", ""),
}  # fmt: skip


@pytest.mark.parametrize("name", SENTENCES)
def test_a_signature_is_said_in_words(name: str) -> None:
    known, place, said, unsaid = SENTENCES[name]
    sentence = text.signature(operation(*known))[place]
    assert said in sentence
    assert not unsaid or unsaid not in sentence
    if said.startswith(("With", "From", "At", "Fitted")) and said.endswith("."):
        assert sentence == said


def test_a_fit_that_is_off_by_more_than_half_is_unusable_and_not_described() -> None:
    known = operation(gamma(2.3, 2.1, 2.5), JUMP, Quantity(value=8192.0, unit="B"))
    fit = known.forms["hockney_2007"].model_copy(update={"relative_residual": 0.51})
    (said,) = text.signature(known.model_copy(update={"forms": {"hockney_2007": fit}}))
    assert said.startswith("The fit of hockney_2007 is unusable: at n = 4")
    assert "2.3" not in said


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
