"""Time of an algorithm on a measured network, with what the measurement leaves open.

Idea: closed forms grow with the latency and with every gap, so that the network with all its lower
bounds, and with all its upper bounds, gives an interval that holds the time if all parameters are
within theirs.
Restrictions: no contention, and no error of the model itself: the interval is that of the
parameters alone. Bounds that the tables lack are not invented: low and high are then NaN.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from pydantic import PrivateAttr

from contend.document import Floats
from contend.errors import InvalidInputError
from contend.pointtopoint import PLogP
from contend.schedules.algorithm import Algorithm

COLUMNS = ("n", "m", "seconds", "low", "high", "claim", "extrapolates")


@dataclass(frozen=True)
class Times:
    """Seconds with bounds, arrays of the same shape; bounds are NaN where they are unknown."""

    seconds: Floats
    low: Floats
    high: Floats


def times(algorithm: Algorithm, plogp: PLogP, n: int, m: ArrayLike, **options: int) -> Times:
    """Times for `n` ranks; shape of `m`, which has one size for all messages of a call."""
    amount = algorithm.uniform(n, m)
    seconds = algorithm.seconds(plogp, n, amount, **options)
    bounds = plogp.at_bounds()
    if bounds is None:
        unknown = np.full(seconds.shape, np.nan)
        return Times(seconds, unknown, unknown)
    low, high = (algorithm.seconds(bound, n, amount, **options) for bound in bounds)
    # Beyond the table each bound goes on with a slope of its own, which can cross the value's.
    return Times(seconds, np.minimum(low, seconds), np.maximum(high, seconds))


def predict(
    algorithm: Algorithm, plogp: PLogP, n: ArrayLike, m: ArrayLike, **options: int
) -> pd.DataFrame:
    """Table with a row per pair of `n` and `m` (broadcast) and the columns `COLUMNS`.

    `claim` says what the closed form is to the time without contention; `extrapolates` is "m"
    where a message is longer than those that pLogP was measured with.
    """
    pairs = np.broadcast(np.asarray(n), np.asarray(m))
    rows = [_row(algorithm, plogp, int(count), int(size), options) for count, size in pairs]
    return pd.DataFrame(rows, columns=list(COLUMNS))


def largest_message(algorithm: Algorithm, plogp: PLogP, n: int, m: int, **options: int) -> float:
    """Bytes of the largest message whose gap the closed form asks for."""
    amount = algorithm.uniform(n, m)
    return asked_sizes(lambda net: algorithm.seconds(net, n, amount, **options), plogp)[1]


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
    algorithm: Algorithm, plogp: PLogP, n: int, m: int, options: dict[str, int]
) -> dict[str, object]:
    if n < 2:
        raise InvalidInputError(f"n = {n}", "a collective operation takes at least 2 processes")
    found = times(algorithm, plogp, n, m, **options)
    longest = largest_message(algorithm, plogp, n, m, **options)
    return {
        "n": n,
        "m": m,
        "seconds": float(found.seconds),
        "low": float(found.low),
        "high": float(found.high),
        "claim": algorithm.claim(algorithm.call(n, algorithm.uniform(n, m), options)),
        "extrapolates": "m" if longest > plogp.size.array.max() else "",
    }
