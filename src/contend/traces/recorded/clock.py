"""The clock that all ranks of a recorded trace share, from what each knew of its own.

Idea: a rank finds at MPI_Init, and again at MPI_Finalize, by how much the common clock shows more
than its own. Between the two the difference changes at a steady rate, as quartz clocks run straight
over some seconds and nearly so over hours; of a program that was killed, the first one stands.
"""

import numpy as np
from numpy.typing import NDArray

from contend.traces.recorded.files import RankFile

Nanoseconds = NDArray[np.int64]


def common_times(file: RankFile) -> tuple[Nanoseconds, Nanoseconds]:
    """Start and end of each record by the common clock, ns, (n_records,) each."""
    known = file.records[file.is_kind("clock")]
    times = tuple(file.records[name].astype(np.int64) for name in ("start", "end"))
    if known.size == 0:
        return times[0], times[1]
    base = int(known["start"][0])
    at, offsets = known["start"].astype(np.int64) - base, known["bytes"].astype(np.float64)
    shown = [
        time + np.rint(np.interp((time - base).astype(np.float64), at, offsets)).astype(np.int64)
        for time in times
    ]
    return shown[0], shown[1]
