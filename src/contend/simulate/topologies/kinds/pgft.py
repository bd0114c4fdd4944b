"""Fat trees of any number of levels, with parallel links: PGFT; and two with words of their own.

Source: Zahavi, "D-Mod-K routing providing non-blocking traffic for shift permutations on real life
fat trees", CCIT report 776, Technion, 2010 (PGFT); Öhring, Ibel, Das, Kumar, "On generalized fat
trees", IPPS 1995 (XGFT, without parallel links). SimGrid's FAT_TREE has the same parameters. Two
levels: Leiserson, "Fat-trees: universal networks for hardware-efficient supercomputing", IEEE
Transactions on Computers 34(10), 1985. k-ary: Al-Fares, Loukissas, Vahdat, "A scalable, commodity
data center network architecture", SIGCOMM 2008.
Idea: a switch of level l has m_l children below it and w_(l+1) parents above it, p_(l+1) links to
each; level 0 are the hosts, with one link. A switch of level l is a pair: which of the parts of the
tree it belongs to, floor(host / (m_1 ... m_l)), and which of the w_1 ... w_l switches of that part
it is. A path goes up to the lowest level that both hosts are below, by any port at each level, and
is then determined; its number has the ports as digits, that of the leaf first. It goes down by the
same one of the parallel links as it went up.
Counts: m_1 ... m_h hosts; (m_(l+1) ... m_h) (w_1 ... w_l) switches of level l; paths between two
hosts that meet at level L: the product of w_l p_l for l from 2 to L.
Words: `fat-tree` has leaves under spines. The links between a leaf and all spines carry, together,
what its hosts carry divided by the oversubscription; without a routing a pair takes spine
(src + dst) mod spines. `k-ary` has switches of k ports alike: k pods of k/2 leaves and k/2 switches
above them, (k/2)^2 at the top, k/2 hosts on each leaf; 2 (k/2)^n hosts and (2 n - 1) (k/2)^(n-1)
switches in n levels.
Restrictions: one link per host, w_1 = p_1 = 1; k even. Lanes of different speed are not described.
"""

import re
from dataclasses import dataclass
from functools import cached_property
from math import prod

import numpy as np
from pydantic import Field

from contend.base.errors import InvalidInputError
from contend.simulate.topologies.kind import Bandwidth, Latency, Member, NamedByNumbers
from contend.simulate.topologies.multipath import NO_LINK, Multipath, check_positive, check_size
from contend.simulate.topologies.routing import RoutingWord, routed
from contend.simulate.topologies.topology import Topology

MOST_LEVELS = 8
LEVELS = 3  # of a k-ary tree that does not say how many
_LIST = r"\d{1,6}(?:x\d{1,6})*"
_TAPER = re.compile(r"\d+(?:\.\d+)?(?:x\d+(?:\.\d+)?)*")


@dataclass(frozen=True)
class GeneralFatTree(Multipath):
    """Children, parents and links to each parent of every level from that of the hosts on.

    `taper` divides the bandwidth of the links of each level but that of the hosts; empty for none.

    >>> tree = GeneralFatTree(down=(4, 4, 8), up=(1, 4, 4), bandwidth=100.0)
    >>> tree.hosts, tree.shortest(np.array([0]), np.array([127])).tolist()
    (128, [16])
    """

    down: tuple[int, ...]
    up: tuple[int, ...]
    bandwidth: float
    lanes: tuple[int, ...] = ()
    taper: tuple[float, ...] = ()
    latency_of_link: float = 0.0

    def __post_init__(self) -> None:
        levels = len(self.down)
        if not 1 <= levels <= MOST_LEVELS:
            raise InvalidInputError(f"a fat tree of {levels} levels", f"give 1 to {MOST_LEVELS}")
        if len(self.up) != levels or len(self.lanes) not in (0, levels):
            raise InvalidInputError(
                f"{levels} numbers of children, {len(self.up)} of parents, {len(self.lanes)} of "
                "links to each", "give one of each for every level"
            )  # fmt: skip
        if min(*self.down, *self.up, *self.lanes) < 1:
            raise InvalidInputError("a level with no switch or link", "give at least 1 of each")
        if self._ports[0] != 1:
            raise InvalidInputError(
                f"hosts with {self._ports[0]} links, where a host has one",
                "begin the parents, and the links to each, with 1",
            )
        if len(self.taper) not in (0, levels - 1):
            raise InvalidInputError(
                f"{len(self.taper)} tapers for {levels - 1} levels above the hosts",
                "give one for each, or none",
            )
        check_positive(bandwidth=self.bandwidth, **{f"taper {t}": t for t in self.taper})
        check_size("a fat tree", sum(2 * n for n in self._cables), prod(self._ports))

    @cached_property
    def _ports(self) -> tuple[int, ...]:
        """Upward ports of a switch below each level."""
        lanes = self.lanes or (1,) * len(self.up)
        return tuple(w * p for w, p in zip(self.up, lanes, strict=True))

    @cached_property
    def _cables(self) -> tuple[int, ...]:
        return tuple(
            prod(self.down[level:]) * prod(self.up[:level]) * ports
            for level, ports in enumerate(self._ports)
        )

    @cached_property
    def _first(self) -> tuple[int, ...]:
        """Number of the first link upwards from each level, and of the first after all of them."""
        return tuple(np.cumsum([0, *(2 * count for count in self._cables)]).tolist())

    @property
    def hosts(self) -> int:  # type: ignore[override]
        return prod(self.down)

    @property
    def longest(self) -> int:  # type: ignore[override]
        return 2 * len(self.down)

    def between(self) -> np.ndarray:
        """Level by level: upwards by switch and port, then downwards in the same order."""
        taper = self.taper or (1.0,) * (len(self.down) - 1)
        rates = [self.bandwidth / factor for factor in taper]
        return np.repeat(rates, [2 * count for count in self._cables[1:]])

    def _meeting(self, src: np.ndarray, dst: np.ndarray) -> np.ndarray:
        """The lowest level that both are below, from 1."""
        level = np.ones(len(src), dtype=np.int64)
        for size in np.cumprod(self.down):
            level += src // size != dst // size
        return level

    def shortest(self, src: np.ndarray, dst: np.ndarray) -> np.ndarray:
        counts = np.cumprod([1, *self._ports])
        return np.asarray(counts[self._meeting(src, dst)])

    def d_mod_k(self, src: np.ndarray, dst: np.ndarray) -> np.ndarray:
        """A port at each level by the digits of the destination."""
        path = np.zeros(len(src), dtype=np.int64)
        for level, ports in enumerate(self._ports):
            port = dst // prod(self.up[:level]) % ports
            path += prod(self._ports[:level]) * port
        return np.asarray(path % self.shortest(src, dst))

    usual = d_mod_k

    def along(self, src: np.ndarray, dst: np.ndarray, path: np.ndarray) -> np.ndarray:
        """Up to where they meet, and down again."""
        meeting = self._meeting(src, dst)
        links = np.full((len(src), self.longest), NO_LINK, dtype=np.int32)
        switch, remaining = np.zeros(len(src), dtype=np.int64), path
        for level, ports in enumerate(self._ports):
            port, remaining = remaining % ports, remaining // ports
            is_passed = level < meeting
            size, switches = prod(self.down[:level]), prod(self.up[:level])
            for end, column in ((src, level), (dst, self.longest - 1 - level)):
                link = ((end // size) * switches + switch) * ports + port
                link += self._first[level] + (self._cables[level] if end is dst else 0)
                links[is_passed, column] = link[is_passed]
            switch = switch + switches * (port % self.up[level])
        return links


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
        return np.asarray((src + dst) % self.shortest(src, dst))


def k_ary(
    k: int,
    bandwidth: float,
    levels: int = LEVELS,
    taper: tuple[float, ...] = (),
    latency: float = 0.0,
) -> GeneralFatTree:
    """Return the tree of switches of k ports.

    >>> k_ary(32, 1e9).hosts
    8192
    """
    if k < 2 or k % 2:
        raise InvalidInputError(f"a fat tree of switches with {k} ports", "give an even number")
    if not 1 <= levels <= MOST_LEVELS:
        raise InvalidInputError(f"a fat tree of {levels} levels", f"give 1 to {MOST_LEVELS}")
    half = k // 2
    down, up = (half,) * (levels - 1) + (k,), (1,) + (half,) * (levels - 1)
    return GeneralFatTree(down, up, bandwidth, taper=taper, latency_of_link=latency)


class Tree(Member):
    """Leaf switches of equal size under spine switches."""

    leaves: int = Field(ge=1, le=2**15)
    hosts_per_leaf: int = Field(ge=1, le=2**15)
    spines: int = Field(1, ge=1, le=2**15)
    bandwidth: Bandwidth = Field(description="of the links of hosts")
    oversubscription: float = Field(1.0, gt=0)
    routing: RoutingWord = ""

    def topology(self) -> Topology:
        return routed(FatTree(**self.model_dump(exclude={"routing"})), self.routing)


class TaperedTree(Member):
    """What files say of the links of a fat tree of several levels."""

    bandwidth: Bandwidth
    taper: tuple[float, ...] = Field(
        (), description="divides the bandwidth of each level but that of the hosts"
    )
    latency: Latency = Field(0.0, description="of each link: seconds, or a text such as 1.5us")
    routing: RoutingWord = ""


class Pgft(TaperedTree):
    """A fat tree of any number of levels: for each level from that of the hosts on."""

    down: tuple[int, ...] = Field(min_length=1, max_length=MOST_LEVELS, description="children")
    up: tuple[int, ...] = Field(description="parents; the first is 1")
    lanes: tuple[int, ...] = Field((), description="links to each parent; the first is 1")

    def topology(self) -> Topology:
        tree = GeneralFatTree(
            self.down, self.up, self.bandwidth, self.lanes, self.taper, self.latency
        )
        return routed(tree, self.routing)


class KAry(TaperedTree):
    """A fat tree of switches that all have k ports."""

    k: int = Field(ge=2, description="ports of a switch, an even number")
    levels: int = Field(LEVELS, ge=1, le=MOST_LEVELS)

    def topology(self) -> Topology:
        tree = k_ary(self.k, self.bandwidth, self.levels, self.taper, self.latency)
        return routed(tree, self.routing)


class FatTreeKind(NamedByNumbers):
    name = "fat_tree"
    member = Tree
    syntax = "fat-tree:LEAVESxHOSTS[xSPINES][:OVERSUBSCRIPTION]"
    pattern = re.compile(r"fat-tree:(\d{1,6})x(\d{1,6})(?:x(\d{1,6}))?(?::(\d+(?:\.\d+)?))?")
    examples = "fat-tree:4x8x2 or fat-tree:4x8x2:2"

    def of_match(self, match: re.Match[str], bandwidth: float) -> FatTree:
        """One spine and no oversubscription unless it says so."""
        leaves, hosts, spines = (int(number or 1) for number in match.groups()[:3])
        return FatTree(leaves, hosts, spines, bandwidth, float(match[4] or 1))


class KAryKind(NamedByNumbers):
    name = "k_ary"
    member = KAry
    syntax = "k-ary:K[xLEVELS][:TAPERx...]"
    pattern = re.compile(r"k-ary:(\d{1,5})(?:x(\d{1,2}))?(?::(.+))?")
    examples = "k-ary:32 or k-ary:8x2"

    def of_match(self, match: re.Match[str], bandwidth: float) -> GeneralFatTree:
        """Three levels and no taper unless it says so."""
        levels = int(match[2] or LEVELS)
        return k_ary(int(match[1]), bandwidth, levels, tapers(match[0], match[3], levels - 1))


class PgftKind(NamedByNumbers):
    name = "pgft"
    member = Pgft
    syntax = "pgft:DOWNx.../UPx...[/LANESx...][:TAPERx...]"
    pattern = re.compile(rf"pgft:({_LIST})/({_LIST})(?:/({_LIST}))?(?::(.+))?")
    examples = "pgft:16x16x32/1x16x16 or pgft:16x8/1x4/1x2:2"

    def of_match(self, match: re.Match[str], bandwidth: float) -> GeneralFatTree:
        """One link to each parent and no taper unless it says so."""
        down, up, lanes = (
            tuple(int(number) for number in (part or "").split("x") if number)
            for part in match.groups()[:3]
        )
        taper = tapers(match[0], match[4], len(down) - 1)
        return GeneralFatTree(down, up, bandwidth, lanes, taper)


def tapers(word: str, text: str | None, levels: int) -> tuple[float, ...]:
    """A factor for each level above the hosts: those given from the leaves on, 1 above."""
    if text is None:
        return ()
    if not _TAPER.fullmatch(text):
        raise InvalidInputError(f"{word!r} has the taper {text!r}", "write :2 or :2x1.5")
    factors = [float(number) for number in text.split("x")]
    if len(factors) > levels:
        raise InvalidInputError(
            f"{word!r} has {len(factors)} tapers for {levels} levels above the hosts",
            "give one for each, from the leaves on",
        )
    return (*factors, *[1.0] * (levels - len(factors)))
