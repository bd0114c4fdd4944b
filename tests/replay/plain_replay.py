"""A trace run in small steps, all of it looked at again at every instant: slow, plain, the oracle.

Ranks are coroutines that say what they wait for; messages have the fields that the rules name.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import numpy as np

from contend.programs.replay import MessageTimes
from contend.programs.traces.kinds import OpKind
from contend.programs.traces.trace import Trace

NEVER = float("inf")


def maxmin(ends: list[tuple[int, int]]) -> list[float]:
    """Rates of flows between ports of bandwidth 1, by progressive filling."""
    rate = [-1.0] * len(ends)
    left = {port: 1.0 for src, dst in ends for port in (("out", src), ("in", dst))}
    while -1.0 in rate:
        flows = {port: [] for port in left}
        for place, (src, dst) in enumerate(ends):
            if rate[place] < 0:
                flows["out", src].append(place)
                flows["in", dst].append(place)
        share, port = min((left[port] / len(on), port) for port, on in flows.items() if on)
        for place in flows[port]:
            rate[place] = share
            left["out", ends[place][0]] -= share
            left["in", ends[place][1]] -= share
    return rate


@dataclass
class Message:
    src: int
    dst: int
    comm: int
    tag: int
    size: int
    begin: float  # when its rank sends it
    eager: bool
    start: float = NEVER  # of its data
    left: float = 0.0  # work
    moved: float = NEVER  # when its last byte has entered
    end: float = NEVER


@dataclass
class Receive:
    rank: int
    src: int
    comm: int
    tag: int
    posted: float
    message: Message | None = None


@dataclass
class World:
    trace: Trace
    times: MessageTimes
    is_alone: bool
    now: float = 0.0
    messages: list[Message] = field(default_factory=list)  # all that were sent
    unmatched: list[Message] = field(default_factory=list)
    receives: list[Receive] = field(default_factory=list)  # posted, without a message
    alarms: list[float] = field(default_factory=list)

    def of(self, name: str, size: int) -> float:
        return float(np.broadcast_to(self.times.columns(np.array([size]))[name], (1,))[0])

    def match(self) -> None:
        for message in list(self.unmatched):
            for receive in self.receives:
                if (receive.src, receive.rank, receive.comm, receive.tag) == (
                    message.src,
                    message.dst,
                    message.comm,
                    message.tag,
                ):
                    receive.message = message
                    self.receives.remove(receive)
                    self.unmatched.remove(message)
                    if not message.eager:
                        half = self.times.handshake / 2
                        message.start = max(message.begin + half, receive.posted) + half
                    break

    def under_way(self) -> list[Message]:
        """The first message of each pair of ranks whose data are in the network."""
        found: dict[tuple[int, int], Message] = {}
        for one in sorted(self.messages, key=lambda one: one.start):
            if one.start <= self.now and one.moved == NEVER:
                found.setdefault((one.src, one.dst), one)
        return list(found.values())

    def rates(self, flows: list[Message]) -> list[float]:
        ends = [(one.src, one.dst) for one in flows]
        return [1.0] * len(ends) if self.is_alone else maxmin(ends)

    def finish(self, message: Message) -> None:
        message.moved = self.now
        message.end = self.now + self.of("latency", message.size) + self.of("tail", message.size)


Goes = Callable[[], bool]


def program(world: World, rank: int, ends: np.ndarray) -> Iterator[Goes]:
    """One rank; yields what it waits for."""
    trace = world.trace
    requests: dict[int, Message | Receive] = {}

    def until(time: float) -> Goes:
        world.alarms.append(time)
        return lambda: world.now >= time

    def done(one: Message | Receive) -> float:
        if isinstance(one, Message):
            return one.begin + world.of("send_overhead", one.size) if one.eager else one.moved
        return NEVER if one.message is None else one.message.end

    def handled(waited: list[Message | Receive], time: float) -> float:
        for end, overhead in sorted(
            (done(one), world.of("receive_overhead", one.message.size)
             if isinstance(one, Receive) and one.message else 0.0)
            for one in waited
        ):  # fmt: skip
            time = max(end, time + overhead)
        return time

    for op in range(trace.first[rank], trace.first[rank + 1]):
        yield until(world.now + trace.seconds[op])
        kind, request = trace.kind[op], int(trace.request[op])
        begin = world.now
        waited: list[Message | Receive] = []
        if kind in (OpKind.SEND, OpKind.SYNC_SEND):
            size = int(trace.bytes[op])
            eager = kind == OpKind.SEND and size <= world.times.eager
            one: Message | Receive = Message(
                rank, int(trace.peer[op]), int(trace.comm[op]), int(trace.tag[op]), size,
                begin, eager, begin if eager else NEVER, world.of("work", size),
            )  # fmt: skip
            world.messages.append(one)
            world.unmatched.append(one)
            yield until(begin + world.of("send_overhead", size))
            if not eager and request < 0:
                waited = [one]
        elif kind == OpKind.RECEIVE:
            one = Receive(rank, int(trace.peer[op]), int(trace.comm[op]), int(trace.tag[op]), begin)
            world.receives.append(one)
            if request < 0:
                waited = [one]
        elif kind == OpKind.WAIT:
            waited = [requests.pop(name) for name in trace.list_of(op).tolist() if name in requests]
        if request >= 0:
            requests[request] = one
        if waited:
            asked = world.now
            yield lambda waited=waited: all(done(each) <= world.now for each in waited)
            yield until(handled(waited, asked))
        ends[op] = world.now


def plain_ends(trace: Trace, times: MessageTimes, is_alone: bool = False) -> np.ndarray:
    """When each operation is done; infinite for what never is."""
    world = World(trace, times, is_alone)
    ends = np.full(len(trace), np.inf)
    waiting = []
    for rank in range(trace.ranks):
        ranks_program = program(world, rank, ends)
        if (first := next(ranks_program, None)) is not None:
            waiting.append((ranks_program, first))
    while True:
        changes = True
        while changes:
            world.match()
            changes = False
            for place, (coroutine, goes) in enumerate(waiting):
                if goes():
                    waiting[place] = (coroutine, next(coroutine, lambda: False))
                    changes = True
            for one in world.under_way():
                if one.left <= 0:
                    world.finish(one)
                    changes = True
        flows = world.under_way()
        rate = world.rates(flows)
        finish = [world.now + one.left / each for one, each in zip(flows, rate, strict=True)]
        starts = [one.start for one in world.messages if one.moved == NEVER]
        later = [*world.alarms, *starts, *(one.end for one in world.messages), *finish]
        then = min((time for time in later if world.now < time < NEVER), default=NEVER)
        if then == NEVER:
            return ends
        for one, each, end in zip(flows, rate, finish, strict=True):
            one.left -= each * (then - world.now)
            if end <= then * (1 + 1e-13):
                one.left = 0.0
        world.now = then
        world.alarms = [time for time in world.alarms if time > then]
