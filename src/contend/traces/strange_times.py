"""Times of a trace that no program has: below 0, or longer than a month."""

import numpy as np
from numpy.typing import NDArray

from contend.document import Floats
from contend.traces.trace import Trace

LONGEST = 30 * 86_400.0  # seconds between two calls, or of a call; batch systems end jobs before


def strange_times(trace: Trace) -> list[str]:
    """Return a sentence for each kind of such times, with the first place."""
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
