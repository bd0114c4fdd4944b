"""GOAL: a schedule of sends, receives and computation with what each requires.

Source: Hoefler, Siebert, Lumsdaine, "Group Operation Assembly Language", ICPP 2009.
Idea: what blocks is required by all that comes after it in its rank; what does not block is
required by what comes after its wait. `calc` is nanoseconds, as in LogGOPSim.
Restrictions: messages only. Collective operations and probes are refused.
"""

from collections.abc import Iterator
from pathlib import Path

from contend.base.errors import InvalidInputError
from contend.base.wholefile import write_whole
from contend.programs.traces.kinds import ANY, ANY_SOURCE, ANY_TAG, OpKind
from contend.programs.traces.trace import Trace
from contend.programs.traces.writer import TraceWriter
from contend.schedules.goal import goal_operation, goal_text
from contend.schedules.schedule import Kind

_NANOSECONDS = 1e9
_KINDS = {OpKind.SEND: Kind.SEND, OpKind.SYNC_SEND: Kind.SEND, OpKind.RECEIVE: Kind.RECEIVE}


class GoalWriter(TraceWriter):
    name = "goal"
    title = "GOAL schedule, as for LogGOPSim"

    def write(self, trace: Trace, path: Path) -> None:
        trace.require_seconds()
        block = _graph if trace.requires_offsets.size else _program
        blocks = (block(trace, rank) for rank in range(trace.ranks))
        write_whole(path, goal_text(trace.ranks, blocks))


def _graph(trace: Trace, rank: int) -> Iterator[str]:
    first = int(trace.first[rank])
    for op in range(first, int(trace.first[rank + 1])):
        label = f"l{op - first + 1}"
        cpu = f" cpu {trace.cpu[op]}" if trace.cpu.size and trace.cpu[op] else ""
        yield f"{label}: {_operation(trace, op, is_as_asked=True)}{cpu}"
        for word, offsets, rows in (("requires", trace.requires_offsets, trace.requires),
                                    ("irequires", trace.begun_offsets, trace.begun)):  # fmt: skip
            start, end = offsets[op : op + 2] if offsets.size else (0, 0)
            for other in rows[start:end].tolist():
                yield f"{label} {word} l{other - first + 1}"


def _program(trace: Trace, rank: int) -> Iterator[str]:
    after: list[str] = []  # what the next operation requires
    requests: dict[int, str] = {}
    count = 0

    def label(text: str) -> tuple[str, list[str]]:
        nonlocal count
        count += 1
        name = f"l{count}"
        return name, [f"{name}: {text}", *(f"{name} requires {required}" for required in after)]

    for op in range(int(trace.first[rank]), int(trace.first[rank + 1])):
        kind, seconds = OpKind(int(trace.kind[op])), float(trace.seconds[op])
        if seconds:
            name, lines = label(_computing(seconds))
            yield from lines
            after = [name]
        if kind == OpKind.TIME:
            continue
        if kind == OpKind.WAIT:
            wanted = trace.list_of(op).tolist()
            after = [*after, *(requests.pop(request) for request in wanted if request in requests)]
            continue
        name, lines = label(_operation(trace, op))
        yield from lines
        if (request := int(trace.request[op])) < 0:
            after = [name]
        else:
            requests[request] = name


def _operation(trace: Trace, op: int, *, is_as_asked: bool = False) -> str:
    kind = OpKind(int(trace.kind[op]))
    if kind == OpKind.TIME:
        return _computing(float(trace.seconds[op]))
    asked = int(trace.asked[op]) if is_as_asked and trace.asked.size else 0
    peer = ANY if asked & ANY_SOURCE else int(trace.peer[op])
    tag = ANY if asked & ANY_TAG else int(trace.tag[op])
    if kind not in _KINDS or (min(peer, tag) < 0 and kind != OpKind.RECEIVE):
        raise InvalidInputError(
            f"{trace.place(op)}: GOAL has sends, receives and computation alone",
            "write another format",
        )
    return goal_operation(_KINDS[kind], int(trace.bytes[op]), peer, tag)


def _computing(seconds: float) -> str:
    return goal_operation(Kind.COPY, round(seconds * _NANOSECONDS), 0)
