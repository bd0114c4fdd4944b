"""k-ary fat tree: switches of k ports alike, in three levels or any other number.

Source: Al-Fares, Loukissas, Vahdat, "A scalable, commodity data center network architecture",
SIGCOMM 2008.
Idea: k pods of k/2 leaves and k/2 switches above them, (k/2)^2 at the top, k/2 hosts on each leaf.
It is the PGFT of k/2, ..., k/2, k children and 1, k/2, ..., k/2 parents.
Counts: 2 (k/2)^n hosts in n levels; (2 n - 1) (k/2)^(n-1) switches; without a taper half of all
hosts send to the other half at full bandwidth.
Restrictions: k even.
"""

import re

from pydantic import Field

from contend.errors import InvalidInputError
from contend.topologies.kind import NamedByNumbers
from contend.topologies.kinds.pgft import MOST_LEVELS, GeneralFatTree, TaperedTree, tapers
from contend.topologies.routing import routed
from contend.topologies.topology import Topology

LEVELS = 3


def k_ary(
    k: int,
    bandwidth: float,
    levels: int = LEVELS,
    taper: tuple[float, ...] = (),
    latency: float = 0.0,
) -> GeneralFatTree:
    """The tree of switches of k ports.

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


class KAry(TaperedTree):
    """A fat tree of switches that all have k ports."""

    k: int = Field(ge=2, description="ports of a switch, an even number")
    levels: int = Field(LEVELS, ge=1, le=MOST_LEVELS)

    def topology(self) -> Topology:
        """With D-mod-k, or the routing."""
        tree = k_ary(self.k, self.bandwidth, self.levels, self.taper, self.latency)
        return routed(tree, self.routing)


class KAryKind(NamedByNumbers):
    """A fat tree of switches that all have k ports."""

    name = "k_ary"
    member = KAry
    syntax = "k-ary:K[xLEVELS][:TAPERx...]"
    pattern = re.compile(r"k-ary:(\d{1,5})(?:x(\d{1,2}))?(?::(.+))?")
    examples = "k-ary:32 or k-ary:8x2"

    def of_match(self, match: re.Match[str], bandwidth: float) -> GeneralFatTree:
        """Three levels and no taper unless it says so."""
        levels = int(match[2] or LEVELS)
        taper = tapers(match[0], match[3], levels - 1)
        return k_ary(int(match[1]), bandwidth, levels, taper)
