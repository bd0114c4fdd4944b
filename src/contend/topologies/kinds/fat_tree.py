"""Fat tree of two levels: leaf switches of equal size under spine switches.

Source: Leiserson, "Fat-trees: universal networks for hardware-efficient supercomputing", IEEE
Transactions on Computers 34(10), 1985; Al-Fares, Loukissas, Vahdat, SIGCOMM 2008.
Idea: the links between a leaf and all spines carry, together, what its hosts carry divided by the
factor of oversubscription. A pair of hosts goes over spine (src + dst) mod spines, as static
routing does.
"""

import re
from dataclasses import dataclass

import numpy as np
from pydantic import Field

from contend.errors import InvalidInputError
from contend.topologies.kind import Bandwidth, Member, NamedByWord
from contend.topologies.topology import Routes, Topology

MOST_LINKS = 1 << 24  # numbered by 32 bits, with room; a gigabyte in the engine

_WORD = re.compile(r"fat-tree:(\d{1,6})x(\d{1,6})(?:x(\d{1,6}))?(?::(\d+(?:\.\d+)?))?")


@dataclass(frozen=True)
class FatTree(Topology):
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
        for name in ("bandwidth", "oversubscription"):
            value = getattr(self, name)
            if not (np.isfinite(value) and value > 0):
                raise InvalidInputError(f"{name} is {value}", "give a finite number above 0")
        if self._link_count > MOST_LINKS:
            raise InvalidInputError(
                f"a fat tree of {self._link_count} links, where {MOST_LINKS} are the most",
                "take fewer leaves, hosts or spines",
            )

    @property
    def _link_count(self) -> int:
        return 2 * self.hosts + 2 * self.leaves * self.spines

    @property
    def hosts(self) -> int:  # type: ignore[override]
        """Number of hosts, leaf by leaf."""
        return self.leaves * self.hosts_per_leaf

    def capacity(self) -> np.ndarray:
        """Out of hosts, into hosts, leaf to spine, spine to leaf."""
        up = self.bandwidth * self.hosts_per_leaf / self.oversubscription / self.spines
        of_hosts = 2 * self.hosts
        return np.repeat([self.bandwidth, up], [of_hosts, self._link_count - of_hosts])

    def of_hosts(self) -> np.ndarray:
        """The links out of hosts and into them."""
        return np.arange(len(self.capacity())) < 2 * self.hosts

    def routes(self, src: np.ndarray, dst: np.ndarray) -> Routes:
        """Two links within a leaf, four between leaves."""
        spine = (src.astype(np.int64) + dst) % self.spines
        leaves = [end.astype(np.int64) // self.hosts_per_leaf for end in (src, dst)]
        up = 2 * self.hosts + leaves[0] * self.spines + spine
        down = 2 * self.hosts + self.leaves * self.spines + leaves[1] * self.spines + spine
        every = np.stack([src, up, down, self.hosts + dst], axis=1)
        is_used = np.ones(every.shape, dtype=bool)
        is_used[:, 1:3] = (leaves[0] != leaves[1])[:, None]
        offsets = np.concatenate([[0], np.cumsum(is_used.sum(axis=1))])
        return Routes(offsets, np.ascontiguousarray(every[is_used], dtype=np.int32))


class Tree(Member):
    """Leaf switches of equal size under spine switches."""

    leaves: int = Field(ge=1, le=2**15)
    hosts_per_leaf: int = Field(ge=1, le=2**15)
    spines: int = Field(1, ge=1, le=2**15)
    bandwidth: Bandwidth = Field(description="of the links of hosts")
    oversubscription: float = Field(1.0, gt=0)

    def topology(self) -> FatTree:
        """With routes by destination and source."""
        return FatTree(**self.model_dump())


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
