"""The actions of SMPI's time-independent traces: what a line does to its rank.

Source: SimGrid 3.32. A wait names source, destination and tag of its request; waitall is for all
open requests of the rank. Amounts count elements of a datatype, by its number in SimGrid: bytes
where none is named, unless `init` has an argument, then doubles.
Restrictions: one communicator, of all ranks: who is in those that comm_split makes is not in the
trace. Nor is what a test finds: the request stays open until a wait. Computing counts operations,
which a speed turns into seconds.
"""

from collections import defaultdict, deque
from collections.abc import Callable
from math import isfinite
from typing import NamedTuple

from contend.programs.traces.builder import RankBuilder
from contend.programs.traces.kinds import ANY, OpKind

# Bytes of SimGrid's datatypes, by number; of a datatype that is none, nothing.
_DATATYPES = {
    -1: 0, 0: 8, 1: 4, 2: 1, 3: 2, 4: 8, 5: 4, 6: 1, 7: 8, 8: 1, 9: 1, 10: 2, 11: 4, 12: 8, 13: 8,
    14: 16, 15: 4, 16: 1, 17: 1, 18: 2, 19: 4, 20: 8, 21: 1, 22: 2, 23: 4, 24: 8, 25: 8, 26: 16,
    27: 32, 28: 8, 29: 8,
}  # fmt: skip
_ANY_SOURCE, _ANY_TAG = (-555, -1), (-444, -1)
IGNORED = {"finalize", "comm_size", "comm_dup", "location"}  # all ranks are in a comm_dup
SPLIT = "comm_split"
_LARGEST = 2**53


class WrongLineError(Exception):
    """What is wrong with a line."""


class RankState:
    def __init__(self, builder: RankBuilder, ranks: int, speed: float | None) -> None:
        self.builder = builder
        self.ranks = ranks
        self.speed = speed
        self.element = 1  # bytes, where a line names no datatype
        self.line = 0
        self.open: dict[tuple[int, int, int], deque[int]] = defaultdict(deque)

    def take(self, line: int, words: list[str]) -> None:
        """Append what a line says, given as words."""
        action, self.line = words[1], line
        if action in IGNORED:
            return
        if action not in ACTIONS:
            names = ", ".join(sorted(ACTIONS))
            raise WrongLineError(f"{action[:40]!r} is none of the actions {names}")
        taker, fixed, per_rank = ACTIONS[action]
        least = fixed + per_rank * self.ranks
        if len(words) - 2 < least:
            raise WrongLineError(f"{action} has {len(words) - 2} arguments, {least} are the least")
        taker(self, action, words[2:])

    def number(self, word: str) -> float:
        try:
            value = float(_plain(word))
        except ValueError:
            raise WrongLineError(f"{word[:40]!r} is no number") from None
        if not (isfinite(value) and 0 <= value <= _LARGEST):
            raise WrongLineError(f"{word[:40]} is not between 0 and {_LARGEST}")
        return value

    def whole(self, word: str, least: int, most: int, argument: str) -> int:
        try:
            value = int(_plain(word))
        except ValueError:
            raise WrongLineError(f"{argument} {word[:40]!r} is no whole number") from None
        if not least <= value < most:
            raise WrongLineError(f"{argument} {word[:40]} is not from {least} to {most - 1}")
        return value

    def bytes(self, word: str, args: list[str], place: int) -> int:
        """An amount, of the datatype at that place of the arguments if it is there."""
        size = self.element
        if len(args) > place:
            number = self.whole(args[place], -1, 1 << 16, "datatype")
            if number not in _DATATYPES:
                raise WrongLineError(f"datatype {number} has no known size")
            size = _DATATYPES[number]
        return int(self.number(word) * size)

    def seconds(self, word: str) -> float:
        """Return the time of so many operations, or their number where the speed is not known."""
        return self.number(word) / (self.speed or 1.0)

    def add(self, kind: OpKind, action: str, **columns: object) -> None:
        self.builder.add(kind, action, line=self.line, **columns)  # type: ignore[arg-type]


def _plain(word: str) -> str:
    """Return the word unless it is a number to Python alone, as 1_000 is."""
    return word if word.isascii() and "_" not in word else ""


def _init(state: RankState, action: str, args: list[str]) -> None:
    state.element = 8 if args else 1


def _compute(state: RankState, action: str, args: list[str]) -> None:
    state.builder.compute(state.seconds(args[0]))


def _sleep(state: RankState, action: str, args: list[str]) -> None:
    state.builder.spend(action, state.number(args[0]), state.line)


def _message(state: RankState, action: str, args: list[str]) -> None:
    is_send = action.endswith("send")
    source_is_open = not is_send and args[0].lstrip("-").isdecimal() and int(args[0]) in _ANY_SOURCE
    peer = ANY if source_is_open else state.whole(args[0], 0, state.ranks, "rank")
    tag = state.whole(args[1], -(2**31), 2**31, "tag")
    if tag in _ANY_TAG and not is_send:
        tag = ANY
    elif tag < 0:
        raise WrongLineError(f"a tag of {tag}")
    size = state.bytes(args[2], args, 3) if len(args) > 2 else 0
    request = -1
    if action[0] == "i":
        request = state.builder.request()
        me = state.builder.rank
        src, dst = (me, peer) if is_send else (peer, me)
        state.open[src, dst, tag].append(request)
    kind = OpKind.SEND if is_send else OpKind.RECEIVE
    state.add(kind, action, peer=peer, tag=tag, bytes=size, request=request)


def _timeless(state: RankState, action: str, args: list[str]) -> None:
    state.builder.spend(action, line=state.line)


def _wait(state: RankState, action: str, args: list[str]) -> None:
    src, dst, tag = (int(state.whole(word, -(2**31), 2**31, "argument")) for word in args[:3])
    key = (ANY if src in _ANY_SOURCE else src, dst, ANY if tag in _ANY_TAG else tag)
    open_ones = state.open[key]
    done = [open_ones.popleft()] if open_ones else []  # it may have ended in a test
    state.builder.release(done)
    state.add(OpKind.WAIT, action, list=done)


def _waitall(state: RankState, action: str, args: list[str]) -> None:
    done = sorted(request for requests in state.open.values() for request in requests)
    state.open.clear()
    state.builder.release(done)
    state.add(OpKind.WAIT, action, list=done)


Place = tuple[int, int]  # (p, q): p + q n of n ranks


class _Collective(NamedTuple):
    """What a collective action is, and where its arguments stand.

    The datatypes are those of the size and of the counts, a count for each rank; `operations` are
    computed after it.
    """

    kind: OpKind
    least: Place  # number of arguments
    size: Place | None = None
    datatype: Place = (0, 0)
    counts: Place | None = None
    of_counts: Place = (0, 0)
    root: Place | None = None
    operations: Place | None = None


_COMBINED = {"size": (0, 0), "datatype": (2, 0), "operations": (1, 0)}
_BLOCKS = {"size": (0, 0), "datatype": (2, 0)}
COLLECTIVES = {
    "barrier": _Collective(OpKind.BARRIER, (0, 0)),
    "bcast": _Collective(OpKind.BCAST, (1, 0), (0, 0), (2, 0), root=(1, 0)),
    "reduce": _Collective(OpKind.REDUCE, (2, 0), (0, 0), (3, 0), root=(2, 0), operations=(1, 0)),
    "allreduce": _Collective(OpKind.ALLREDUCE, (2, 0), **_COMBINED),
    "scan": _Collective(OpKind.SCAN, (2, 0), **_COMBINED),
    "exscan": _Collective(OpKind.EXSCAN, (2, 0), **_COMBINED),
    "gather": _Collective(OpKind.GATHER, (2, 0), (0, 0), (3, 0), root=(2, 0)),
    "scatter": _Collective(OpKind.SCATTER, (2, 0), (1, 0), (4, 0), root=(2, 0)),
    "allgather": _Collective(OpKind.ALLGATHER, (2, 0), **_BLOCKS),
    "alltoall": _Collective(OpKind.ALLTOALL, (2, 0), **_BLOCKS),
    "gatherv": _Collective(OpKind.GATHERV, (1, 1), (0, 0), (2, 1), (1, 0), (3, 1), (1, 1)),
    "scatterv": _Collective(OpKind.SCATTERV, (1, 1), (0, 1), (3, 1), (0, 0), (2, 1), (1, 1)),
    "allgatherv": _Collective(OpKind.ALLGATHERV, (1, 1), (0, 0), (1, 1), (1, 0), (1, 1)),
    "alltoallv": _Collective(OpKind.ALLTOALLV, (2, 2), counts=(1, 0), of_counts=(2, 2)),
    "reducescatter": _Collective(
        OpKind.REDUCE_SCATTER, (1, 1), counts=(0, 0), of_counts=(1, 1), operations=(0, 1)
    ),
}


def _collective(state: RankState, action: str, args: list[str]) -> None:
    layout, n = COLLECTIVES[action], state.ranks

    def at(place: Place) -> int:
        # Displacements may follow the counts: with a datatype before them, or in place of one.
        is_typeless = action == "allgatherv" and n > 2 and len(args) == 2 * n + 1
        return len(args) if is_typeless and place == layout.of_counts else place[0] + place[1] * n

    columns: dict[str, object] = {}
    if layout.counts is not None:
        first = at(layout.counts)
        columns["list"] = [
            state.bytes(word, args, at(layout.of_counts)) for word in args[first : first + n]
        ]
    if layout.root is not None:
        place = at(layout.root)
        columns["peer"] = state.whole(args[place], 0, n, "root") if len(args) > place else 0
    if layout.size is not None:
        columns["bytes"] = state.bytes(args[at(layout.size)], args, at(layout.datatype))
    state.add(layout.kind, action, **columns)
    if layout.operations is not None:
        state.builder.compute(state.seconds(args[at(layout.operations)]))


_Taker = Callable[[RankState, str, list[str]], None]
# What takes an action, and how many arguments it has at least: so many, and so many per rank.
ACTIONS: dict[str, tuple[_Taker, int, int]] = {
    "init": (_init, 0, 0),
    "compute": (_compute, 1, 0),
    "sleep": (_sleep, 1, 0),
    "send": (_message, 3, 0),
    "isend": (_message, 3, 0),
    "recv": (_message, 2, 0),
    "irecv": (_message, 2, 0),
    SPLIT: (_timeless, 0, 0),
    "test": (_timeless, 3, 0),
    "wait": (_wait, 3, 0),
    "waitall": (_waitall, 0, 0),
    **{action: (_collective, *layout.least) for action, layout in COLLECTIVES.items()},
}
