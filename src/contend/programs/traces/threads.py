"""Calls of several threads of a rank, which a trace has one after the other.

Idea: a call that begins before an earlier one of its rank has ended is of another thread.
"""

import numpy as np

from contend.programs.traces.trace import Trace

_LEAST = 1e-6  # s; times are rounded, and clocks corrected, by less


def overlapping(trace: Trace) -> list[str]:
    """Return a sentence on the first call that begins within another of its rank, or nothing."""
    if not trace.start.size:
        return []
    for first, last in zip(trace.first[:-1], trace.first[1:], strict=True):
        latest = np.maximum.accumulate(trace.end[first:last])[:-1]
        rows = first + 1 + np.flatnonzero(trace.start[first + 1 : last] < latest - _LEAST)
        if rows.size:
            return [
                f"{trace.place(int(rows[0]))}: begins while another call of the rank goes on, so "
                "threads call MPI at once: a replay has their calls one after the other, which "
                "can take longer, or never end"
            ]
    return []
