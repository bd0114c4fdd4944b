"""Collective operations of a trace as schedules, in the tables that the core takes.

Idea: calls with the same algorithm, ranks, bytes and root are one program, however often and on
whichever communicators they are made. A trace whose operations require each other, as those of
GOAL do, is one program of all ranks.
"""

from dataclasses import dataclass, field, replace
from weakref import WeakKeyDictionary

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from contend.base.errors import FileFormatError, InvalidInputError
from contend.programs.replay.choice import COLLECTIVE, Choice, Chooser
from contend.programs.replay.deadlock import explained
from contend.programs.traces.kinds import LISTED, ROOTED, OpKind
from contend.programs.traces.trace import Trace
from contend.schedules.matching import UnmatchedError, partners_of
from contend.schedules.ragged_rows import Ints
from contend.schedules.schedule import Kind, Schedule

_PER_RANK = frozenset({OpKind.ALLGATHERV, OpKind.REDUCE_SCATTER})  # run with blocks of mean size

_SAME_CALLS = "let all ranks of a communicator make the same collective calls in the same order"
_READY_FIRST = 2  # Processor of the core: untouched, in order, ready first


@dataclass(frozen=True, eq=False)
class Part:
    """One program; rows of `required` and partners count its own operations.

    Processors and what has to have begun are those of a graph, which is the only program then.
    """

    kind: NDArray[np.int8]
    rank: Ints
    partner: Ints
    bytes: Ints
    offsets: Ints
    required: Ints
    seconds: NDArray[np.float64]
    is_ready_first: bool = False  # one operation at a time, as LogGOPSim does
    cpu: NDArray[np.int32] = field(default_factory=lambda: np.zeros(0, dtype=np.int32))
    begun_offsets: Ints = field(default_factory=lambda: np.zeros(0, dtype=np.int64))
    begun: Ints = field(default_factory=lambda: np.zeros(0, dtype=np.int64))

    @classmethod
    def of(cls, schedule: Schedule) -> "Part":
        """A schedule of the catalogue, whose copies take no time."""
        return cls(
            kind=schedule.kind,
            rank=schedule.rank,
            partner=schedule.partner,
            bytes=schedule.bytes,
            offsets=schedule.requires_offsets,
            required=schedule.requires,
            seconds=np.zeros(schedule.kind.size),
        )

    def kept(self, keep: NDArray[np.bool_]) -> "Part":
        """Return the operations of a mask, which has both ends of a message or none."""
        number = np.cumsum(keep) - 1
        owner = np.repeat(np.arange(keep.size), np.diff(self.offsets))
        edges = keep[owner] & keep[self.required]
        counts = np.bincount(number[owner[edges]], minlength=int(keep.sum()))
        return replace(
            self,
            kind=self.kind[keep],
            rank=self.rank[keep],
            partner=np.where(self.partner >= 0, number[self.partner], -1)[keep],
            bytes=self.bytes[keep],
            offsets=np.concatenate([[0], np.cumsum(counts)]),
            required=number[self.required[edges]],
            seconds=self.seconds[keep],
        )


@dataclass
class Expanded:
    """Programs, and that of each operation of the trace, (n_ops,), -1 for none."""

    program: NDArray[np.int32]
    parts: list[Part] = field(default_factory=list)
    algorithms: dict[str, set[str]] = field(default_factory=dict)  # names by operation
    choices: set[Choice] = field(default_factory=set)

    def tables(
        self, size_of: "SizeNumbers", *, takes_overheads: bool
    ) -> dict[str, NDArray[np.generic]]:
        """Return the programs one after the other, as the core takes them."""
        parts = self.parts
        counts = [part.kind.size for part in parts]
        first = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
        edges = np.concatenate([[0], np.cumsum([part.required.size for part in parts])])
        offsets = [part.offsets[:-1] + edge for part, edge in zip(parts, edges, strict=False)]
        return {
            "first": first,
            "kind": _joined([part.kind for part in parts], np.int8),
            "rank": _joined([part.rank for part in parts], np.int32),
            "partner": _joined(
                [
                    np.where(part.partner >= 0, part.partner + begin, -1)
                    for part, begin in zip(parts, first, strict=False)
                ],
                np.int64,
            ),
            "size": _joined([size_of(part.bytes) for part in parts], np.int32),
            "seconds": _joined([part.seconds for part in parts], np.float64),
            "offsets": _joined([*offsets, edges[-1:]], np.int64),
            "required": _joined(
                [part.required + begin for part, begin in zip(parts, first, strict=False)],
                np.int64,
            ),
            "processor": np.array(
                [_READY_FIRST if part.is_ready_first else takes_overheads for part in parts],
                dtype=np.int8,
            ),
            "cpu": _joined([part.cpu for part in parts], np.int32),
            "begun_offsets": _joined([part.begun_offsets for part in parts], np.int64),
            "begun": _joined([part.begun for part in parts], np.int64),
        }


class SizeNumbers:
    """Sizes of messages by number, in ascending order."""

    def __init__(self, sizes: list[Ints]) -> None:
        given = np.concatenate([np.zeros(1, dtype=np.int64), *sizes])
        self.sizes = np.sort(pd.unique(given))  # by hash: few of many differ

    def __call__(self, sizes: Ints) -> NDArray[np.int32]:
        """Return the number of each of `sizes`, in their shape."""
        return np.searchsorted(self.sizes, sizes).astype(np.int32)


def _joined(columns: list[NDArray[np.generic]], dtype: type[np.generic]) -> NDArray[np.generic]:
    return np.concatenate([np.zeros(0, dtype=dtype), *columns]).astype(dtype)


# Of each trace that somebody holds, what was made of it last: cases of a sweep share it.
_LAST: WeakKeyDictionary[Trace, tuple[Chooser, Expanded]] = WeakKeyDictionary()


def expand(trace: Trace, chooser: Chooser) -> Expanded:
    """The programs of all collective operations of a trace; not to be changed.

    Raises
    ------
    FileFormatError
        Where ranks of a communicator make different collective calls, with both places.
    """
    last = _LAST.get(trace)
    if last is None or last[0] != chooser:
        last = _LAST[trace] = (chooser, _expanded(trace, chooser))
    return last[1]


def _expanded(trace: Trace, chooser: Chooser) -> Expanded:
    expanded = Expanded(np.full(len(trace), -1, dtype=np.int32))
    numbers: dict[tuple[object, ...], int] = {}
    rows = np.flatnonzero(trace.kind >= OpKind.BARRIER)
    rows = rows[np.argsort(trace.comm[rows], kind="stable")]
    edges = np.searchsorted(trace.comm[rows], np.arange(len(trace.communicators) + 1))
    for comm, members in enumerate(trace.communicators):
        for calls in _calls_of(trace, rows[edges[comm] : edges[comm + 1]], members):
            key, kind = _key(trace, calls, members)
            if key not in numbers:
                numbers[key] = len(expanded.parts)
                if members.size == 1:
                    expanded.parts.append(_nothing())
                else:
                    part, choice = _part(trace, calls, members, kind, chooser)
                    expanded.parts.append(part)
                    expanded.choices.add(choice)
                    names = expanded.algorithms.setdefault(COLLECTIVE[kind], set())
                    names.add(choice.algorithm.name)
            expanded.program[calls] = numbers[key]
    return expanded


def _calls_of(trace: Trace, rows: Ints, members: Ints) -> Ints:
    """The operations `rows` of a communicator: a row per call, in it those of its members."""
    if not rows.size:
        return np.zeros((0, members.size), dtype=np.int64)
    rank = np.searchsorted(trace.first, rows, side="right") - 1
    place_of = np.full(trace.ranks, -1, dtype=np.int64)
    place_of[members] = np.arange(members.size)
    place = place_of[rank]
    strange = place < 0
    if strange.any():
        raise FileFormatError(
            f"{trace.place(int(rows[strange.argmax()]))}: the rank is not in the communicator",
            "correct the trace",
        )
    ends = np.cumsum(np.bincount(place, minlength=members.size))
    lists = np.split(rows[np.argsort(place, kind="stable")], ends[:-1])
    fewest = min(calls.size for calls in lists)
    # All make the same calls as far as all go on; who waits for the others then is a deadlock.
    table = np.stack([calls[:fewest] for calls in lists], axis=1)
    for column, names in (("kind", "calls"), ("peer", "roots")):
        values = getattr(trace, column)[table]
        if column == "peer":
            values = np.where(np.isin(trace.kind[table], list(ROOTED)), values, 0)
        differs = values != values[:, :1]
        if differs.any():
            call, place = np.argwhere(differs)[0]
            raise FileFormatError(
                *explained(
                    trace,
                    f"{trace.place(int(table[call, place]))} meets "
                    f"{trace.place(int(table[call, 0]))}: different {names} of one operation",
                    _SAME_CALLS,
                )
            )
    if (surplus := next((calls for calls in lists if calls.size > fewest), None)) is not None:
        shortest = members[[calls.size for calls in lists].index(fewest)]
        raise InvalidInputError(
            *explained(
                trace,
                f"deadlock: {trace.place(int(surplus[fewest]))} waits for rank {shortest}, which "
                f"makes {fewest} collective calls on this communicator",
                _SAME_CALLS,
            )
        )
    return table


def _key(trace: Trace, calls: Ints, members: Ints) -> tuple[tuple[object, ...], OpKind]:
    op = int(calls[0])
    kind = OpKind(int(trace.kind[op]))
    root = _root(trace, op, members) if kind in ROOTED else 0
    name = int(trace.call[op])  # of blocks alike or not, and of what a library runs for it
    if kind in LISTED:
        # A scatterv has its list at the root, an alltoallv one for each rank; or bytes of ranks.
        sizes = b"".join(trace.list_of(call).tobytes() + b"|" for call in calls.tolist())
        return (kind, name, members.size, root, sizes, trace.bytes[calls].tobytes()), kind
    return (kind, name, members.size, root, int(trace.bytes[calls].max())), kind


def _root(trace: Trace, op: int, members: Ints) -> int:
    places = np.flatnonzero(members == trace.peer[op])
    if not places.size:
        raise FileFormatError(
            f"{trace.place(op)}: its root {trace.peer[op]} is not in the communicator",
            "correct the trace",
        )
    return int(places[0])


def _part(
    trace: Trace, calls: Ints, members: Ints, kind: OpKind, chooser: Chooser
) -> tuple[Part, Choice]:
    n, op = members.size, int(calls[0])
    root = _root(trace, op, members) if kind in ROOTED else 0
    m: Ints | int = 0
    if COLLECTIVE[kind] != "alltoallv":
        m = _mean(trace, calls, kind) if kind in _PER_RANK else int(trace.bytes[calls].max())
    choice = chooser.choice(kind, n, int(m), trace.calls[trace.call[op]])
    if COLLECTIVE[kind] == "alltoallv":
        m = _matrix(trace, calls, kind, root)
    algorithm = choice.algorithm
    starts_at = root if algorithm.defines.has_root else 0
    schedule = algorithm.build(n, m, root=starts_at, with_blocks=False, **choice.options)
    part = Part.of(schedule)
    if kind in (OpKind.GATHERV, OpKind.SCATTERV):
        part = part.kept(_is_of_root(part, root, to_root=kind == OpKind.GATHERV))
    return part, choice


def _is_of_root(part: Part, root: int, *, to_root: bool) -> NDArray[np.bool_]:
    """Return which operations send to a root and receive there, or the other way round."""
    other = np.where(part.partner >= 0, part.rank[part.partner], -1)
    is_send = part.kind == Kind.SEND
    dst = np.where(is_send, other, part.rank)
    src = np.where(is_send, part.rank, other)
    return np.asarray((dst if to_root else src) == root)


def _nothing() -> Part:
    none = np.zeros(0, dtype=np.int64)
    return Part(none.astype(np.int8), none, none, none, np.zeros(1, np.int64), none, np.zeros(0))


def _mean(trace: Trace, calls: Ints, kind: OpKind) -> int:
    """Return the mean bytes per rank, rounded up."""
    op = next((call for call in calls.tolist() if trace.list[call] >= 0), None)
    if op is not None:
        total = trace.list_of(op).sum()
    else:  # each tells its block of an allgatherv, and all blocks of a reduce-scatter
        given = trace.bytes[calls]
        total = given.sum() if kind == OpKind.ALLGATHERV else given.max()
    return int(-(-total // calls.size))


def _matrix(trace: Trace, calls: Ints, kind: OpKind, root: int) -> Ints:
    """Bytes from each rank to each, (n, n)."""
    n = calls.size
    matrix = np.zeros((n, n), dtype=np.int64)
    for place, op in enumerate(calls.tolist()):
        sizes = trace.list_of(op)
        if kind == OpKind.ALLTOALLV:
            matrix[place] = sizes if sizes.size else trace.bytes[op] // n
        elif sizes.size and place == root:
            if kind == OpKind.GATHERV:
                matrix[:, root] = sizes
            else:
                matrix[root] = sizes
        elif not (trace.list[calls] >= 0).any() and kind == OpKind.GATHERV:
            matrix[place, root] = trace.bytes[op]
        elif not (trace.list[calls] >= 0).any():
            matrix[root, place] = trace.bytes[op]
    np.fill_diagonal(matrix, 0)
    return matrix


def whole(trace: Trace) -> Expanded:
    """The one program of a trace whose operations require each other."""
    is_send, is_receive = trace.kind == OpKind.SEND, trace.kind == OpKind.RECEIVE
    is_time = trace.kind == OpKind.TIME
    if not (is_send | is_receive | is_time).all():
        op = int(np.flatnonzero(~(is_send | is_receive | is_time))[0])
        raise FileFormatError(
            f"{trace.place(op)}: no send, receive or time, though operations require others",
            "write it as a trace in program order",
        )
    kind = np.select([is_send, is_receive], [Kind.SEND, Kind.RECEIVE], Kind.COPY)
    part = Part(
        kind=kind.astype(np.int8),
        rank=trace.rank,
        partner=_partners(trace, is_send, is_receive),
        bytes=trace.bytes,
        offsets=trace.requires_offsets,
        required=trace.requires,
        seconds=np.where(is_time, trace.seconds, 0.0),
        is_ready_first=True,
        cpu=trace.cpu,
        begun_offsets=trace.begun_offsets,
        begun=trace.begun,
    )
    return Expanded(np.zeros(trace.ranks, dtype=np.int32), [part])


def _partners(trace: Trace, is_send: NDArray[np.bool_], is_receive: NDArray[np.bool_]) -> Ints:
    """The message of each receive and the receive of each message."""
    try:
        return partners_of(trace.rank, trace.peer, trace.tag, is_send, is_receive)
    except UnmatchedError as error:
        raise InvalidInputError(
            f"deadlock: {trace.place(error.operation)}: {error.message}", "correct the trace"
        ) from None
