"""Collective calls of a program, as the library that watches them has written them down.

Each rank writes a file of JSON lines: first what it is, then calls that have all in common but
their time. See mpi/verify.
"""

import json
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from contend.errors import FileFormatError


@dataclass(frozen=True)
class Kind:
    """What calls have in common.

    `m` is the bytes of a block of one rank, or of the whole where that is not divided; of blocks
    that differ their mean, of scatterv and gatherv the rank's own. `asked` is the algorithm that
    the library called first and `ran` the one that it handed the call on to, else the same; None
    where none was seen. `is_in_parts`: algorithms were seen on other communicators alone.
    """

    operation: str
    n: int
    m: int
    asked: str | None = None
    ran: str | None = None
    segment: int | None = None
    fanout: int | None = None
    is_in_parts: bool = False


@dataclass(frozen=True)
class Calls:
    """Calls of one kind: how many, and the seconds in them, as means over ranks of the call."""

    kind: Kind
    calls: float
    seconds: float


@dataclass(frozen=True)
class Watched:
    """What was seen in one run of a program; `left_out` counts calls beyond what ranks keep.

    `files` ranks of `ranks` left a record.
    """

    calls: tuple[Calls, ...]
    ranks: int
    files: int
    library: str
    sees_algorithms: bool
    left_out: int
    per_node: int | None  # ranks of each host, None where they differ

    @property
    def has_seen_an_algorithm(self) -> bool:
        """Whether any call showed its algorithm; if none did, the library hides them."""
        return self.sees_algorithms and any(one.kind.asked for one in self.calls)


def read_watched(folder: Path) -> Watched | None:
    """The records of all ranks in a folder, None where there is none."""
    heads: list[dict[str, Any]] = []
    sums: defaultdict[Kind, list[float]] = defaultdict(lambda: [0.0, 0.0])
    for path in sorted(folder.glob("*.jsonl")):
        head, *rows = _lines(path)
        heads.append(head)
        for row in rows:
            calls, seconds = row.pop("calls"), row.pop("seconds")
            total = sums[Kind(**row)]
            total[0] += calls / row["n"]
            total[1] += seconds / row["n"]
    if not heads:
        return None
    return Watched(
        calls=tuple(Calls(kind, *total) for kind, total in sums.items()),
        ranks=max(head["ranks"] for head in heads),
        files=len(heads),
        library=heads[0]["library"],
        sees_algorithms=all(head["sees_algorithms"] for head in heads),
        left_out=int(sum(head["left_out"] for head in heads)),
        per_node=_per_node([head["host"] for head in heads]),
    )


def _lines(path: Path) -> list[dict[str, Any]]:
    try:
        return [json.loads(line) for line in path.read_text().splitlines()]
    except (OSError, ValueError) as error:
        raise FileFormatError(f"the record {path} is broken: {error}", "run it again") from None


def _per_node(hosts: Sequence[str]) -> int | None:
    counts = {hosts.count(host) for host in hosts}
    return counts.pop() if len(counts) == 1 else None


def added(runs: Iterable[Watched]) -> tuple[Calls, ...]:
    """Calls of several runs together."""
    sums: defaultdict[Kind, list[float]] = defaultdict(lambda: [0.0, 0.0])
    for run in runs:
        for one in run.calls:
            sums[one.kind][0] += one.calls
            sums[one.kind][1] += one.seconds
    return tuple(Calls(kind, *total) for kind, total in sums.items())
