"""SimGrid's zones Floyd, Dijkstra and DijkstraCache: paths of declared routes with fewest links.

Source: Floyd, "Algorithm 97: Shortest path", Communications of the ACM 5(6), 1962; Dijkstra, "A
note on two problems in connexion with graphs", Numerische Mathematik 1, 1959.
Idea: a declared route costs as many as it has links; a path may be cheaper than the route that is
declared between its ends. Of equal paths SimGrid takes the one that its algorithm meets first:
Dijkstra's by the order in which routes name the members, Floyd's by that of their declaration.
Restrictions: Floyd's algorithm up to `MOST_MEMBERS`, for which it takes a second; beyond it
Dijkstra's chooses among equal paths.
"""

import heapq
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np

from contend.simulate.topologies.simgrid.zones import Edge, Zone

MOST_MEMBERS = 500
_FAR = 2**30


@dataclass(eq=False)
class DijkstraZone(Zone):
    _next: dict[str, list[tuple[str, int]]] = field(default_factory=dict)  # and links to there
    _previous: dict[str, dict[str, str]] = field(default_factory=dict)  # on paths from a member

    def way(self, a: str, b: str) -> Sequence[Edge]:
        previous = self._from(a)
        path = [b]
        while path[-1] != a:
            if path[-1] not in previous:
                return self.no_way(a, b)
            path.append(previous[path[-1]])
        return [self.edges[pair] for pair in pairwise(reversed(path))]

    def _from(self, source: str) -> dict[str, str]:
        """The member before each on the path from the source."""
        if source not in self._previous:
            self._previous[source] = self._searched(source)
        return self._previous[source]

    def _searched(self, source: str) -> dict[str, str]:
        if not self._next:
            for (src, dst), edge in self.edges.items():
                self._next.setdefault(src, []).append((dst, len(edge.links)))
                self._next.setdefault(dst, [])
        order = {member: place for place, member in enumerate(self._order())}
        previous: dict[str, str] = {}
        cost = {source: 0}
        queue = [(0, order.get(source, 0), source)]
        while queue:
            spent, _, at = heapq.heappop(queue)
            for following, links in self._next.get(at, ()) if spent == cost[at] else ():
                if spent + links < cost.get(following, _FAR):
                    cost[following], previous[following] = spent + links, at
                    heapq.heappush(queue, (spent + links, order[following], following))
        return previous

    def _order(self) -> Sequence[str]:
        """Members, of which the first goes before others where paths are equal."""
        return list(dict.fromkeys(member for ends in self.edges for member in ends))


@dataclass(eq=False)
class FloydZone(DijkstraZone):
    _table: np.ndarray | None = None  # (n, n): the member before each on the path from each

    def _searched(self, source: str) -> dict[str, str]:
        members = list(self.members)
        if len(members) > MOST_MEMBERS:
            return super()._searched(source)
        if self._table is None:
            self._table = self._filled(members)
        row = self._table[members.index(source)].tolist()
        return {member: members[at] for member, at in zip(members, row, strict=True) if at >= 0}

    def _filled(self, members: list[str]) -> np.ndarray:
        number = {member: place for place, member in enumerate(members)}
        cost = np.full((len(members), len(members)), _FAR)
        previous = np.full(cost.shape, -1)
        for (src, dst), edge in self.edges.items():
            cost[number[src], number[dst]] = len(edge.links)
            previous[number[src], number[dst]] = number[src]
        for middle in range(len(members)):
            over = cost[:, middle, None] + cost[middle]
            is_less = over < cost
            cost[is_less] = over[is_less]
            previous = np.where(is_less, previous[middle], previous)
        return previous

    def _order(self) -> Sequence[str]:
        return list(self.members)
