"""What a proposal says, in sentences and as a table of text."""

import numpy as np
import pandas as pd

from contend.base.number_text import MISSING, listed, percent, size_range
from contend.base.units import format_bytes, format_seconds
from contend.measure.probes.cost import CHECKS
from contend.measure.probes.greedy import LEAST
from contend.measure.probes.proposal import OF_THE_PAPERS, Proposal, Step


def sentences(proposal: Proposal) -> list[str]:
    return [summary(proposal), costs(proposal)]


def summary(proposal: Proposal) -> str:
    """How wide the intervals are, and what the points would make of that."""
    if proposal.is_first:
        return (
            f"A first design: {_points(proposal.steps)} at n = {listed([*proposal.counts])}, "
            f"a curve at n' = {proposal.n_fit} among them, take about {clock(proposal.seconds)} "
            f"and leave {_width(proposal, proposal.after)} over {_targets(proposal)}."
            f"{_floor(proposal)}{_whole_grid(proposal)}"
        )
    now = f"{_capital(_width(proposal, proposal.before))} over {_targets(proposal)}"
    if proposal.is_narrow and not proposal.steps:
        return f"{now} is no wider than the {proposal.until:.4g} that was asked for."
    if not proposal.is_open:
        return f"{now}; every point that could be measured is known."
    if not proposal.steps and np.isfinite(proposal.budget):
        return f"{now}; no point that is worth it can be measured in {clock(proposal.budget)}."
    if not proposal.steps:
        return f"{now}; no point narrows it by {percent(LEAST)}. Nothing is worth a measurement."
    points = (
        f"{_points(proposal.steps)}, about {clock(proposal.seconds)} in all, would narrow it to "
    )
    points += f"{proposal.after:.2f}"
    if not proposal.is_worth_it:
        return f"{now} is what there is: {points}. Nothing is worth a measurement."
    return f"{now}. {_capital(points)}.{_floor(proposal)}{_whole_grid(proposal)}"


def costs(proposal: Proposal) -> str:
    cost = proposal.cost
    slower = f", {cost.slower:g} times as long on the clock" if cost.slower != 1 else ""
    passes = cost.repetitions + cost.warmup + CHECKS
    return (
        f"A point costs {passes} times its predicted time{slower} ({cost.repetitions} repetitions, "
        f"{cost.warmup} before and {CHECKS} to check) and {format_seconds(cost.point_seconds)}, a "
        f"launch {format_seconds(cost.launch_seconds)}, {cost.source}; one launch holds all sizes "
        f"of an n{f', {cost.launches} launches each' if cost.launches > 1 else ''}."
    )


def text_table(proposal: Proposal) -> pd.DataFrame:
    rows = proposal.table()
    return pd.DataFrame(
        {
            "n": rows["n"],
            "m": [format_bytes(m) for m in rows["m"]],
            "time": [format_seconds(value) for value in rows["seconds"]],
            "costs": [clock(value) for value in rows["cost"]],
            "in all": [clock(value) for value in rows["spent"]],
            "high/low before": [_ratio(value) for value in rows["before"]],
            "after": [_ratio(value) for value in rows["after"]],
        }
    )


def _ratio(value: float) -> str:
    return MISSING if pd.isna(value) else f"{value:.2f}"


def clock(seconds: float) -> str:
    """A time on the clock.

    >>> clock(12.345), clock(90), clock(7890)
    ('12.3 s', '1.5 min', '2.2 h')
    """
    for unit, name in ((3600.0, "h"), (60.0, "min")):
        if seconds >= unit:
            return f"{seconds / unit:.2g} {name}"
    return format_seconds(seconds)


def _width(proposal: Proposal, value: float) -> str:
    kind = "largest" if proposal.criterion == "largest" else "median"
    return f"a {kind} high/low of {value:.2f}"


def _targets(proposal: Proposal) -> str:
    counts, sizes = (
        sorted({int(count) for count in getattr(proposal.targets, axis)}) for axis in ("n", "m")
    )
    number = len(proposal.targets)
    return f"{number} target{'s' * (number > 1)} (n = {listed(counts)}; {size_range(sizes)})"


def _points(steps: tuple[Step, ...]) -> str:
    return "1 point" if len(steps) == 1 else f"{len(steps)} points"


def _floor(proposal: Proposal) -> str:
    """Say whether the requested high/low is out of reach, or missed within the other limits."""
    least = float(np.exp(proposal.least))
    if proposal.until <= 1 or proposal.is_narrow:
        return ""
    if proposal.until < least:
        return (
            f" The {proposal.until:.4g} that was asked for cannot be had: by what one measurement "
            f"differs from the next, {least:.2f} is left however much is measured."
        )
    return f" The {proposal.until:.4g} that was asked for is not come to."


def _whole_grid(proposal: Proposal) -> str:
    return f" {OF_THE_PAPERS} repetitions of every target would take {clock(proposal.whole_grid)}."


def _capital(sentence: str) -> str:
    return sentence[0].upper() + sentence[1:]
