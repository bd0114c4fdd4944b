"""A schedule under LogGOPS, as LogGOPSim defines it: slow, plain, the oracle.

Source: Hoefler, Schneider, Lumsdaine, "LogGOPSim", HPDC 2010, section 3: a send takes o + (m-1) O
of the processor and g + (m-1) G of the card; its first byte comes o + L after its start; once
processor and card of the receiver are free, it takes o + (m-1) max(O, G) and g + (m-1) G of them.
An operation waits for the end of what it requires and for the begin of what it irequires; a receive
begins when it is posted, and its message takes time of its processor.
All messages are eager here, with tags of their own.
"""

import heapq

import numpy as np

from contend.programs.replay import LogGOPS
from contend.programs.traces.kinds import OpKind
from contend.programs.traces.trace import Trace


def plain_seconds(trace: Trace, net: LogGOPS) -> float:
    """When the last processor is free."""
    count, rank = len(trace), trace.rank.tolist()
    sending, receiving = np.zeros((2, trace.ranks))
    own = trace.cpu.tolist() if trace.cpu.size else [0] * count
    cpu = np.zeros((trace.ranks, max(own) + 1))
    missing, ready = [0] * count, [0.0] * count
    after: list[list[int]] = [[] for _ in range(count)]
    behind: list[list[int]] = [[] for _ in range(count)]  # what waits for its begin
    for offsets, rows, waiting in (
        (trace.requires_offsets, trace.requires, after),
        (trace.begun_offsets, trace.begun, behind),
    ):
        for op in range(count if offsets.size else 0):
            for other in rows[slice(*offsets[op : op + 2])].tolist():
                waiting[other].append(op)
                missing[op] += 1
    receive = {
        (int(trace.peer[op]), rank[op], int(trace.tag[op])): op
        for op in range(count)
        if trace.kind[op] == OpKind.RECEIVE
    }
    posted: dict[tuple[int, int, int], list[int]] = {}
    arrived: dict[tuple[int, int, int], list[float]] = {}
    queue: list[tuple[float, int, bool, int]] = []
    order = 0

    def push(time: float, is_message: bool, op: int, age: int = 0) -> None:
        nonlocal order
        order += 1
        heapq.heappush(queue, (time, age or order, is_message, op))

    def free(waiting: list[int], when: float) -> None:
        for other in waiting:
            missing[other] -= 1
            ready[other] = max(ready[other], when)
            if missing[other] == 0:
                push(max(ready[other], float(cpu[rank[other], own[other]])), False, other)

    for op in range(count):
        if missing[op] == 0:
            push(0.0, False, op)
    while queue:
        time, age, is_message, op = heapq.heappop(queue)
        me, further = rank[op], max(int(trace.bytes[op]) - 1, 0)
        if is_message:  # at its receiver
            there = int(trace.peer[op])
            key = (me, there, int(trace.tag[op]))
            by = (there, own[receive[key]])
            if (idle := max(cpu[by], receiving[there])) > time:
                push(float(idle), True, op, age)
                continue
            cpu[by] = time + net.o + further * max(net.O, net.G)
            receiving[there] = time + net.g + further * net.G
            if posted.get(key):
                free(after[posted[key].pop(0)], float(cpu[by]))
            else:
                arrived.setdefault(key, []).append(float(cpu[by]))
        elif trace.kind[op] == OpKind.TIME:
            by = (me, own[op])
            if cpu[by] > time:
                push(float(cpu[by]), False, op, age)
                continue
            cpu[by] = time + trace.seconds[op]
            free(behind[op], time)
            free(after[op], float(cpu[by]))
        elif trace.kind[op] == OpKind.SEND:
            by = (me, own[op])
            if (idle := max(cpu[by], sending[me])) > time:
                push(float(idle), False, op, age)
                continue
            cpu[by] = time + net.o + further * net.O
            sending[me] = time + net.g + further * net.G
            push(time + net.o + net.L, True, op)
            free(behind[op], time)
            free(after[op], float(cpu[by]))
        else:
            key = (int(trace.peer[op]), me, int(trace.tag[op]))
            free(behind[op], time)
            if arrived.get(key):
                free(after[op], max(time, arrived[key].pop(0)))
            else:
                posted.setdefault(key, []).append(op)
    return float(cpu.max())
