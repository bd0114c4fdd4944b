"""What a file of rules for Open MPI says, in either format: groups of entries."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from contend.exports.filerule import Placement


@dataclass(frozen=True)
class Entry:
    """A rule of a block: from `size` bytes on, or for a range of them, an algorithm by number."""

    size: int
    size_to: int | None  # the first that it does not hold for
    number: int
    options: Mapping[str, int]
    line: int | None


@dataclass(frozen=True)
class Group:
    """The rules for a range of numbers of processes; `key` is the number that the file names."""

    operation: str
    key: int
    n: int
    n_to: int | None
    entries: Sequence[Entry]
    line: int | None
    placement: Placement = "any"
