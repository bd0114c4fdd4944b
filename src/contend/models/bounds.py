"""Lower bounds of operations, which no schedule can beat.

Source: Steffenel, Martinasso, Trystram, GPC 2007, proposition 1: a total exchange, in which nothing
is forwarded, takes at least (n-1)(alpha + beta m); of given messages see
`contend.simulate.flows.bound`. Other operations forward: one start-up, and the bytes that some port
has to carry (Chan, Heimlich, Purkayastha, van de Geijn 2007, table 1; of a reduction to all, which
is cut in n parts, Patarasuk, Yuan 2009).
Restrictions: a network of equal links.
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

from contend.base.document import Column, Frame
from contend.models.network.evidence import BeatenBound
from contend.models.signature import EXCHANGES
from contend.schedules.pointtopoint import Hockney

TOLERATED = 0.95  # of the bound; a point that is faster speaks against it


def total_exchange_bound(n: ArrayLike, m: ArrayLike, hockney: Hockney) -> np.ndarray:
    """(n-1)(alpha + beta m) in seconds, proposition 1; the arguments broadcast."""
    return (np.asarray(n, dtype=np.float64) - 1) * hockney.seconds(m)


# Bytes of n processes, s of them behind the port.
_PORT_BYTES: dict[str, Callable[[np.ndarray, int, np.ndarray], np.ndarray]] = {
    **dict.fromkeys(
        ("allgather", "gather", "scatter", "reduce_scatter"), lambda n, s, m: (n - s) * m
    ),
    **dict.fromkeys(("bcast", "reduce"), lambda n, s, m: m),
    "allreduce": lambda n, s, m: 2 * (n - s) / n * m,
    "barrier": lambda n, s, m: 0 * m,
}


def port_bytes(operation: str, n: ArrayLike, m: ArrayLike, behind: int = 1) -> np.ndarray:
    """Bytes that a port of so many of `n` processes has to carry, broadcast; NaN where unknown."""
    count, size = np.broadcast_arrays(np.asarray(n, float), np.asarray(m, float))
    carried = _PORT_BYTES.get(operation)
    return np.full(count.shape, np.nan) if carried is None else carried(count, behind, size)


def operation_bound(operation: str, n: ArrayLike, m: ArrayLike, hockney: Hockney) -> np.ndarray:
    """Seconds that an operation takes at least, the arguments broadcast; NaN where unknown.

    >>> from contend.schedules.pointtopoint.hockney import given
    >>> float(operation_bound("allreduce", 4, 1000, given(1.0, 0.01)))
    16.0
    """
    if operation in EXCHANGES:
        return total_exchange_bound(n, m, hockney)
    return np.asarray(hockney.seconds(port_bytes(operation, n, m)))


def beaten_bound(rows: Frame, hockney: Hockney, operation: str = "alltoall") -> BeatenBound | None:
    """Sizes at which a point of `rows` (n, m, seconds) beats the bound; None where none does.

    A library combines or forwards small messages, and the parameters of one message may be off:
    there the bound is none.
    """
    beaten = rows["m"][is_beaten(rows, hockney, operation)].unique()
    if not beaten.size:
        return None
    holding = np.setdiff1d(rows["m"], beaten)
    below, above = holding[holding < beaten.min()], holding[holding > beaten.max()]
    return BeatenBound(
        above=int(below.max()) if below.size else None,
        below=int(above.min()) if above.size else None,
    )


def is_beaten(rows: Frame, hockney: Hockney, operation: str = "alltoall") -> Column:
    """Whether each row (n, m, seconds) is faster than the bound allows."""
    return rows["seconds"] < TOLERATED * operation_bound(operation, rows["n"], rows["m"], hockney)
