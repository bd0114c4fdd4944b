"""Who loses how much in which collective operation: kinds of calls, the largest gain first.

Idea: what a call takes once all its ranks have come, beside the fastest algorithm that was seen in
its place, or that a network predicts. Seen is what carried as many bytes at the same operation,
ranks, nodes and class of sizes, in `FEWEST` calls or more that all ranks began together. A gain is
an estimate: calls times the difference of the medians, where the middle halves do not overlap.
"""

from array import array
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from contend.watch.totals import Kind, Place, Total, Totals, waiting

FEWEST = 5  # calls that tell what an algorithm takes
AS_MANY = 0.95  # of the bytes of a call: what carried fewer is no rival
SEEN, PREDICTED = "seen", "predicted"


@dataclass(frozen=True)
class Best:
    """The fastest algorithm that is known in a place: seconds of a call, and who says so."""

    seconds: float
    high: float  # the upper quartile of what was seen, or end of the interval of a prediction
    algorithm: str | None
    library: str | None
    source: str  # SEEN or PREDICTED


@dataclass(frozen=True)
class Reference:
    """What a network says of a call: the seconds it takes at least, and its fastest algorithm."""

    bound: float | None = None
    best: Best | None = None


References = Callable[[Sequence[tuple[Place, float]]], Sequence[Reference]]  # of places and bytes


@dataclass(frozen=True)
class Loss:
    """Calls of one kind over all jobs: sums over ranks, durations of ranks, times of calls."""

    operation: str
    n: int
    nodes: int
    ppn: int | None
    size: int
    library: str
    algorithm: str | None
    calls: int
    bytes: int
    seconds: float
    waiting: float | None  # share of it, an estimate from sampled calls
    median: float | None  # of the durations of ranks, within 5 %
    percentile_99: float | None
    sampled: int  # calls that all ranks kept
    together: float | None  # median of these from the last begin to the last end
    bound: float | None = None
    best: Best | None = None
    is_best: bool = False  # whether nothing faster is known
    gain: float | None = None  # seconds of all ranks, an estimate


def losses(totals: Totals, references: References | None = None) -> list[Loss]:
    """Return kinds of calls, those first of which most could be gained, then by their time."""
    kinds = [*totals.kinds.items()]
    calls = [(kind.place, total.m) for kind, total in kinds]
    known = references(calls) if references else [Reference()] * len(kinds)
    by_place: defaultdict[Place, list[tuple[Kind, Total]]] = defaultdict(list)
    for kind, total in kinds:
        by_place[kind.place].append((kind, total))
    found = [
        _loss(kind, total, by_place[kind.place], reference)
        for (kind, total), reference in zip(kinds, known, strict=True)
    ]
    return sorted(found, key=lambda one: (-(one.gain or 0.0), -one.seconds))


def _loss(
    kind: Kind, total: Total, there: Sequence[tuple[Kind, Total]], reference: Reference
) -> Loss:
    times = _times(total)
    rivals = [_seen(other, one) for other, one in there if _is_rival(other, one, kind, total)]
    best = min((*rivals, *([reference.best] if reference.best else [])), default=None, key=_seconds)
    together = _at(times, 0.5)
    gain = None
    if best is not None and together is not None:
        is_faster = best.high < (_at(times, 0.25) or 0.0)
        saved = total.calls * (together - best.seconds)
        gain = min(saved, total.seconds) if is_faster and saved > 0 else 0.0
    return Loss(
        **kind.place._asdict(),
        library=kind.library,
        algorithm=kind.algorithm,
        calls=total.calls,
        bytes=total.bytes,
        seconds=total.seconds,
        waiting=waiting([(kind, total)]),
        median=total.quantile(0.5),
        percentile_99=total.quantile(0.99),
        sampled=len(total.sampled),
        together=together,
        bound=reference.bound,
        best=best,
        is_best=gain == 0.0,
        gain=gain,
    )


def _seconds(best: Best) -> float:
    return best.seconds


def _is_rival(other: Kind, one: Total, kind: Kind, total: Total) -> bool:
    return len(one.together) >= FEWEST and (other == kind or one.m >= AS_MANY * total.m)


def _seen(kind: Kind, one: Total) -> Best:
    middle, high = (_at(one.together, share) or 0.0 for share in (0.5, 0.75))
    return Best(middle, high, kind.algorithm, kind.library, SEEN)


def _times(total: Total) -> "array[float]":
    """Times of calls that ranks began together, else of all: not longer than those would be."""
    return total.together if len(total.together) >= FEWEST else total.sampled


def _at(times: "array[float]", share: float) -> float | None:
    """The value that a share of others is not above; None of none."""
    return sorted(times)[int(share * (len(times) - 1))] if times else None
