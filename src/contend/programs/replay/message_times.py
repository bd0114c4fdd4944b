"""What messages of each size take where they are alone, for the replay.

Idea: a sender is busy os(m); the first byte enters the network at the start, the last one w(m)
later, and after L(m) + t(m) more the receiver has it, which is busy or(m) of that time. A
port that serves one message at a time is taken for g(m).

| | os, or | L | w | t | g |
|---|---|---|---|---|---|
| `Plogp` | os(m), or(m) | L(m) | g(m) | 0 | g(m) |
| `Line` | o | L | m/B | 0 | m/B, g at least |
| `LogGOPS` | o + k O, o + k max(O, G) | L + o | k G | o + k max(O - G, 0) | g + k G |

with k = m - 1.

Messages above the eager limit go by rendezvous: request and answer take `handshake` seconds in all.
By TCP these are messages of their own, which wait behind what their sender has written before.
Measured pLogP parameters have that in L(m) + g(m) already; their os and or hold the transfer then,
so larger messages have the overheads of the largest one whose or is below half of its gap.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Protocol

import numpy as np
from numpy.typing import NDArray

from contend.base.document import Floats
from contend.base.errors import InvalidInputError
from contend.schedules.pointtopoint import PLogP
from contend.schedules.ragged_rows import Ints

# Bytes of a full frame: data of TCP, headers up to Ethernet's with time stamps, and what the wire
# has beside (preamble, check sum, gap).
SEGMENT, HEADERS, ON_WIRE = 1448, 66, 24


class MessageTimes(Protocol):
    """What the replay asks of a model of one message."""

    @property
    def eager(self) -> float:
        """Bytes of the largest message that is sent without asking."""

    @property
    def handshake(self) -> float:
        """Seconds of request and answer of the others."""

    @property
    def has_handshake(self) -> bool:
        """Whether the latency of the others holds request and answer already."""

    @property
    def takes_overheads(self) -> bool:
        """Whether collective operations take overheads of processors, and not gaps alone."""

    @property
    def bandwidth(self) -> float:
        """Bytes per second of a large message."""

    def columns(self, sizes: Ints) -> Mapping[str, Floats]:
        """Seconds by name, (n_sizes,) each."""


def table(times: MessageTimes, sizes: Ints, eager: float) -> dict[str, NDArray[np.generic]]:
    """The columns as the core takes them; `eager` are bytes of the largest that does not ask."""
    columns: dict[str, NDArray[np.generic]] = {}
    for name, column in times.columns(sizes).items():
        seconds = np.ascontiguousarray(np.broadcast_to(column, sizes.shape), dtype=np.float64)
        if not (np.isfinite(seconds).all() and (seconds >= 0).all()):
            raise InvalidInputError(
                f"a message takes {seconds.min(initial=0):g} to {seconds.max(initial=0):g} s as "
                f"{name}",
                "give parameters from 0 that are finite",
            )
        columns[name] = seconds
    columns["bytes"] = np.ascontiguousarray(sizes, dtype=np.float64)
    columns["is_eager"] = (sizes <= eager).astype(np.int8)
    return columns


def beside_frames(
    columns: Mapping[str, NDArray[np.generic]], bandwidth: float, *, has_handshake: bool = False
) -> dict[str, NDArray[np.generic]]:
    """The columns for TCP: as latency what a message takes beside its frames over one switch.

    A frame occupies both links of its way; of several all but one do so meanwhile. Where
    `has_handshake`, request and answer of what is not eager are taken out: two empty messages.
    """
    size = np.maximum(np.asarray(columns["bytes"], dtype=np.float64), 1.0)
    more = HEADERS + ON_WIRE
    full = SEGMENT + more
    last = size - SEGMENT * (np.ceil(size / SEGMENT) - 1) + more
    frames = full * (np.ceil(size / SEGMENT) - 1) + last + np.where(size > SEGMENT, full, last)
    alone = frames * SEGMENT / (full * bandwidth)
    takes = np.asarray(columns["latency"]) + np.asarray(columns["work"])
    if has_handshake:
        takes = takes - np.where(columns["is_eager"], 0.0, 2 * takes[0])
    beside = np.maximum(takes - alone, 0.0).astype(np.float64)
    return {**columns, "latency": beside}


@dataclass(frozen=True)
class Line:
    """A latency and a bandwidth, and if wanted an overhead and a gap per message."""

    latency: float  # seconds
    bandwidth: float  # bytes per second
    overhead: float = 0.0
    gap: float = 0.0
    eager: float = np.inf
    handshake: float = 0.0
    has_handshake: ClassVar[bool] = False
    takes_overheads: ClassVar[bool] = True

    def __post_init__(self) -> None:
        if not (np.isfinite(self.bandwidth) and self.bandwidth > 0):
            raise InvalidInputError(f"a bandwidth of {self.bandwidth:g} B/s", "give one above 0")

    def columns(self, sizes: Ints) -> Mapping[str, Floats]:
        """See the table of the module."""
        work = sizes / self.bandwidth
        return {
            "send_overhead": np.array(self.overhead),
            "receive_overhead": np.array(self.overhead),
            "latency": np.array(self.latency),
            "gap": np.maximum(work, self.gap),
            "work": work,
            "tail": np.array(0.0),
        }


@dataclass(frozen=True)
class LogGOPS:
    """LogGOPS: Hoefler, Schneider, Lumsdaine, HPDC 2010; seconds, and seconds per byte.

    >>> LogGOPS(L=2e-6, o=1e-6, g=0.0, G=0.5).columns(np.array([1001]))["work"].tolist()
    [500.0]
    """

    L: float
    o: float
    g: float
    G: float
    O: float = 0.0  # noqa: E741  its name in the paper
    S: float = np.inf  # bytes: `eager`
    has_handshake: ClassVar[bool] = False
    takes_overheads: ClassVar[bool] = True

    @property
    def eager(self) -> float:
        return self.S

    @property
    def handshake(self) -> float:
        """Nothing: the data go with the request, as in LogGOPSim."""
        return 0.0

    @property
    def bandwidth(self) -> float:
        return 1 / self.G if self.G > 0 else np.inf

    def columns(self, sizes: Ints) -> Mapping[str, Floats]:
        """See the table of the module."""
        further = np.maximum(sizes - 1, 0)
        return {
            "send_overhead": self.o + further * self.O,
            "receive_overhead": self.o + further * max(self.O, self.G),
            "latency": np.array(self.L + self.o),
            "gap": self.g + further * self.G,
            "work": further * self.G,
            "tail": self.o + further * max(self.O - self.G, 0.0),
        }


@dataclass(frozen=True)
class Plogp:
    """The parameters that were measured; without overheads where they are of algorithms."""

    parameters: PLogP
    eager: float = np.inf
    handshake: float = 0.0
    has_handshake: ClassVar[bool] = True
    takes_overheads: ClassVar[bool] = False  # schedules are predicted by L(m) and g(m)

    @property
    def bandwidth(self) -> float:
        """Bandwidth of the last segment of the table of gaps."""
        size, gap = self.parameters.size.array, self.parameters.gap.array
        if size.size < 2 or gap[-1] <= gap[-2]:
            raise InvalidInputError(
                "the gaps of the network do not grow with the size", "measure larger messages"
            )
        return float((size[-1] - size[-2]) / (gap[-1] - gap[-2]))

    @property
    def _without_transfer(self) -> float:
        """Bytes of the largest message whose overheads are of processors alone."""
        net = self.parameters
        if net.receive_overhead is None:
            return self.eager
        is_own = 2 * net.receive_overhead.array < net.gap.array
        limit = float(net.size.array[is_own].max()) if is_own.any() else np.inf
        return min(limit, self.eager)

    def columns(self, sizes: Ints) -> Mapping[str, Floats]:
        """See the table of the module; overheads are gaps at most."""
        net = self.parameters
        gap, limited = net.gap_at(sizes), np.minimum(sizes, self._without_transfer)
        has_overheads = net.send_overhead is not None and net.receive_overhead is not None
        nothing = np.array(0.0)
        return {
            "send_overhead": np.minimum(net.send_overhead_at(limited), gap)
            if has_overheads
            else nothing,
            "receive_overhead": np.minimum(net.receive_overhead_at(limited), gap)
            if has_overheads
            else nothing,
            "latency": net.latency_at(sizes),
            "gap": gap,
            "work": gap,
            "tail": nothing,
        }
