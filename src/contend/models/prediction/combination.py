"""A library's default by the algorithms that watched programs showed, weighed with its own times.

Source: two forecasts, each weighed by the other's variance: Bates, Granger, "The combination of
forecasts", Operational Research Quarterly 20, 1969.
Idea: a default is several algorithms. Each grows over n in a way that its schedule tells
(`contend.models.signature.algorithm_growth`), and where one follows another times jump. Calls of
programs show which one ran, and that it was what the library's rules name. So the points of each
predict what runs; they are few, and all points of the default predict it too. What the two disagree
by makes the interval wider.
Restrictions: an algorithm with fewer points than a curve over m takes is left to the default.
"""

from collections.abc import Iterator

import numpy as np

from contend.base.document import Columns
from contend.base.statistics.student import NORMAL_90
from contend.models.network import Operation
from contend.models.network.evidence import MeasuredPoints
from contend.models.prediction.verdict import UNJUDGED
from contend.models.signature import FORMS, PointToPoint
from contend.models.signature.layout import FEWEST_OF_A_CURVE
from contend.samples.setting import under


def by_algorithm(default: Operation, ran: np.ndarray) -> Iterator[Operation]:
    """Yield an operation of the points of each algorithm; `ran` (k,) has "" where none is known."""
    points = default.measured
    if points is None:
        return
    for algorithm in sorted({*ran.tolist()} - {""}):
        rows = {name: values[ran == algorithm] for name, values in points.columns().items()}
        if rows["n"].size < FEWEST_OF_A_CURVE:
            continue
        setting = under(algorithm, default.conditions)
        form = FORMS.get(UNJUDGED).of(default.operation, setting, default.processes_per_node)
        fits = {UNJUDGED: form.fit(rows, PointToPoint())}
        changed = {"algorithm": setting, "forms": fits, "measured": MeasuredPoints.of(rows)}
        yield default.model_copy(update=changed)


def weighed(times: Columns, part: Columns) -> Columns:
    """Weigh the rows `part` of an algorithm with those of the default's own `times`.

    Where either has no interval the default's own stay.
    """
    of_default, of_part = (np.log(rows["high"] / rows["seconds"]) for rows in (times, part))
    share = np.nan_to_num(of_default**2 / (of_default**2 + of_part**2))
    apart = np.log(part["seconds"] / times["seconds"])
    seconds = times["seconds"] * np.exp(share * apart)
    disagreement = NORMAL_90**2 * share * (1 - share) * apart**2
    within = (1 - share) * of_default**2 + share * np.nan_to_num(of_part) ** 2
    half = np.sqrt(within + disagreement)
    bound = np.maximum(times["lower_bound"], part["lower_bound"])
    low = np.minimum(np.fmax(seconds * np.exp(-half), bound), seconds)
    both = {"seconds": seconds, "low": low, "high": seconds * np.exp(half), "lower_bound": bound}
    return part | both | {"extrapolates": times["extrapolates"]}
