"""Which algorithm is the fastest over process counts and sizes, and by how much.

Idea: for each number of processes every algorithm is tuned for all sizes at once, and the least
time wins; of equal ones that with fewer options. The second is the fastest of those that take
longer: algorithms of the same time are often one schedule under two names. Where the interval of
the second overlaps with that of the best, they do not differ significantly (see `ranking`).
Restrictions: closed forms without contention, also where they are only bounds: a map has too many
places to evaluate schedules, which `ranking` does for one. Algorithms that refuse a number of
processes are left out of its row.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from contend.base.document import Floats
from contend.base.errors import InvalidInputError
from contend.schedules import Algorithm, choosable
from contend.schedules.fitting.record import Parameters, largest_size, plogp_of
from contend.schedules.groups import Grouping
from contend.schedules.pointtopoint import PLogP
from contend.schedules.ragged_rows import Ints, ints
from contend.tune.choose.tuning import Tuned, at_options, tune

_EQUAL = 1 + 1e-9  # times that differ by less are of rounding
_LARGEST_COUNT, _PER_OCTAVE = 64, 3  # of a map that nobody has asked to be otherwise
Objects = NDArray[np.object_]


@dataclass(frozen=True)
class DecisionMap:
    """The best algorithm for each n (rows) and m (columns); arrays (counts, sizes)."""

    collective: str
    n: Ints  # (counts,)
    m: Ints  # (sizes,)
    algorithm: Objects
    options: Objects  # a dict in each place
    seconds: Floats
    second: Objects  # name of the second; "" where all take the same time
    ratio: Floats  # time of the second to that of the best; NaN without a second
    is_significant: Floats  # whether the second's interval lies above, 1 or 0; NaN if unknown

    @property
    def is_unsure(self) -> NDArray[np.bool_]:
        """Where the best and the second do not differ significantly, or all take the same time."""
        return np.asarray(self.is_significant == 0)

    @property
    def has_bounds(self) -> bool:
        """Whether the bounds of the parameters tell anywhere how sure the best is."""
        return bool(np.isfinite(self.is_significant).any())


def decision_map(
    collective: str,
    parameters: PLogP | Parameters,
    n: ArrayLike,
    m: ArrayLike,
    grouping: Grouping | None = None,
) -> DecisionMap:
    """The best algorithms of an operation for all pairs of `n` and `m`.

    `parameters` is one set of them, or for each algorithm one (`Network.parameters`).
    """
    counts, sizes = ints(n), ints(m)
    if counts.min(initial=2) < 2:
        raise InvalidInputError(
            f"n = {counts.min()}", "a collective operation takes at least 2 processes"
        )
    rows = [_row(collective, parameters, int(count), sizes, grouping) for count in counts]
    columns = (np.stack(column) for column in zip(*rows, strict=True))
    return DecisionMap(collective, counts, sizes, *columns)


def map_counts() -> Ints:
    """Every number of processes of a map whose range is not given.

    >>> map_counts()[[0, -1]].tolist()
    [2, 64]
    """
    return np.arange(2, _LARGEST_COUNT + 1)


def map_sizes(parameters: PLogP | Parameters, per_octave: int = _PER_OCTAVE) -> Ints:
    """Sizes of a map whose range is not given: from 1 byte to the largest that pLogP has seen."""
    octaves = int(np.log2(max(largest_size(parameters), 2.0)))
    steps = np.arange(octaves * per_octave + 1)
    return np.unique(np.round(2.0 ** (steps / per_octave)).astype(np.int64))


Row = tuple[Objects, Objects, Floats, Objects, Floats, Floats]


class _Candidate(NamedTuple):
    """An algorithm, its parameters, and its best options for each size."""

    algorithm: Algorithm
    plogp: PLogP
    tuned: Tuned


def _row(
    collective: str, parameters: PLogP | Parameters, n: int, sizes: Ints, grouping: Grouping | None
) -> Row:
    """What a map holds for one number of processes."""
    served = [
        algorithm
        for algorithm in choosable(collective, grouping)
        if algorithm.restriction(n) is None
    ]
    served.sort(key=lambda algorithm: len(algorithm.options))
    candidates = [
        _candidate(algorithm, plogp_of(parameters, algorithm), n, sizes) for algorithm in served
    ]
    seconds = np.stack([candidate.tuned.seconds for candidate in candidates])
    least = seconds.min(axis=0)
    is_equal = seconds <= least * _EQUAL
    later = np.where(is_equal, np.inf, seconds)
    has_second, best, second = ~is_equal.all(axis=0), is_equal.argmax(axis=0), later.argmin(axis=0)
    names = np.array([algorithm.name for algorithm in served], dtype=object)
    options = np.array(
        [candidates[index].tuned.at(place) for place, index in enumerate(best)], dtype=object
    )
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = np.where(has_second, later.min(axis=0) / least, np.nan)
    significant = _is_significant(candidates, n, sizes, best, second)
    return (
        names[best],
        options,
        least,
        np.where(has_second, names[second], ""),
        ratio,
        np.where(has_second, significant, 0.0 * significant),
    )


def _candidate(algorithm: Algorithm, plogp: PLogP, n: int, sizes: Ints) -> _Candidate:
    return _Candidate(algorithm, plogp, tune(algorithm, plogp, n, sizes))


def _is_significant(
    candidates: Sequence[_Candidate], n: int, sizes: Ints, best: Ints, second: Ints
) -> Floats:
    """Whether the second, at the lower bounds, is later than the best at the upper ones."""
    latest = _end(candidates, n, sizes, best, is_upper=True)
    earliest = _end(candidates, n, sizes, second, is_upper=False)
    return np.where(np.isnan(latest + earliest), np.nan, earliest > latest)


def _end(
    candidates: Sequence[_Candidate], n: int, sizes: Ints, places: Ints, *, is_upper: bool
) -> Floats:
    """An end of the interval of the candidate at each size; NaN where it has no bounds."""
    extreme = np.maximum if is_upper else np.minimum
    end = np.full(sizes.shape, np.nan)
    for index in np.unique(places):
        algorithm, plogp, tuned = candidates[index]
        bounds = plogp.at_bounds()
        if bounds is None:
            continue
        is_best = places == index
        chosen = {name: values[is_best] for name, values in tuned.options.items()}
        time = at_options(algorithm, bounds[is_upper], n, sizes[is_best], chosen)
        end[is_best] = extreme(time, tuned.seconds[is_best])
    return end
