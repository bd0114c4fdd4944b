"""Groups of hosts behind slower links, as a topology.

Idea: each host has a link out and one in, of what one pair of ranks reaches within a group; each
measured way from one group to another is a link that all their messages share.
Restrictions: one level of groups.
"""

from contend.errors import InvalidInputError
from contend.links.record import LevelLinks
from contend.topologies.paths import Link, Paths


def grouped(links: LevelLinks, bandwidth: float, latency: float) -> Paths:
    """Topology of the groups of a level.

    `bandwidth` and `latency` are of messages within a group, where that was not measured.

    Raises
    ------
    InvalidInputError
        For groups within others, and for two groups without a way.
    """
    if any(group.outer for group in links.groups):
        raise InvalidInputError(
            f"the groups of level {links.name!r} are within others, which is not exported",
            "describe the topology, and name its file by --topology",
        )
    rate = float(links.inside_bandwidth) if links.inside_bandwidth else bandwidth
    half = (float(links.inside_latency) if links.inside_latency else latency) / 2
    of = [place for place, group in enumerate(links.groups) for _ in range(group.hosts)]
    names = [f"{group.name}-{host}" for group in links.groups for host in range(group.hosts)]
    count = len(names)
    own = [
        Link(f"{name}:{way}", rate, half, is_of_host=True)
        for way in ("out", "in")
        for name in names
    ]
    place = {group.name: number for number, group in enumerate(links.groups)}
    ways = {(place[way.source], place[way.destination]): way for way in links.ways}
    number = {pair: 2 * count + position for position, pair in enumerate(ways)}
    shared = [
        Link(way.title, float(way.bandwidth), max(float(way.latency) - 2 * half, 0.0))
        for way in ways.values()
    ]

    def path(src: int, dst: int) -> list[int]:
        pair = of[src], of[dst]
        if pair[0] == pair[1]:
            return [src, count + dst]
        if pair not in number:
            ends = " to ".join(links.groups[end].name for end in pair)
            raise InvalidInputError(
                f"no way from {ends} was measured", "measure the links of all pairs of groups"
            )
        return [src, number[pair], count + dst]

    return Paths(names, [*own, *shared], path)
