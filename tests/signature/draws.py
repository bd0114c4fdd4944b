"""Machines whose times over n and m are as a prior says: drawn from its process, with noise."""

import numpy as np
import pandas as pd

from contend.base.document import Floats
from contend.models.signature.layout import Layout, Points
from contend.models.signature.prior import PRIOR, Usual
from contend.models.signature.process import Process


def points_of(table: pd.DataFrame) -> Points:
    """Rows (n, m, seconds) as the process takes them."""
    return Points(*(table[name].to_numpy(dtype=float) for name in ("n", "m", "seconds")))


def drawn(layout: Layout, usual: Usual, n: Floats, m: Floats, rng: np.random.Generator) -> Floats:
    """Seconds of a machine at pairs (k,), whose mean at n' is the curve of the layout."""
    covariance = Process(layout, usual).sum(layout.parts_of(n, m, n, m))
    mean = layout.usual(usual, n, m)
    exact = rng.multivariate_normal(mean, covariance, method="cholesky")
    return np.exp(exact + PRIOR.noise * rng.standard_normal(n.size))
