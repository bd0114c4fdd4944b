"""What a library runs by default: tables by operation, ranks, bytes and conditions.

A table is a file of TOML. A head names operations and, behind a colon, conditions (`CONDITIONS`)
and versions ("since 5"). Of the heads that hold for a call the first counts, and in it the row of
the largest number of ranks that is not above n. A row lists algorithms, each behind the least bytes
that it is for: of m (docs/samples.md), or of n m where the head says so. Options that differ from
the algorithm's own defaults follow its name.
What is chosen may hand the call on (`LibraryAlgorithm`): to what runs in place, on such ranks, with
so few elements, in one segment.
Restrictions: communicators of one group; blocking operations; no rules and no variables.
"""

import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files

from contend.schedules.libraries.algorithm import (
    LibraryAlgorithm,
    Version,
    version_of,
)

SMALLEST, LARGEST = 1, 16  # bytes of an element, a double complex
_NEVER: Version = (9999,)
WITHOUT_BYTES = frozenset(("barrier", "alltoallv"))  # of which no table asks the size


@dataclass(frozen=True)
class Call:
    """A collective call of so many elements; `ppn` ranks a node, None: a node each, or all on one.

    The elements are those of the message, or of a block.
    """

    operation: str
    n: int
    m: int
    elements: int
    ppn: int | None = None
    is_in_place: bool = False
    commutes: bool = True
    is_built_in: bool = True  # the reduction, an operation of MPI


def power_below(n: int) -> int:
    """The largest power of two that is not above n."""
    return 1 << n.bit_length() - 1


CONDITIONS: Mapping[str, Callable[[Call], bool]] = {
    "in place": lambda call: call.is_in_place,
    "commutes": lambda call: call.commutes,
    "ordered": lambda call: not call.commutes,
    "user operation": lambda call: not call.is_built_in,
    "power of two": lambda call: call.n & (call.n - 1) == 0,
    "few elements": lambda call: call.elements < 1 << call.n.bit_length() - 1,
    "several a node": lambda call: call.ppn is not None and 1 < call.ppn < call.n,
}


@dataclass(frozen=True)
class Default:
    """What a library runs by itself; `algorithm` is None where that is not known, for `why`.

    `chosen` is what it takes first, where that hands the call on. `source` is the file of the
    library, and with which versions runs were held against it.
    """

    algorithm: LibraryAlgorithm | None = None
    options: Mapping[str, int] = field(default_factory=dict, hash=False)
    chosen: LibraryAlgorithm | None = None
    source: str = ""
    why: str = ""

    @property
    def departing(self) -> dict[str, int]:
        """Options that differ from what the algorithm takes where it is forced without any."""
        usual = self.algorithm.defaults if self.algorithm else {}
        return {name: to for name, to in self.options.items() if to != usual.get(name)}

    def __str__(self) -> str:
        """The library's name, with options that matter, or why it is not known."""
        if self.algorithm is None:
            return f"not known: {self.why}"
        options = (f"{name}={to}" for name, to in self.options.items() if to)
        return " ".join([self.algorithm.name, *options])


@dataclass(frozen=True)
class Head:
    """Rows by the least number of ranks, descending; `unknown` says why it has none."""

    operations: tuple[str, ...]
    conditions: tuple[str, ...]
    since: Version
    before: Version
    counts_all: bool
    unknown: str
    rows: tuple[tuple[int, str], ...]

    def holds(self, call: Call, version: Version) -> bool:
        """Whether it is for a call."""
        return (
            call.operation in self.operations
            and self.since <= version < self.before
            and all(CONDITIONS[name](call) for name in self.conditions)
        )

    def entry(self, call: Call) -> tuple[str, dict[str, int]]:
        """Name and options for a call that it holds for."""
        size = call.m * (call.n if self.counts_all else 1)
        row = next(row for least, row in self.rows if least <= call.n)
        for entry in reversed(row.split(", ")):
            words = entry.split()
            least = int(words.pop(0)) if words[0].isdecimal() else 0
            if least <= size:
                pairs = (word.split("=") for word in words[1:])
                return words[0], {name: int(value) for name, value in pairs}
        raise AssertionError(row)  # the first of a row has no least size


@dataclass(frozen=True)
class Defaults:
    """The table of a library, for versions from `since` on."""

    since: Version
    before: Version
    source: str
    heads: tuple[Head, ...]


@cache
def defaults_of(library: str) -> Defaults | None:
    """The table of a library; None for one that has none."""
    path = files("contend.schedules.libraries.defaults").joinpath(f"{library}.toml")
    if not path.is_file():
        return None
    table = tomllib.loads(path.read_text())
    since, before = (version_of(table.pop(name)) for name in ("from", "before"))
    source = f"{table.pop('source')}, as run with {table.pop('runs')}"
    return Defaults(since, before, source, tuple(_head(*item) for item in table.items()))


def _split(words: str) -> tuple[str, str]:
    first, _, rest = words.partition(" ")
    return first, rest


def _head(name: str, table: Mapping[str, str]) -> Head:
    operations, _, conditions = name.partition(":")
    words = [word.strip() for word in conditions.split(",") if word.strip()]
    ends = {word: version_of(to) for word, to in map(_split, words) if word in ("since", "before")}
    rows = {int(key): row for key, row in table.items() if key.isdecimal()}
    return Head(
        operations=tuple(word.strip() for word in operations.split(",")),
        conditions=tuple(word for word in words if _split(word)[0] not in ends),
        since=ends.get("since", ()),
        before=ends.get("before", _NEVER),
        counts_all=table.get("bytes") == "n m",
        unknown=table.get("unknown", ""),
        rows=tuple(sorted(rows.items(), reverse=True)),
    )


def default_of(
    title: str, table: Defaults | None, offered: Mapping[str, LibraryAlgorithm], call: Call,
    version: Version,
) -> Default:  # fmt: skip
    """What a library runs for a call; `offered` are its algorithms of the operation by name."""
    if table is None or not table.since <= version < table.before:
        return Default(why=f"what {title} takes is not in the tables")
    if call.n < 2:
        return Default(why="one rank exchanges nothing")
    if call.m == 0 and call.operation not in WITHOUT_BYTES:
        return Default(why="a call without bytes may end at once")
    head = next((head for head in table.heads if head.holds(call, version)), None)
    if head is None or head.unknown:
        why = head.unknown if head else f"the tables have no {call.operation}"
        return Default(why=why, source=table.source)
    name, options = head.entry(call)
    chosen = offered.get(name) or LibraryAlgorithm(call.operation, name)
    options = {**chosen.defaults, **options}
    runs, given = chosen, options
    while other := runs.handed_to(call.n, call.elements, given, is_in_place=call.is_in_place):
        runs = offered.get(other) or LibraryAlgorithm(call.operation, other)
        given = dict(runs.defaults)
    return Default(runs, given, chosen if runs is not chosen else None, table.source)
