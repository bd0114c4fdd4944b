"""Which algorithm is the fastest over process counts and sizes.

Idea: for each number of processes every algorithm is tuned for all sizes at once, one whose closed
form is only a bound is then timed by its schedule, and the least time wins; of equal ones that with
fewer options.
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
from contend.schedules import Algorithm, algorithms
from contend.schedules.evaluated import evaluated, is_to_be_evaluated
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


def decision_map(collective: str, plogp: PLogP, n: ArrayLike, m: ArrayLike) -> DecisionMap:
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
    collective: str, plogp: PLogP, n: int, sizes: Ints
) -> tuple[NDArray[np.object_], NDArray[np.object_], Floats]:
    """Names, options and times of the best for each size."""
    served = [one for one in algorithms(collective).all() if one.restriction(n) is None]
    served.sort(key=lambda one: len(one.options))
    tuned: list[Tuned] = [tune(one, plogp, n, sizes) for one in served]
    pairs = zip(served, tuned, strict=True)
    seconds = np.stack([_seconds(one, plogp, n, sizes, with_best) for one, with_best in pairs])
    best = np.argmax(seconds <= seconds.min(axis=0) * (1 + 1e-9), axis=0)
    names = np.array([served[index].name for index in best], dtype=object)
    options = np.array([tuned[index].at(place) for place, index in enumerate(best)], dtype=object)
    return names, options, seconds.min(axis=0)


def _seconds(algorithm: Algorithm, plogp: PLogP, n: int, sizes: Ints, tuned: Tuned) -> Floats:
    """Closed forms where they are exact, else times of schedules."""
    calls = [algorithm.call(n, algorithm.uniform(n, m), tuned.at(i)) for i, m in enumerate(sizes)]
    bounds = [i for i, call in enumerate(calls) if is_to_be_evaluated(algorithm, call)]
    seconds = np.array(tuned.seconds)
    seconds[bounds] = evaluated(algorithm, [plogp], [calls[i] for i in bounds])[0]
    return seconds
