"""Sentences that say what was found, for a reader who has not met a contention signature."""

from collections.abc import Sequence

import pandas as pd

from contend.document import Quantity
from contend.network import Operation
from contend.pointtopoint import Hockney
from contend.predict import DEFAULT_FORM
from contend.report.numbers import bounds, listed, percent, quantity, rate, size_range
from contend.samples import Sample
from contend.signature import FORMS, FittedForm
from contend.units import format_bytes
from contend.validate import ALL


def signature_sentence(operation: Operation) -> str:
    """What the signature of an operation says, in a few sentences."""
    return " ".join(signature(operation))


def signature(operation: Operation) -> list[str]:
    """What gamma, delta and M say, what they were fitted to, and how well."""
    fit = operation.forms.get(DEFAULT_FORM)
    if fit is None:
        return [f"The network file holds no fit of {DEFAULT_FORM} for this operation."]
    return [_per_byte(fit), _jump(fit), _fitted_to(fit)]


def _per_byte(fit: FittedForm) -> str:
    gamma = fit.parameters["gamma"]
    n = listed(fit.n_fitted)
    if is_by_convention(gamma):
        alpha, beta = fit.parameters["alpha"], fit.parameters["beta"]
        return (
            "No message between two processes alone was measured, so alpha and beta were fitted "
            "to the exchange itself and contention cannot be told from the cost of a message: "
            f"gamma is 1 by convention. With {n} processes exchanging at once, each message to "
            f"another process costs {_named('alpha', alpha)} plus {_named('beta', beta)}."
        )
    if float(gamma) == 0:
        at_most = f" (at most {gamma.high:.3g} at 95 %)" if gamma.high else ""
        return (
            f"With {n} processes exchanging at once, no cost per byte could be told from the "
            f"start-ups: gamma was held at 0{at_most}."
        )
    return (
        f"With {n} processes exchanging at once, a byte costs {_times(gamma)} what it costs when "
        f"two processes are alone (gamma). {_meaning(gamma)}"
    ).strip()


def is_by_convention(gamma: Quantity) -> bool:
    """Whether gamma was set to 1 for want of a point-to-point measurement, not fitted."""
    return gamma.low is None and gamma.value == 1.0


def _times(gamma: Quantity) -> str:
    interval = f" (95 % interval {bounds(gamma)})" if bounds(gamma) else ""
    return f"{quantity(gamma)} times{interval}"


def _meaning(gamma: Quantity) -> str:
    low, high = gamma.low, gamma.high
    if isinstance(low, float) and isinstance(high, float) and low <= 1 <= high:
        return "The interval holds 1: the fit shows no contention per byte."
    if float(gamma) < 1:
        return (
            "Less than once: several messages of a process are under way together, or a message "
            "alone does not reach the rate that the network can carry."
        )
    return ""


def _named(name: str, known: Quantity) -> str:
    """Value with its name and interval."""
    interval = f", 95 % interval {bounds(known)}" if bounds(known) else ""
    return f"{quantity(known)} ({name}{interval})"


def _jump(fit: FittedForm) -> str:
    delta, threshold = fit.parameters["delta"], fit.parameters.get("M")
    if threshold is None or float(delta) == 0:
        return "No size was found from which on a message costs more by a step (delta = 0, no M)."
    if float(threshold) <= min(fit.m_fitted):
        start = f"At every size fitted, from {quantity(threshold)} per message (M) on"
    else:
        start = f"From {quantity(threshold)} per message (M) on"
    return f"{start}, contention adds {_named('delta', delta)} to each message."


def _fitted_to(fit: FittedForm) -> str:
    return (
        f"Fitted at n = {listed(fit.n_fitted)} on {size_range(fit.m_fitted)}; there the fitted "
        f"times are off by {percent(fit.relative_residual)} (standard deviation)."
    )


def accuracy(summary: pd.DataFrame) -> str:
    """How far the signature is off on points that it has not seen."""
    rows = summary[(summary["form"] == DEFAULT_FORM) & (summary["regime"] == ALL)]
    if rows.empty:
        return (
            "No point was left to validate on: the fit used every one. Measure other numbers of "
            "processes to learn how far its predictions hold."
        )
    row = rows.iloc[0]
    count = int(row["points"])
    if count == 1:
        return f"On the one point that the fit did not see it is off by {percent(row['median'])}."
    return (
        f"On the {count} points that the fit did not see, half of the predictions are within "
        f"{percent(row['median'])} of the measured time, 90 % within "
        f"{percent(row['percentile_90'])}, and the worst is off by {percent(row['worst'])}."
    )


def best(operation: Operation, summary: pd.DataFrame) -> str:
    """Which form was closest, "" where there is nothing to compare."""
    rows = summary[summary["regime"] == ALL]
    if len(rows) < 2:
        return ""
    row = rows.loc[rows["median"].idxmin()]
    fit = operation.forms[row["form"]]
    text = (
        f"The lowest median error is that of {FORMS.get(row['form']).title} "
        f"({percent(row['median'])}), fitted at n = {listed(fit.n_fitted)}."
    )
    if rows["points"].nunique() > 1:
        text += (
            " Forms that were fitted to more points are judged on the fewer points left to them, "
            "so compare the numbers of points too."
        )
    return text


def message(hockney: Hockney) -> str:
    """What one message between two processes costs."""
    text = (
        f"A message between two processes alone takes {_named('alpha', hockney.alpha)} to start, "
        f"and {_named('beta', hockney.beta)}, which is {rate(float(hockney.beta))}."
    )
    if not hockney.sizes_seen:
        return f"{text} These values were given, not measured."
    if hockney.step and hockney.step_from:
        text += (
            f" From {format_bytes(float(hockney.step_from))} on it takes another "
            f"{_named('step', hockney.step)}, as for a frame that a switch stores before it "
            "forwards it, or for asking before sending; in an exchange the next messages fill "
            "that wait, so it is no part of alpha."
        )
    text += f" Fitted to {size_range(hockney.sizes_seen)}"
    if hockney.relative_residual is not None:
        text += f"; half of these are within {percent(hockney.relative_residual)} of the line"
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
