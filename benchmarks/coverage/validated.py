"""The factor that the next prediction is within, learnt from k validated points.

Errors of a form at points that it has not seen are its own as well as those of the measurement:
here the ratio of measured to predicted is log-normal with a deviation of 20 %. Of fewer points than
9 contend claims nothing, so that there are no rows of them.
"""

from collections.abc import Iterator

import numpy as np
import pandas as pd
from simulated import Row

from contend.models.prediction.validate import spread_of_errors

NOMINAL = 0.9
DEVIATION = 0.2
COUNTS = (*range(2, 21), 29, 39, 60)


def campaign(rng: np.random.Generator) -> Iterator[Row]:
    """A row per number of validated points from which a factor is known."""
    for count in COUNTS:
        ratios = np.exp(DEVIATION * rng.standard_normal(count + 1))
        factor = spread_of_errors(pd.DataFrame({"error": ratios[:-1] - 1.0}))["factor_90"]
        if factor is not None:
            truth = float(ratios[-1])
            yield f"next of {count} validated points", truth, 1.0, 1.0 / factor, factor
