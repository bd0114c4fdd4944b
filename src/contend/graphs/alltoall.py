"""The all-to-all exchange as contention graphs: what sharing alone makes of it.

Source: Martinasso, Méhaut, Euro-Par 2011, section 6, asks for it.
Idea: rotated: all n (n-1) messages are under way at once, and the engine gives the last end.
Ring: n-1 rounds, in round r each process sends to the r-th after it; a round begins when the one
before has ended.
Cost: rotated O(n^2) flows; ring n-1 graphs of n flows.
Restrictions: one process per node, one switch; no loss, no time-outs, no bound on the messages that
are under way.
"""

from typing import Literal

import numpy as np

from contend.errors import InvalidInputError
from contend.graphs.record import FittedSharing

Order = Literal["rotated", "ring"]  # algorithms of the catalogue


def alltoall_seconds(
    fitted: FittedSharing,
    n: int,
    m: int,
    order: Order = "rotated",
    model: str | None = None,
    start_up: float = 0.0,
) -> float:
    """Seconds until the last of `n` processes has `m` bytes of each other.

    Parameters
    ----------
    model
        Name of one of the network's models; the closest one if none is named.
    start_up
        Seconds before the first byte of a message: once if rotated, once a round in a ring.
    """
    if n < 2 or m < 1:
        raise InvalidInputError(f"n = {n}, m = {m}", "give at least 2 processes and 1 byte")
    rounds = [_round(n, shift) for shift in range(1, n)]
    if order == "rotated":
        src, dst = (np.concatenate(ends) for ends in zip(*rounds, strict=True))
        rounds = [(src, dst)]
    return sum(start_up + _last_end(fitted, src, dst, m, model) for src, dst in rounds)


def _round(n: int, shift: int) -> tuple[np.ndarray, np.ndarray]:
    src = np.arange(n)
    return src, (src + shift) % n


def _last_end(
    fitted: FittedSharing, src: np.ndarray, dst: np.ndarray, m: int, model: str | None
) -> float:
    flows = {"src": src, "dst": dst, "bytes": np.full(len(src), m)}
    return float(fitted.solve(flows, model)[0].end.max())
