"""When an exchange over joined groups ends, by the engine.

Idea: a host has a link out and a link in, and a group one to all others and one from them; between
two groups these two are the backbone there and back. A rank works on one send after the other,
`overhead` on each; then a message is its latency on the way, and its bytes share the links, max-min
fair, behind those of earlier messages between the same two ranks. The work on a send that has to
wait is a flow without bytes; on one that waits for nothing it is part of the start.
What is spaced begins no earlier than the backbone has carried what the ranks of its group sent
there before, at the rate that the exchange library leaves.
Restrictions: what is spaced waits for nothing else, and two groups have the backbone between them
for themselves; nothing is lost, no window of TCP holds a message back; receiving, packing and
copying take no time.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from contend.alltoall.plan.link_queues import SLACK, WIRE, on_link
from contend.schedules.ragged_rows import offsets_of, rows_of
from contend.schedules.schedule import Schedule
from contend.simulate.flows.engine import solve
from contend.simulate.flows.flows import Flows, Rows
from contend.simulate.topologies.topology import Routes, Topology

BUFFER = 2**20  # bytes of the backbone's buffer, where a window is by the link


@dataclass(frozen=True)
class Joined(Topology):
    """Groups of hosts; rates in bytes per second, times in seconds."""

    sizes: tuple[int, ...]  # hosts of each group
    host: float
    backbone: float
    near: float  # latency inside a group
    far: float  # between groups
    overhead: float  # work on each message that is sent
    is_interleaved: bool = False  # ranks of groups take turns, by size; else group after group

    @property
    def hosts(self) -> int:
        return sum(self.sizes)

    @cached_property
    def group(self) -> np.ndarray:
        group = np.repeat(np.arange(len(self.sizes)), self.sizes)
        if not self.is_interleaved:
            return group
        share = np.concatenate([(np.arange(size) + 0.5) / size for size in self.sizes])
        return np.asarray(group[np.argsort(share, kind="stable")])

    def capacity(self) -> np.ndarray:
        return np.repeat([self.host, self.backbone], [2 * self.hosts, 2 * len(self.sizes)])

    def crosses(self, src: np.ndarray, dst: np.ndarray) -> np.ndarray:
        return self.group[src] != self.group[dst]

    def routes(self, src: np.ndarray, dst: np.ndarray) -> Routes:
        up = 2 * self.hosts + self.group[src]
        down = 2 * self.hosts + len(self.sizes) + self.group[dst]
        every = np.stack([src, up, down, self.hosts + dst], axis=1)
        is_used = np.ones(every.shape, dtype=bool)
        is_used[:, 1:3] = self.crosses(src, dst)[:, None]
        offsets = offsets_of(is_used.sum(axis=1))
        return Routes(offsets, np.ascontiguousarray(every[is_used], dtype=np.int32))

    def window(self, m: int) -> int:
        """Messages that fill the backbone and its buffer, as the exchange library counts them."""
        in_flight = WIRE * self.backbone * 2 * self.far + BUFFER
        window = int(in_flight / (float(on_link(m)) * max(self.sizes)))
        return max(1, min(window, self.hosts - 1))

    def bound(self, m: float) -> float:
        """Seconds that no exchange of m bytes per pair is faster than."""
        n = self.hosts
        crossing = max(size * (n - size) for size in self.sizes) * m / self.backbone
        last = self.near if min(self.sizes) > 1 else self.far  # way of what a host sends last
        return max(crossing + self.far, (n - 1) * m / self.host + last)


@dataclass(frozen=True, eq=False)
class Shape:
    """Messages of a schedule of one byte per block, then the work on those that wait."""

    src: np.ndarray  # (n_flows,)
    dst: np.ndarray
    blocks: np.ndarray  # (n_flows,) 0 for work
    before: np.ndarray  # (n_flows,) sends that the rank works on before it enters or begins
    is_work: np.ndarray
    requires: Rows
    behind: Rows
    is_spaced: bool

    def starts(self, network: Joined, m: float) -> np.ndarray:
        """When each send is worked on, where it waits for no other."""
        if not self.is_spaced:
            return self.before * network.overhead
        shares = np.array(network.sizes)[network.group[self.src]]
        takes = SLACK * shares * on_link(self.blocks * m) / (WIRE * network.backbone)
        far, found = network.crosses(self.src, self.dst), np.empty(self.src.size)
        free = np.zeros(network.hosts)
        due = np.zeros((network.hosts, len(network.sizes)))
        for index, (src, dst) in enumerate(zip(self.src, self.dst, strict=True)):
            link = (src, network.group[dst])
            if far[index]:
                free[src] = max(free[src], due[link])
                due[link] = free[src] + takes[index]
            free[src] += network.overhead
            found[index] = free[src]
        return found

    def seconds(self, network: Joined, m: float) -> float:
        """Time until the last message has come, where a block has m bytes."""
        far = network.crosses(self.src, self.dst)
        latency = np.where(far, network.far, network.near)
        flows = Flows(
            hosts=network.hosts,
            src=self.src,
            dst=self.dst,
            bytes=self.blocks * m,
            start=self.starts(network, m),
            latency=np.where(self.is_work, network.overhead, latency),
            requires=self.requires,
            behind=self.behind,
        )
        return float(solve(flows, "maxmin", topology=network).end.max(initial=0.0))


def shape_of(schedule: Schedule, *, is_spaced: bool = False) -> Shape:
    """The flows of a schedule."""
    sends = np.flatnonzero(schedule.is_send)
    count, rank = sends.size, schedule.rank[sends]
    message = np.full(schedule.kind.size, -1, dtype=np.int64)
    message[sends] = message[schedule.partner[sends]] = np.arange(count)
    offsets, required = rows_of(schedule.requires_offsets, schedule.requires, sends)
    first = np.searchsorted(rank, np.arange(schedule.ranks))[rank]  # send of the same rank
    waits = offsets[1:] > offsets[first]  # itself, or a send of its rank before it
    waiting = np.flatnonzero(waits)
    work = np.full(count, -1, dtype=np.int64)
    work[waiting] = count + np.arange(waiting.size)
    after_work = waiting[waits[waiting - 1] & (waiting > first[waiting])]
    requires = [
        (waiting, work[waiting]),
        (work[np.repeat(np.arange(count), np.diff(offsets))], message[required]),
        (work[after_work], work[after_work - 1]),
    ]
    every = np.concatenate([np.arange(count), waiting])
    is_work = np.arange(every.size) >= count
    place = (np.arange(count) - first)[every]
    return Shape(
        src=rank[every].astype(np.int32),
        dst=schedule.peer[sends][every].astype(np.int32),
        blocks=np.where(is_work, 0.0, schedule.bytes[sends][every]),
        before=place + ~is_work,
        is_work=is_work,
        requires=_rows(requires, every.size),
        behind=_rows([_successive(rank * schedule.ranks + schedule.peer[sends])], every.size),
        is_spaced=is_spaced,
    )


def _successive(stream: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Pairs of a message and the last one before it in its stream."""
    order = np.argsort(stream, kind="stable")
    is_same = stream[order[1:]] == stream[order[:-1]]
    return order[1:][is_same], order[:-1][is_same]


def _rows(pairs: list[tuple[np.ndarray, np.ndarray]], count: int) -> Rows:
    """Pairs of a flow and one that it waits for, as a row for each of `count` flows."""
    flow, awaited = (np.concatenate(part) for part in zip(*pairs, strict=True))
    order = np.argsort(flow, kind="stable")
    return Rows(offsets_of(np.bincount(flow, minlength=count)), awaited[order])
