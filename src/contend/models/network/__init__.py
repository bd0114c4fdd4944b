"""The network file: what was learnt from samples, in one small JSON document."""

from contend.models.network.level import Level
from contend.models.network.network import Network, Operation, title_of

__all__ = ["Level", "Network", "Operation", "title_of"]
