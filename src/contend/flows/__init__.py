"""Flows that share a network, and the end time of each under a sharing model.

>>> from contend.flows import solve
>>> solve({"src": [0, 1], "dst": [2, 2], "bytes": [8, 8]}, "infiniband", bandwidth=8.0).end.tolist()
[2.0, 2.0]
"""

from contend.flows.engine import Solution, solve
from contend.flows.flows import Flows, flows_of
from contend.flows.models import SharingModel, get, names
from contend.flows.reader import READERS, read_flows

__all__ = [
    "READERS",
    "Flows",
    "SharingModel",
    "Solution",
    "flows_of",
    "get",
    "names",
    "read_flows",
    "solve",
]
