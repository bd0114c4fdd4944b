"""Timelines for Perfetto and Chrome: JSON of the Trace Event Format.

Source: Google, "Trace Event Format"; ui.perfetto.dev and chrome://tracing open it.
Idea: a process for each rank, a slice for each call, an arrow for each message from where it was
sent to where its receive ended.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from contend.base.errors import InvalidInputError
from contend.base.wholefile import write_whole
from contend.programs.traces.kinds import OpKind
from contend.programs.traces.matching import ends_of, match
from contend.programs.traces.summary import is_part
from contend.programs.traces.trace import Trace
from contend.programs.traces.writer import TraceWriter

_LEAST = 1e-3  # us that viewers tell apart
_WITH_PEER = (OpKind.SEND, OpKind.SYNC_SEND, OpKind.RECEIVE, OpKind.PROBE)


class Perfetto(TraceWriter):
    name = "perfetto"
    title = "timeline for Perfetto and Chrome (JSON)"

    def write(self, trace: Trace, path: Path) -> None:
        if trace.start.size == 0:
            raise InvalidInputError(
                "a trace without times has no timeline", "record the program, or replay the trace"
            )
        events = ",\n".join(json.dumps(event) for event in _events(trace))
        write_whole(path, f'{{"displayTimeUnit": "ns", "traceEvents": [\n{events}\n]}}\n')


def _events(trace: Trace) -> Iterator[dict[str, Any]]:
    rank = trace.rank
    for each in range(trace.ranks):
        yield {"ph": "M", "pid": each, "name": "process_name", "args": {"name": f"rank {each}"}}
    start, took = trace.start * 1e6, (trace.end - trace.start) * 1e6  # us, as the format says
    for row in np.flatnonzero(~is_part(trace)).tolist():
        yield {
            "ph": "X",
            "pid": int(rank[row]),
            "tid": 0,
            "ts": round(float(start[row]), 3),
            "dur": round(float(took[row]), 3),
            "name": trace.calls[trace.call[row]],
            "args": _arguments(trace, row),
        }
    matches = match(trace)
    ended = ends_of(trace)
    for number, (send, receive) in enumerate(
        zip(matches.sends.tolist(), matches.receives.tolist(), strict=True)
    ):
        both = {"cat": "message", "name": "message", "id": number, "tid": 0}
        yield {"ph": "s", "pid": int(rank[send]), "ts": round(float(start[send]), 3), **both}
        # Within the slice: at its very end another one may begin, which would get the arrow.
        row = ended[receive]
        at = round(max(float(start[row]), float(start[row] + took[row]) - _LEAST), 3)
        yield {"ph": "f", "bp": "e", "pid": int(rank[receive]), "ts": at, **both}


def _arguments(trace: Trace, row: int) -> dict[str, int]:
    arguments = {"bytes": int(trace.bytes[row]), "communicator": int(trace.comm[row])}
    if trace.kind[row] in _WITH_PEER:
        arguments |= {"peer": int(trace.peer[row]), "tag": int(trace.tag[row])}
    return arguments
