"""Linear model without contention.

Source: Christara, Ding, Jackson 1999; Steffenel, Martinasso, Trystram 2007, equation 1 and
proposition 1.
Idea: each process sends n-1 messages one after the other, undisturbed by the others.
Cost: (n-1)(alpha + beta m), which is also the lower bound of a total exchange without forwarding.
Restrictions: fits nothing; alpha and beta come from one message between two processes.
"""

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from contend.document import Floats
from contend.signature.form import FittedForm, Form, Parameters, PointToPoint, fitted, hockney_of


class Linear(Form):
    """(n-1)(alpha + beta m)."""

    name = "linear"
    title = "linear, no contention"
    source = "Christara, Ding, Jackson 1999"
    needs = ("hockney",)

    def fit(self, sample: pd.DataFrame, known: PointToPoint) -> FittedForm:
        """Nothing to fit; the residuals say how far off the model is at n'."""
        return fitted(self, sample, known, {})

    def seconds(
        self, parameters: Parameters, known: PointToPoint, n: ArrayLike, m: ArrayLike
    ) -> Floats:
        """(n-1)(alpha + beta m)."""
        time: Floats = (np.asarray(n, float) - 1) * hockney_of(known).seconds(m)
        return time
