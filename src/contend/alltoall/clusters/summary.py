"""How fast messages are inside each group and between any two, at each level."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from contend.alltoall.clusters.discovery import Members
from contend.alltoall.clusters.groups import Level
from contend.base.document import Floats
from contend.models.links.times import Times


@dataclass(frozen=True)
class Relation:
    """Medians over the pairs inside a group, where `second` is `first`, or between two.

    `bandwidth` is in bytes/s, None where one size was measured or the longer took no longer.
    """

    level: str
    first: str
    second: str
    pairs: int
    latency: float
    bandwidth: float | None

    @property
    def is_inside(self) -> bool:
        """Whether both ends are in one group."""
        return self.first == self.second


def relations(times: Sequence[Times], levels: Sequence[Level]) -> list[Relation]:
    """Latency and bandwidth inside and between the groups of each level, of pairs that met."""
    relations = []
    for level in levels:
        groups = [np.array(members) for members in level.members]
        named = list(zip(level.names, groups, strict=True))
        for name, group in named:
            relations += _relation(times, level.name, (name, group), (name, group))
        for first, second in combinations(named, 2):
            relations += _relation(times, level.name, first, second)
    return relations


def _relation(
    times: Sequence[Times], level: str, first: tuple[str, Members], second: tuple[str, Members]
) -> list[Relation]:
    """One relation, or none where no pair of these groups met."""
    seconds = [_pairs(time, first[1], second[1]) for time in times]
    if not seconds[0].size:
        return []
    small, large = float(np.median(seconds[0])), float(np.median(seconds[-1]))
    more, longer = times[-1].m - times[0].m, large - small
    rate = more / longer if more > 0 and longer > 0 else None
    return [Relation(level, first[0], second[0], seconds[0].size, small, rate)]


def _pairs(times: Times, first: Members, second: Members) -> Floats:
    """Times of all pairs that met with a host in each, every pair once."""
    rows, columns = np.meshgrid(first, second, indexing="ij")
    is_wanted = times.measured[rows, columns]
    is_wanted &= rows < columns if first is second else rows != columns
    return times.seconds[rows[is_wanted], columns[is_wanted]]
