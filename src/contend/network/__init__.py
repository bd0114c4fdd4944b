"""The network file: what was learnt from samples, in one small JSON document."""

from contend.network.level import Level
from contend.network.network import Network, Operation, title_of

__all__ = ["Level", "Network", "Operation", "title_of"]
