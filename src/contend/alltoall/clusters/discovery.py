"""Groups that measured times show: hierarchical clustering, and a rule for what is a group.

Source: average linkage (Sokal, Michener 1958) by scipy.cluster.hierarchy, on logarithms of times,
so that only ratios count.
Idea: the tree of all hosts is cut into the fewest groups that are real, then each group anew.
Rule: groups are real when for any two of them the gap between what is between and what is within,
from the upper tenth within to the lower tenth between, exceeds both a ratio (`ratio`) and the
measurement's own scatter (`scatters` times it). A group that is divided itself must look alike from
outside: the medians from its parts to another group differ by less than `alike`, or than the
scatter of these medians; else its parts are neighbours of that group with unequal links, and all
of them are groups of one level.
Restrictions: what is within is known from three hosts on; two hosts are one group. A level exists
only for what is slower by the ratio. Sizes ascend: a longer message divides what a shorter left
together, so that a link with a low rate and no delay is found too.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from contend.base.document import Floats
from contend.base.errors import InvalidInputError
from contend.models.links.times import Times

Members = NDArray[np.intp]
MARGIN = 0.1  # share of the pairs on either side that may be out of line


@dataclass(frozen=True)
class Rule:
    """When groups are real."""

    ratio: float = 1.5
    scatters: float = 2.0
    alike: float = 1.25

    def __post_init__(self) -> None:
        if not (self.ratio > 1 and self.alike > 1 and self.scatters >= 0):
            raise InvalidInputError(
                f"ratios of {self.ratio:g} and {self.alike:g}", "give them above 1"
            )


@dataclass(frozen=True)
class Cluster:
    """Hosts by index, and the groups that they divide into, where they do."""

    members: Members
    parts: tuple["Cluster", ...] = ()

    @property
    def depth(self) -> int:
        """Levels below this one."""
        return 1 + max(part.depth for part in self.parts) if self.parts else 0

    def at(self, depth: int) -> list["Cluster"]:
        """The groups so many levels down; what is not divided any more stays whole."""
        if depth == 0 or not self.parts:
            return [self]
        return [group for part in self.parts for group in part.at(depth - 1)]


def discover(times: Sequence[Times], rule: Rule | None = None) -> list[list[Members]]:
    """Groups of each level, outermost first; no level where all hosts are one group.

    `times` are those of ascending sizes, over the same hosts.
    """
    rule = rule or Rule()
    if not times:
        raise InvalidInputError(
            "no message between hosts was measured", "run contend measure hosts"
        )
    cluster = Cluster(np.arange(len(times[0].hosts)))
    for time_ in times:
        logarithms = np.log(np.where(time_.seconds > 0, time_.seconds, 1.0))
        cluster = _refined(cluster, _Seen(logarithms, time_.scatter, rule))
    return [
        sorted((np.sort(group.members) for group in cluster.at(depth)), key=lambda group: group[0])
        for depth in range(1, cluster.depth + 1)
    ]


def _refined(cluster: Cluster, seen: "_Seen") -> Cluster:
    if not cluster.parts:
        return seen.divided(cluster.members)
    return Cluster(cluster.members, tuple(_refined(part, seen) for part in cluster.parts))


@dataclass(frozen=True)
class _Seen:
    """Logarithms of times between all hosts, their scatter, and the rule."""

    logarithms: Floats
    scatter: float
    rule: Rule

    def divided(self, members: Members) -> Cluster:
        """These hosts, divided into the fewest groups that are real, and these likewise."""
        from scipy.cluster.hierarchy import fcluster, linkage
        from scipy.spatial.distance import squareform

        count = len(members)
        if count < 3:
            return Cluster(members)
        apart = self.logarithms[np.ix_(members, members)]
        lowest = apart[~np.eye(count, dtype=bool)].min()
        distances = apart - lowest  # linkage wants them from 0 on, and only differences count
        np.fill_diagonal(distances, 0.0)
        tree = linkage(squareform(distances, checks=False), "average")
        for groups in range(2, count):
            gap = tree[count - groups, 2] - tree[count - groups - 1, 2]
            if gap < 0.5 * np.log(self.rule.ratio):
                continue  # no cut here: means differ by less than what the tenths must
            labels = fcluster(tree, groups, "maxclust")
            split = [members[labels == label] for label in np.unique(labels)]
            if len(split) == groups and self._are_real(split):
                parts = tuple(self.divided(group) for group in split)
                if self._look_alike(parts):
                    return Cluster(members, parts)
        return Cluster(members)

    def _within(self, group: Members) -> Floats:
        square = self.logarithms[np.ix_(group, group)]
        return square[np.triu_indices(len(group), 1)]

    def _between(self, first: Members, second: Members) -> Floats:
        return self.logarithms[np.ix_(first, second)].ravel()

    def _are_real(self, groups: Sequence[Members]) -> bool:
        within = [self._within(group) for group in groups]
        everywhere = np.concatenate(within)
        least = max(np.log(self.rule.ratio), self.rule.scatters * self.scatter)
        for (first, inside), (second, beside) in combinations(zip(groups, within, strict=True), 2):
            near = np.concatenate([inside, beside])
            high = np.quantile(near if near.size else everywhere, 1 - MARGIN)
            if np.quantile(self._between(first, second), MARGIN) - high <= least:
                return False
        return True

    def _look_alike(self, groups: Sequence[Cluster]) -> bool:
        """Whether the parts of each group are as far from each other group."""
        for group in groups:
            for other in groups:
                ways = [self._between(part.members, other.members) for part in group.parts]
                if other is group or not ways:
                    continue
                middles = [float(np.median(way)) for way in ways]
                error = self.scatter / np.sqrt(min(way.size for way in ways))
                most = max(np.log(self.rule.alike), self.rule.scatters * error)
                if max(middles) - min(middles) > most:
                    return False
        return True
