"""Which receive takes which send.

Messages of one source, destination, communicator and tag do not overtake each other, so that the
k-th receive of them takes the k-th send. Receives have to know whom they are from, as they do in
recorded traces, where they are written as they matched.
"""

from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from contend.programs.traces.kinds import ANY, NONE, OpKind
from contend.programs.traces.trace import Trace

Ints = NDArray[np.int64]
_KEY = ["comm", "src", "dst", "tag"]


@dataclass(frozen=True)
class Matching:
    sends: Ints  # (n_messages,) in the order of the sends
    receives: Ints  # (n_messages,)
    lost_sends: Ints  # that nothing receives
    lost_receives: Ints  # that nothing is sent for, or that do not know from whom


def match(trace: Trace) -> Matching:
    """The messages of a trace.

    >>> from contend.programs.traces.builder import TraceBuilder
    >>> builder = TraceBuilder(ranks=2)
    >>> builder.rank(0).add(OpKind.SEND, "send", peer=1, bytes=8)
    >>> builder.rank(1).add(OpKind.RECEIVE, "recv", peer=0, bytes=8)
    >>> match(builder.trace()).receives.tolist()
    [1]
    """
    rank = trace.rank
    is_send = np.isin(trace.kind, (OpKind.SEND, OpKind.SYNC_SEND))
    is_receive = trace.kind == OpKind.RECEIVE
    is_open = is_receive & ((trace.peer == ANY) | (trace.tag == ANY))
    sends = _numbered(trace, np.flatnonzero(is_send), rank, trace.peer)
    receives = _numbered(trace, np.flatnonzero(is_receive & ~is_open), trace.peer, rank)
    both = sends.merge(receives, on=[*_KEY, "place"], suffixes=("_send", "_receive"))
    both = both.sort_values("row_send")
    taken, taking = both["row_send"].to_numpy(), both["row_receive"].to_numpy()
    return Matching(
        taken,
        taking,
        np.setdiff1d(np.flatnonzero(is_send), taken),
        np.setdiff1d(np.flatnonzero(is_receive), taking),
    )


def _numbered(
    trace: Trace, rows: Ints, src: NDArray[np.integer], dst: NDArray[np.integer]
) -> pd.DataFrame:
    """Rows with their messages' key and their place among those of the key."""
    table = pd.DataFrame(
        {
            "row": rows,
            "comm": trace.comm[rows].astype(np.int64),
            "src": src[rows].astype(np.int64),
            "dst": dst[rows].astype(np.int64),
            "tag": trace.tag[rows].astype(np.int64),
        }
    )
    table["place"] = table.groupby(_KEY).cumcount()
    return table


def ends_of(trace: Trace) -> Ints:
    """For each row, the row at whose end it is over: that of its wait where there is one."""
    ends = np.arange(len(trace), dtype=np.int64)
    made = np.flatnonzero(trace.request != NONE)
    waits = np.flatnonzero((trace.kind == OpKind.WAIT) & (trace.list >= 0))
    if not made.size or not waits.size:
        return ends
    counts = np.diff(trace.list_offsets)[trace.list[waits]]
    places = np.arange(int(counts.sum())) - np.repeat(np.cumsum(counts) - counts, counts)
    values = trace.list_values[np.repeat(trace.list_offsets[trace.list[waits]], counts) + places]
    rows = np.repeat(waits, counts)
    # Of a rank and a request: what makes it, then the wait for it, and so on.
    rank = trace.rank
    row = np.concatenate([made, rows])
    name = np.concatenate([trace.request[made].astype(np.int64), values])
    is_made = np.arange(row.size) < made.size
    order = np.lexsort((row, name, rank[row]))
    first, second = order[:-1], order[1:]
    pairs = (rank[row[first]] == rank[row[second]]) & (name[first] == name[second])
    pairs &= is_made[first] & ~is_made[second]
    ends[row[first[pairs]]] = row[second[pairs]]
    return ends
