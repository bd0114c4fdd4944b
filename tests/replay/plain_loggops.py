"""A schedule under LogGOPS, as LogGOPSim defines it: slow, plain, the oracle.

Source: Hoefler, Schneider, Lumsdaine, "LogGOPSim", HPDC 2010, section 3: a send takes o + (m-1) O
of the processor and g + (m-1) G of the card; its first byte comes o + L after its start; once
processor and card of the receiver are free, it takes o + (m-1) max(O, G) and g + (m-1) G of them.
All messages are eager here.
"""

import heapq

import numpy as np

from contend.replay import LogGOPS
from contend.traces.kinds import OpKind
from contend.traces.trace import Trace


def plain_seconds(trace: Trace, net: LogGOPS) -> float:
    """When the last processor is free."""
    count, rank = len(trace), trace.rank.tolist()
    cpu, sending, receiving = np.zeros((3, trace.ranks))
    missing = np.diff(trace.requires_offsets).tolist()
    after: list[list[int]] = [[] for _ in range(count)]
    for op in range(count):
        for other in trace.requires[slice(*trace.requires_offsets[op : op + 2])].tolist():
            after[other].append(op)
    posted: dict[tuple[int, int, int], list[int]] = {}
    arrived: dict[tuple[int, int, int], list[float]] = {}
    queue: list[tuple[float, int, bool, int]] = []
    order = 0

    def push(time: float, is_message: bool, op: int, age: int = 0) -> None:
        nonlocal order
        order += 1
        heapq.heappush(queue, (time, age or order, is_message, op))

    def done(op: int) -> None:
        for other in after[op]:
            missing[other] -= 1
            if missing[other] == 0:
                push(float(cpu[rank[other]]), False, other)

    for op in range(count):
        if missing[op] == 0:
            push(0.0, False, op)
    while queue:
        time, age, is_message, op = heapq.heappop(queue)
        me, further = rank[op], max(int(trace.bytes[op]) - 1, 0)
        if is_message:  # at its receiver
            there = int(trace.peer[op])
            if (free := max(cpu[there], receiving[there])) > time:
                push(float(free), True, op, age)
                continue
            cpu[there] = time + net.o + further * max(net.O, net.G)
            receiving[there] = time + net.g + further * net.G
            key = (me, there, int(trace.tag[op]))
            if posted.get(key):
                done(posted[key].pop(0))
            else:
                arrived.setdefault(key, []).append(time)
        elif trace.kind[op] == OpKind.TIME:
            if cpu[me] > time:
                push(float(cpu[me]), False, op, age)
                continue
            cpu[me] = time + trace.seconds[op]
            done(op)
        elif trace.kind[op] == OpKind.SEND:
            if (free := max(cpu[me], sending[me])) > time:
                push(float(free), False, op, age)
                continue
            cpu[me] = time + net.o + further * net.O
            sending[me] = time + net.g + further * net.G
            push(time + net.o + net.L, True, op)
            done(op)
        else:
            key = (int(trace.peer[op]), me, int(trace.tag[op]))
            if arrived.get(key):
                arrived[key].pop(0)
                done(op)
            else:
                posted.setdefault(key, []).append(op)
    return float(cpu.max())
