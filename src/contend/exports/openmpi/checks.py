"""What can be wrong with rules for Open MPI in either format: hangs, aborts, units, shadows."""

from collections.abc import Iterator, Sequence

from contend.exports.finding import Finding
from contend.exports.openmpi.collectives import (
    BRUCK_RADIX,
    BY_ELEMENT,
    BY_ROOT,
    JSON,
    PER_COMMUNICATOR,
    WITHOUT_SIZE,
    counted_in,
)
from contend.exports.openmpi.groups import Entry, Group
from contend.exports.openmpi.han import OFF, han_finding
from contend.exports.openmpi.operands import operand_findings
from contend.libraries import LIBRARIES, Version, version_text

OURS = "by contend "  # in the first lines of a file that contend wrote
LARGE = 65536  # bytes; a pipeline of messages above it without segments is hardly meant
PIPELINES = frozenset(
    ("chain", "pipeline", "split_binary_tree", "binary_tree", "segmented_ring", "binary",
     "in-order_binary")
)  # fmt: skip


def check_groups(groups: Sequence[Group], version: Version, text: str | None) -> Iterator[Finding]:
    """Findings about rules that were read; `text` is a file with comments, None one without."""
    is_ours = text is None or OURS in text[:2000]
    for group in groups:
        for entry in group.entries:
            yield from _of_entry(group, entry, version, is_ours)
        yield from _of_group(group)
    yield from operand_findings(groups, version, text)
    by_operation: dict[str, list[Group]] = {}
    for group in groups:
        by_operation.setdefault(group.operation, []).append(group)
    for operation, of in by_operation.items():
        yield from _of_operation(operation, of, version, text)


def _of_entry(group: Group, entry: Entry, version: Version, is_ours: bool) -> Iterator[Finding]:
    library = LIBRARIES.get("openmpi")
    offered = library.algorithms(group.operation, version)
    if entry.number == 0 or not offered:
        return
    known = library.numbered(group.operation, entry.number, version)
    if known is None:
        highest = max(one.number or 0 for one in offered)
        yield Finding(
            "error", "algorithm",
            f"{group.operation} has no algorithm {entry.number} in {version_text(version)}: "
            "the program aborts at the first such call",
            f"give one from 0 (the default) to {highest}", entry.line,
        )  # fmt: skip
        return
    if known.ranks == "two" and not (group.n <= 2 and group.n_to == 3):
        yield Finding(
            "error", "two-proc",
            f"{group.operation} {known.name} is for 2 processes, and the rule holds for others: "
            "their calls fail",
            "give it to a block of exactly 2 processes", entry.line,
        )  # fmt: skip
    if entry.options.get("fanout", 0) < 1 and known.name == "chain":
        yield Finding(
            "warning", "fanout", f"{group.operation} chain with a fanout of 0 is one chain",
            "give the number of chains, 4 where none was chosen", entry.line,
        )  # fmt: skip
    reaches = entry.size_to is None or entry.size_to > LARGE
    if known.name in PIPELINES and not entry.options.get("segment") and reaches and not is_ours:
        yield Finding(
            "warning", "segment",
            f"{group.operation} {known.name} with a segment of 0 sends large messages whole, "
            "so that nothing overlaps",
            "give a segment, such as 16384 bytes", entry.line,
        )  # fmt: skip
    takes_radix = (group.operation, known.name) == ("allgather", "bruck") and version >= JSON
    if takes_radix and entry.options.get("fanout", 0) < BRUCK_RADIX:
        yield Finding(
            "warning", "radix",
            "allgather bruck takes its radix from the fanout in 6.0, which is less than 2",
            "give a fanout of 2", entry.line,
        )  # fmt: skip


def _of_group(group: Group) -> Iterator[Finding]:
    numbers = list(dict.fromkeys(entry.number for entry in group.entries))
    if group.operation in BY_ROOT and len(numbers) > 1:
        line = next(entry.line for entry in group.entries if entry.number != numbers[0])
        yield Finding(
            "error", "hang",
            f"{group.operation} takes algorithms {', '.join(map(str, numbers))} by size: ranks "
            "look the rule up by arguments that count at the root alone, take different ones, and "
            "the call hangs",
            "give one algorithm for all sizes of a number of processes", line,
        )  # fmt: skip
    if group.operation in WITHOUT_SIZE | BY_ELEMENT and len(numbers) > 1:
        line = next(entry.line for entry in group.entries if entry.number != numbers[0])
        yield Finding(
            "warning", "without-size",
            f"{group.operation} is looked up with {counted_in(group.operation)}, whatever the size "
            "of the call", "give one rule for all sizes", line,
        )  # fmt: skip


def _of_operation(
    operation: str, groups: Sequence[Group], version: Version, text: str | None
) -> Iterator[Finding]:
    line = groups[0].line
    if not LIBRARIES.get("openmpi").algorithms(operation, version):
        yield Finding(
            "warning", "unused", f"Open MPI never looks rules of {operation} up",
            "remove the collective", line,
        )  # fmt: skip
        return
    acting = {group.placement for group in groups if any(one.number for one in group.entries)}
    if acting - {"single-node"} and not OFF.search(text or ""):
        is_single = "any" not in acting
        yield from han_finding(operation, version, is_single, line, text is not None)
    if operation in PER_COMMUNICATOR - BY_ROOT:
        yield from _unit(operation, groups)


def _unit(operation: str, groups: Sequence[Group]) -> Iterator[Finding]:
    """Whether sizes look as if they were those of a block, and not times the processes."""
    remedy = (
        f"multiply the sizes of {operation} by the number of processes of their block, since "
        "Open MPI counts type size x count x processes; OSU and IMB show sizes per destination"
    )
    before: Group | None = None
    for group in groups:
        for entry in group.entries:
            if 0 < entry.size < group.key:
                yield Finding(
                    "warning", "unit",
                    f"{entry.size} bytes of {operation} on {group.key} processes is less than a "
                    "byte for each of them", remedy, entry.line,
                )  # fmt: skip
                return
        sizes = [entry.size for entry in group.entries if entry.size]
        earlier = [entry.size for entry in before.entries if entry.size] if before else []
        if before and sizes == earlier != [] and group.key >= 2 * before.key:
            yield Finding(
                "warning", "unit",
                f"{operation} changes at the same sizes on {before.key} and on {group.key} "
                "processes, as if they were per destination", remedy, group.line,
            )  # fmt: skip
            return
        before = group if sizes else before
