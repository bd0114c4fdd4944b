"""Fat tree of two levels: leaf switches of equal size under spine switches.

Source: Leiserson, "Fat-trees: universal networks for hardware-efficient supercomputing", IEEE
Transactions on Computers 34(10), 1985; Al-Fares, Loukissas, Vahdat, SIGCOMM 2008.
Idea: the links between a leaf and all spines carry, together, what its hosts carry divided by the
factor of oversubscription. Path s of a pair goes over spine s; without a routing a pair takes spine
(src + dst) mod spines.
"""

import re
from dataclasses import dataclass

import numpy as np
from pydantic import Field

from contend.errors import InvalidInputError
from contend.topologies.kind import Bandwidth, Member, NamedByWord
from contend.topologies.multipath import NO_LINK, Multipath, check_positive, check_size
from contend.topologies.routing import RoutingWord, routed
from contend.topologies.topology import Topology

_WORD = re.compile(r"fat-tree:(\d{1,6})x(\d{1,6})(?:x(\d{1,6}))?(?::(\d+(?:\.\d+)?))?")


@dataclass(frozen=True)
class FatTree(Multipath):
    """Two levels of switches; `oversubscription` is what the hosts carry over what leaves a leaf.

    >>> tree = FatTree(leaves=2, hosts_per_leaf=4, spines=2, bandwidth=100.0, oversubscription=2)
    >>> tree.capacity()[-2:].tolist()
    [100.0, 100.0]
    """

    leaves: int
    hosts_per_leaf: int
    spines: int
    bandwidth: float
    oversubscription: float = 1.0

    def __post_init__(self) -> None:
        for name in ("leaves", "hosts_per_leaf", "spines"):
            if getattr(self, name) < 1:
                raise InvalidInputError(
                    f"{name} is {getattr(self, name)}", "a fat tree has at least 1"
                )
        check_positive(bandwidth=self.bandwidth, oversubscription=self.oversubscription)
        check_size("a fat tree", 2 * self.hosts + 2 * self.leaves * self.spines, self.spines)

    longest = 4

    @property
    def hosts(self) -> int:  # type: ignore[override]
        """Number of hosts, leaf by leaf."""
        return self.leaves * self.hosts_per_leaf

    def between(self) -> np.ndarray:
        """Leaf to spine, spine to leaf."""
        up = self.bandwidth * self.hosts_per_leaf / self.oversubscription / self.spines
        return np.full(2 * self.leaves * self.spines, up)

    def shortest(self, src: np.ndarray, dst: np.ndarray) -> np.ndarray:
        """One within a leaf, one over each spine between leaves."""
        is_within = src // self.hosts_per_leaf == dst // self.hosts_per_leaf
        return np.where(is_within, 1, self.spines)

    def usual(self, src: np.ndarray, dst: np.ndarray) -> np.ndarray:
        """By destination and source."""
        return np.asarray((src + dst) % self.shortest(src, dst))

    def d_mod_k(self, src: np.ndarray, dst: np.ndarray) -> np.ndarray:
        """By the destination alone."""
        return np.asarray(dst % self.shortest(src, dst))

    def along(self, src: np.ndarray, dst: np.ndarray, path: np.ndarray) -> np.ndarray:
        """Two links within a leaf, four between leaves."""
        leaves = [end // self.hosts_per_leaf for end in (src, dst)]
        up = 2 * self.hosts + leaves[0] * self.spines + path
        down = 2 * self.hosts + (self.leaves + leaves[1]) * self.spines + path
        is_within = leaves[0] == leaves[1]
        middle = (np.where(is_within, NO_LINK, link) for link in (up, down))
        return np.stack([src, *middle, self.hosts + dst], axis=1).astype(np.int32)


class Tree(Member):
    """Leaf switches of equal size under spine switches."""

    leaves: int = Field(ge=1, le=2**15)
    hosts_per_leaf: int = Field(ge=1, le=2**15)
    spines: int = Field(1, ge=1, le=2**15)
    bandwidth: Bandwidth = Field(description="of the links of hosts")
    oversubscription: float = Field(1.0, gt=0)
    routing: RoutingWord = ""

    def topology(self) -> Topology:
        """With routes by destination and source, or by the routing."""
        return routed(FatTree(**self.model_dump(exclude={"routing"})), self.routing)


class FatTreeKind(NamedByWord):
    """A fat tree of two levels."""

    name = "fat_tree"
    member = Tree
    syntax = "fat-tree:LEAVESxHOSTS[xSPINES][:OVERSUBSCRIPTION]"

    def of_word(self, word: str, bandwidth: float | None) -> FatTree:
        """One spine and no oversubscription unless it says so."""
        match = _WORD.fullmatch(word)
        if match is None:
            raise InvalidInputError(
                f"{word!r} is no fat tree", "write fat-tree:4x8x2 or fat-tree:4x8x2:2"
            )
        if bandwidth is None:
            raise InvalidInputError(f"{word!r} has no bandwidth", "give --bandwidth")
        leaves, hosts, spines, oversubscription = match.groups()
        return FatTree(
            int(leaves), int(hosts), int(spines or 1), bandwidth, float(oversubscription or 1)
        )
