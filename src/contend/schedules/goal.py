"""Schedules in the text form of GOAL.

Source: Hoefler, Siebert, Lumsdaine, "Group Operation Assembly Language", ICPP 2009; the text form
is that of LogGOPSim's txt2bin and its schedule generators.
Idea: a block per rank; a line `lN: send 8b to 1 tag 0`, `lN: recv 8b from 1 tag 0` or
`lN: calc 8` per operation, perhaps with `cpu N`, and `lN requires lM` per dependency; `lN irequires
lM` waits for the begin of lM alone. A label may be left out, a receive may be from -1 or of tag -1:
any. Comments are those of C, and lines after `#`.
Restrictions: one network card, nic 0; no puts, gets and their kin of LogGOPSim 2. GOAL knows no
data. LogGOPSim starts what is ready in any order; a schedule sends in the order of the lines.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

import numpy as np

from contend.base.errors import FileFormatError
from contend.base.units import MOST_BYTES
from contend.schedules.ragged_rows import Ints
from contend.schedules.schedule import Kind

ANY = -1
MOST_IDLE = 2**16  # ranks without a block: each costs a kilobyte and none of the file
MOST_CPUS = 256  # LogGOPSim numbers them by a byte
# A comment without an end lasts to the end of the text: looking for it again and again would too.
_COMMENT = re.compile(r"(?://|#)[^\n]*|/\*.*?(?:\*/|\Z)", re.DOTALL)
_BRACE = re.compile(r"(?<=\{)|(?=\})|(?<=\})")
_HEAD = re.compile(r"\s*num_ranks\s+(\d+)\s*(rank\b.*)?$")
_RANK = re.compile(r"\s*rank\s+(\d+)\s*\{\s*$")
_OPERATION = re.compile(
    r"\s*(?:(\w+)\s*:\s*)?(?:(send|recv)\s+(\d+)\s*b\s+(?:to|from)\s+(-1|\d+)|calc\s+(\d+))"
    r"((?:\s+(?:tag|cpu|nic)\s+(?:-1|\d+))*)\s*$"
)
_REQUIRES = re.compile(r"\s*(\w+)\s+(i?requires)\s+(\w+)\s*$")
_OTHERS = re.compile(r"\s*(?:\w+\s*:\s*)?(t?put|t?get|t?append|test|calcgem5)\b")
_KINDS = {"send": Kind.SEND, "recv": Kind.RECEIVE, None: Kind.COPY}


def goal_operation(kind: Kind, amount: int, peer: int, tag: int = 0) -> str:
    """Text of an operation, without its label.

    >>> goal_operation(Kind.SEND, 8, 1), goal_operation(Kind.COPY, 8, 0)
    ('send 8b to 1 tag 0', 'calc 8')
    """
    if kind == Kind.COPY:
        return f"calc {amount}"
    operation = f"send {amount}b to {peer}" if kind == Kind.SEND else f"recv {amount}b from {peer}"
    return f"{operation} tag {tag}"


def goal_text(ranks: int, blocks: Iterable[Iterable[str]]) -> str:
    lines = [f"num_ranks {ranks}", ""]
    for rank, block in enumerate(blocks):
        lines += [f"rank {rank} {{", *block, "}", ""]
    return "\n".join(lines)


@dataclass(frozen=True)
class GoalOperation:
    """A line of GOAL; `bytes` of a calc are what it says, of whatever unit."""

    rank: int
    kind: Kind
    peer: int  # ANY of a receive from anywhere
    bytes: int
    tag: int  # ANY of a receive of any tag
    line: int
    cpu: int = 0
    requires: list[tuple[int, str]] = field(default_factory=list)  # line and label
    begun: list[tuple[int, str]] = field(default_factory=list)  # what it irequires


@dataclass(frozen=True)
class Goal:
    """Operations in the order of the text, and where each label of a rank stands."""

    ranks: int
    operations: list[GoalOperation]
    labels: dict[tuple[int, str], int]

    def check_ranks(self) -> None:
        """Raise for an operation of a rank, or with a peer, beyond the number of ranks."""
        for operation in self.operations:
            highest = max(operation.rank, operation.peer)
            if highest >= self.ranks:
                raise FileFormatError(
                    f"GOAL line {operation.line} names rank {highest} of {self.ranks}",
                    "count ranks from 0",
                )

    def by_rank(self, relation: str = "requires") -> tuple[Ints, list[list[int]]]:
        """Operations sorted by rank, stable, and for each the places that it requires there.

        `relation` is "requires", or "begun" for what it irequires.
        """
        order = np.argsort([operation.rank for operation in self.operations], kind="stable")
        place = np.argsort(order).tolist()
        rows: list[list[int]] = []
        for index in order.tolist():
            operation = self.operations[index]
            named: list[tuple[int, str]] = getattr(operation, relation)
            for number, label in named:
                if (operation.rank, label) not in self.labels:
                    raise _wrong(number, label, "a label of the same rank")
            rows.append([place[self.labels[operation.rank, label]] for _, label in named])
        return order, rows


def parse_goal(text: str) -> Goal:
    """What stands in a text, with any tags.

    >>> lines = "num_ranks 2", "rank 0 {", "l1: send 8b to 1 tag 5", "}"
    >>> parse_goal(chr(10).join(lines)).operations[0].tag
    5
    """
    operations: list[GoalOperation] = []
    labels: dict[tuple[int, str], int] = {}
    named: set[int] = set()
    ranks, rank = -1, -1
    for number, line in _lines(text):
        if ranks < 0:
            ranks = int(_expect(_HEAD.match(line), number, line, "num_ranks N").group(1))
        elif rank < 0:
            rank = int(_expect(_RANK.match(line), number, line, "rank N {").group(1))
            named.add(rank)
        elif line.strip() == "}":
            rank = -1
        elif match := _OPERATION.match(line):
            if label := match.group(1):
                if (rank, label) in labels:
                    raise _wrong(number, line, f"label {label} once per rank")
                labels[rank, label] = len(operations)
            operations.append(_operation(match, rank, number))
        else:
            _add_requirement(number, line, rank, operations, labels)
    if ranks < 0 or rank >= 0:
        raise FileFormatError("the text ends too early", "look for a missing }")
    if ranks - len(named) > MOST_IDLE:
        raise FileFormatError(
            f"num_ranks {ranks}, of which {len(named)} have a block",
            f"give at most {MOST_IDLE} ranks more than do anything",
        )
    return Goal(ranks, operations, labels)


def _operation(match: re.Match[str], rank: int, number: int) -> GoalOperation:
    _, kind, size, peer, calc, rest = match.groups()
    line = match.group()
    words = rest.split()
    given = dict(zip(words[::2], map(int, words[1::2]), strict=True))
    if 2 * len(given) < len(words):
        raise _wrong(number, line, f"{words[0]} once")
    if given.get("nic", 0):
        raise _wrong(number, line, f"nic 0: nic {given['nic']} is not modelled")
    if kind != "recv" and (peer == "-1" or given.get("tag") == ANY):
        raise _wrong(number, line, "the rank and the tag of a send: -1 is for receives alone")
    if max(map(int, filter(None, (size, calc, *words[1::2])))) > MOST_BYTES:
        raise _wrong(number, line, f"numbers of at most {MOST_BYTES}")
    if not 0 <= given.get("cpu", 0) < MOST_CPUS:
        raise _wrong(number, line, f"a cpu from 0 to {MOST_CPUS - 1}")
    return GoalOperation(
        rank, _KINDS[kind], int(peer or rank), int(size or calc),
        given.get("tag", 0), number, given.get("cpu", 0),
    )  # fmt: skip


def _add_requirement(
    number: int, line: str, rank: int,
    operations: list[GoalOperation], labels: dict[tuple[int, str], int],
) -> None:  # fmt: skip
    if other := _OTHERS.match(line):
        raise _wrong(number, line, f"send, recv or calc: {other.group(1)} is not modelled")
    match = _expect(_REQUIRES.match(line), number, line,
                    "an operation or `l2 requires l1` or `l2 irequires l1`")  # fmt: skip
    if (rank, match.group(1)) not in labels:
        raise _wrong(number, line, "the operation above what it requires")
    operation = operations[labels[rank, match.group(1)]]
    rows = operation.requires if match.group(2) == "requires" else operation.begun
    rows.append((number, match.group(3)))


def _lines(text: str) -> Iterator[tuple[int, str]]:
    """Statements, numbered by their lines from 1; comments keep the numbers as they are."""
    bare = _COMMENT.sub(lambda comment: "\n" * comment.group().count("\n"), text)
    for number, line in enumerate(bare.splitlines(), start=1):
        for part in _BRACE.split(line):
            head = _HEAD.match(part)
            pieces = [part[: head.start(2)], head.group(2)] if head and head.group(2) else [part]
            yield from ((number, piece) for piece in pieces if piece.strip())


def _expect(match: re.Match[str] | None, number: int, line: str, expected: str) -> re.Match[str]:
    if match is None:
        raise _wrong(number, line, expected)
    return match


def _wrong(number: int, line: str, expected: str) -> FileFormatError:
    return FileFormatError(f"GOAL line {number} is {line.strip()[:60]!r}", f"write {expected}")
