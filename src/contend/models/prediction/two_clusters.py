"""A total exchange over two clusters joined by a slow link.

Source: Steffenel, Martinasso, Trystram, GPC 2007, equation 6; the algorithm is LG (Jeannot,
Steffenel, Euro-Par 2007).
Idea: both clusters first exchange locally and collect what is bound for the other side; then
ceil(n2/n1) rounds of packed messages cross the link.
Cost: max(T_C1, T_C2) + ceil(n2/n1) (alpha_w + beta_w m n), n1 <= n2, n = n1 + n2.
Restrictions: the local times are those of an exchange of m bytes, as in the equation, though the
local phase also carries the blocks for the other cluster; the link is one message at a time.
"""

import math
from dataclasses import dataclass

from contend.base.errors import InvalidInputError
from contend.schedules.pointtopoint import Hockney


@dataclass(frozen=True)
class TwoClusterTime:
    """Both phases and their sum, seconds."""

    local: float
    rounds: int
    backbone: float

    @property
    def seconds(self) -> float:
        """Local phase, then all rounds over the backbone."""
        return self.local + self.backbone


def two_cluster_time(
    local_seconds: tuple[float, float], n1: int, n2: int, m: float, backbone: Hockney
) -> TwoClusterTime:
    """Time of equation 6; `local_seconds` are T_C1 and T_C2, `m` bytes per pair.

    >>> from contend.schedules.pointtopoint.hockney import given
    >>> two_cluster_time((1.0, 2.0), 2, 4, 100, given(0.25, 0.0625)).seconds
    77.5
    """
    if min(n1, n2) < 1:
        raise InvalidInputError(f"clusters of {n1} and {n2} processes", "give at least 1 each")
    rounds = math.ceil(max(n1, n2) / min(n1, n2))
    per_round = float(backbone.seconds(m * (n1 + n2)))
    return TwoClusterTime(max(local_seconds), rounds, rounds * per_round)
