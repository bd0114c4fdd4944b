"""Who loses how much in which collective operation: kinds of calls, the largest gain first.

Idea: what a call takes once all its ranks have come, beside the fastest algorithm that was seen in
its place, or that a network predicts. Seen is what carried as many bytes at the same operation,
ranks, nodes and class of sizes, in `FEWEST` calls or more that all ranks began together. A gain is
an estimate: calls times the difference of the medians, where the middle halves do not overlap.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from contend.base.document import Floats
from contend.samples.watch.totals import FEWEST, Kind, Place, Sampled, Total, Totals, quantile

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
    gain: float | None = None  # seconds of all ranks, an estimate


@dataclass(frozen=True)
class _Kind:
    kind: Kind
    total: Total
    sampled: Sampled

    @cached_property
    def best(self) -> Best:
        times = np.sort(self.sampled.together)
        middle, high = (_at(times, share) for share in (0.5, 0.75))
        return Best(middle, high, self.kind.algorithm, self.kind.library, SEEN)

    def is_rival_of(self, other: "_Kind") -> bool:
        return (
            self.kind.place == other.kind.place
            and self.sampled.together.size >= FEWEST
            and (self is other or self.total.m >= AS_MANY * other.total.m)
        )


def losses(totals: Totals, references: References | None = None) -> list[Loss]:
    """Return kinds of calls, those first of which most could be gained, then by their time."""
    kinds = [_Kind(kind, total, total.sampled()) for kind, total in totals.kinds.items()]
    calls = [(kind.kind.place, kind.total.m) for kind in kinds]
    references_of = references(calls) if references else [Reference()] * len(kinds)
    by_place: defaultdict[Place, list[_Kind]] = defaultdict(list)
    for kind in kinds:
        by_place[kind.kind.place].append(kind)
    losses = []
    for kind, reference in zip(kinds, references_of, strict=True):
        rivals = [other for other in by_place[kind.kind.place] if other.is_rival_of(kind)]
        losses.append(_loss(kind, [rival.best for rival in rivals], reference))
    return sorted(losses, key=lambda loss: (-(loss.gain or 0.0), -loss.seconds))


def _loss(kind_of_call: _Kind, seen: Sequence[Best], reference: Reference) -> Loss:
    kind, total, sampled = kind_of_call.kind, kind_of_call.total, kind_of_call.sampled
    rivals = [*seen, *([reference.best] if reference.best else [])]
    best = min(rivals, default=None, key=lambda rival: rival.seconds)
    times = np.sort(sampled.usual())
    together = _at(times, 0.5) if times.size else None
    gain = None
    if best is not None and together is not None:
        is_faster = best.high < _at(times, 0.25)
        gain = min(total.calls * (together - best.seconds), total.seconds) if is_faster else 0.0
    return Loss(
        **kind.place._asdict(), library=kind.library, algorithm=kind.algorithm, calls=total.calls,
        bytes=total.bytes, seconds=total.seconds, waiting=sampled.waiting(kind.place.operation),
        median=quantile(total.bins, 0.5), percentile_99=quantile(total.bins, 0.99),
        sampled=sampled.took.size, together=together, bound=reference.bound, best=best, gain=gain,
    )  # fmt: skip


def _at(times: Floats, share: float) -> float:
    """The time that a share of ascending times does not exceed."""
    return float(times[int(share * (times.size - 1))])


def waiting(rows: Iterable[Loss]) -> float | None:
    """Return the share of the time in which ranks wait for the last one; None where unknown."""
    waits = [(row.seconds, row.waiting) for row in rows if row.waiting is not None]
    whole = sum(seconds for seconds, _ in waits)
    return sum(seconds * share for seconds, share in waits) / whole if whole else None
