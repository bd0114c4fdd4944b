"""Options of SMPI with which a single message takes the time that pLogP parameters give.

Source: Degomme, Legrand, Markomanolis, Quinson, Stillwell, Suter, "Simulating MPI applications: the
SMPI approach", IEEE TPDS 28(8), 2017; names of options, and what they do, as in SimGrid 3.32.
Idea: a message of m bytes takes os(m), then lat * lat-factor(m) + (m + `HEADER`) / (bw *
bw-factor(m)), then or(m). Between two sizes of the table all of it is a line, so that the factors
of each such piece give the measured time without an error. Eager messages have the overheads that
were measured. Where these overlap with the transfer, so that what they leave is less than the link
needs or grows by less, they are made smaller: the time of the message counts for more. Larger
messages wait for their receiver and have none, as in SMPI.
Restrictions: the link is never faster than its bandwidth and a latency never negative; a piece that
would need either is divided until it is within `TOLERANCE` or narrow. `smpi/ois`,
of MPI_Isend, is taken for that of MPI_Send.
"""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from math import isqrt, sqrt

import numpy as np
from numpy.typing import ArrayLike

from contend.base.document import Floats
from contend.export.formats.loggops import eager_limit
from contend.schedules.pointtopoint import PLogP
from contend.schedules.pointtopoint.plogp import interpolate

HEADER = 16  # bytes that SMPI 3.32 sends more than the message has, seen in ping-pongs
TOLERANCE = 5e-3  # of the time of a message
NARROWEST = 1.1  # end over begin of a piece: where a link is too slow, dividing does not help
LEAST_FACTOR = 1e-6  # of a latency: flows without one share by another weight
ROUNDING = 1e-9  # relative
NO_LIMIT = 2**31 - 1  # the largest int


@dataclass(frozen=True)
class Piece:
    """From `first` bytes on a message needs `latency` + (m + HEADER) `per_byte` of the network."""

    first: int
    latency: float
    per_byte: float


@dataclass(frozen=True)
class Smpi:
    """Options of SMPI, for a route of a latency and links of a bandwidth.

    `sizes`, `send` and `receive` are the overheads as SMPI reads them, seconds over bytes, up to
    `eager` bytes; `are_reduced` says whether they are smaller than measured.
    """

    latency: float
    bandwidth: float
    pieces: tuple[Piece, ...]
    sizes: Floats
    send: Floats
    receive: Floats
    eager: int
    are_reduced: bool

    def seconds(self, m: ArrayLike) -> Floats:
        """What SMPI takes for one message of `m` bytes, any shape."""
        sizes = np.asarray(m, dtype=np.float64)
        firsts = np.array([piece.first for piece in self.pieces])
        place = np.maximum(np.searchsorted(firsts, sizes, side="right") - 1, 0)
        latency = np.array([piece.latency for piece in self.pieces])[place]
        rate = np.array([piece.per_byte for piece in self.pieces])[place]
        both = interpolate(sizes, self.sizes, self.send + self.receive)
        overheads = np.where(sizes <= self.eager, both, 0.0)
        return np.asarray(latency + (sizes + HEADER) * rate + overheads, dtype=np.float64)

    def options(self) -> dict[str, str]:
        factors = {
            "smpi/lat-factor": [piece.latency / self.latency for piece in self.pieces],
            "smpi/bw-factor": [1 / piece.per_byte / self.bandwidth for piece in self.pieces],
        }
        limit = min(self.eager + 1, NO_LIMIT)  # smaller ones are eager
        send = _overhead(self.sizes, self.send)
        return {
            "network/model": "SMPI",
            **{name: self._by_size(values) for name, values in factors.items()},
            "smpi/os": send,
            "smpi/ois": send,
            "smpi/or": _overhead(self.sizes, self.receive),
            "smpi/async-small-thresh": str(limit),
            "smpi/send-is-detached-thresh": str(limit),
        }

    def _by_size(self, factors: list[float]) -> str:
        """Factors of more bytes than so many on the network, which hold the header."""
        firsts = [piece.first + HEADER - 1 if piece.first else 0 for piece in self.pieces]
        return ";".join(f"{at}:{value:.12g}" for at, value in zip(firsts, factors, strict=True))


def smpi_of(net: PLogP, latency: float, bandwidth: float) -> Smpi:
    """Options for a route of `latency` seconds over links of `bandwidth` bytes per second."""
    limit = eager_limit(net)
    sizes = net.size.array
    beyond = 2 * sizes[-1] + 1  # what lies beyond the table is a line
    eager = sizes if limit is None else sizes[sizes <= limit]
    knots = np.append(eager, beyond) if limit is None else eager
    send, receive, are_reduced = _overheads(net, knots, bandwidth)
    both = send + receive

    def of_eager(m: float) -> float:
        return float(net.seconds(m) - interpolate(m, knots, both))

    def of_others(m: float) -> float:
        return float(net.seconds(m))

    ends = [int(size) for size in knots]
    pieces = _pieces(of_eager, ends, bandwidth)
    if limit is not None:
        larger = [limit + 1, *(int(size) for size in sizes[sizes > limit + 1]), int(beyond)]
        pieces += _pieces(of_others, larger, bandwidth)
    least = LEAST_FACTOR * latency
    stated = tuple(
        Piece(piece.first, max(piece.latency, least), piece.per_byte) for piece in pieces
    )
    first = Piece(0, stated[0].latency, stated[0].per_byte)
    return Smpi(
        latency, bandwidth, (first, *stated[1:]), knots, send, receive,
        NO_LIMIT - 1 if limit is None else limit, are_reduced,
    )  # fmt: skip


def _overheads(net: PLogP, sizes: Floats, bandwidth: float) -> tuple[Floats, Floats, bool]:
    """The overheads at sizes, smaller where they leave a message less than its link needs."""
    if net.send_overhead is None or net.receive_overhead is None:
        nothing = np.zeros(sizes.size)
        return nothing, nothing, False
    send, receive = net.send_overhead_at(sizes), net.receive_overhead_at(sizes)
    both = np.maximum(send + receive, np.finfo(float).tiny)
    room = np.maximum(net.seconds(sizes) - (sizes + HEADER) / bandwidth, 0.0)
    # what is left beside the link's own time never shrinks with the size
    free = np.minimum(np.maximum.accumulate(np.maximum(room - both, 0.0)), room)
    kept = np.minimum((room - free) / both, 1.0)
    return send * kept, receive * kept, bool((kept < 1 - ROUNDING).any())


def _pieces(time: Callable[[float], float], ends: list[int], bandwidth: float) -> list[Piece]:
    """Pieces of the time on the network, a line between any two ends."""
    pieces: list[Piece] = []
    waiting = list(pairwise(ends))[::-1]
    while waiting:
        a, b = waiting.pop()
        piece, error = _piece(time, a, b, bandwidth)
        if error <= TOLERANCE or b - a < 2 or b <= NARROWEST * (a + HEADER):
            pieces.append(piece)
            continue
        middle = min(max(isqrt((a + 1) * (b + 1)), a + 1), b - 1)
        waiting += [(middle, b), (a, middle)]
    return pieces


def _piece(time: Callable[[float], float], a: int, b: int, bandwidth: float) -> tuple[Piece, float]:
    """The piece from a to b that is possible, and its relative error at the ends."""
    ends = np.array([a + HEADER, b + HEADER], dtype=np.float64)
    seconds = np.array([time(a), time(b)])
    per_byte = max(float(np.diff(seconds)[0] / (b - a)), 1 / bandwidth)
    latency = float(np.mean(seconds - per_byte * ends))
    if latency < 0:
        latency = 0.0
        rates = np.maximum(seconds, 0.0) / ends
        per_byte = max(sqrt(float(rates.prod())), 1 / bandwidth)
    predicted = latency + per_byte * ends
    error = float(np.max(np.abs(predicted - seconds) / np.maximum(seconds, np.finfo(float).tiny)))
    return Piece(a, latency, per_byte), error


def _overhead(sizes: Floats, seconds: Floats) -> str:
    """Pieces FIRST:SECONDS:SECONDS_PER_BYTE of a table that is linear between sizes."""
    slopes = np.append(np.diff(seconds) / np.diff(sizes), 0.0)
    starts = seconds - slopes * sizes
    firsts = [0, *(int(size) for size in sizes[1:])]
    return ";".join(
        f"{first}:{start:.12g}:{slope:.12g}"
        for first, start, slope in zip(firsts, starts, slopes, strict=True)
    )
