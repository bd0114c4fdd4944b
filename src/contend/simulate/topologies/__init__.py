"""Topologies: the links of a network and which of them lie between two hosts.

>>> from contend.simulate.topologies import topology_of
>>> topology_of("fat-tree:2x4", bandwidth=100.0).hosts
8
"""

from contend.simulate.topologies.kinds.dragonfly import Dragonfly
from contend.simulate.topologies.kinds.pgft import FatTree, GeneralFatTree, k_ary
from contend.simulate.topologies.kinds.switch import OneSwitch
from contend.simulate.topologies.kinds.torus import Torus
from contend.simulate.topologies.names import read_topology, topology_of
from contend.simulate.topologies.paths import Link, Links, Paths
from contend.simulate.topologies.routing import Routed, routed
from contend.simulate.topologies.topology import Topology

__all__ = [
    "Dragonfly",
    "FatTree",
    "GeneralFatTree",
    "Link",
    "Links",
    "OneSwitch",
    "Paths",
    "Routed",
    "Topology",
    "Torus",
    "k_ary",
    "read_topology",
    "routed",
    "topology_of",
]
