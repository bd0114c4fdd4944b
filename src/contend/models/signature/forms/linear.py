"""Linear model without contention.

Source: Christara, Ding, Jackson 1999; Steffenel, Martinasso, Trystram 2007, equation 1 and
proposition 1.
Idea: each process sends n-1 messages one after the other, undisturbed by the others.
Cost: (n-1)(alpha + beta m), which is also the lower bound of a total exchange without forwarding.
Restrictions: fits nothing where alpha and beta of one message between two processes are known.
"""

import numpy as np
from numpy.typing import ArrayLike

from contend.base.document import Floats
from contend.models.signature.form import (
    FittedForm,
    Form,
    Parameters,
    PointToPoint,
    Rows,
    fitted,
    message_cost,
    message_seconds,
)


class Linear(Form):
    name = "linear"
    title = "linear, no contention"
    source = "Christara, Ding, Jackson 1999"

    def fit(self, sample: Rows, message: PointToPoint) -> FittedForm:
        """Take alpha and beta as they are; the residuals say how far off that is at n'."""
        return fitted(self, sample, message, message_cost(sample, message))

    def seconds(
        self, parameters: Parameters, message: PointToPoint, n: ArrayLike, m: ArrayLike
    ) -> Floats:
        time: Floats = (np.asarray(n, float) - 1) * message_seconds(parameters, m)
        return time
