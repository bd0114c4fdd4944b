"""Links of given capacity, without routes of their own."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from contend.errors import InvalidInputError
from contend.topologies.topology import Routes, Topology


@dataclass(frozen=True, eq=False)
class Links(Topology):
    """Links of given capacity; each flow names its own route."""

    hosts: int
    capacities: Sequence[float]

    def capacity(self) -> np.ndarray:
        """As given."""
        return np.ascontiguousarray(self.capacities, dtype=np.float64)

    def routes(self, src: np.ndarray, dst: np.ndarray) -> Routes:
        """None: the topology does not know them."""
        raise InvalidInputError(
            "the flows have no routes over these links", "give the column route"
        )
