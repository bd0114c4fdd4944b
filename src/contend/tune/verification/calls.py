"""Collective calls of a program, as the library that watches them has written them down.

Each rank writes a file of JSON lines: first what it is, then calls that have all in common but
their time. See mpi/interpose/watch.
"""

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from contend.base.errors import FileFormatError


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
    is_ordered: bool = False
    inner: str | None = None
    inner_ran: str | None = None


@dataclass(frozen=True)
class Calls:
    """Calls of one kind: how many, as the mean over ranks of the call, and each rank's seconds."""

    kind: Kind
    calls: float
    seconds: Mapping[int, float]


@dataclass(frozen=True)
class Watched:
    """What was seen in one run of a program; `left_out` counts calls beyond what ranks keep.

    `files` ranks of `ranks` left a record. `inner` are reductions inside calls whose operation does
    not commute.
    """

    calls: tuple[Calls, ...]
    ranks: int
    files: int
    library: str
    sees_algorithms: bool
    left_out: int
    per_node: int | None  # ranks of each host, None where they differ
    inner: tuple[Calls, ...] = ()

    @property
    def has_seen_an_algorithm(self) -> bool:
        """Whether any call showed its algorithm; if none did, the library hides them."""
        return self.sees_algorithms and any(call.kind.asked for call in self.calls)


def read_watched(folder: Path) -> Watched | None:
    """The records of all ranks in a folder, None where there is none."""
    heads: list[dict[str, Any]] = []
    calls: list[Calls] = []
    for path in sorted(folder.glob("*.jsonl")):
        head, *rows = _lines(path)
        heads.append(head)
        for row in rows:
            count, seconds = row.pop("calls"), row.pop("seconds")
            calls.append(Calls(Kind(**row), count / row["n"], {head["rank"]: seconds}))
    if not heads:
        return None
    return Watched(
        calls=_by_kind(call for call in calls if call.kind.inner is None),
        inner=_by_kind(call for call in calls if call.kind.inner is not None),
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


def added(runs: Iterable[Iterable[Calls]]) -> tuple[Calls, ...]:
    return _by_kind(call for calls in runs for call in calls)


def longest(calls: Iterable[Calls]) -> float:
    """Seconds in these calls of the rank that is longest in them.

    Where ranks come together, that is until the last has ended, as of a reduction its root.
    """
    return max(_of_each_rank(calls).values(), default=0.0)


def _by_kind(calls: Iterable[Calls]) -> tuple[Calls, ...]:
    kinds: defaultdict[Kind, list[Calls]] = defaultdict(list)
    for call in calls:
        kinds[call.kind].append(call)
    return tuple(
        Calls(kind, sum(call.calls for call in group), _of_each_rank(group))
        for kind, group in kinds.items()
    )


def _of_each_rank(calls: Iterable[Calls]) -> dict[int, float]:
    totals: defaultdict[int, float] = defaultdict(float)
    for call in calls:
        for rank, seconds in call.seconds.items():
            totals[rank] += seconds
    return dict(totals)
