"""Which algorithm is the fastest over process counts and sizes.

Idea: for each number of processes every algorithm is tuned for all sizes at once, and the least
time wins; of equal ones that with fewer options.
Restrictions: the point values of pLogP alone, without intervals; algorithms that refuse a number
of processes are left out of its row.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from contend.choose.tuning import Tuned, tune
from contend.document import Floats
from contend.errors import InvalidInputError
from contend.pointtopoint import PLogP
from contend.schedules import algorithms
from contend.schedules.fitted import Parameters, plogp_of
from contend.schedules.ragged import Ints, ints


@dataclass(frozen=True)
class DecisionMap:
    """The best algorithm for each n (rows) and m (columns); arrays (counts, sizes)."""

    collective: str
    n: Ints  # (counts,)
    m: Ints  # (sizes,)
    algorithm: NDArray[np.object_]
    options: NDArray[np.object_]  # a dict in each place
    seconds: Floats


def decision_map(
    collective: str, plogp: PLogP | Parameters, n: ArrayLike, m: ArrayLike
) -> DecisionMap:
    """The best algorithms of an operation for all pairs of `n` and `m`."""
    counts, sizes = ints(n), ints(m)
    if counts.min(initial=2) < 2:
        raise InvalidInputError(
            f"n = {counts.min()}", "a collective operation takes at least 2 processes"
        )
    rows = [_row(collective, plogp, int(count), sizes) for count in counts]
    names, options, seconds = (np.stack(column) for column in zip(*rows, strict=True))
    return DecisionMap(collective, counts, sizes, names, options, seconds)


def _row(
    collective: str, plogp: PLogP | Parameters, n: int, sizes: Ints
) -> tuple[NDArray[np.object_], NDArray[np.object_], Floats]:
    """Names, options and times of the best for each size."""
    served = [one for one in algorithms(collective).all() if one.restriction(n) is None]
    served.sort(key=lambda one: len(one.options))
    tuned: list[Tuned] = [tune(one, plogp_of(plogp, one), n, sizes) for one in served]
    seconds = np.stack([one.seconds for one in tuned])
    best = np.argmax(seconds <= seconds.min(axis=0) * (1 + 1e-9), axis=0)
    names = np.array([served[index].name for index in best], dtype=object)
    options = np.array([tuned[index].at(place) for place, index in enumerate(best)], dtype=object)
    return names, options, seconds.min(axis=0)
