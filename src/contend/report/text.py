"""Sentences that say what was found, for a reader who has not met a contention signature."""

from collections.abc import Sequence

from contend.base.document import Quantity
from contend.base.number_text import (
    interval,
    listed,
    percent,
    quantity,
    rate,
    size_range,
    with_interval,
)
from contend.base.statistics.launches import WITHIN_LAUNCH
from contend.base.units import format_bytes
from contend.models.network import Operation
from contend.models.prediction.growth import growth
from contend.models.prediction.verdict import is_usable, unusable, verdict
from contend.models.signature import DEFAULT_FORM, EXCHANGES, FittedForm
from contend.models.signature.form import FEWEST_SIZES
from contend.report import timeouts
from contend.samples import Sample
from contend.schedules.pointtopoint import Hockney
from contend.tune.choose.rules import Rule

NEGLIGIBLE = 0.1  # of the cost of a byte; less contention than that is called none
NOT_VALIDATED = (
    "The network file holds no errors on points that the fit has not seen: 'contend validate "
    "NETWORK SAMPLES' adds them, where such points were measured."
)
NO_POINTS = (
    "The network file holds no points that the form was compared with: 'contend validate NETWORK "
    "SAMPLES' adds them."
)
NO_SIGNATURES = (
    "The network file does not hold the signature at each n: 'contend fit SAMPLES -o NETWORK' adds "
    "it."
)
NO_SIGNATURE = (
    f"The network file holds no fit of {DEFAULT_FORM} for this operation, which takes "
    f"{FEWEST_SIZES} sizes at one number of processes."
)
OF_OTHERS = (
    "Times that were measured are carried to other numbers of processes by how this operation "
    "usually grows; a contention signature is for an all-to-all alone."
)


def signature_sentence(operation: Operation) -> str:
    """What the signature of an operation says, in a few sentences."""
    return " ".join(signature(operation))


def signature(operation: Operation) -> list[str]:
    """What gamma, delta and M say, what they were fitted to, how well, and of time-outs."""
    fit = operation.forms.get(DEFAULT_FORM)
    if operation.operation not in EXCHANGES:
        return [OF_OTHERS, *grown(operation), *timeouts.onset(operation)]
    if fit is None:
        return [NO_SIGNATURE, *timeouts.onset(operation)]
    if not is_usable(fit):
        return [unusable(fit), *timeouts.onset(operation)]
    words = [_per_byte(fit), _jump(fit), _fitted_to(fit), *_left_out(fit)]
    return [*words, *timeouts.onset(operation)]


def grown(operation: Operation) -> list[str]:
    """How times grew with n, a sentence; none where they were measured at one n."""
    growths = growth(operation)
    if not growths:
        return []
    parts = [
        f"times that are mostly {'bytes' if power.is_of_bytes else 'start-ups'} "
        f"({size_range(power.sizes)}) grew as (n-1)^{power.exponent:.2f}"
        for power in growths
    ]
    counts = growths[0].counts
    return [f"Between {counts[0]} and {counts[-1]} processes, {', and '.join(parts)}."]


def _per_byte(fit: FittedForm) -> str:
    gamma = fit.parameters["gamma"]
    n = listed(fit.n_fitted)
    if is_by_convention(gamma):
        alpha, beta = fit.parameters["alpha"], fit.parameters["beta"]
        return (
            "No message between two processes alone was measured, so alpha and beta were fitted "
            "to the exchange itself and contention is not separated from the cost of a message: "
            f"gamma is 1 by convention. With {n} processes exchanging at once, each message to "
            f"another process costs {with_interval(alpha, 'alpha')} plus "
            f"{with_interval(beta, 'beta')}."
        )
    if float(gamma) == 0:
        at_most = f" ({interval(gamma)})" if gamma.high else ""
        return (
            f"With {n} processes exchanging at once, no cost per byte was separated from the "
            f"start-ups: gamma was held at 0{at_most}."
        )
    return (
        f"With {n} processes exchanging at once, a byte costs "
        f"{with_interval(gamma, unit=' times')} what it costs when two processes are alone "
        f"(gamma). {_meaning(gamma)}"
    ).strip()


def is_by_convention(gamma: Quantity) -> bool:
    """Whether gamma was set to 1 for want of a point-to-point measurement, not fitted."""
    return gamma.low is None and gamma.value == 1.0


def _meaning(gamma: Quantity) -> str:
    """What the interval excludes; nothing that it does not exclude."""
    low, high = gamma.low, gamma.high
    if not isinstance(low, float) or not isinstance(high, float) or low > 1:
        return ""
    if high < 1:
        return (
            "Less than once: several messages of a process are under way together, or a message "
            "alone does not reach the rate that the network can carry."
        )
    if high <= 1 + NEGLIGIBLE:
        share = percent(NEGLIGIBLE)
        seen = ", as far as one launch can tell" if gamma.bounds == WITHIN_LAUNCH else ""
        return f"The interval holds 1: contention adds no more than {share} per byte{seen}."
    return (
        "The interval holds 1 and more: whether contention makes a byte dearer is not determined. "
        "More launches or larger sizes would tell."
    )


def _jump(fit: FittedForm) -> str:
    delta, threshold = fit.parameters["delta"], fit.parameters.get("M")
    if threshold is None or float(delta) == 0:
        return "No size was found from which on a message costs more by a step (delta = 0, no M)."
    if float(threshold) <= min(fit.m_fitted):
        start = f"At every size fitted, from {quantity(threshold)} per message (M) on"
    else:
        start = f"From {quantity(threshold)} per message (M) on"
    words = f"{start}, contention adds {with_interval(delta, 'delta')} to each message"
    if isinstance(delta.low, float) and delta.low <= 0:
        return f"{words}; the interval reaches 0, so whether it does is not determined."
    return f"{words}."


def _fitted_to(fit: FittedForm) -> str:
    return (
        f"Fitted at n = {listed(fit.n_fitted)} on {size_range(fit.m_fitted)}; there the fitted "
        f"times are off by {percent(fit.relative_residual)} (standard deviation)."
    )


def _left_out(fit: FittedForm) -> list[str]:
    smallest = fit.parameters.get("smallest")
    if smallest is None:
        return []
    return [
        f"Messages smaller than {quantity(smallest)} follow another law, as where a library "
        "forwards or combines them: they were left out, and the signature says nothing of them."
    ]


def accuracy(operation: Operation) -> str:
    """How far the form that predicts is off on points that it has not seen, as the file says."""
    form = verdict(operation).form if operation.forms else DEFAULT_FORM
    validation = operation.validation.get(form)
    if validation is None:
        return NOT_VALIDATED
    errors = validation.errors[0]
    if errors.points == 1:
        return (
            f"Predictions (by {form}) were tried on one point that the fit had not seen, and are "
            f"off by {percent(errors.median)} there."
        )
    share = f"90 % within {percent(errors.percentile_90)}, " if errors.percentile_90 else ""
    return (
        f"Predictions (by {form}) were tried on {errors.points} points that the fit had not seen: "
        f"half are within {percent(errors.median)} of the measured time, {share}and the worst is "
        f"off by {percent(errors.worst)}."
    )


def between_launches(operation: Operation) -> list[str]:
    """How far launches of the same points lie apart, in words; nothing where that is not known."""
    spread = operation.between_launches
    predicted = operation.validation.get(verdict(operation).form) if operation.forms else None
    if spread is None or predicted is None:
        return []
    where = "one" if spread.points == 1 else str(spread.points)
    words = (
        f"Launches differ too: at {where} of these points, which several have measured, half of "
        f"them are within {percent(spread.median)} of the median of the others, nine in ten within "
        f"{percent(spread.percentile_90)}."
    )
    errors = predicted.errors[0]
    if errors.points == spread.points and errors.median <= spread.median:
        words += " Predictions are as near as another launch is."
    return [words]


def sentence(words: str) -> str:
    """Words with a capital and a full stop.

    >>> sentence("it holds")
    'It holds.'
    """
    return f"{words[0].upper()}{words[1:]}."


def message(hockney: Hockney) -> str:
    if not is_usable(hockney):
        return unusable(hockney)
    text = (
        f"A message between two processes alone takes {with_interval(hockney.alpha, 'alpha')} to "
        f"start, and {with_interval(hockney.beta, 'beta')}, which is {rate(float(hockney.beta))}."
    )
    if not hockney.sizes_seen:
        return f"{text} These values were given, not measured."
    if hockney.step and hockney.step_from:
        text += (
            f" From {format_bytes(float(hockney.step_from))} on it takes another "
            f"{with_interval(hockney.step, 'step')}, as for a frame that a switch stores before it "
            "forwards it, or for asking before sending; in an exchange the next messages fill "
            "that wait, so it is no part of alpha."
        )
    text += f" Fitted to {size_range(hockney.sizes_seen)}"
    if hockney.relative_residual is not None:
        off = percent(hockney.relative_residual)
        text += (
            f"; half of these are within {off} of the line{' and its step' if hockney.step else ''}"
        )
    return f"{text}."


def place(samples: Sequence[Sample]) -> list[str]:
    """What a reader of the report has to know before anything else."""
    if labs := sorted({s.provenance.lab for s in samples if s.provenance.lab}):
        return [
            f"Measured on the emulated network {' and '.join(labs)}: real MPI over real TCP, with "
            "links and switches emulated on one machine. Times are those of the network that it "
            "stands for."
        ]
    places = [sample.provenance for sample in samples if sample.provenance.nodes]
    if not places or any((place.nodes or 0) > 1 for place in places):
        return []
    cores = {place.cores_available for place in places if place.cores_available}
    return [
        "All processes ran on one host, so its memory and its scheduler were measured, not a "
        f"network; it has {min(cores)} core{'s' if min(cores) > 1 else ''} for them."
        if cores
        else "All processes ran on one host, so its memory was measured, not a network."
    ]


def counts(rule: Rule) -> str:
    if rule.n_to is None:
        return f"{rule.n} and more"
    return str(rule.n) if rule.n_to == rule.n + 1 else f"{rule.n} to {rule.n_to - 1}"


def sizes(rule: Rule) -> str:
    if rule.m_to is None:
        return f"{_about(rule.m)} and more"
    first, last = _about(rule.m), _about(rule.m_to - 1)
    return first if first == last else f"{first} to {last}"


def _about(size: int) -> str:
    """A size to two digits of its unit.

    >>> _about(23171), _about(131072), _about(0)
    ('23 KiB', '128 KiB', '0 B')
    """
    unit = 1024 ** max((size.bit_length() - 1) // 10, 0)
    in_units = size / unit
    return format_bytes(unit * (round(in_units) if in_units >= 10 else round(in_units, 1)))
