"""SimGrid's clusters FAT_TREE: `levels;children;parents;cables to each parent`.

Source: Zahavi, "D-Mod-K routing providing non-blocking traffic for shift permutations on real life
fat trees", CCIT report 776, Technion, 2010; the platform reference of SimGrid.
Idea: a node of level l has a digit for each level: of those below l it says which of the parents
was taken, of the others which child it is. Up, the port is a digit of the destination; down, the
parent is that of the way up, and of parallel cables the source decides (SimGrid after 3.32, which
takes the first of them alone).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod

from contend.errors import InvalidInputError
from contend.topologies.simgrid.shape import Passed, Shape, check_cables, numbers_of

_EXAMPLE = "2;4,4;1,2;1,2: levels; children, parents and cables to each parent of every level"


@dataclass(frozen=True)
class FatTreeCluster(Shape):
    """Children, parents and cables to each parent of every level from that of the hosts on."""

    down: tuple[int, ...]
    up: tuple[int, ...]
    lanes: tuple[int, ...]

    @classmethod
    def read(cls, text: str, what: str) -> "FatTreeCluster":
        """The tree that parameters describe."""
        lists = numbers_of(text, what, _EXAMPLE)
        levels = lists[0][0]
        if [len(part) for part in lists] != [1, levels, levels, levels]:
            raise InvalidInputError(f"{what} has the topo_parameters {text!r}", f"write {_EXAMPLE}")
        tree = cls(*(tuple(part) for part in lists[1:]))
        check_cables(what, *tree._tiers)
        return tree

    @property
    def hosts(self) -> int:  # type: ignore[override]
        """Children of all levels."""
        return prod(self.down)

    @property
    def host_cables(self) -> int:  # type: ignore[override]
        """Those of the first level."""
        return prod(self._tiers[0])

    @property
    def _tiers(self) -> list[tuple[int, ...]]:
        """For each level, factors of the number of cables above it."""
        return [
            (*self.up[:level], *self.down[level:], self.up[level], self.lanes[level])
            for level in range(len(self.down))
        ]

    def widths(self) -> Sequence[float]:
        """All alike."""
        return [1.0] * sum(map(prod, self._tiers))

    def route(self, src: int, dst: int) -> list[Passed]:
        """Up to the lowest node above both, and down again."""
        here, there = self._digits(src), self._digits(dst)
        top = max(level for level in range(len(self.down)) if here[level] != there[level])
        taken: list[int] = []
        links: list[Passed] = []
        for level in range(top + 1):
            ports = self.up[level] * self.lanes[level]
            below = prod(self.up[:level]) * prod(self.lanes[:level])
            port = dst // below % ports
            links.append((self._cable(level, [*taken, *here[level:]], port), False))
            taken.append(port % self.up[level])
        for level in range(top, -1, -1):
            port = taken[level] + src % self.lanes[level] * self.up[level]
            links.append((self._cable(level, [*taken[:level], *there[level:]], port), True))
        return links

    def _digits(self, host: int) -> list[int]:
        return [host // prod(self.down[:level]) % count for level, count in enumerate(self.down)]

    def _cable(self, level: int, node: Sequence[int], port: int) -> int:
        """Number of the cable at a port of a node."""
        place, size = 0, 1
        for digit, count in zip(node, (*self.up[:level], *self.down[level:]), strict=True):
            place, size = place + digit * size, size * count
        first = sum(map(prod, self._tiers[:level]))
        return first + place * self.up[level] * self.lanes[level] + port
