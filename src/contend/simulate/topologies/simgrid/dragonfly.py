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

from contend.base.errors import InvalidInputError
from contend.simulate.topologies.simgrid.shape import Passed, Shape, check_cables, numbers_of, wrong

_EXAMPLE = "3,4;3,2;3,1;2: groups, chassis of each, blades of each, with links of each; nodes"


def dragonfly(text: str, cluster: str) -> Shape:
    lists = numbers_of(text, cluster, _EXAMPLE)
    if [len(part) for part in lists] != [2, 2, 2, 1]:
        raise wrong(text, cluster, _EXAMPLE)
    (groups, blue), (chassis, black), (blades, green), (nodes,) = lists
    if groups > blades:
        raise InvalidInputError(
            f"{cluster} has {groups} groups and {blades} blades in a chassis",
            "give as many blades as groups, as SimGrid's routes need",
        )
    routers = groups * chassis * blades
    check_cables(cluster, (routers, nodes), (routers, blades), (routers, chassis))
    # Cables of hosts, and with one for every pair of ends, green, black and blue ones.
    counts = (routers * nodes, routers * blades, routers * chassis, groups**2)

    def cable(kind: int, a: int, b: int, count: int, first: int = 0) -> Passed:
        """Return, of so many that are all joined, the cable of two, upwards from the lower."""
        return sum(counts[:kind]) + first + min(a, b) * count + max(a, b), a > b

    def to_blade(at: int, blade: int) -> list[Passed]:
        row, here = divmod(at, blades)
        return [cable(1, here, blade, blades, row * blades**2)] if here != blade else []

    def to_chassis(group: int, blade: int, here: int, goal: int) -> list[Passed]:
        first = (group * blades + blade) * chassis**2
        return [cable(2, here, goal, chassis, first)] if here != goal else []

    def route(src: int, dst: int) -> list[Passed]:
        at, goal = src // nodes, dst // nodes
        size = chassis * blades
        links: list[Passed] = [(src, False)]
        here, goal_group = at // size, goal // size
        if here != goal_group:
            links += to_blade(at, goal_group)
            links += to_chassis(here, goal_group, at // blades % chassis, 0)
            links.append(cable(3, here, goal_group, groups))
            at = goal_group * size + here
        green_ones = to_blade(at, goal % blades)
        first = 0 if green_ones else at // blades % chassis
        black_ones = to_chassis(goal_group, goal % blades, first, goal // blades % chassis)
        return [*links, *green_ones, *black_ones, (dst, True)]

    factors = zip((1, green, black, blue), counts, strict=True)
    widths = [float(factor) for factor, count in factors for _ in range(count)]
    return Shape(routers * nodes, routers * nodes, widths, route)
