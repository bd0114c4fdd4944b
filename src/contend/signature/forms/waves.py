"""Messages serialised in waves over a limited number of channels.

Source: Labarta, Girona, Pillet, Cortes, Gregoris 1996 (DiP); Steffenel, Martinasso, Trystram 2007,
section 2.
Idea: the network carries at most b messages at a time, the others wait for the next wave.
Cost: ceil(n(n-1)/b)(alpha + beta m).
Fitted: the whole number b with the least relative error at one n'.
Restrictions: b is taken as a property of the network, so the time grows with n squared.
"""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from contend.document import Floats, Quantity
from contend.signature.form import (
    FittedForm,
    Form,
    Parameters,
    PointToPoint,
    fitted,
    message_cost,
    message_seconds,
    one_process_count,
)
from contend.statistics.nonnegative import loss

if TYPE_CHECKING:
    import pandas as pd


class Waves(Form):
    """ceil(messages / channels) waves."""

    name = "waves"
    title = "serialised waves"
    source = "Labarta et al. 1996"
    chosen = ("channels",)

    def fit(self, sample: "pd.DataFrame", known: PointToPoint) -> FittedForm:
        """Fit the number of channels."""
        n, sizes, seconds = one_process_count(sample)
        channels = np.arange(1, n * (n - 1) + 1)
        waves, fewest = np.unique(np.ceil(n * (n - 1) / channels), return_index=True)
        cost = message_cost(sample, known)
        times = waves[:, None] * message_seconds(cost, sizes)
        losses = [loss(np.log(row)) for row in times / seconds]
        best = fewest[int(np.argmin(losses))]
        parameters = cost | {"channels": Quantity(value=float(channels[best]), unit="1")}
        return fitted(self, sample, known, parameters)

    def seconds(
        self, parameters: Parameters, known: PointToPoint, n: ArrayLike, m: ArrayLike
    ) -> Floats:
        """ceil(n(n-1)/b)(alpha + beta m)."""
        count = np.asarray(n, float)
        waves = np.ceil(count * (count - 1) / float(parameters["channels"]))
        time: Floats = waves * message_seconds(parameters, m)
        return time
