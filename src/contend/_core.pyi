"""The compiled core of contend: works on arrays, raises contend.base.errors.InvalidInputError.

Arrays are one-dimensional, unless a shape says otherwise, contiguous and of exactly the stated
type; nothing is converted, another type raises TypeError. Arrays returned are read-only views.
"""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

class PortLoads:
    """What the two ports of each vertex carry, arrays of shape (n,)."""

    @property
    def out_degrees(self) -> NDArray[np.int64]:
        """Messages sent by each vertex."""
    @property
    def in_degrees(self) -> NDArray[np.int64]:
        """Messages received by each vertex."""
    @property
    def bytes_sent(self) -> NDArray[np.float64]:
        """Sum of the sizes of the messages sent by each vertex."""
    @property
    def bytes_received(self) -> NDArray[np.float64]:
        """Sum of the sizes of the messages received by each vertex."""

class LowerBound:
    """The least time an exchange takes (Steffenel, Martinasso, Trystram 2007, claims 1 to 3)."""

    @property
    def startups(self) -> int:
        """Claim 1: the largest degree, in or out."""
    @property
    def startup_seconds(self) -> float:
        """Startups times alpha: a bound on its own."""
    @property
    def bytes(self) -> float:
        """Claim 2: the most bytes that one vertex sends, or receives."""
    @property
    def bandwidth_seconds(self) -> float:
        """Bytes times beta: a bound on its own."""
    @property
    def synchronous_seconds(self) -> float:
        """Claim 3: the sum of both, a bound if all processes begin each step together."""
    @property
    def is_simultaneous(self) -> bool:
        """Whether one process attains both maxima: claim 3's side condition as printed."""
    @property
    def holds_claim_3(self) -> bool:
        """Whether one port of one process attains both maxima: the sum holds in any model."""
    @property
    def seconds(self) -> float:
        """The time of the busiest port: a bound without side conditions, the one to use."""

def port_loads(
    n: int, *, src: NDArray[np.int32], dst: NDArray[np.int32], bytes: NDArray[np.float64]
) -> PortLoads:
    """Degrees and bytes of each vertex of a graph of n vertices, one array entry per message."""

def lower_bound(loads: PortLoads, *, alpha: float, beta: float) -> LowerBound:
    """The least time of an exchange, alpha in seconds and beta in seconds per byte."""

class SharingModel:
    """How flows share what they pass; one file each in core/src/sharing."""

    @property
    def name(self) -> str:
        """The name to solve with."""
    @property
    def parameters(self) -> list[tuple[str, float]]:
        """Name and initial value of each parameter."""
    @property
    def has_routes(self) -> bool:
        """Whether it follows routes over links; else it holds for one switch."""
    @property
    def keeps_capacity(self) -> bool:
        """Whether it never gives out more than a link has."""

class Solution:
    """The end of each flow; stretches of constant rate, if asked for, as columns."""

    @property
    def end(self) -> NDArray[np.float64]:
        """Seconds, shape (n_flows,)."""
    @property
    def events(self) -> int:
        """Instants at which flows started or ended."""
    @property
    def flow(self) -> NDArray[np.int32]:
        """Flow of each stretch, shape (n_stretches,)."""
    @property
    def begin(self) -> NDArray[np.float64]:
        """Begin of each stretch, seconds."""
    @property
    def until(self) -> NDArray[np.float64]:
        """End of each stretch, seconds."""
    @property
    def rate(self) -> NDArray[np.float64]:
        """Bytes per second in each stretch."""

def sharing_models() -> list[SharingModel]:
    """All sharing models, in the order of models.def."""

def solve(
    model: str,
    *,
    hosts: int,
    start: NDArray[np.float64],
    src: NDArray[np.int32],
    dst: NDArray[np.int32],
    bytes: NDArray[np.float64],
    latency: NDArray[np.float64],
    bandwidth: float,
    capacity: NDArray[np.float64],
    offsets: NDArray[np.int64],
    links: NDArray[np.int32],
    required_offsets: NDArray[np.int64],
    required: NDArray[np.int32],
    behind_offsets: NDArray[np.int64],
    behind: NDArray[np.int32],
    parameters: NDArray[np.float64],
    penalties: Callable[[NDArray[np.int32]], Sequence[float]] | None,
    is_recorded: bool,
    tolerance: float = 0.0,
) -> Solution:
    """The end of each flow.

    Empty arrays for no latency, equal links, one switch, and flows that require no other.
    """

def solve_many(
    model: str, problems: Sequence[dict[str, Any]], *, threads: int, is_recorded: bool
) -> list[Solution]:
    """The solution of each problem: what `solve` takes by name, but penalties."""

class ScheduleOrder:
    """The operations of a schedule, each after what it waits for; see core's schedule.hpp."""

    def __init__(
        self,
        *,
        kind: NDArray[np.int8],
        rank: NDArray[np.int64],
        partner: NDArray[np.int64],
        offsets: NDArray[np.int64],
        required: NDArray[np.int64],
    ) -> None:
        """From the columns of the table; `offsets` cut `required` into rows."""
    def finish_times(
        self, *, gap: NDArray[np.float64], latency: NDArray[np.float64]
    ) -> NDArray[np.float64]:
        """When each operation is done, seconds; all arrays have the shape (cases, n_ops)."""
    def ends(
        self, *, gap: NDArray[np.float64], latency: NDArray[np.float64]
    ) -> NDArray[np.float64]:
        """When the last operation is done, seconds, shape (cases,)."""
    def queued(
        self,
        *,
        gap: NDArray[np.float64],
        latency: NDArray[np.float64],
        link: NDArray[np.int64],
        service: NDArray[np.float64],
        awaited: NDArray[np.int64],
        answer: NDArray[np.float64],
    ) -> NDArray[np.float64]:
        """When each operation is done, and how long each message waits at its link; (2, n_ops).

        All arrays have the shape (n_ops,): the link of a send, below n_ops, or -1, seconds that the
        link takes for it, the earlier send that has to be answered before, or -1, and seconds until
        its sender knows that it arrived.
        """

class Replayed:
    """When each operation of a trace is done; seconds."""

    rank_end: NDArray[np.float64]  # (ranks,)
    call_time: NDArray[np.float64]  # (ranks * calls,)
    start: NDArray[np.float64]  # (n_ops,) or empty
    end: NDArray[np.float64]
    stuck: NDArray[np.int64]  # (ranks,) the operation that never ends, or -1
    waited: NDArray[np.float64]  # (n_ops,) or empty: seconds for a rank that is late
    awaited: NDArray[np.int32]  # that rank, or -1
    bin: float  # seconds
    flight: NDArray[np.float64]  # (bins,) seconds that messages are under way
    load: NDArray[np.float64]  # (links * bins,) seconds of work at the bandwidth of a host
    lost: NDArray[np.float64]  # (links,) seconds
    message_start: NDArray[np.float64]  # (n_kept,)
    message_end: NDArray[np.float64]
    message_src: NDArray[np.int32]
    message_dst: NDArray[np.int32]
    message_size: NDArray[np.int32]
    path_time: float  # seconds
    path_sizes: NDArray[np.float64]  # (6 * n_sizes,) or empty: by column of the times of messages
    path_halves: float
    path_calls: NDArray[np.float64]  # ((calls + 1) * 4,): computing, overhead, latency, bytes
    path_links: NDArray[np.float64]  # (links,) seconds of bytes
    path_latencies: NDArray[np.float64]  # (links,)
    messages: int
    unreceived: int

def replay(
    trace: dict[str, NDArray[np.generic]],
    calls: int,
    programs: dict[str, NDArray[np.generic]],
    sizes: dict[str, NDArray[np.generic]],
    network: dict[str, object],
    is_recorded: bool,
    bins: int = 0,
    kept_messages: int = 0,
    has_path: bool = False,
) -> Replayed:
    """Runs a trace on a network; the tables hold arrays by name, as core/include says."""

def least_loaded(
    *,
    start: NDArray[np.float64],
    bytes: NDArray[np.float64],
    links: NDArray[np.int32],
    candidates: int,
    seconds: NDArray[np.float64],
    empty_at: NDArray[np.float64],
) -> NDArray[np.int32]:
    """The candidate path that each flow takes when it starts, (n_flows,).

    Flows are in order of start. `links` is (n_flows, candidates * places), below 0 where there is
    none; `seconds`, (n_links,), is the time a byte takes on each link, 0 for one that never counts.
    `empty_at`, (n_links,), is when each link would have passed on all it has; it is changed.
    """
