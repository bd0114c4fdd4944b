"""SimGrid's clusters TORUS: `size,size,...`, a cable from each host to the next of each dimension.

Source: the platform reference of SimGrid.
Idea: a message goes along one dimension after the other, the shorter way around; halfway around it
goes upwards from the lower half and downwards from the upper one.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod

from contend.errors import InvalidInputError
from contend.topologies.simgrid.shape import Passed, Shape, check_cables, numbers_of


@dataclass(frozen=True)
class TorusCluster(Shape):
    """Hosts in a grid whose lines are rings; the first coordinate varies fastest."""

    sizes: tuple[int, ...]

    host_cables = 0

    @classmethod
    def read(cls, text: str, what: str) -> "TorusCluster":
        """The torus that parameters describe."""
        lists = numbers_of(text, what, "3,4,2: hosts in each dimension")
        if len(lists) != 1:
            raise InvalidInputError(f"{what} has the topo_parameters {text!r}", "write 3,4,2")
        check_cables(what, (*lists[0], len(lists[0])))
        return cls(tuple(lists[0]))

    @property
    def hosts(self) -> int:  # type: ignore[override]
        """Of all lines."""
        return prod(self.sizes)

    def widths(self) -> Sequence[float]:
        """All alike."""
        return [1.0] * (self.hosts * len(self.sizes))

    def route(self, src: int, dst: int) -> list[Passed]:
        """Along one dimension after the other."""
        links: list[Passed] = []
        at, stride = src, 1
        for dimension, size in enumerate(self.sizes):
            place, goal = at // stride % size, dst // stride % size
            step = 1 if _is_upwards(place, goal, size) else -1
            while place != goal:
                following = (place + step) % size
                beyond = at + (following - place) * stride
                holder = at if step > 0 else beyond
                links.append((holder * len(self.sizes) + dimension, step < 0))
                at, place = beyond, following
            stride *= size
        return links


def _is_upwards(place: int, goal: int, size: int) -> bool:
    half = size // 2
    return place < goal <= place + half or (place > half and (place + half) % size >= goal)
