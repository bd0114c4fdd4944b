"""The two ends of every link of a topology, link by link in the order it documents, and walks."""

from itertools import pairwise, product

import networkx as nx

from contend.simulate.topologies import Dragonfly, FatTree, GeneralFatTree, Torus
from contend.simulate.topologies.multipath import NO_LINK, Multipath

Node = tuple
Ends = list[tuple[Node, Node]]


def ends_of(network: Multipath) -> Ends:
    """From and to of each link."""
    found = {
        FatTree: _fat_tree,
        GeneralFatTree: _general_fat_tree,
        Torus: _torus,
        Dragonfly: _dragonfly,
    }
    return found[type(network)](network)


def graph_of(network: Multipath) -> nx.DiGraph:
    """The same as a graph; parallel links are one edge."""
    graph = nx.DiGraph()
    graph.add_edges_from(ends_of(network))
    return graph


def walked(ends: Ends, links, src: int, dst: int) -> None:
    """Fails unless these links lead from one host to the other, and none of them twice."""
    links = [int(link) for link in links if link != NO_LINK]
    assert len(set(links)) == len(links)
    assert ends[links[0]][0] == ("host", src)
    assert ends[links[-1]][1] == ("host", dst)
    assert all(ends[a][1] == ends[b][0] for a, b in pairwise(links))


def _both(there: Ends) -> Ends:
    return there + [(to, from_) for from_, to in there]


def _fat_tree(tree: FatTree) -> Ends:
    hosts_per_leaf, leaves = tree.down
    hosts = [(("host", h), ("leaf", h // hosts_per_leaf)) for h in range(tree.hosts)]
    up = [(("leaf", leaf), ("spine", s)) for leaf in range(leaves) for s in range(tree.up[1])]
    return _both(hosts) + _both(up)


def _general_fat_tree(tree: GeneralFatTree) -> Ends:
    """A node: its level, the coordinates of its part of the tree, those of it among its like."""

    def host_number(node):
        level, part, _ = node
        number = 0
        for size, digit in zip(reversed(tree.down), part, strict=True):
            number = number * size + digit
        assert level == 0
        return number

    lanes = tree.lanes or (1,) * len(tree.up)
    links = []
    for level in range(len(tree.down)):
        cables = []
        # Parts from the top down, and switches with the first digit varying fastest.
        parts = product(*(range(size) for size in reversed(tree.down[level:])))
        for part in parts:
            for digits in product(*(range(size) for size in reversed(tree.up[:level]))):
                like = tuple(reversed(digits))
                for lane in range(lanes[level]):
                    for parent in range(tree.up[level]):
                        node = (level, part, like)
                        cables.append((node, (level + 1, part[:-1], (*like, parent))))
                        assert lane < lanes[level]
        links += _both(cables)
    return [
        tuple(("host", host_number(end)) if end[0] == 0 else end for end in ends) for ends in links
    ]


def _torus(torus: Torus) -> Ends:
    places = [tuple(reversed(c)) for c in product(*(range(k) for k in reversed(torus.sizes)))]
    hosts = [(("host", h), places[h // torus.per_router]) for h in range(torus.hosts)]
    between = []
    for place in places:
        for dimension, size in enumerate(torus.sizes):
            for step in (1, -1):
                other = list(place)
                other[dimension] = (place[dimension] + step) % size
                between.append((place, tuple(other)))
    return _both(hosts) + between


def _dragonfly(fly: Dragonfly) -> Ends:
    routers = [(g, r) for g in range(fly.groups) for r in range(fly.routers)]
    hosts = [(("host", h), routers[h // fly.per_router]) for h in range(fly.hosts)]
    local = [((g, r), (g, other)) for g, r in routers for other in range(fly.routers) if other != r]
    far = []
    rounds = fly.routers * fly.channels // max(fly.groups - 1, 1)
    for group in range(fly.groups):
        others = [other for other in range(fly.groups) if other != group]
        for channel in range(rounds * len(others)):
            other = others[channel % len(others)]
            # The channel back is that of the same round.
            back = [g for g in range(fly.groups) if g != other].index(group)
            back += channel // len(others) * len(others)
            far.append(((group, channel // fly.channels), (other, back // fly.channels)))
    return _both(hosts) + local + far
