"""Fat tree of two levels: leaf switches of equal size under spine switches.

Source: Leiserson, "Fat-trees: universal networks for hardware-efficient supercomputing", IEEE
Transactions on Computers 34(10), 1985; Al-Fares, Loukissas, Vahdat, SIGCOMM 2008.
Idea: the links between a leaf and all spines carry, together, what its hosts carry divided by the
factor of oversubscription. It is a PGFT, with hosts and leaves for children, 1 and the spines for
parents; but without a routing a pair takes spine (src + dst) mod spines.
"""

import re

import numpy as np
from pydantic import Field

from contend.errors import InvalidInputError
from contend.topologies.kind import Bandwidth, Member, NamedByNumbers
from contend.topologies.kinds.pgft import GeneralFatTree
from contend.topologies.multipath import check_positive
from contend.topologies.routing import RoutingWord, routed
from contend.topologies.topology import Topology


class FatTree(GeneralFatTree):
    """Two levels of switches; `oversubscription` is what the hosts carry over what leaves a leaf.

    >>> tree = FatTree(leaves=2, hosts_per_leaf=4, spines=2, bandwidth=100.0, oversubscription=2)
    >>> tree.capacity()[-2:].tolist()
    [100.0, 100.0]
    """

    def __init__(
        self,
        leaves: int,
        hosts_per_leaf: int,
        spines: int,
        bandwidth: float,
        oversubscription: float = 1.0,
    ) -> None:
        if min(leaves, hosts_per_leaf, spines) < 1:
            raise InvalidInputError(
                f"a fat tree of {leaves} leaves, {hosts_per_leaf} hosts on each, {spines} spines",
                "give at least 1 of each",
            )
        check_positive(oversubscription=oversubscription)
        taper = oversubscription * spines / hosts_per_leaf
        super().__init__((hosts_per_leaf, leaves), (1, spines), bandwidth, taper=(taper,))

    def usual(self, src: np.ndarray, dst: np.ndarray) -> np.ndarray:
        """By destination and source."""
        return np.asarray((src + dst) % self.shortest(src, dst))


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


class FatTreeKind(NamedByNumbers):
    """A fat tree of two levels."""

    name = "fat_tree"
    member = Tree
    syntax = "fat-tree:LEAVESxHOSTS[xSPINES][:OVERSUBSCRIPTION]"
    pattern = re.compile(r"fat-tree:(\d{1,6})x(\d{1,6})(?:x(\d{1,6}))?(?::(\d+(?:\.\d+)?))?")
    examples = "fat-tree:4x8x2 or fat-tree:4x8x2:2"

    def of_match(self, match: re.Match[str], bandwidth: float) -> FatTree:
        """One spine and no oversubscription unless it says so."""
        leaves, hosts, spines, oversubscription = match.groups()
        return FatTree(
            int(leaves), int(hosts), int(spines or 1), bandwidth, float(oversubscription or 1)
        )
