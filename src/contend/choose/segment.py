"""The segment that makes an algorithm fastest.

Source: Barchet-Estefanel, Mounie, RenPar 2005, section 3; hill climbing as in Kielmann, Bal,
Gorlatch, Verstoep, Hofman, Parallel Computing 27(11), 2001.
Idea: first the best of the segments m / 2^i, then neighbours of the best few, with steps that are
halved where none is better. What is varied is the number k of segments: of all segments that cut a
message in k, ceil(m/k) is the smallest. All sizes and all hills are climbed at once, in arrays.
Cost: some 10 log2(m) evaluations of the closed form, where a scan takes m.
Restrictions: finds the best segment of a time with one valley; with more of them the best of those
that the first search has seen.
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

from contend.document import Floats
from contend.errors import InvalidInputError
from contend.pointtopoint import PLogP
from contend.schedules import Algorithm
from contend.schedules.ragged import Ints, ints

_STARTS = 3  # hills that are climbed: the best few segments of the first search
Cost = Callable[[Ints], Floats]  # of numbers of segments, shape (sizes, any)


def best_segments(
    algorithm: Algorithm, plogp: PLogP, n: int, m: ArrayLike, **options: int
) -> tuple[Ints, Floats]:
    """Segments with the least time for `n` ranks, and that time, for each of the sizes (sizes,)."""
    if "segment" not in algorithm.options:
        raise InvalidInputError(
            f"{algorithm.collective} {algorithm.name} sends no segments",
            "choose an algorithm that has the option 'segment'",
        )
    sizes = ints(m)[:, None]
    most = np.maximum(sizes, 1)

    def seconds(k: Ints) -> Floats:
        segment: ArrayLike = _segment(sizes, k)
        found = algorithm.seconds(
            plogp,
            n,
            np.broadcast_to(sizes, k.shape),
            segment=segment,  # type: ignore[arg-type]  # one for each size
            **options,
        )
        return found

    powers = np.minimum(1 << np.arange(int(most.max(initial=1)).bit_length() + 1), most)
    k = _climb(seconds, _starts(seconds, powers), most)
    times = seconds(k)
    best = np.argmin(times, axis=1)[:, None]
    segment = _segment(sizes, np.take_along_axis(k, best, axis=1))
    return segment[:, 0], np.take_along_axis(times, best, axis=1)[:, 0]


def _segment(m: Ints, k: Ints) -> Ints:
    """The smallest segments that cut m bytes in k, or less."""
    return ints(np.maximum(-(-m // k), 1))


def _starts(seconds: Cost, powers: Ints) -> Ints:
    """The best few of the numbers of segments, none of them twice; shape (sizes, starts)."""
    times = np.array(seconds(powers))
    times[:, 1:][powers[:, 1:] == powers[:, :-1]] = np.inf
    order = np.argsort(times, axis=1, kind="stable")[:, :_STARTS]
    return np.take_along_axis(powers, order, axis=1)


def _climb(seconds: Cost, k: Ints, most: Ints) -> Ints:
    """The bottom of the valley that each k lies in."""
    step, best = np.maximum(k // 2, 1), seconds(k)
    while step.any():
        near = np.concatenate([k - step, k + step], axis=1)
        times = seconds(np.clip(near, 1, most))
        times = np.where((near >= 1) & (near <= most), times, np.inf)
        left, right = np.split(times, 2, axis=1)
        nearest = np.minimum(left, right)
        is_better = nearest < best
        moved = np.where(left <= right, k - step, k + step)
        k, best = np.where(is_better, moved, k), np.where(is_better, nearest, best)
        step = np.where(is_better, step, step // 2)
    return k
