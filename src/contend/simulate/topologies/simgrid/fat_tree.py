"""SimGrid's clusters FAT_TREE: `levels;children;parents;cables to each parent`.

Source: Zahavi, "D-Mod-K routing providing non-blocking traffic for shift permutations on real life
fat trees", CCIT report 776, Technion, 2010; the platform reference of SimGrid.
Idea: a node of level l has a digit for each level: of those below l it says which of the parents
was taken, of the others which child it is. Up, the port is a digit of the destination; down, the
parent is that of the way up, and of parallel cables the source decides (SimGrid after 3.32, which
takes the first of them alone).
"""

from collections.abc import Sequence
from math import prod

from contend.simulate.topologies.simgrid.shape import Passed, Shape, check_cables, numbers_of, wrong

_EXAMPLE = "2;4,4;1,2;1,2: levels; children, parents and cables to each parent of every level"


def fat_tree(text: str, cluster: str) -> Shape:
    """Return the tree that parameters describe, from the level of the hosts on."""
    lists = numbers_of(text, cluster, _EXAMPLE)
    levels = range(lists[0][0])
    if [len(part) for part in lists] != [1, *[len(levels)] * 3]:
        raise wrong(text, cluster, _EXAMPLE)
    down, up, lanes = lists[1:]
    tiers = [(*up[:at], *down[at:], up[at], lanes[at]) for at in levels]
    check_cables(cluster, *tiers)
    cables = [prod(tier) for tier in tiers]

    def digits(host: int) -> list[int]:
        return [host // prod(down[:at]) % count for at, count in enumerate(down)]

    def cable(level: int, node: Sequence[int], port: int) -> int:
        place, size = 0, 1
        for digit, count in zip(node, (*up[:level], *down[level:]), strict=True):
            place, size = place + digit * size, size * count
        return sum(cables[:level]) + place * up[level] * lanes[level] + port

    def route(src: int, dst: int) -> list[Passed]:
        here, goal = digits(src), digits(dst)
        top = max(at for at in levels if here[at] != goal[at])
        taken: list[int] = []
        links: list[Passed] = []
        for level in range(top + 1):
            port = dst // prod(up[:level] + lanes[:level]) % (up[level] * lanes[level])
            links.append((cable(level, [*taken, *here[level:]], port), False))
            taken.append(port % up[level])
        for level in range(top, -1, -1):
            port = taken[level] + src % lanes[level] * up[level]
            links.append((cable(level, [*taken[:level], *goal[level:]], port), True))
        return links

    return Shape(prod(down), cables[0], [1.0] * sum(cables), route)
