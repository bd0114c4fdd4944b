"""Schedules in the text form of GOAL.

Source: Hoefler, Siebert, Lumsdaine, "Group Operation Assembly Language", ICPP 2009; the text form
is that of LogGOPSim and its schedule generators.
Idea: a block per rank; a line `lN: send 8b to 1 tag 0`, `lN: recv 8b from 1 tag 0` or
`lN: calc 8` per operation, and `lN requires lM` per dependency.
Restrictions: GOAL knows no data. Blocks are left out, a reduce becomes a receive. `calc` is read as
a local copy of as many bytes. Only the tag 0 and the first cpu and nic are read, `irequires` not;
`parse_goal` leaves tags and times to its caller.
LogGOPSim starts what is ready in any order; here a rank sends in the order of the lines.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from contend.errors import FileFormatError
from contend.schedules.ragged import Ints, ints, offsets_of
from contend.schedules.schedule import Kind, Schedule

# A comment without an end lasts to the end of the text: looking for it again and again would too.
_COMMENT = re.compile(r"//[^\n]*|/\*.*?(?:\*/|\Z)", re.DOTALL)
_HEAD = re.compile(r"\s*num_ranks\s+(\d+)\s*$")
_RANK = re.compile(r"\s*rank\s+(\d+)\s*\{\s*$")
_OPERATION = re.compile(
    r"\s*(\w+):\s*(?:(send|recv)\s+(\d+)b\s+(?:to|from)\s+(\d+)|calc\s+(\d+))"
    r"(?:\s+tag\s+(\d+))?(?:\s+cpu\s+0)?(?:\s+nic\s+0)?\s*$"
)
_REQUIRES = re.compile(r"\s*(\w+)\s+requires\s+(\w+)\s*$")
_KINDS = {"send": Kind.SEND, "recv": Kind.RECEIVE, None: Kind.COPY}


def to_goal(schedule: Schedule) -> str:
    """Text of a schedule; the labels of a rank are l1, l2, ... in the order of the table."""
    lines = [f"num_ranks {schedule.ranks}", ""]
    first = np.searchsorted(schedule.rank, np.arange(schedule.ranks + 1)).tolist()
    peer, size = schedule.peer.tolist(), schedule.bytes.tolist()
    for rank, (start, end) in enumerate(pairwise(first)):
        lines.append(f"rank {rank} {{")
        for index in range(start, end):
            label = f"l{index - start + 1}"
            kind = schedule.kind[index]
            if kind == Kind.COPY:
                lines.append(f"{label}: calc {size[index]}")
            else:
                what, where = ("send", "to") if kind == Kind.SEND else ("recv", "from")
                lines.append(f"{label}: {what} {size[index]}b {where} {peer[index]} tag 0")
            required = schedule.required_by(index)
            lines.extend(f"{label} requires l{one - start + 1}" for one in required)
        lines.extend(["}", ""])
    return "\n".join(lines)


def from_goal(text: str) -> Schedule:
    """The aggregated schedule of a text.

    >>> lines = "num_ranks 1", "rank 0 {", "l1: calc 8", "}"
    >>> from_goal(chr(10).join(lines)).bytes.tolist()
    [8]
    """
    goal = parse_goal(text)
    for operation in goal.operations:
        if operation.tag:
            raise _wrong(operation.line, f"tag {operation.tag}", "the tag 0")
    table = [(one.rank, one.kind, one.peer, one.bytes) for one in goal.operations]
    rank, kind, peer, size = ints(table).reshape(-1, 4).T
    order, rows = goal.by_rank()
    return Schedule(
        ranks=goal.ranks,
        kind=kind[order].astype(np.int8),
        rank=rank[order],
        peer=peer[order],
        bytes=size[order],
        requires_offsets=offsets_of(ints([len(row) for row in rows])),
        requires=ints([one for row in rows for one in row]),
        block_bytes=ints([]),
    )


@dataclass(frozen=True)
class GoalOperation:
    """A line of GOAL; `bytes` of a calc are what it says, of whatever unit."""

    rank: int
    kind: Kind
    peer: int
    bytes: int
    tag: int
    line: int
    requires: list[tuple[int, str]]  # line and label


@dataclass(frozen=True)
class Goal:
    """Operations in the order of the text, and where each label of a rank stands."""

    ranks: int
    operations: list[GoalOperation]
    labels: dict[tuple[int, str], int]

    def by_rank(self) -> tuple[Ints, list[list[int]]]:
        """Operations sorted by rank, stable, and for each the places that it requires there."""
        order = np.argsort([one.rank for one in self.operations], kind="stable")
        place = np.argsort(order).tolist()
        rows: list[list[int]] = []
        for index in order.tolist():
            operation = self.operations[index]
            for number, label in operation.requires:
                if (operation.rank, label) not in self.labels:
                    raise _wrong(number, label, "a label of the same rank")
            rows.append(
                [place[self.labels[operation.rank, label]] for _, label in operation.requires]
            )
        return order, rows


def parse_goal(text: str) -> Goal:
    """What stands in a text, with any tags.

    >>> lines = "num_ranks 2", "rank 0 {", "l1: send 8b to 1 tag 5", "}"
    >>> parse_goal(chr(10).join(lines)).operations[0].tag
    5
    """
    operations: list[GoalOperation] = []
    labels: dict[tuple[int, str], int] = {}
    ranks, rank = -1, -1
    for number, line in _lines(text):
        if ranks < 0:
            ranks = int(_expect(_HEAD.match(line), number, line, "num_ranks N").group(1))
        elif rank < 0:
            rank = int(_expect(_RANK.match(line), number, line, "rank N {").group(1))
        elif line.strip() == "}":
            rank = -1
        elif found := _OPERATION.match(line):
            label, kind, size, peer, calc, tag = found.groups()
            if (rank, label) in labels:
                raise _wrong(number, line, f"label {label} once per rank")
            labels[rank, label] = len(operations)
            operations.append(
                GoalOperation(rank, _KINDS[kind], int(peer or rank), int(size or calc),
                              int(tag or 0), number, [])
            )  # fmt: skip
        else:
            match = _expect(_REQUIRES.match(line), number, line, "an operation or `l2 requires l1`")
            if (rank, match.group(1)) not in labels:
                raise _wrong(number, line, "the operation above what it requires")
            required = operations[labels[rank, match.group(1)]].requires
            required.append((number, match.group(2)))
    if ranks < 0 or rank >= 0:
        raise FileFormatError("the text ends too early", "look for a missing }")
    return Goal(ranks, operations, labels)


def _lines(text: str) -> Iterator[tuple[int, str]]:
    """Lines with something in them, numbered from 1; comments keep the numbers as they are."""
    bare = _COMMENT.sub(lambda found: "\n" * found.group().count("\n"), text)
    return ((n, line) for n, line in enumerate(bare.splitlines(), start=1) if line.strip())


def _expect(match: re.Match[str] | None, number: int, line: str, what: str) -> re.Match[str]:
    if match is None:
        raise _wrong(number, line, what)
    return match


def _wrong(number: int, line: str, what: str) -> FileFormatError:
    return FileFormatError(f"GOAL line {number} is {line.strip()[:60]!r}", f"write {what}")
