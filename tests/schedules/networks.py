"""Networks with random tables, for tests of times."""

import numpy as np

from contend.base.document import Quantity
from contend.schedules.pointtopoint import PLogP


def random_plogp(seed: int, *, is_growing: bool = False) -> PLogP:
    """A network whose gap grows with the size by random steps; if wanted the latency too."""
    rng = np.random.default_rng(seed)
    sizes = np.array([0, 1, 3, 8, 24, 100, 1000], dtype=float)
    gap = np.cumsum(rng.uniform(0, 1e-5, sizes.size))
    growth = np.cumsum(rng.choice([0, 1e-6, 1e-4], sizes.size)) * is_growing
    over = Quantity(value=tuple((gap / 2).tolist()), unit="s")
    return PLogP(
        latency=Quantity(value=float(rng.choice([0, 1e-6, 1e-5, 1e-3])), unit="s"),
        latency_growth=Quantity(value=tuple((growth - growth[0]).tolist()), unit="s"),
        size=Quantity(value=tuple(sizes.tolist()), unit="B"),
        gap=Quantity(value=tuple(gap.tolist()), unit="s"),
        send_overhead=over,
        receive_overhead=over,
        method="trains",
    )
