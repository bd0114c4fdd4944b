"""How long each call of a recorded trace waited for a rank that was late, and for whom.

Source: the wait states of Scalasca (Wolf, Mohr 2003): late sender, late receiver, wait at n x n.
Idea: a receive waits until its message is sent, a synchronous send until its receive is posted, a
collective operation until the ranks whose data it needs have come; what a call takes after that is
the network's. A call that ends several requests waits for the one that begins last.
Restrictions: whether a send of standard mode waited for its receiver is not known.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from contend.programs.traces.collective_calls import collective_calls
from contend.programs.traces.kinds import NONE, OpKind
from contend.programs.traces.matching import ends_of, match
from contend.programs.traces.trace import Floats, Narrow, Trace

Ints = NDArray[np.int64]
_FROM_ROOT = (OpKind.BCAST, OpKind.SCATTER, OpKind.SCATTERV)
_TO_ROOT = (OpKind.REDUCE, OpKind.GATHER, OpKind.GATHERV)
_ALONE = (OpKind.SCAN, OpKind.EXSCAN)  # each waits for those before it


@dataclass(frozen=True, eq=False)
class Waiting:
    """Hold the wait of each operation, (n_ops,)."""

    seconds: Floats  # within the call
    rank: Narrow  # for whom; NONE: for nobody


def waiting_of(trace: Trace) -> Waiting:
    """What the calls of a trace with times waited for."""
    begun = np.full(len(trace), -np.inf)  # when the other side began
    other = np.full(len(trace), NONE, dtype=np.int32)
    _of_messages(trace, begun, other)
    _of_collectives(trace, begun, other)
    late = np.minimum(begun, trace.end) - trace.start
    seconds = np.where(late > 0, late, 0.0)
    return Waiting(seconds, np.where(seconds > 0, other, NONE).astype(np.int32))


def _of_messages(trace: Trace, begun: Floats, other: Narrow) -> None:
    matches, ends, rank = match(trace), ends_of(trace), trace.rank
    is_sync = trace.kind[matches.sends] == OpKind.SYNC_SEND
    for rows, others in (
        (matches.receives, matches.sends),
        (matches.sends[is_sync], matches.receives[is_sync]),
    ):
        is_over = _is_over(trace, ends, rows)
        at, them = ends[rows[is_over]], others[is_over]
        _keep_last(begun, other, at, trace.start[them], rank[them])


def _is_over(trace: Trace, ends: Ints, rows: Ints) -> NDArray[np.bool_]:
    """Whether it is known in which call a row is over."""
    return np.asarray((trace.request[rows] == NONE) | (ends[rows] != rows))


def _keep_last(begun: Floats, other: Narrow, rows: Ints, times: Floats, ranks: Ints) -> None:
    """For each row the latest of its times, and whose it is."""
    order = np.argsort(times, kind="stable")
    order = order[times[order] > begun[rows[order]]]
    begun[rows[order]] = times[order]  # the last one of a row stays
    other[rows[order]] = ranks[order]


def _of_collectives(trace: Trace, begun: Floats, other: Narrow) -> None:
    rows, call = collective_calls(trace)
    if not rows.size:
        return
    rank, ends = trace.rank, ends_of(trace)
    order = np.lexsort((trace.start[rows], call))
    rows, call = rows[order], call[order]
    is_new = np.r_[True, call[1:] != call[:-1]]
    last = rows[np.append(np.flatnonzero(is_new)[1:], rows.size) - 1]  # who came last
    kind, is_root = trace.kind[rows], trace.peer[rows] == rank[rows]
    roots = np.full(last.size, NONE, dtype=np.int64)
    roots[call[is_root]] = rows[is_root]
    needed = np.where(np.isin(kind, _FROM_ROOT), roots[call], last[call])
    needed = np.where(np.isin(kind, _TO_ROOT) & ~is_root, NONE, needed)
    needed = np.where(np.isin(kind, _ALONE), NONE, needed)
    is_known = (needed != NONE) & (needed != rows) & _is_over(trace, ends, rows)
    at, them = rows[is_known], needed[is_known]
    _keep_last(begun, other, ends[at], trace.start[them], rank[them])
