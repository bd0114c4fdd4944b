"""Calls of a trace whose data a replay does not move.

Idea: such a call is a TIME row, as it takes its time alone, and its name says that it moves data.
Restrictions: sends and receives are left out, since those to MPI_PROC_NULL are such rows too.
"""

import re

import numpy as np

from contend.traces.kinds import OpKind
from contend.traces.trace import Trace

_ONE_SIDED = "r?(put|get|accumulate|get_accumulate)|fetch_and_op|compare_and_swap"
_COLLECTIVES = "|".join(kind.name.lower() for kind in OpKind if kind.is_collective)
_MOVES_DATA = re.compile(
    rf"MPI_({_ONE_SIDED}|i?(neighbor_)?({_COLLECTIVES}|alltoallw|reduce_scatter_block)(_init)?)",
    re.IGNORECASE,
)


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
