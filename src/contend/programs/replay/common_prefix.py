"""The part of a trace that all ranks reached, where the record of some ends early.

Idea: a rank whose record ends takes no further part. Others end before the first call that needs
it: a receive of what it never sends, a send that it never receives, a collective operation that it
never comes to; and so on with those that need them. Where times were recorded, ranks that need
nobody end when the last of those ended. What is left is a run that can end.
Restrictions: matching is that of the record, `traces.matching`. A rank may send to one that was
stopped by others: messages that are under way when a run is killed do not stop their senders.
"""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from contend.base.errors import InvalidInputError
from contend.base.units import format_seconds
from contend.programs.traces.endings import early_ends
from contend.programs.traces.kinds import ANY, NONE, OpKind
from contend.programs.traces.matching import ends_of, match
from contend.programs.traces.trace import DTYPES, Ints, Trace


def reached(trace: Trace) -> Trace:
    """The operations before the point that all ranks reached; all where no record ends early.

    Raises
    ------
    InvalidInputError
        Where there is none, as where a rank has no record at all.
    """
    if not trace.is_cut or trace.requires_offsets.size:
        return trace
    has_calls = np.diff(trace.first) > 0
    if all(has_calls[rank] for rank, why in enumerate(trace.cut) if why):
        part = until(trace, _stops(trace))
        if len(part) > 0:
            return part
    raise InvalidInputError(
        f"no call of the trace can be replayed: {early_ends(trace.cut)}",
        "record again, or name a trace whose ranks all have calls",
    )


def until(trace: Trace, stops: Ints) -> Trace:
    """The operations of each rank before the row `stops`, (ranks,)."""
    kept = np.arange(len(trace)) < stops[trace.rank]
    columns = {
        name: column[kept]
        for name in (*DTYPES, "start", "end", "asked")
        if (column := getattr(trace, name)).size
    }
    first = np.concatenate([[0], np.cumsum(stops - trace.first[:-1])]).astype(np.int64)
    return replace(trace, first=first, **columns)


def shortfall(whole: Trace, part: Trace) -> str:
    """How much of a trace was replayed, and why not all; empty where no record ends early."""
    if not whole.is_cut:
        return ""
    share = f"{len(part)} of {len(whole)} operations"
    if part.end.size:
        seconds = (float(trace.end.max() - whole.start.min()) for trace in (part, whole))
        share += ", {} of {} as recorded".format(*map(format_seconds, seconds))
    return (
        f"replayed up to the last point that all ranks reached, {share}, as the record ends early: "
        f"{early_ends(whole.cut)}"
    )


def _stops(trace: Trace) -> Ints:
    """Row at which each rank ends, (ranks,)."""
    stops: Ints = trace.first[1:].copy()
    is_cut = np.array([bool(why) for why in trace.cut])
    needs = _Needs(trace, is_cut)
    while True:
        before = stops.copy()
        needs.apply(stops)
        if (stops == before).all():
            _stop_by_time(trace, stops, is_cut)
            if (stops == before).all():
                return stops


def _stop_by_time(trace: Trace, stops: Ints, is_cut: NDArray[np.bool_]) -> None:
    """End ranks that need nobody when the last of those was at its end that could not go on."""
    if not trace.start.size:
        return
    is_ended = (is_cut | (stops < trace.first[1:])) & (stops > trace.first[:-1])
    last = trace.end[stops[is_ended] - 1].max(initial=-np.inf)
    late = np.flatnonzero(trace.start > last)
    _lower(stops, trace.rank, late)


class _Needs:
    """Rows that cannot be without others."""

    def __init__(self, trace: Trace, is_cut: NDArray[np.bool_]) -> None:
        self.rank = trace.rank
        matching, ends = match(trace), _ends(trace)
        self.sends, self.receive_ends = matching.sends, ends[matching.receives]
        is_open = (trace.kind == OpKind.RECEIVE) & (ends < len(trace))
        is_open &= (trace.peer == ANY) | (trace.tag == ANY)
        takes_any = np.bincount(trace.rank[is_open], minlength=trace.ranks) > 0
        sends = _of_ranks(trace, matching.lost_sends, is_cut & ~takes_any)
        receives = _of_ranks(trace, matching.lost_receives, is_cut)
        self.unmatched = np.concatenate([sends, ends[receives]])
        self.calls = np.flatnonzero(trace.kind >= OpKind.BARRIER)
        self.instance, self.sizes = _instances(trace, self.calls)

    def apply(self, stops: Ints) -> None:
        """Lower the ends of ranks by what each needs that is not there."""
        is_kept = np.arange(self.rank.size) < stops[self.rank]
        counts = np.bincount(self.instance[is_kept[self.calls]], minlength=self.sizes.size)
        for rows in (
            self.unmatched,
            self.receive_ends[~is_kept[self.sends]],
            self.calls[(counts < self.sizes)[self.instance]],
        ):
            _lower(stops, self.rank, rows)


def _lower(stops: Ints, rank: Ints, rows: Ints) -> None:
    """End ranks at rows, but those past the last row."""
    is_there = rows < rank.size
    np.minimum.at(stops, rank[rows[is_there]], rows[is_there])


def _ends(trace: Trace) -> Ints:
    """For each row, that at whose end it is over; past the last row where nothing waits for it."""
    ends = ends_of(trace)
    is_open = (trace.request != NONE) & (ends == np.arange(len(trace)))
    return np.asarray(np.where(is_open, len(trace), ends))


def _of_ranks(trace: Trace, rows: Ints, is_meant: NDArray[np.bool_]) -> Ints:
    """Those of the rows whose peer is meant."""
    peer = trace.peer[rows]
    return np.asarray(rows[(peer != ANY) & is_meant[peer]])


def _instances(trace: Trace, calls: Ints) -> tuple[Ints, Ints]:
    """Which call of all ranks of a communicator each is, and how many ranks take part in each."""
    key = trace.rank[calls] * len(trace.communicators) + trace.comm[calls]
    order = np.argsort(key, kind="stable")
    begins = np.flatnonzero(np.diff(key[order], prepend=-1))
    lengths = np.diff(np.append(begins, calls.size))
    place = np.empty(calls.size, np.int64)
    place[order] = np.arange(calls.size) - np.repeat(begins, lengths)
    both = trace.comm[calls].astype(np.int64) * (place.max(initial=0) + 1) + place
    which, instance = np.unique(both, return_inverse=True)
    members = np.array([members.size for members in trace.communicators])
    return instance, members[which // (place.max(initial=0) + 1)]
