"""Sentences on retransmission time-outs: what was found, and how far off predictions were."""

from collections.abc import Iterator

import numpy as np

from contend.base.number_text import bounds, percent
from contend.base.units import format_bytes, format_seconds
from contend.models.network import Operation
from contend.models.timeouts import Timeouts
from contend.models.timeouts.share import share_of

_NAMED = 3  # numbers of processes that a sentence names


def onset(operation: Operation) -> list[str]:
    """From which size on half of the repetitions wait, and what forms then describe; or nothing."""
    timeouts = operation.timeouts
    if timeouts is None:
        return []
    cost = f"a retransmission time-out of {format_seconds(float(timeouts.cost))}"
    if bounds(timeouts.cost):
        cost += f" (90 % of the points: {bounds(timeouts.cost)})"
    sentences = [*_halves(timeouts, cost), *_otherwise(timeouts)]
    return [*sentences, "All else about times is of repetitions without one."]


def accuracy(operation: Operation) -> list[str]:
    """How far off shares and both modes were at points that no fit has seen; or nothing."""
    errors = operation.timeout_errors
    if errors is None:
        return []
    counts = ", ".join(map(str, errors.n_seen))
    mean, median, worst = (
        f"{100 * share:.1f}"
        for share in (errors.share_mean, errors.share_median, errors.share_worst)
    )
    share = (
        f"At {errors.points} points that no fit has seen (n = {counts}) the share of repetitions "
        f"with a time-out is off by {mean} percentage points in the mean, {median} in the median "
        f"and {worst} at worst; {percent(errors.inside)} of the shares lie in their intervals of "
        "90 %."
    )
    modes = [
        f"of the mode {mode} a time-out by {percent(median)} in the median and "
        f"{percent(worst)} at worst ({points} points)"
        for mode, points, median, worst in (
            ("without", errors.clean_points, errors.clean_median, errors.clean_worst),
            ("with", errors.late_points, errors.late_median, errors.late_worst),
        )
        if points
    ]
    return [share, f"Times by {errors.form} are off: {', and '.join(modes)}."] if modes else [share]


def _halves(timeouts: Timeouts, cost: str) -> Iterator[str]:
    points, share = timeouts.points, share_of(timeouts.points)
    counts = np.unique(points.n)
    sizes = share.half(counts)
    largest = max(points.m) if share.switch is None else 0.9 * share.switch  # it holds below
    is_seen = (sizes >= min(points.m)) & (sizes <= largest)
    late, repetitions = sum(points.late), sum(points.repetitions)
    if not is_seen.any():
        yield f"{percent(late / repetitions)} of all repetitions wait for {cost}."
        return
    places = np.flatnonzero(is_seen)
    chosen = places[np.unique(np.linspace(0, places.size - 1, _NAMED).astype(int))][::-1]
    named = [(int(counts[place]), format_bytes(_rounded(sizes[place]))) for place in chosen]
    (n, size), *others = named
    yield (
        f"From about {size} at {n} processes on, half of the repetitions or more wait for {cost}"
        + "".join(f", at {n} from about {size} on" for n, size in others)
        + "."
    )


def _otherwise(timeouts: Timeouts) -> Iterator[str]:
    """Report a step in the share of late repetitions, as a change of protocol makes it."""
    points, switch = timeouts.points, share_of(timeouts.points).switch
    if switch is None:
        return
    places = [place for place, m in enumerate(points.m) if m >= switch]
    late = sum(points.late[place] for place in places)
    share = late / sum(points.repetitions[place] for place in places)
    yield (
        f"That holds up to {format_bytes(switch)}. From there on shares change by a step, as where "
        f"a library exchanges otherwise: of all repetitions, at all n, {percent(share)} wait."
    )


def _rounded(size: float) -> float:
    """Two digits: it is known no better."""
    return float(f"{size:.2g}") if size < 1024 else 1024 * float(f"{size / 1024:.2g}")
