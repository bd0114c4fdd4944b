"""Time-independent traces of SMPI: a line per call, with bytes and operations in place of times.

Source: Desprez, Markomanolis, Quinson, Suter, "Assessing the performance of MPI applications
through time-independent trace replay", PSTI 2011; actions as in SimGrid 3.32.
Idea: `rank action arguments`; one file for all ranks, a file for each, or a file that lists them. A
wait names source, destination and tag of its request; waitall is for all open requests of the rank.
Amounts count elements of a datatype, by its number in SimGrid: bytes where none is named, unless
`init` has an argument, then doubles.
Restrictions: one communicator, of all ranks. What a test finds is not in the trace: the request
stays open until a wait. Computing counts operations, which a speed turns into seconds.
"""

from collections import defaultdict, deque
from collections.abc import Callable, Iterator
from math import isfinite
from pathlib import Path

from contend.errors import FileFormatError
from contend.textfile import read_text
from contend.traces.builder import RankBuilder, TraceBuilder
from contend.traces.kinds import ANY, OpKind
from contend.traces.reader import TraceReader
from contend.traces.trace import Trace

# Bytes of SimGrid's datatypes, by number; of a datatype that is none, nothing.
_DATATYPES = {
    -1: 0, 0: 8, 1: 4, 2: 1, 3: 2, 4: 8, 5: 4, 6: 1, 7: 8, 8: 1, 9: 1, 10: 2, 11: 4, 12: 8, 13: 8,
    14: 16, 15: 4, 16: 1, 17: 1, 18: 2, 19: 4, 20: 8, 21: 1, 22: 2, 23: 4, 24: 8, 25: 8, 26: 16,
    27: 32, 28: 8, 29: 8,
}  # fmt: skip
_ANY_SOURCE, _ANY_TAG = (-555, -1), (-444, -1)
_IGNORED = {"finalize", "comm_size", "comm_split", "comm_dup", "location"}
_LARGEST = 2**53


class SmpiReader(TraceReader):
    """Reader of SMPI's time-independent traces."""

    name = "ti"
    title = "time-independent trace of SMPI: a file, a folder of one per rank, or a list of files"

    def recognises(self, path: Path) -> bool:
        """Whether the first line is an action, or names a file that is there."""
        try:
            files = _files(path)
            first = next((line for _, line in _lines(files[0])), [])
        except (FileFormatError, IndexError):
            return False
        return len(first) > 1 and first[0].isdigit() and first[1] in _ACTIONS.keys() | _IGNORED

    def read(self, path: Path, speed: float | None) -> Trace:
        """The operations of all ranks."""
        files = _files(path)
        parsed = [(file, list(_lines(file))) for file in files]
        ranks = _count(parsed)
        by_rank = [str(path)] if len(files) == 1 else _names(parsed, ranks)
        builder = TraceBuilder(ranks, tuple(by_rank))
        states = [_State(builder.rank(rank), ranks, speed) for rank in range(ranks)]
        for file, lines in parsed:
            for number, words in lines:
                try:
                    states[int(words[0])].take(number, words)
                except _WrongLine as error:
                    raise FileFormatError(
                        f"{file} line {number}: {error}", "correct the line"
                    ) from None
        try:
            return builder.trace()
        except FileFormatError as error:
            raise FileFormatError(f"{path}: {error.message}", error.remedy) from None


class _WrongLine(Exception):
    """What is wrong with a line."""


def _files(path: Path) -> list[Path]:
    """The files of a trace: itself, those in a folder, or those that it lists."""
    if path.is_dir():
        return sorted(one for one in path.iterdir() if one.is_file())
    lines = [line.strip() for line in read_text(path).splitlines() if line.strip()]
    if not lines or len(lines[0].split()) > 1:
        return [path]
    found = [path.parent / line for line in lines]
    missing = [number for number, file in enumerate(found, start=1) if not file.is_file()]
    if missing:
        raise FileFormatError(
            f"{path} line {missing[0]}: there is no file {found[missing[0] - 1]}",
            "name files beside the list",
        )
    return found


def _lines(path: Path) -> Iterator[tuple[int, list[str]]]:
    """Words of the lines with something in them, numbered from 1."""
    for number, line in enumerate(read_text(path).splitlines(), start=1):
        words = line.split("#", 1)[0].split()
        if words:
            yield number, words


def _count(parsed: list[tuple[Path, list[tuple[int, list[str]]]]]) -> int:
    """Number of ranks; every line has an action, every rank a line."""
    ranks: set[int] = set()
    for file, lines in parsed:
        for number, words in lines:
            if len(words) < 2 or not words[0].isdecimal() or len(words[0]) > 8:
                raise FileFormatError(
                    f"{file} line {number}: {' '.join(words)[:60]!r} is no action",
                    "write: rank action arguments",
                )
            ranks.add(int(words[0]))
    missing = next((rank for rank in range(len(ranks)) if rank not in ranks), None)
    if not ranks or missing is not None:
        what = "no rank does anything" if not ranks else f"rank {missing} does nothing"
        raise FileFormatError(f"{parsed[0][0]}: {what}", "name all files of the trace")
    return len(ranks)


def _names(parsed: list[tuple[Path, list[tuple[int, list[str]]]]], ranks: int) -> list[str]:
    """The file of each rank: the last one that has a line of it."""
    names = [""] * ranks
    for file, lines in parsed:
        for rank in {int(words[0]) for _, words in lines}:
            names[rank] = str(file)
    return names


class _State:
    """A rank while its lines are read."""

    def __init__(self, builder: RankBuilder, ranks: int, speed: float | None) -> None:
        self.builder = builder
        self.ranks = ranks
        self.speed = speed
        self.element = 1  # bytes, where a line names no datatype
        self.line = 0
        self.free: list[int] = []
        self.next_request = 0
        self.open: dict[tuple[int, int, int], deque[int]] = defaultdict(deque)

    def take(self, line: int, words: list[str]) -> None:
        action, self.line = words[1], line
        if action in _IGNORED:
            return
        if action not in _ACTIONS:
            known = ", ".join(sorted(_ACTIONS))
            raise _WrongLine(f"{action[:40]!r} is none of the actions {known}")
        taker, fixed, per_rank = _ACTIONS[action]
        least = fixed + per_rank * self.ranks
        if len(words) - 2 < least:
            raise _WrongLine(f"{action} has {len(words) - 2} arguments, {least} are the least")
        taker(self, action, words[2:])

    def number(self, word: str) -> float:
        try:
            value = float(word)
        except ValueError:
            raise _WrongLine(f"{word[:40]!r} is no number") from None
        if not (isfinite(value) and 0 <= value <= _LARGEST):
            raise _WrongLine(f"{word[:40]} is not between 0 and {_LARGEST}")
        return value

    def whole(self, word: str, least: int, most: int, what: str) -> int:
        try:
            value = int(word)
        except ValueError:
            raise _WrongLine(f"{what} {word[:40]!r} is no whole number") from None
        if not least <= value < most:
            raise _WrongLine(f"{what} {word[:40]} is not from {least} to {most - 1}")
        return value

    def bytes(self, word: str, args: list[str], place: int) -> int:
        """An amount, of the datatype at that place of the arguments if it is there."""
        size = self.element
        if len(args) > place:
            number = self.whole(args[place], -1, 1 << 16, "datatype")
            if number not in _DATATYPES:
                raise _WrongLine(f"datatype {number} has no known size")
            size = _DATATYPES[number]
        return int(self.number(word) * size)

    def seconds(self, word: str) -> float:
        operations = self.number(word)
        if operations == 0:
            return 0.0
        if self.speed is None:
            raise _WrongLine(
                "the trace counts operations of computation: give their number per second (--speed)"
            )
        return operations / self.speed

    def request(self) -> int:
        if self.free:
            return self.free.pop()
        self.next_request += 1
        return self.next_request - 1

    def add(self, kind: OpKind, action: str, **columns: object) -> None:
        self.builder.add(kind, action, line=self.line, **columns)  # type: ignore[arg-type]


def _init(state: _State, action: str, args: list[str]) -> None:
    state.element = 8 if args else 1


def _compute(state: _State, action: str, args: list[str]) -> None:
    state.builder.compute(state.seconds(args[0]))


def _sleep(state: _State, action: str, args: list[str]) -> None:
    state.builder.spend(action, state.number(args[0]), state.line)


def _message(state: _State, action: str, args: list[str]) -> None:
    is_send = action.endswith("send")
    source_is_open = not is_send and args[0].lstrip("-").isdecimal() and int(args[0]) in _ANY_SOURCE
    peer = ANY if source_is_open else state.whole(args[0], 0, state.ranks, "rank")
    tag = state.whole(args[1], -(2**31), 2**31, "tag")
    if tag in _ANY_TAG and not is_send:
        tag = ANY
    elif tag < 0:
        raise _WrongLine(f"a tag of {tag}")
    size = state.bytes(args[2], args, 3) if len(args) > 2 else 0
    request = -1
    if action[0] == "i":
        request = state.request()
        me = state.builder.rank
        src, dst = (me, peer) if is_send else (peer, me)
        state.open[src, dst, tag].append(request)
    kind = OpKind.SEND if is_send else OpKind.RECEIVE
    state.add(kind, action, peer=peer, tag=tag, bytes=size, request=request)


def _test(state: _State, action: str, args: list[str]) -> None:
    state.builder.spend(action, line=state.line)


def _wait(state: _State, action: str, args: list[str]) -> None:
    src, dst, tag = (int(state.whole(word, -(2**31), 2**31, "argument")) for word in args[:3])
    key = (ANY if src in _ANY_SOURCE else src, dst, ANY if tag in _ANY_TAG else tag)
    open_ones = state.open[key]
    done = [open_ones.popleft()] if open_ones else []  # it may have ended in a test
    state.free += done
    state.add(OpKind.WAIT, action, list=done)


def _waitall(state: _State, action: str, args: list[str]) -> None:
    done = sorted(one for requests in state.open.values() for one in requests)
    state.open.clear()
    state.free += done
    state.add(OpKind.WAIT, action, list=done)


def _barrier(state: _State, action: str, args: list[str]) -> None:
    state.add(OpKind.BARRIER, action)


def _bcast(state: _State, action: str, args: list[str]) -> None:
    root = state.whole(args[1], 0, state.ranks, "root") if len(args) > 1 else 0
    state.add(OpKind.BCAST, action, peer=root, bytes=state.bytes(args[0], args, 2))


def _reduce(state: _State, action: str, args: list[str]) -> None:
    root = state.whole(args[2], 0, state.ranks, "root") if len(args) > 2 else 0
    state.add(OpKind.REDUCE, action, peer=root, bytes=state.bytes(args[0], args, 3))
    state.builder.compute(state.seconds(args[1]))


def _combine(state: _State, action: str, args: list[str]) -> None:
    kind = {"allreduce": OpKind.ALLREDUCE, "scan": OpKind.SCAN, "exscan": OpKind.EXSCAN}[action]
    state.add(kind, action, bytes=state.bytes(args[0], args, 2))
    state.builder.compute(state.seconds(args[1]))


def _rooted_blocks(state: _State, action: str, args: list[str]) -> None:
    root = state.whole(args[2], 0, state.ranks, "root") if len(args) > 2 else 0
    kind = OpKind.GATHER if action == "gather" else OpKind.SCATTER
    place = 0 if action == "gather" else 1  # what each rank sends, or receives
    size = state.bytes(args[place], args, 3 + place)
    state.add(kind, action, peer=root, bytes=size)


def _blocks(state: _State, action: str, args: list[str]) -> None:
    kind = OpKind.ALLTOALL if action == "alltoall" else OpKind.ALLGATHER
    state.add(kind, action, bytes=state.bytes(args[0], args, 2))


def _gatherv(state: _State, action: str, args: list[str]) -> None:
    n = state.ranks
    counts = [state.bytes(word, args, n + 3) for word in args[1 : n + 1]]
    root = state.whole(args[n + 1], 0, n, "root") if len(args) > n + 1 else 0
    state.add(OpKind.GATHERV, action, peer=root, list=counts)


def _scatterv(state: _State, action: str, args: list[str]) -> None:
    n = state.ranks
    counts = [state.bytes(word, args, n + 2) for word in args[:n]]
    root = state.whole(args[n + 1], 0, n, "root") if len(args) > n + 1 else 0
    state.add(OpKind.SCATTERV, action, peer=root, list=counts)


def _allgatherv(state: _State, action: str, args: list[str]) -> None:
    n = state.ranks
    counts = [state.bytes(word, args, n + 1) for word in args[1 : n + 1]]
    state.add(OpKind.ALLGATHERV, action, list=counts)


def _alltoallv(state: _State, action: str, args: list[str]) -> None:
    n = state.ranks
    counts = [state.bytes(word, args, 2 * n + 2) for word in args[1 : n + 1]]
    state.add(OpKind.ALLTOALLV, action, list=counts)


def _reduce_scatter(state: _State, action: str, args: list[str]) -> None:
    n = state.ranks
    counts = [state.bytes(word, args, n + 1) for word in args[:n]]
    state.add(OpKind.REDUCE_SCATTER, action, list=counts)
    state.builder.compute(state.seconds(args[n]))


_Taker = Callable[[_State, str, list[str]], None]
# What takes an action, and how many arguments it has at least: so many, and so many per rank.
_ACTIONS: dict[str, tuple[_Taker, int, int]] = {
    "init": (_init, 0, 0),
    "compute": (_compute, 1, 0),
    "sleep": (_sleep, 1, 0),
    "send": (_message, 3, 0),
    "isend": (_message, 3, 0),
    "recv": (_message, 2, 0),
    "irecv": (_message, 2, 0),
    "test": (_test, 3, 0),
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
