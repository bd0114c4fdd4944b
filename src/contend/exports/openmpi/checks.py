"""What can be wrong with rules for Open MPI in either format: hangs, aborts, units, shadows."""

from collections.abc import Iterator, Sequence
from itertools import islice

from contend.exports.finding import Faults, Finding
from contend.exports.openmpi.collectives import (
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
from contend.exports.openmpi.groups import Entry, Group
from contend.exports.operands import wrong_in_some
from contend.libraries import LIBRARIES, Version, version_text

OURS = "by contend "  # in the first lines of a file that contend wrote
LARGE = 65536  # bytes; a pipeline of messages above it without segments is hardly meant
PIPELINES = frozenset(
    ("chain", "pipeline", "split_binary_tree", "binary_tree", "segmented_ring", "binary",
     "in-order_binary")
)  # fmt: skip


_PER_COMMUNICATOR = (
    "multiply the sizes of {of} by the number of processes of their block, since Open MPI counts "
    "type size x count x processes; OSU and IMB show sizes per destination"
)
_FAULT = Faults({
    "algorithm": ("error", "{of} has no algorithm {number} in {version}: the program aborts at the "
                  "first such call", "give one from 0 (the default) to {highest}"),
    "two-proc": ("error", "{of} {name} is for 2 processes, and the rule holds for others: their "
                 "calls fail", "give it to a block of exactly 2 processes"),
    "fanout": ("warning", "{of} chain with a fanout of 0 is one chain",
               "give the number of chains, 4 where none was chosen"),
    "segment": ("warning", "{of} {name} with a segment of 0 sends large messages whole, so that "
                "nothing overlaps", "give a segment, such as 16384 bytes"),
    "radix": ("warning", "allgather bruck takes its radix from the fanout in 6.0, which is less "
              "than 2", "give a fanout of 2"),
    "hang": ("error", "{of} takes algorithms {numbers} by size: ranks look the rule up by "
             "arguments that count at the root alone, take different ones, and the call hangs",
             "give one algorithm for all sizes of a number of processes"),
    "without-size": ("warning", "{of} is looked up with {counted}, whatever the size of the call",
                     "give one rule for all sizes"),
    "unused": ("warning", "Open MPI never looks rules of {of} up", "remove the collective"),
    "unit": ("warning", "{size} bytes of {of} on {n} processes is less than a byte for each of "
             "them", _PER_COMMUNICATOR),
    "unit:same": ("warning", "{of} changes at the same sizes on {before} and on {n} processes, as "
                  "if they were per destination", _PER_COMMUNICATOR),
})  # fmt: skip


def check_groups(groups: Sequence[Group], version: Version, text: str | None) -> Iterator[Finding]:
    """Findings about rules that were read; `text` is a file with comments, None one without."""
    is_ours = text is None or OURS in text[:2000]
    by_operation: dict[str, list[Group]] = {}
    for group in groups:
        by_operation.setdefault(group.operation, []).append(group)
        for entry in group.entries:
            yield from _of_entry(group, entry, version, is_ours, text or "")
        yield from _of_group(group)
    for operation, of in by_operation.items():
        yield from _of_operation(operation, of, version, text)


def _of_entry(
    group: Group, entry: Entry, version: Version, is_ours: bool, text: str
) -> Iterator[Finding]:
    library, of, line = LIBRARIES.get("openmpi"), group.operation, entry.line
    offered = library.algorithms(of, version)
    if not entry.number or not offered:
        return
    algorithm = library.numbered(of, entry.number, version)
    if algorithm is None:
        highest = max(one.number or 0 for one in offered)
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
    if group.n_to is None or group.n_to > 2:  # one process has nothing to reorder
        yield from wrong_in_some(library, of, name, version, text, line)


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
    acting = {group.placement for group in groups if any(one.number for one in group.entries)}
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
