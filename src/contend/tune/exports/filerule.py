"""A rule as a library reads it from a file, whatever the format."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal

from contend.tune.choose.rules import DEFAULT, meet

Placement = Literal["any", "one-per-node", "single-node"]


@dataclass(frozen=True)
class FileRule:
    """What a library takes for n <= processes < n_to and size <= bytes < size_to.

    `bytes` are those that the library counts: m, or m times the number of processes where
    `is_per_communicator`. Of several rules that hold, the library takes the first.
    """

    operation: str
    n: int
    n_to: int | None
    size: int
    size_to: int | None
    algorithm: str  # the library's own name, or "default"
    options: Mapping[str, int] = field(default_factory=dict, hash=False)
    is_per_communicator: bool = False
    placement: Placement = "any"
    when: tuple[str, ...] = ()  # what else has to be so, in words
    line: int | None = None

    @property
    def is_default(self) -> bool:
        return self.algorithm == DEFAULT

    def counted(self, n: int, m: int) -> int:
        """The bytes that the library counts of a call on n processes with contend's m."""
        return n * m if self.is_per_communicator else m

    def meets(self, other: "FileRule") -> bool:
        """Whether a call may be of both; sizes that are counted differently are taken to meet."""
        return (
            self.operation == other.operation
            and meet((self.n, self.n_to), (other.n, other.n_to))
            and (
                self.is_per_communicator != other.is_per_communicator
                or meet((self.size, self.size_to), (other.size, other.size_to))
            )
        )

    def holds(self, operation: str, n: int, m: int, placement: Placement = "any") -> bool:
        """Whether it is for a call; m is contend's, a block per rank or pair where there are such.

        >>> rule = FileRule("alltoall", 4, None, 4096, None, "pairwise", is_per_communicator=True)
        >>> rule.holds("alltoall", 4, 1024), rule.holds("alltoall", 4, 1000)
        (True, False)
        """
        size = self.counted(n, m)
        return (
            operation == self.operation
            and self.placement in ("any", placement)
            and self.n <= n < (self.n_to or n + 1)
            and self.size <= size < (size + 1 if self.size_to is None else self.size_to)
        )


def rule_for(
    rules: Iterable[FileRule], operation: str, n: int, m: int, placement: Placement = "any"
) -> FileRule | None:
    """The first rule that holds for a call; None where the file leaves the library to itself."""
    return next((rule for rule in rules if rule.holds(operation, n, m, placement)), None)
