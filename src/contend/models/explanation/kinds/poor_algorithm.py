"""Sizes at which the library's algorithm is a poor choice, by its own other times.

Source: Träff, Gropp, Thakur, "Self-consistent MPI performance guidelines", IEEE TPDS 21(5), 2010:
a message is no slower than a longer one (pad it), nor than its parts one after the other; an
operation is no slower than others that do its work, nor than it is by another algorithm.
Idea: where a rule is broken by far, another algorithm that the library has, or that the rule itself
is, would be faster. Nothing of the network needs to be known. Where there are several launches,
the fastest breaks the rule as well. What to try stands with the worst region, for all.
Restrictions: sizes between those measured are not looked at; other operations are read off between
two of theirs. Means of one launch that scatter by `CLEAR` would break rules by chance.
"""

from collections.abc import Iterator, Sequence

import numpy as np

from contend.base.document import Floats
from contend.base.units import format_bytes
from contend.models.explanation.case import Case, Curve
from contend.models.explanation.commands import choose, size_range
from contend.models.explanation.finding import Finding, Kind, covers
from contend.samples.setting import is_native

CLEAR = 1.25  # times that a rule is broken by before it is reported
MOST_PARTS = 64
BETWEEN = 2  # sizes that keep the rules between two that break them, in one region
# Operation: in words what does the same, by operations of m bytes times a power of n each.
_RULES: dict[str, dict[str, dict[str, int]]] = {
    "allgather": {
        "a gather and a broadcast of all": {"gather": 0, "bcast": 1},
        "an all-to-all of the same blocks": {"alltoall": 0},
    },
    "allreduce": {
        "a reduction and a broadcast": {"reduce": 0, "bcast": 0},
        "a reduce-scatter and an all-gather": {"reduce_scatter": -1, "allgather": -1},
    },
    "bcast": {"a scatter and an all-gather": {"scatter": -1, "allgather": -1}},
    "gather": {"an all-gather": {"allgather": 0}},
    "reduce": {
        "a reduction to all": {"allreduce": 0},
        "a reduce-scatter and a gather": {"reduce_scatter": -1, "gather": -1},
    },
    "reduce_scatter": {"a reduction and a scatter": {"reduce": 1, "scatter": 0}},
    "scatter": {"a broadcast of all blocks": {"bcast": 1}},
}


class PoorAlgorithm(Kind):
    """A region of sizes that breaks a rule."""

    name, order = "poor algorithm", 3

    def causes(self, case: Case, before: Sequence[Finding]) -> Iterator[Finding]:
        """One for each run of sizes that break rules."""
        factor, better = broken(case)
        is_broken = (factor >= CLEAR) & (factor * case.least > case.seconds)
        dearest = float(np.max(factor, initial=0.0, where=is_broken))
        for places in _runs(is_broken):
            worst = int(places[np.argmax(factor[places])])
            where = int(case.sizes[places[0]]), int(case.sizes[places[-1]])
            if covers(before, where, "time-outs"):
                continue
            yield case.finding(
                self.name,
                where,
                f"{size_range(where)} the library's own times show a faster way: "
                f"{format_bytes(case.sizes[worst])} takes {factor[worst]:.1f} times as long as "
                f"{better[worst]}. The algorithm chosen there is a poor one.",
                float(factor[worst]),
                *(choose(case, case.sizes[is_broken]) if factor[worst] == dearest else ()),
            )


def broken(case: Case) -> tuple[Floats, list[str]]:
    """How many times longer each size takes than the best other way, and that way in words."""
    sizes, seconds = case.sizes, case.seconds
    best = np.full(sizes.shape, np.inf)
    words = [""] * sizes.size

    def offer(place: int, time: float, text: str) -> None:
        if time < best[place]:
            best[place], words[place] = time, text

    for place, m in enumerate(sizes):
        for other, measured in enumerate(sizes):
            if measured > m:
                offer(place, seconds[other], f"the longer {format_bytes(measured)}")
            elif measured < m and m % measured == 0 and m / measured <= MOST_PARTS:
                parts = int(m / measured)
                offer(
                    place, parts * seconds[other],
                    f"{parts} times {format_bytes(measured)} one after the other",
                )  # fmt: skip
    if is_native(case.algorithm):
        for name, (measured, times) in case.rivals.items():
            for place, m in enumerate(sizes):
                for time in times[measured == m]:
                    offer(place, float(time), f"by {name}")
        for text, powers in _RULES.get(case.operation, {}).items():
            if powers.keys() <= case.others.keys():
                carried = {1: case.n * sizes, 0: sizes, -1: sizes / case.n}
                each = [_time(case.others[name], carried[power]) for name, power in powers.items()]
                for place, value in enumerate(np.sum(each, axis=0)):
                    if np.isfinite(value):
                        offer(place, float(value), text)
    return seconds / best, words


def _time(curve: Curve, m: Floats) -> Floats:
    """Times of another operation between its sizes, logarithmically; NaN outside."""
    measured, seconds = curve
    inside = (m >= measured[0]) & (m <= measured[-1])
    interpolated = np.exp(np.interp(np.log(m), np.log(measured), np.log(seconds)))
    return np.where(inside, interpolated, np.nan)


def _runs(flags: np.ndarray) -> list[np.ndarray]:
    """Places of each run of true flags, those within one that keep the rules by a hair with it."""
    places = np.flatnonzero(flags)
    if not places.size:
        return []
    apart = np.flatnonzero(np.diff(places) > 1 + BETWEEN) + 1
    return [np.arange(word[0], word[-1] + 1) for word in np.split(places, apart)]
