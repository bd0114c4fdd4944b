"""A power law over the number of processes for each size.

Source: the usual practice of drawing a line through two points on doubly logarithmic paper.
Idea: no model of m at all: coefficient and exponent are looked up by size.
Cost: c(m) (n-1)^p(m); log c and p linear over log(m + 1) between the sizes measured, constant
below them; above them c grows in proportion to m.
Fitted: c and p from the times at two n.
Restrictions: needs the same sizes at two n; extrapolates whatever differs between the two.
"""

import numpy as np
from numpy.typing import ArrayLike

from contend.base.document import Floats, Quantity
from contend.base.errors import InvalidInputError
from contend.models.signature.form import FittedForm, Form, Parameters, PointToPoint, Rows, fitted
from contend.models.signature.operations import OPERATIONS


class PowerPerSize(Form):
    name = "power_per_size"
    title = "power law per size through two n"
    source = "common practice"
    operations = OPERATIONS
    process_counts = 2
    abscissae = ("size",)

    def fit(self, sample: Rows, message: PointToPoint) -> FittedForm:
        """Draw the power law through the two n of the sample."""
        table = sample.pivot_table(index="m", columns="n", values="seconds").dropna()
        if table.shape[1] != 2 or table.empty:
            raise InvalidInputError(
                f"power_per_size got {table.shape[1]} n with common sizes", "measure two n alike"
            )
        low, high = (float(n) for n in table.columns)
        first, second = table.iloc[:, 0].to_numpy(), table.iloc[:, 1].to_numpy()
        exponent = np.log(second / first) / np.log((high - 1) / (low - 1))
        coefficient = first / (low - 1) ** exponent
        parameters = {
            "size": Quantity(value=tuple(map(float, table.index)), unit="B"),
            "coefficient": Quantity(value=tuple(coefficient.tolist()), unit="s"),
            "exponent": Quantity(value=tuple(exponent.tolist()), unit="1"),
        }
        used = sample[sample["m"].isin(table.index)]
        return fitted(self, used, message, parameters)

    def seconds(
        self, parameters: Parameters, message: PointToPoint, n: ArrayLike, m: ArrayLike
    ) -> Floats:
        known_sizes = np.log1p(parameters["size"].array)
        size = np.log1p(np.asarray(m, float))
        coefficient = np.exp(np.interp(size, known_sizes, np.log(parameters["coefficient"].array)))
        exponent = np.interp(size, known_sizes, parameters["exponent"].array)
        beyond = np.maximum(np.asarray(m, float) / max(parameters["size"].array[-1], 1.0), 1.0)
        time: Floats = coefficient * beyond * (np.asarray(n, float) - 1) ** exponent
        return time
