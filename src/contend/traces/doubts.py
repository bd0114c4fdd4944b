"""What a trace says that a replay does not do, or that no program does.

Calls whose data a replay does not move are TIME rows, as they take their time alone, and their
names say that they move data. Sends and receives are left out, since those to MPI_PROC_NULL are
such rows too.
"""

import re

import numpy as np
from numpy.typing import NDArray

from contend.document import Floats
from contend.traces.kinds import OpKind
from contend.traces.trace import Trace

_ONE_SIDED = "r?(put|get|accumulate|get_accumulate)|fetch_and_op|compare_and_swap"
_COLLECTIVES = "|".join(kind.name.lower() for kind in OpKind if kind.is_collective)
_MOVES_DATA = re.compile(
    rf"MPI_({_ONE_SIDED}|i?(neighbor_)?({_COLLECTIVES}|alltoallw|reduce_scatter_block)(_init)?)",
    re.IGNORECASE,
)

LONGEST = 30 * 86_400.0  # seconds between two calls, or of a call; batch systems end jobs before


def unmodelled(trace: Trace) -> list[str]:
    """Return a sentence that names such calls and the first of them, or nothing."""
    numbers = [at for at, name in enumerate(trace.calls) if _MOVES_DATA.fullmatch(name)]
    rows = np.flatnonzero((trace.kind == OpKind.TIME) & np.isin(trace.call, numbers))
    if not rows.size:
        return []
    counts = np.bincount(trace.call[rows])
    names = ", ".join(f"{trace.calls[at]} ({counts[at]})" for at in np.flatnonzero(counts))
    return [
        f"{names}: the data of these calls are not replayed, only the time that they took; the "
        f"first is of {trace.place(int(rows[0]))}"
    ]


def strange_times(trace: Trace) -> list[str]:
    """Return a sentence on times between calls and one on times in them that no program has."""
    is_time = ~(trace.is_computation & trace.counts_operations)
    sentences = _sentence(trace, is_time & (trace.seconds > LONGEST), trace.seconds, "or before it")
    if trace.start.size:
        taken = trace.end - trace.start
        sentences += _sentence(trace, ~((taken >= 0) & (taken <= LONGEST)), taken, "in the call")
    return sentences


def _sentence(trace: Trace, strange: NDArray[np.bool_], times: Floats, where: str) -> list[str]:
    rows = np.flatnonzero(strange)
    if not rows.size:
        return []
    row = int(rows[0])
    more = f", the first of {rows.size}" if rows.size > 1 else ""
    return [f"{trace.place(row)}: {times[row]:g} s pass {where}{more}: the trace may be damaged"]
