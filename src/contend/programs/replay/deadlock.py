"""Which call of a trace never ends, in words."""

import numpy as np
from numpy.typing import NDArray

from contend.base.errors import InvalidInputError
from contend.programs.traces.kinds import ANY, OpKind
from contend.programs.traces.threads import overlapping
from contend.programs.traces.trace import Trace


class DeadlockError(InvalidInputError):
    """Ranks wait for each other, or for what never comes."""

    stuck: NDArray[np.int64]  # (ranks,) the operation of each, or -1


def deadlock(trace: Trace, stuck: NDArray[np.int64]) -> DeadlockError:
    """The error for ranks that never end; `stuck` (ranks,) is the operation of each, or -1."""
    ops = stuck[stuck >= 0].tolist()
    # What waits for a message says most; collectives and waits may only wait for such a rank.
    order = [OpKind.RECEIVE, OpKind.PROBE, OpKind.SEND, OpKind.SYNC_SEND, OpKind.WAIT]
    ranked = sorted(ops, key=lambda op: _place(order, int(trace.kind[op])))
    op = ranked[0]
    count = len(ops) - 1
    others = f"; {count} other {'ranks wait' if count > 1 else 'rank waits'} too" if count else ""
    error = DeadlockError(
        *explained(
            trace,
            f"deadlock: {trace.place(op)}: {_missing(trace, op)}{others}",
            "check that the trace is whole, and that every message is sent and received",
        )
    )
    error.stuck = stuck
    return error


def explained(trace: Trace, message: str, remedy: str) -> tuple[str, str]:
    """Return message and remedy of an error, or what the trace does not tell as its reason."""
    if not trace.doubts and (of_threads := overlapping(trace)):
        return f"{message}. {of_threads[0]}", "record a run in which one thread of a rank calls MPI"
    if not trace.doubts:
        return message, remedy
    return f"{message}. {' '.join(f'{doubt}.' for doubt in trace.doubts)}", (
        "record the program with contend record, whose traces tell it"
    )


def _place(order: list[OpKind], kind: int) -> int:
    return order.index(OpKind(kind)) if kind in order else len(order)


def _missing(trace: Trace, op: int) -> str:
    kind = OpKind(int(trace.kind[op]))
    peer, tag = int(trace.peer[op]), int(trace.tag[op])
    source = "any rank" if peer == ANY else f"rank {peer}"
    tagged = "any tag" if tag == ANY else f"tag {tag}"
    if kind in (OpKind.RECEIVE, OpKind.PROBE):
        return f"waits for a message from {source} with {tagged} that is never sent"
    if kind in (OpKind.SEND, OpKind.SYNC_SEND):
        return f"its message to {source} with {tagged} is never received"
    if kind == OpKind.WAIT:
        return f"waits for {_open_requests(trace, op)} that never end"
    return "waits for a rank that never comes to it"


def _open_requests(trace: Trace, op: int) -> str:
    """The operations behind the requests of a wait."""
    wanted = set(trace.list_of(op).tolist())
    first = int(trace.first[trace.rank_of(op)])
    requests: list[str] = []
    for row in range(op - 1, first - 1, -1):
        if (request := int(trace.request[row])) in wanted:
            wanted.discard(request)
            line = int(trace.line[row])
            requests.append(
                f"{trace.calls[trace.call[row]]}" + (f" of line {line}" if line > 0 else "")
            )
        if not wanted:
            break
    shown = ", ".join(reversed(requests[:3])) + (
        f" and {len(requests) - 3} more" if requests[3:] else ""
    )
    return f"its requests ({shown})" if requests else "requests"
