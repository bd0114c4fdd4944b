"""How coll/tuned of Open MPI looks a call up, which calls coll/han takes before it, and its traps.

Source: ompi/mca/coll/base/coll_base_functions.h and
ompi/mca/coll/tuned/coll_tuned_decision_dynamic.c. What coll/han takes from 5.0 on was seen with
5.0.11 by looking which functions ranks enter, on one host and on emulated ones.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

from contend.schedules.libraries import LIBRARIES, LibraryAlgorithm, Version, version_text
from contend.tune.choose.rules import DEFAULT
from contend.tune.exports.file_rules import wrong_in_some
from contend.tune.exports.filerule import FileRule, Placement
from contend.tune.exports.finding import Faults, Finding

IDS = (
    "allgather", "allgatherv", "allreduce", "alltoall", "alltoallv", "alltoallw", "barrier",
    "bcast", "exscan", "gather", "gatherv", "reduce", "reduce_scatter", "reduce_scatter_block",
    "scan", "scatter", "scatterv", "neighbor_allgather", "neighbor_allgatherv",
    "neighbor_alltoall", "neighbor_alltoallv", "neighbor_alltoallw",
)  # fmt: skip
# Bytes are those of one block times the number of processes; of all others, the whole message (of
# allgatherv the mean block).
PER_COMMUNICATOR = frozenset(
    ("allgather", "alltoall", "gather", "reduce_scatter", "reduce_scatter_block", "scatter")
)
# Looked up by arguments that count at the root alone, so that ranks find different rules and wait
# for each other for ever where a block names more than one algorithm.
BY_ROOT = frozenset(("gather", "scatter"))
# Always looked up with 0 bytes: only the first rule of a block is used.
WITHOUT_SIZE = frozenset(("alltoallv", "barrier"))
# Looked up with the bytes of one element times the number of processes, however many there are.
BY_ELEMENT = frozenset(("exscan", "scan"))
ONE_FOR_ALL_SIZES = BY_ROOT | WITHOUT_SIZE | BY_ELEMENT
# Taken by coll/han, whose priority is 35 from 5.0 on and that of coll/tuned 30.
HAN = frozenset(("allgather", "allreduce", "barrier", "bcast", "gather", "reduce", "scatter"))
HAN_6 = HAN | {"alltoall"}
VERSION_WORD = "rule-file-version-"
VERSION_LINE = (5, 0, 7)  # the first that knows "rule-file-version-2"
JSON = (6,)  # the first that reads JSON, and the classic file in another way
BRUCK_RADIX = 2  # what "bruck" of 6.0 takes from the fanout; with less it never ends
_FAULT = Faults(__file__)


def counted_in(operation: str) -> str:
    """The bytes of a rule of an operation, in words."""
    if operation in WITHOUT_SIZE:
        return "0 bytes"
    if operation in BY_ELEMENT:
        return "bytes of one element times the number of processes"
    if operation in PER_COMMUNICATOR:
        return "bytes of one block times the number of processes"
    return "bytes of a mean block" if operation == "allgatherv" else "bytes of the message"


HAN_OFF = {"OMPI_MCA_coll_han_priority": "0"}


def han_takes(operation: str, version: tuple[int, ...]) -> bool:
    return version >= (5,) and operation in (HAN_6 if version >= JSON else HAN)


ALL_CALLS = frozenset(("allreduce", "barrier"))  # that it keeps on nodes of unequal ranks
OFF = re.compile(r"coll_han_|\^han\b|,han\b|coll/han")
# Words of a file of rules of its own, and what its rules begin with: a size and a component.
_OWN_RULES = re.compile(
    r"\b(?:global_communicator|intra_node|inter_node)\b|"
    r"^\s*\d+\s+(?:self|basic|libnbc|tuned|sm|adapt|han)\b",
    re.MULTILINE,
)


def han_finding(
    operation: str, version: Version, is_single: bool, line: int | None, has_comments: bool
) -> Iterable[Finding]:
    """A finding where it takes an operation; `is_single`: of communicators of one rank a node."""
    if not han_takes(operation, version):
        return
    unequal = "all" if operation in ALL_CALLS else "only the first"
    code = "han:single" if is_single else "han"
    yield _FAULT(code if has_comments else f"{code}:json", line, of=operation, unequal=unequal)


def is_of_han(text: str) -> bool:
    """Whether a text is a file of rules of coll/han itself."""
    is_ours = text.startswith("# Rules for coll/han ")
    return is_ours or bool(_OWN_RULES.search(re.sub("#.*", "", text)))


def of_han() -> Finding:
    """A file of coll/han in the place of one of coll/tuned."""
    return _FAULT("han-file", None)


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
