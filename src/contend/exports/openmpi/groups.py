"""What a file of rules for Open MPI says, in either format: groups of entries."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from contend.choose.rules import DEFAULT
from contend.exports.filerule import FileRule, Placement
from contend.exports.openmpi.collectives import PER_COMMUNICATOR
from contend.libraries import LIBRARIES, Version


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
