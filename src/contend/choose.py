"""The segment that makes an algorithm fastest.

Source: Barchet-Estefanel, Mounie, RenPar 2005, section 3; hill climbing as in Kielmann, Bal,
Gorlatch, Verstoep, Hofman, Parallel Computing 27(11), 2001.
Idea: first the best of the segments m / 2^i, then neighbours of the best few, with steps that are
halved where none is better. What is varied is the number k of segments: of all segments that cut a
message in k, ceil(m/k) is the smallest.
Cost: some 10 log2(m) evaluations of the closed form, where a scan takes m.
Restrictions: finds the best segment of a time with one valley; with more of them the best of those
that the first search has seen.
"""

from collections.abc import Callable
from dataclasses import dataclass

from contend.errors import InvalidInputError
from contend.pointtopoint import PLogP
from contend.schedules import Algorithm

_STARTS = 3  # hills that are climbed: the best few segments of the first search


@dataclass(frozen=True)
class SegmentChoice:
    """A segment in bytes, and the time that it gives."""

    segment: int
    seconds: float


def best_segment(
    algorithm: Algorithm, plogp: PLogP, n: int, m: int, **options: int
) -> SegmentChoice:
    """The segment with the least time for `n` ranks and `m` bytes."""
    if "segment" not in algorithm.options:
        raise InvalidInputError(
            f"{algorithm.collective} {algorithm.name} sends no segments",
            "choose an algorithm that has the option 'segment'",
        )

    def seconds(k: int) -> float:
        return float(algorithm.seconds(plogp, n, m, segment=_segment(m, k), **options))

    powers = [min(1 << i, max(m, 1)) for i in range(max(m, 1).bit_length() + 1)]
    starts = sorted(set(powers), key=seconds)[:_STARTS]
    best = min((_climb(seconds, k, max(m, 1)) for k in starts), key=seconds)
    return SegmentChoice(_segment(m, best), seconds(best))


def _segment(m: int, k: int) -> int:
    """The smallest segment that cuts m bytes in k, or less."""
    return max(-(-m // k), 1)


def _climb(seconds: Callable[[int], float], k: int, most: int) -> int:
    """The bottom of the valley that k lies in."""
    step = max(k // 2, 1)
    while step:
        near = [other for other in (k - step, k + step) if 1 <= other <= most]
        best = min([k, *near], key=seconds)
        step = step if best != k else step // 2
        k = best
    return k
