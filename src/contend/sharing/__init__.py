"""Sharing models: how flows share a network, and the end time of each.

>>> from contend.sharing import solve
>>> solve({"src": [0, 1], "dst": [2, 2], "bytes": [8, 8]}, "infiniband", bandwidth=8.0).end.tolist()
[2.0, 2.0]
"""

from contend.sharing.engine import Solution, solve
from contend.sharing.flows import Flows, flows_of
from contend.sharing.inverse import penalties_from_times
from contend.sharing.models import SharingModel, get, names
from contend.sharing.named_topology import read_topology, topology_of
from contend.sharing.paths import Link, Paths
from contend.sharing.reader import READERS, read_flows
from contend.sharing.topology import FatTree, Links, OneSwitch, Topology

__all__ = [
    "READERS",
    "FatTree",
    "Flows",
    "Link",
    "Links",
    "OneSwitch",
    "Paths",
    "SharingModel",
    "Solution",
    "Topology",
    "flows_of",
    "get",
    "names",
    "penalties_from_times",
    "read_flows",
    "read_topology",
    "solve",
    "topology_of",
]
