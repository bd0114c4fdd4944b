"""SimGrid's clusters DRAGONFLY: `groups,blue;chassis,black;blades,green;nodes`.

Source: Alverson, Froese, Kaplan, Roweth, "Cray XC series network", 2012, whose colours these are;
the platform reference of SimGrid.
Idea: a router is a blade; blades of a chassis are joined by green cables, those with the same
number in the chassis of a group by black ones, groups by one blue cable each. A cable of n links is
one of n times the bandwidth. Blade j of the first chassis of a group has the cable to group j. A
route is minimal: green, black, blue, then green and black in the group of the destination. As in
SimGrid, a route within a group that took a green cable goes on from the first chassis, wherever
it was before.
Restrictions: no more groups than blades of a chassis, which SimGrid does not route.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from contend.errors import InvalidInputError
from contend.topologies.simgrid.shape import Passed, Shape, check_cables, numbers_of

_EXAMPLE = "3,4;3,2;3,1;2: groups, chassis of each, blades of each, with links of each; nodes"


@dataclass(frozen=True)
class DragonflyCluster(Shape):
    """Groups of chassis of blades of nodes, and links of a cable at each of the first three."""

    groups: int
    chassis: int
    blades: int
    nodes: int
    lanes: tuple[int, int, int]  # blue, black, green

    @classmethod
    def read(cls, text: str, what: str) -> "DragonflyCluster":
        """The dragonfly that parameters describe."""
        lists = numbers_of(text, what, _EXAMPLE)
        if [len(part) for part in lists] != [2, 2, 2, 1]:
            raise InvalidInputError(f"{what} has the topo_parameters {text!r}", f"write {_EXAMPLE}")
        (groups, blue), (chassis, black), (blades, green), (nodes,) = lists
        if groups > blades:
            raise InvalidInputError(
                f"{what} has {groups} groups and {blades} blades in a chassis",
                "give as many blades as groups, as SimGrid's routes need",
            )
        fly = cls(groups, chassis, blades, nodes, (blue, black, green))
        check_cables(what, (fly._routers, nodes), (fly._routers, blades), (fly._routers, chassis))
        return fly

    @property
    def _routers(self) -> int:
        return self.groups * self.chassis * self.blades

    @property
    def hosts(self) -> int:  # type: ignore[override]
        """Of all routers."""
        return self._routers * self.nodes

    @property
    def host_cables(self) -> int:  # type: ignore[override]
        """One each."""
        return self.hosts

    @property
    def _counts(self) -> tuple[int, int, int, int]:
        """Cables of hosts, and with one for every pair of ends, green, black and blue ones."""
        return (self.hosts, self._routers * self.blades, self._routers * self.chassis,
                self.groups**2)  # fmt: skip

    def widths(self) -> Sequence[float]:
        """As many as a cable has links."""
        factors = (1, *reversed(self.lanes))
        pairs = zip(factors, self._counts, strict=True)
        return [float(factor) for factor, count in pairs for _ in range(count)]

    def route(self, src: int, dst: int) -> list[Passed]:
        """The minimal one."""
        at, goal = src // self.nodes, dst // self.nodes
        size = self.chassis * self.blades
        links: list[Passed] = [(src, False)]
        here, there = at // size, goal // size
        if here != there:
            self._green(links, at, there)
            self._black(links, here, there, at // self.blades % self.chassis, 0)
            links.append(self._cable(3, here, there, self.groups, 0))
            at = there * size + here
        to = goal % self.blades
        chassis = 0 if self._green(links, at, to) else at // self.blades % self.chassis
        self._black(links, there, to, chassis, goal // self.blades % self.chassis)
        return [*links, (dst, True)]

    def _green(self, links: list[Passed], at: int, to: int) -> bool:
        """To another blade of a chassis, if it is another."""
        row, blade = at // self.blades, at % self.blades
        if blade != to:
            links.append(self._cable(1, blade, to, self.blades, row * self.blades**2))
        return blade != to

    def _black(self, links: list[Passed], group: int, blade: int, a: int, b: int) -> None:
        """To another chassis of a group, if it is another."""
        if a != b:
            first = (group * self.blades + blade) * self.chassis**2
            links.append(self._cable(2, a, b, self.chassis, first))

    def _cable(self, kind: int, a: int, b: int, count: int, first: int) -> Passed:
        """Of so many that are all joined, the cable between two, upwards from the lower one."""
        place = first + min(a, b) * count + max(a, b)
        return sum(self._counts[:kind]) + place, a > b
