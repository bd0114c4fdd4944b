"""Contention factor equal to the number of processes.

Source: Clement, Steed, Crandall 1996; Steffenel, Martinasso, Trystram 2007, equation 3.
Idea: on a shared medium every process slows every other down, so a byte costs gamma = n times as
much as alone.
Cost: (n-1)(alpha + beta m n), their message time for each of the n-1 messages of a process.
Restrictions: made for shared Ethernet; a switch does not behave so. Fits nothing, and needs alpha
and beta of one message between two processes: those of an exchange hold its contention already.
"""

import numpy as np
from numpy.typing import ArrayLike

from contend.base.document import Floats
from contend.base.errors import InvalidInputError
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


class Clement(Form):
    name = "clement"
    title = "contention factor n"
    source = "Clement, Steed, Crandall 1996"
    needs_hockney = True

    def fit(self, sample: Rows, message: PointToPoint) -> FittedForm:
        """Take alpha and beta as they are; the residuals say how far off that is at n'."""
        one_process_count(sample)
        if message.hockney is None:
            raise InvalidInputError(
                "clement multiplies beta, and that of an exchange holds its contention already",
                "measure or import a ping-pong, or give --assume alpha=,beta=",
            )
        return fitted(self, sample, message, message_cost(sample, message))

    def seconds(
        self, parameters: Parameters, message: PointToPoint, n: ArrayLike, m: ArrayLike
    ) -> Floats:
        count = np.asarray(n, float)
        time: Floats = (count - 1) * message_seconds(parameters, np.asarray(m, float) * count)
        return time
