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

from contend.traces.builder import RankBuilder
from contend.traces.kinds import ANY, OpKind

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
    """A rank while its lines are read."""

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
            known = ", ".join(sorted(ACTIONS))
            raise WrongLineError(f"{action[:40]!r} is none of the actions {known}")
        taker, fixed, per_rank = ACTIONS[action]
        least = fixed + per_rank * self.ranks
        if len(words) - 2 < least:
            raise WrongLineError(f"{action} has {len(words) - 2} arguments, {least} are the least")
        taker(self, action, words[2:])

    def number(self, word: str) -> float:
        """A number from 0 on."""
        try:
            value = float(_plain(word))
        except ValueError:
            raise WrongLineError(f"{word[:40]!r} is no number") from None
        if not (isfinite(value) and 0 <= value <= _LARGEST):
            raise WrongLineError(f"{word[:40]} is not between 0 and {_LARGEST}")
        return value

    def whole(self, word: str, least: int, most: int, what: str) -> int:
        """A whole number from `least` to below `most`."""
        try:
            value = int(_plain(word))
        except ValueError:
            raise WrongLineError(f"{what} {word[:40]!r} is no whole number") from None
        if not least <= value < most:
            raise WrongLineError(f"{what} {word[:40]} is not from {least} to {most - 1}")
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
        """Append an operation of the present line."""
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
    done = sorted(one for requests in state.open.values() for one in requests)
    state.open.clear()
    state.builder.release(done)
    state.add(OpKind.WAIT, action, list=done)


def _barrier(state: RankState, action: str, args: list[str]) -> None:
    state.add(OpKind.BARRIER, action)


def _bcast(state: RankState, action: str, args: list[str]) -> None:
    root = state.whole(args[1], 0, state.ranks, "root") if len(args) > 1 else 0
    state.add(OpKind.BCAST, action, peer=root, bytes=state.bytes(args[0], args, 2))


def _reduce(state: RankState, action: str, args: list[str]) -> None:
    root = state.whole(args[2], 0, state.ranks, "root") if len(args) > 2 else 0
    state.add(OpKind.REDUCE, action, peer=root, bytes=state.bytes(args[0], args, 3))
    state.builder.compute(state.seconds(args[1]))


def _combine(state: RankState, action: str, args: list[str]) -> None:
    kind = {"allreduce": OpKind.ALLREDUCE, "scan": OpKind.SCAN, "exscan": OpKind.EXSCAN}[action]
    state.add(kind, action, bytes=state.bytes(args[0], args, 2))
    state.builder.compute(state.seconds(args[1]))


def _rooted_blocks(state: RankState, action: str, args: list[str]) -> None:
    root = state.whole(args[2], 0, state.ranks, "root") if len(args) > 2 else 0
    kind = OpKind.GATHER if action == "gather" else OpKind.SCATTER
    place = 0 if action == "gather" else 1  # what each rank sends, or receives
    size = state.bytes(args[place], args, 3 + place)
    state.add(kind, action, peer=root, bytes=size)


def _blocks(state: RankState, action: str, args: list[str]) -> None:
    kind = OpKind.ALLTOALL if action == "alltoall" else OpKind.ALLGATHER
    state.add(kind, action, bytes=state.bytes(args[0], args, 2))


def _gatherv(state: RankState, action: str, args: list[str]) -> None:
    n = state.ranks
    counts = [state.bytes(word, args, n + 3) for word in args[1 : n + 1]]
    root = state.whole(args[n + 1], 0, n, "root") if len(args) > n + 1 else 0
    size = state.bytes(args[0], args, n + 2)
    state.add(OpKind.GATHERV, action, peer=root, list=counts, bytes=size)


def _scatterv(state: RankState, action: str, args: list[str]) -> None:
    n = state.ranks
    counts = [state.bytes(word, args, n + 2) for word in args[:n]]
    root = state.whole(args[n + 1], 0, n, "root") if len(args) > n + 1 else 0
    size = state.bytes(args[n], args, n + 3)
    state.add(OpKind.SCATTERV, action, peer=root, list=counts, bytes=size)


def _allgatherv(state: RankState, action: str, args: list[str]) -> None:
    n = state.ranks
    # Displacements may follow the counts: with a datatype before them, or in place of one.
    place = len(args) if n > 2 and len(args) == 2 * n + 1 else n + 1
    counts = [state.bytes(word, args, place) for word in args[1 : n + 1]]
    size = state.bytes(args[0], args, place)
    state.add(OpKind.ALLGATHERV, action, list=counts, bytes=size)


def _alltoallv(state: RankState, action: str, args: list[str]) -> None:
    n = state.ranks
    counts = [state.bytes(word, args, 2 * n + 2) for word in args[1 : n + 1]]
    state.add(OpKind.ALLTOALLV, action, list=counts)


def _reduce_scatter(state: RankState, action: str, args: list[str]) -> None:
    n = state.ranks
    counts = [state.bytes(word, args, n + 1) for word in args[:n]]
    state.add(OpKind.REDUCE_SCATTER, action, list=counts)
    state.builder.compute(state.seconds(args[n]))


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
    "barrier": (_barrier, 0, 0),
    "bcast": (_bcast, 1, 0),
    "reduce": (_reduce, 2, 0),
    "allreduce": (_combine, 2, 0),
    "scan": (_combine, 2, 0),
    "exscan": (_combine, 2, 0),
    "gather": (_rooted_blocks, 2, 0),
    "scatter": (_rooted_blocks, 2, 0),
    "allgather": (_blocks, 2, 0),
    "alltoall": (_blocks, 2, 0),
    "gatherv": (_gatherv, 1, 1),
    "scatterv": (_scatterv, 1, 1),
    "allgatherv": (_allgatherv, 1, 1),
    "alltoallv": (_alltoallv, 2, 2),
    "reducescatter": (_reduce_scatter, 1, 1),
}
