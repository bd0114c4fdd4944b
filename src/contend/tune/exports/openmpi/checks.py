"""Rules of Open MPI in either format, and what can be wrong with them: hangs, units, shadows."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

from contend.schedules.libraries import LIBRARIES, LibraryAlgorithm, Version, version_text
from contend.tune.choose.rules import DEFAULT
from contend.tune.exports.file_rules import wrong_in_some
from contend.tune.exports.filerule import FileRule, Placement
from contend.tune.exports.finding import Faults, Finding
from contend.tune.exports.openmpi.collectives import (
    BRUCK_RADIX,
    BY_ELEMENT,
    BY_ROOT,
    JSON,
    OFF,
    PER_COMMUNICATOR,
    WITHOUT_SIZE,
    counted_in,
    han_finding,
)


@dataclass(frozen=True)
class Entry:
    """A rule of a block: from `size` bytes on, or for a range of them, an algorithm by number."""

    size: int
    size_to: int | None  # the first that it does not hold for
    number: int | None  # 0: the library is left to itself; None: of no algorithm that there is
    options: Mapping[str, int]
    line: int | None


@dataclass(frozen=True)
class Group:
    """The rules for n <= processes < n_to."""

    operation: str
    n: int
    n_to: int | None
    entries: Sequence[Entry]
    line: int | None
    placement: Placement = "any"


def file_rule(group: Group, entry: Entry, version: Version) -> FileRule:
    """An entry as the library takes it: of its numbers those that the algorithm looks at."""
    number = entry.number or 0
    algorithm = LIBRARIES.get("openmpi").numbered(group.operation, number, version)
    taken = algorithm.options if algorithm else ()
    return FileRule(
        operation=group.operation,
        n=group.n,
        n_to=group.n_to,
        size=entry.size,
        size_to=entry.size_to,
        algorithm=algorithm.name if algorithm else f"number {number}" if number else DEFAULT,
        options={name: value for name, value in entry.options.items() if name in taken},
        is_per_communicator=group.operation in PER_COMMUNICATOR,
        placement=group.placement,
        line=entry.line,
    )


OURS = "by contend "  # in the first lines of a file that contend wrote
LARGE = 65536  # bytes; a pipeline of messages above it without segments is hardly meant
PIPELINES = frozenset(
    ("chain", "pipeline", "split_binary_tree", "binary_tree", "segmented_ring", "binary",
     "in-order_binary")
)  # fmt: skip


_FAULT = Faults(__file__)


def check_groups(groups: Sequence[Group], version: Version, text: str | None) -> Iterator[Finding]:
    """Findings about rules that were read; `text` is a file with comments, None one without."""
    is_ours = text is None or OURS in text[:2000]
    library = LIBRARIES.get("openmpi")
    by_operation: dict[str, list[Group]] = {}
    for group in groups:
        by_operation.setdefault(group.operation, []).append(group)
        for entry in group.entries:
            algorithm = library.numbered(group.operation, entry.number or 0, version)
            yield from _of_entry(group, entry, version, algorithm, is_ours)
            if algorithm and (group.n_to is None or group.n_to > 2):  # one has nothing to reorder
                name, line = algorithm.name, entry.line
                yield from wrong_in_some(library, group.operation, name, version, text or "", line)
        yield from _of_group(group)
    for operation, of in by_operation.items():
        yield from _of_operation(operation, of, version, text)


def _of_entry(
    group: Group,
    entry: Entry,
    version: Version,
    algorithm: LibraryAlgorithm | None,
    is_ours: bool,
) -> Iterator[Finding]:
    of, line = group.operation, entry.line
    offered = LIBRARIES.get("openmpi").algorithms(of, version)
    if not entry.number or not offered:
        return
    if algorithm is None:
        highest = max(offer.number or 0 for offer in offered)
        given = {"number": entry.number, "version": version_text(version), "highest": highest}
        yield _FAULT("algorithm", line, of=of, **given)
        return
    name, fanout = algorithm.name, entry.options.get("fanout", 0)
    reaches = entry.size_to is None or entry.size_to > LARGE
    is_whole = name in PIPELINES and not entry.options.get("segment") and reaches
    codes = {
        "two-proc": algorithm.ranks == "two" and not (group.n <= 2 and group.n_to == 3),
        "fanout": fanout < 1 and name == "chain",
        "segment": is_whole and not is_ours,
        "radix": (of, name) == ("allgather", "bruck") and version >= JSON and fanout < BRUCK_RADIX,
    }
    for code in (code for code, is_so in codes.items() if is_so):
        yield _FAULT(code, line, of=of, name=name)


def _of_group(group: Group) -> Iterator[Finding]:
    of, numbers = group.operation, list(dict.fromkeys(entry.number or 0 for entry in group.entries))
    if len(numbers) < 2:
        return
    line = next(entry.line for entry in group.entries if (entry.number or 0) != numbers[0])
    if of in BY_ROOT:
        yield _FAULT("hang", line, of=of, numbers=", ".join(map(str, numbers)))
    if of in WITHOUT_SIZE | BY_ELEMENT:
        yield _FAULT("without-size", line, of=of, counted=counted_in(of))


def _of_operation(
    operation: str, groups: Sequence[Group], version: Version, text: str | None
) -> Iterator[Finding]:
    line = groups[0].line
    if not LIBRARIES.get("openmpi").algorithms(operation, version):
        yield _FAULT("unused", line, of=operation)
        return
    acting = {group.placement for group in groups if any(entry.number for entry in group.entries)}
    if acting - {"single-node"} and not OFF.search(text or ""):
        is_single = "any" not in acting
        yield from han_finding(operation, version, is_single, line, text is not None)
    if operation in PER_COMMUNICATOR - BY_ROOT:
        yield from islice(_units(operation, groups), 1)


def _units(operation: str, groups: Sequence[Group]) -> Iterator[Finding]:
    """Where sizes look as if they were those of a block, and not times the processes."""
    before, earlier = 0, list[int]()
    for group in groups:
        sizes = [entry.size for entry in group.entries if entry.size]
        for entry in group.entries:
            if 0 < entry.size < group.n:
                given = {"size": entry.size, "n": group.n}
                yield _FAULT("unit", entry.line, of=operation, **given)
        if sizes and sizes == earlier and group.n >= 2 * before:
            yield _FAULT("unit:same", group.line, of=operation, before=before, n=group.n)
        before, earlier = (group.n, sizes) if sizes else (before, earlier)
