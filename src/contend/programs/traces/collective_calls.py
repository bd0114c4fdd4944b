"""Which rows of a trace are one call of a collective operation."""

import numpy as np
import pandas as pd

from contend.programs.traces.kinds import OpKind
from contend.programs.traces.trace import Trace
from contend.schedules.ragged_rows import Ints


def collective_calls(trace: Trace) -> tuple[Ints, Ints]:
    """Return the rows of collective operations, and the number of the call that each is of.

    The k-th of a rank on a communicator belongs to the k-th of the others. Numbers count from 0.
    """
    rows = np.flatnonzero(trace.kind >= OpKind.BARRIER)
    calls = pd.DataFrame({"comm": trace.comm[rows], "rank": trace.rank[rows]})
    calls["place"] = calls.groupby(["comm", "rank"]).cumcount()
    number = calls.groupby(["comm", "place"]).ngroup()
    return rows, number.to_numpy(dtype=np.int64)
