"""Messages serialised in waves over a limited number of channels.

Source: Labarta, Girona, Pillet, Cortes, Gregoris 1996 (DiP); Steffenel, Martinasso, Trystram 2007,
section 2.
Idea: the network carries at most b messages at a time, the others wait for the next wave.
Cost: ceil(n(n-1)/b)(alpha + beta m).
Fitted: the whole number b with the least relative error at one n'.
Restrictions: b is taken as a property of the network, so the time grows with n squared.
"""

from math import log

import numpy as np
from numpy.typing import ArrayLike

from contend.base.document import Floats, Quantity
from contend.base.statistics.nonnegative import ROBUST_FROM, loss
from contend.models.signature.form import (
    FittedForm,
    Form,
    Parameters,
    PointToPoint,
    Rows,
    fitted,
    message_cost,
    message_seconds,
    one_process_count,
)


class Waves(Form):
    name = "waves"
    title = "serialised waves"
    source = "Labarta et al. 1996"
    chosen = ("channels",)

    def fit(self, sample: Rows, message: PointToPoint) -> FittedForm:
        n, sizes, seconds = one_process_count(sample)
        cost = message_cost(sample, message)
        waves = _waves(n * (n - 1), np.log(message_seconds(cost, sizes) / seconds))
        channels = -(-n * (n - 1) // waves)  # the fewest that so many take
        parameters = cost | {"channels": Quantity(value=float(channels), unit="1")}
        return fitted(self, sample, message, parameters)

    def seconds(
        self, parameters: Parameters, message: PointToPoint, n: ArrayLike, m: ArrayLike
    ) -> Floats:
        count = np.asarray(n, float)
        waves = np.ceil(count * (count - 1) / float(parameters["channels"]))
        time: Floats = waves * message_seconds(parameters, m)
        return time


def _waves(messages: int, residuals: Floats) -> int:
    """The waves of all messages that leave the least of the logarithms `residuals` of one wave.

    The loss is convex in the logarithm of the waves, which are the fewer the more channels there
    are: they are those on one side or the other of where its slope becomes negative.
    """

    def over(waves: int) -> Floats:
        return np.asarray(log(waves) + residuals)

    few, many = 0, messages  # channels; with `many` of them the slope is not positive, or all
    while many - few > 1:
        channels = (few + many) // 2
        slope = np.clip(over(-(-messages // channels)), -ROBUST_FROM, ROBUST_FROM).sum()
        few, many = (few, channels) if slope <= 0 else (channels, many)
    beside = [-(-messages // channels) for channels in (many, few) if channels]
    return min(beside, key=lambda waves: loss(over(waves)))
