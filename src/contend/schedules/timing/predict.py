"""Time of an algorithm on a measured network, with what the measurement leaves open.

Idea: closed forms grow with the latency and with every gap, so that the network with all its lower
bounds, and with all its upper bounds, gives an interval that holds the time if all parameters are
within theirs. Times of schedules grow with them too; they stand in where the closed form is only a
bound.
Restrictions: no contention, and no error of the model itself: the interval is that of the
parameters alone. Bounds that the tables lack are not invented: low and high are then NaN.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, Protocol, TypeAlias

import numpy as np
from numpy.typing import ArrayLike
from pydantic import PrivateAttr

from contend.base.document import Columns, Floats
from contend.base.errors import InvalidInputError
from contend.schedules.algorithm import Algorithm, Claim
from contend.schedules.pointtopoint import PLogP
from contend.schedules.timing.evaluation import evaluated, is_to_be_evaluated

if TYPE_CHECKING:
    import pandas as pd

Known: TypeAlias = (
    Claim
    | Literal["evaluated", "shared ports", "fitted sharing", "links between groups", "corrected"]
)
COLUMNS = ("n", "m", "seconds", "low", "high", "claim", "closed_form", "extrapolates")


@dataclass(frozen=True)
class Times:
    """Seconds with bounds, arrays of the same shape; bounds are NaN where they are unknown."""

    seconds: Floats
    low: Floats
    high: Floats


class Timing(Protocol):
    """Times of an algorithm for one size, and what they are to those without contention."""

    def __call__(
        self, algorithm: Algorithm, plogp: PLogP, n: int, m: int, **options: int
    ) -> tuple[Times, Known]: ...


def times(algorithm: Algorithm, plogp: PLogP, n: int, m: ArrayLike, **options: int) -> Times:
    """Times for `n` ranks; shape of `m`, which has one size for all messages of a call."""
    seconds = algorithm.uniform_seconds(plogp, n, m, **options)
    bounds = plogp.at_bounds() or ()
    return within(seconds, [algorithm.uniform_seconds(bound, n, m, **options) for bound in bounds])


def nearest_times(
    algorithm: Algorithm, plogp: PLogP, n: int, m: int, **options: int
) -> tuple[Times, Known]:
    """Times for one size, from the schedule if the closed form is only a bound; and which it is."""
    call = algorithm.uniform_call(n, m, options)
    if not is_to_be_evaluated(algorithm, call):
        return times(algorithm, plogp, n, m, **options), algorithm.claim(call)
    call = algorithm.call(n, algorithm.uniform(n, m), options)
    plogps = [plogp, *(plogp.at_bounds() or ())]
    seconds, *bounds = evaluated(algorithm, plogps, [call])[:, 0]
    return within(seconds, bounds), "evaluated"


def within(seconds: Floats, bounds: Sequence[Floats]) -> Times:
    """Times with those at the lower and the upper bounds, if there are any."""
    if not bounds:
        unknown = np.full(np.shape(seconds), np.nan)
        return Times(seconds, unknown, unknown)
    low, high = bounds
    # Beyond the table each bound goes on with a slope of its own, which can cross the value's.
    return Times(seconds, np.minimum(low, seconds), np.maximum(high, seconds))


def predict(
    algorithm: Algorithm,
    plogp: PLogP,
    n: ArrayLike,
    m: ArrayLike,
    timing: Timing = nearest_times,
    **options: int,
) -> "pd.DataFrame":
    """What `predicted` has, as a table of pandas."""
    import pandas as pd

    return pd.DataFrame(predicted(algorithm, plogp, n, m, timing, **options))


def predicted(
    algorithm: Algorithm,
    plogp: PLogP,
    n: ArrayLike,
    m: ArrayLike,
    timing: Timing = nearest_times,
    **options: int,
) -> Columns:
    """The columns `COLUMNS` of a table with a row per pair of `n` and `m` (broadcast).

    `claim` says what the time is to that without contention: that of an exact closed form, the
    schedule evaluated, or a bound; or that ports were shared. `closed_form` is the time in closed
    form. `extrapolates` is "m" where a message is longer than those that pLogP was measured with.
    """
    pairs = np.broadcast(np.asarray(n), np.asarray(m))
    rows = [_row(algorithm, plogp, int(count), int(size), timing, options) for count, size in pairs]
    return {name: np.array([row[name] for row in rows]) for name in COLUMNS}


def largest_message(algorithm: Algorithm, plogp: PLogP, n: int, m: int, **options: int) -> float:
    """Bytes of the largest message whose gap the closed form asks for."""
    return asked_sizes(lambda net: algorithm.uniform_seconds(net, n, m, **options), plogp)[1]


def asked_sizes(form: Callable[[PLogP], object], plogp: PLogP) -> tuple[float, float]:
    """Bytes of the smallest and of the largest message whose gap a closed form asks for."""
    listening = _Listening(**{name: getattr(plogp, name) for name in PLogP.model_fields})
    form(listening)
    return listening.smallest, listening.largest


class _Listening(PLogP):
    """A network that remembers the messages it was asked for."""

    _smallest: float = PrivateAttr(np.inf)
    _largest: float = PrivateAttr(0.0)

    @property
    def smallest(self) -> float:
        return min(self._smallest, self._largest)

    @property
    def largest(self) -> float:
        return self._largest

    def gap_at(self, m: ArrayLike) -> Floats:
        asked = np.asarray(m, dtype=np.float64)
        self._smallest = min(self._smallest, float(np.min(asked, initial=np.inf)))
        self._largest = max(self._largest, float(np.max(asked, initial=0)))
        return super().gap_at(m)


def _row(
    algorithm: Algorithm, plogp: PLogP, n: int, m: int, timing: Timing, options: dict[str, int]
) -> dict[str, object]:
    if n < 2:
        raise InvalidInputError(f"n = {n}", "a collective operation takes at least 2 processes")
    interval, claim = timing(algorithm, plogp, n, m, **options)
    closed = algorithm.uniform_seconds(plogp, n, m, **options)
    longest = largest_message(algorithm, plogp, n, m, **options)
    return {
        "n": n,
        "m": m,
        "seconds": float(interval.seconds),
        "low": float(interval.low),
        "high": float(interval.high),
        "claim": claim,
        "closed_form": float(closed),
        "extrapolates": "m" if longest > plogp.size.array.max() else "",
    }
