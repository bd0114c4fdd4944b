"""Rows of one rank to operations of a trace.

What a wait has found is put into the row of its receive; peers and roots become ranks of the world.
Polls that found nothing take no time of their own, as what they wait for takes it.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from contend.programs.traces.kinds import ANY, ANY_SOURCE, ANY_TAG, LISTED, NONE, ROOTED, OpKind
from contend.programs.traces.recording.communicators import OwnCommunicators
from contend.programs.traces.recording.rows import ANY_SOURCE as OPEN_SOURCE
from contend.programs.traces.recording.rows import ANY_TAG as OPEN_TAG
from contend.programs.traces.recording.rows import (
    COLLECTS,
    NO_PEER,
    NOT_RECEIVED,
    RECEIVES,
    SENDS,
    Bools,
    Ints,
    Rows,
)
from contend.programs.traces.recording.shapes import ranges

_MESSAGES = (OpKind.SEND, OpKind.SYNC_SEND, OpKind.RECEIVE, OpKind.PROBE)


@dataclass(frozen=True)
class Operations:
    columns: dict[str, NDArray[np.generic]]  # those of a trace, but call and list
    call: Ints  # of file.kinds
    list_rows: Ints  # (n_values,) rising: the row of each value of a list
    list_values: Ints
    start: Ints  # ns of the common clock
    end: Ints


def operations_of(rows: Rows, comms: OwnCommunicators) -> Operations:
    usable = _usable(rows, comms)
    rows.leave_out(rows.is_kind(*_MESSAGES) & (rows.peer == NO_PEER))
    waited = _take_ends(rows)
    request = np.where(rows.is_kind(OpKind.WAIT, OpKind.TIME), NONE, rows.request)
    numbers = np.unique(request[request != NONE])  # replays have a place for each up to the last
    waited = (waited[0], np.searchsorted(numbers, waited[1]))
    is_spread = rows.is_kind(OpKind.SCATTER, OpKind.SCATTERV)
    rows.bytes[is_spread] = rows.received[is_spread]
    listed = [waited, _even_lists(rows, comms), _given_lists(rows, comms)]
    _set_peers(rows, comms, usable)
    at, values = (np.concatenate([lists[i] for lists in listed]) for i in range(2))
    order = np.argsort(at, kind="stable")
    waits = rows.is_kind(OpKind.WAIT)
    kept = (request != NONE) & ~rows.is_kind(OpKind.TIME)
    seconds = rows.computed + np.where(rows.takes_time, (rows.end - rows.start) / 1e9, 0.0)
    return Operations(
        columns={
            "kind": rows.kind,
            "peer": rows.peer,
            "tag": np.where(waits, 0, rows.tag),
            "bytes": np.where(waits, 0, np.maximum(rows.bytes, 0)),
            "comm": np.where(usable, comms.number[np.maximum(rows.comm, 0)], 0),
            "request": np.where(kept, np.searchsorted(numbers, request), NONE),
            "seconds": seconds,
            "line": np.full(rows.kind.size, NONE),
            "asked": _asked(rows),
        },
        call=rows.number.astype(np.int64),
        list_rows=at[order],
        list_values=values[order],
        start=rows.start,
        end=rows.end,
    )


def _asked(rows: Rows) -> NDArray[np.int8]:
    """What receives and probes left open; also a receive of what the probe before it has found."""
    flags = (rows.flags & OPEN_SOURCE != 0) * ANY_SOURCE + (rows.flags & OPEN_TAG != 0) * ANY_TAG
    is_met = rows.is_kind(OpKind.RECEIVE, OpKind.PROBE) & (rows.peer >= 0)
    asked = np.where(is_met, flags, 0)
    at = np.flatnonzero(rows.is_kind(OpKind.RECEIVE, OpKind.PROBE))
    is_probed = rows.is_kind(OpKind.PROBE)[at[:-1]] & rows.is_kind(OpKind.RECEIVE)[at[1:]]
    for column in (rows.peer, rows.tag, rows.comm):
        is_probed &= column[at[:-1]] == column[at[1:]]
    asked[at[1:][is_probed]] |= asked[at[:-1][is_probed]]
    return asked.astype(np.int8)


def _usable(rows: Rows, comms: OwnCommunicators) -> Bools:
    """Rows whose communicator has members that are known; what needs one and has none is time."""
    if rows.comm.size and rows.comm.max() >= comms.number.size:
        raise rows.error(f"a call is on communicator {rows.comm.max()}, which was not made")
    usable = rows.comm >= 0
    usable[usable] = comms.number[rows.comm[usable]] >= 0
    rows.only_time(~usable & ~rows.is_kind(OpKind.TIME, OpKind.WAIT))
    is_on_two = np.zeros(usable.size, bool)
    is_on_two[usable] = comms.is_inter[rows.comm[usable]]
    rows.only_time(is_on_two & (rows.kind >= OpKind.BARRIER))
    return usable


def _take_ends(rows: Rows) -> tuple[Ints, Ints]:
    """What waits have found, to the rows of their requests; rows and values of their lists."""
    ends = rows.ends
    begun = _row_of_request(rows, ends.request)
    is_known = begun >= 0
    is_receive = is_known & (rows.kind[begun] == OpKind.RECEIVE) if begun.size else is_known
    matched = is_receive & (ends.source >= 0)
    for column in ("tag", "bytes"):
        getattr(rows, column)[begun[matched]] = getattr(ends, column)[matched]
    rows.peer[begun[matched]] = ends.source[matched]
    is_gone = (is_known & (ends.source == NOT_RECEIVED)) | (is_receive & (ends.source == NO_PEER))
    rows.leave_out(begun[is_gone])
    is_waited = is_known.copy()
    is_waited[is_known] = rows.kind[begun[is_known]] != OpKind.TIME
    return ends.wait[is_waited], ends.request[is_waited]


def _row_of_request(rows: Rows, requests: Ints) -> Ints:
    """Where each was begun; -1 where that is not recorded."""
    begins = (rows.request != NONE) & (rows.flags & (SENDS | RECEIVES | COLLECTS) != 0)
    begins &= ~rows.named("Request_free", "Cancel")
    begun = np.flatnonzero(begins)
    order = begun[np.argsort(rows.request[begun], kind="stable")]
    begun_requests = rows.request[order]
    if begun_requests.size == 0:
        return np.full(requests.size, -1)
    place = np.minimum(np.searchsorted(begun_requests, requests), begun_requests.size - 1)
    return np.where(begun_requests[place] == requests, order[place], -1)


def _is_even(rows: Rows) -> Bools:
    named = rows.named("Reduce_scatter_block", "Ireduce_scatter_block")
    return np.asarray(named & (rows.kind == OpKind.REDUCE_SCATTER))


def _even_lists(rows: Rows, comms: OwnCommunicators) -> tuple[Ints, Ints]:
    at = np.flatnonzero(_is_even(rows))
    counts = np.diff(comms.offsets)[rows.comm[at]]
    blocks = np.repeat(rows.bytes[at], counts)
    rows.bytes[at] *= counts
    return np.repeat(at, counts), blocks


def _given_lists(rows: Rows, comms: OwnCommunicators) -> tuple[Ints, Ints]:
    at = np.flatnonzero(rows.is_kind(*LISTED) & (rows.words > 0) & ~_is_even(rows))
    counts = np.diff(comms.offsets)[rows.comm[at]]
    if (rows.words[at] < counts).any():
        raise rows.error("a collective has fewer counts than ranks")
    return np.repeat(at, counts), rows.file.words[ranges(rows.first[at], counts, 1)]


def _set_peers(rows: Rows, comms: OwnCommunicators, usable: Bools) -> None:
    """Peers and roots as ranks of the world, and what was left open."""
    has_peer = rows.is_kind(*_MESSAGES, *ROOTED)
    at = np.flatnonzero(has_peer & (rows.peer >= 0))
    comm, peer = rows.comm[at], rows.peer[at]
    if (peer >= np.diff(comms.offsets)[comm]).any():
        raise rows.error(f"a peer is rank {peer.max()}, which its communicator does not have")
    rows.peer[at] = comms.peers[comms.offsets[comm] + peer]
    is_open = rows.is_kind(OpKind.RECEIVE, OpKind.PROBE) & (rows.peer < 0)
    rows.tag[is_open & (rows.flags & OPEN_TAG != 0)] = ANY
    rows.peer[~has_peer | (rows.peer < 0)] = ANY
