"""What an MPI library runs where it is told nothing, as its sources say: a rule of its own."""

from dataclasses import dataclass

from contend.libraries.algorithm import SERVES, Ranks
from contend.libraries.version import Version


@dataclass(frozen=True)
class OwnChoice:
    """A rule of a library for one operation among ranks that each have a node to themselves.

    It holds from `least_ranks` up to `most_ranks` of them, and for sizes (bytes, m of
    docs/samples.md) up to `most_bytes`, of all ranks together if they are counted `in_all`. Of
    several the first that holds counts.
    """

    operation: str
    algorithm: str
    least_ranks: int = 1
    most_ranks: int | None = None
    most_bytes: int | None = None
    in_all: bool = False
    ranks: Ranks = "any"
    least_per_rank: int = 0  # bytes: with fewer it depends on the elements that there are
    since: Version = ()

    def holds(self, n: int, m: int) -> bool:
        """Whether n ranks with m bytes go by it."""
        size = n * m if self.in_all else m
        return (
            n >= self.least_ranks
            and (self.most_ranks is None or n <= self.most_ranks)
            and (self.most_bytes is None or size <= self.most_bytes)
            and SERVES[self.ranks](n)
        )

    def told(self, n: int, m: int) -> str | None:
        """The algorithm that they run; None where elements decide, of which nothing is known."""
        return self.algorithm if m >= self.least_per_rank * n else None
