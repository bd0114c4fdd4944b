"""What a trace that was read says of a rank, for tests of its reader."""

from contend.traces.kinds import OpKind
from contend.traces.trace import Trace


def calls_of(trace: Trace, rank: int) -> list[tuple[str, int, int, int, list[int]]]:
    """Call, kind, peer, bytes and list, without what takes no message."""
    return [
        (
            trace.calls[trace.call[op]],
            int(trace.kind[op]),
            int(trace.peer[op]),
            int(trace.bytes[op]),
            trace.list_of(op).tolist(),
        )
        for op in range(int(trace.first[rank]), int(trace.first[rank + 1]))
        if trace.kind[op] != OpKind.TIME
    ]
