"""When each message of a schedule is sent and received, under pLogP without contention."""

from dataclasses import dataclass

import numpy as np

from contend.base.document import Floats, Quantity
from contend.schedules.pointtopoint import PLogP
from contend.schedules.ragged_rows import Ints, ints
from contend.schedules.schedule import Schedule
from contend.schedules.timing.evaluate import finish_times

# About what TCP over Fast Ethernet does: 94 Mbit/s of data, 50 us of latency, 20 us a message.
_GAP_PER_BYTE, _GAP, _LATENCY = 8.5e-8, 2e-5, 5e-5


@dataclass(frozen=True)
class Timeline:
    """Messages (n_messages,) in the order of their sends; times in seconds from the start."""

    ranks: int
    src: Ints
    dst: Ints
    bytes: Ints
    segment: Ints  # the block carried; -1 for several, or where a schedule names none
    send: Floats  # when the sender begins
    sent: Floats  # when it can send again
    receive: Floats  # when the receiver begins to take the message
    received: Floats

    @property
    def seconds(self) -> float:
        return float(self.received.max(initial=0.0))


def timeline(schedule: Schedule, plogp: PLogP) -> Timeline:
    """The messages of a schedule in time.

    >>> from contend.schedules import algorithms
    >>> schedule = algorithms("bcast").get("chain").build(3, 1024)
    >>> timeline(schedule, fast_ethernet()).dst.tolist()
    [1, 2]
    """
    done = finish_times(schedule, plogp)
    sends = np.flatnonzero(schedule.is_send)
    gap = plogp.gap_at(schedule.bytes[sends])
    sends = sends[np.lexsort((schedule.rank[sends], done[sends] - gap))]
    gap = plogp.gap_at(schedule.bytes[sends])
    receives = schedule.partner[sends]
    return Timeline(
        ranks=schedule.ranks,
        src=schedule.rank[sends],
        dst=schedule.peer[sends],
        bytes=schedule.bytes[sends],
        segment=_only_block(schedule, sends),
        send=done[sends] - gap,
        sent=done[sends],
        receive=done[receives] - gap,
        received=done[receives],
    )


def fast_ethernet() -> PLogP:
    """Parameters for pictures where no network has been measured."""
    size = (0.0, 1048576.0)
    gap = Quantity(value=tuple(_GAP + _GAP_PER_BYTE * m for m in size), unit="s")
    return PLogP(
        latency=Quantity(value=_LATENCY, unit="s"),
        size=Quantity(value=size, unit="B"),
        gap=gap,
        send_overhead=gap,
        receive_overhead=gap,
        method="kielmann",
    )


def _only_block(schedule: Schedule, operations: Ints) -> Ints:
    if schedule.block_offsets is None or schedule.blocks is None or not schedule.blocks.size:
        return np.full(operations.size, -1)
    first = schedule.block_offsets[operations]
    count = schedule.block_offsets[operations + 1] - first
    block = schedule.blocks[np.minimum(first, schedule.blocks.size - 1)]
    return ints(np.where(count == 1, block, -1))
