"""Contention signature in Hockney form.

Source: Steffenel, Martinasso, Trystram, "Assessing contention effects on MPI_Alltoall
communications", GPC 2007, equation 5.
Idea: contention multiplies the cost per byte by gamma, and from M bytes on adds delta for each of
the other processes.
Cost: (n-1)(alpha + m beta gamma) for m < M; (n-1)(alpha + m beta gamma + delta) for m >= M.
Fitted: alpha and beta from one message between two processes; gamma and delta by relative error,
on four sizes or more at one n'; M among the measured sizes, or none, by Akaike's criterion. Without
a point-to-point measurement alpha is fitted as well and only the product beta gamma can be known:
gamma is then 1 by convention. Sizes that follow another law, as where a library forwards small
messages, are left out of the fit: it begins at the parameter `smallest`
(`statistics.smallest_size`).
Restrictions: n' must saturate the network; gamma and delta are taken as independent of n. What is
smaller than `smallest` is not described.
"""

from functools import partial

import numpy as np
from numpy.typing import ArrayLike

from contend.base.document import Floats, Quantity
from contend.base.statistics.smallest_size import Fitted, smallest_described_size
from contend.base.statistics.threshold import (
    Search,
    ThresholdFit,
    fit_at,
    fit_threshold,
    has_jumped,
    threshold_of,
    threshold_regime,
)
from contend.models.signature.form import (
    FittedForm,
    Form,
    Parameters,
    PointToPoint,
    Rows,
    fitted,
    one_process_count,
    require_sizes,
)

SMALL, LARGER = "small sizes", "larger sizes"  # than the smallest that is described


class Hockney2007(Form):
    """gamma, delta and M over Hockney's alpha and beta."""

    name = "hockney_2007"
    title = "contention signature, Hockney form"
    source = "Steffenel, Martinasso, Trystram 2007, eq. 5"
    role = "signature"
    chosen = ("M", "smallest")

    def fit(self, sample: Rows, message: PointToPoint) -> FittedForm:
        """Fit gamma, delta and M, and alpha and beta where they are not known."""
        n, sizes, seconds = one_process_count(sample)
        require_sizes(sizes)
        whole = fit_threshold(sizes, seconds / (n - 1), *_problem(message, sizes))
        roughly = partial(_roughly, message)
        smallest = smallest_described_size(
            sizes, seconds / (n - 1), _times_of(message, whole), roughly
        )
        if smallest is None:
            return self._fitted(sample, message, whole, None)
        return self._fit(sample, message, fit_threshold, smallest)

    def fit_again(self, sample: Rows, message: PointToPoint, fit: FittedForm) -> FittedForm:
        """Fit all but M, to the sizes that were fitted."""
        search = partial(fit_at, threshold_of(fit.parameters))
        return self._fit(sample, message, search, smallest_of(fit.parameters))

    def _fit(
        self, sample: Rows, message: PointToPoint, search: Search, smallest: float | None
    ) -> FittedForm:
        described = sample[sample["m"] >= (smallest or 0)]
        n, sizes, seconds = one_process_count(described)
        require_sizes(sizes)
        best = search(sizes, seconds / (n - 1), *_problem(message, sizes))
        return self._fitted(described, message, best, smallest)

    def _fitted(
        self,
        sample: Rows,
        message: PointToPoint,
        best: ThresholdFit,
        smallest: float | None,
    ) -> FittedForm:
        if message.hockney:
            alpha, beta = message.hockney.alpha, message.hockney.beta
            gamma = best.regression.quantity(0, "1")
            free = best.free("gamma")
        else:
            alpha, beta = (
                best.regression.quantity(0, "s"),
                best.regression.quantity(1, "s/B"),
            )
            gamma = Quantity(value=1.0, unit="1")
            free = best.free("alpha", "beta")
        parameters = {"alpha": alpha, "beta": beta, "gamma": gamma, **best.jump()}
        if smallest is not None:
            parameters["smallest"] = Quantity(value=smallest, unit="B")
        return fitted(self, sample, message, parameters, best.regression, free)

    def seconds(
        self, parameters: Parameters, message: PointToPoint, n: ArrayLike, m: ArrayLike
    ) -> Floats:
        count, size = np.broadcast_arrays(np.asarray(n, float), np.asarray(m, float))
        alpha, beta = float(parameters["alpha"]), float(parameters["beta"])
        jump = has_jumped(parameters.get("M"), parameters["delta"], size)
        time: Floats = (count - 1) * (alpha + size * beta * float(parameters["gamma"]) + jump)
        return time

    def describes(self, parameters: Parameters, m: ArrayLike) -> np.ndarray:
        """From the smallest size that was fitted on."""
        sizes = np.atleast_1d(np.asarray(m, float))
        return np.asarray(sizes >= (smallest_of(parameters) or 0.0))

    def regime(self, parameters: Parameters, m: ArrayLike) -> list[str]:
        """Below or from M on, or smaller than what was fitted."""
        sizes = np.atleast_1d(np.asarray(m, float))
        regimes = threshold_regime(parameters.get("M"), sizes)
        if (smallest := smallest_of(parameters)) is None:
            return regimes
        larger = [LARGER if "M" not in parameters else name for name in regimes]
        is_small = sizes < smallest
        return [
            SMALL if is_below else name for is_below, name in zip(is_small, larger, strict=True)
        ]


def smallest_of(parameters: Parameters) -> float | None:
    """Bytes from which on the form describes; None where that is every size."""
    return float(parameters["smallest"]) if "smallest" in parameters else None


def _problem(message: PointToPoint, sizes: Floats) -> tuple[Floats | float, list[Floats]]:
    """What is known of the time of a message, and the columns whose coefficients are not."""
    if message.hockney:
        return float(message.hockney.alpha), [sizes * float(message.hockney.beta)]
    return 0.0, [np.ones_like(sizes), sizes]


def _roughly(message: PointToPoint, sizes: Floats, seconds: Floats) -> Fitted:
    return _times_of(message, fit_threshold(sizes, seconds, *_problem(message, sizes), starts=1))


def _times_of(message: PointToPoint, best: ThresholdFit) -> Fitted:
    """Times of a message by size as the form has them, and how many parameters they took."""
    used = int((best.regression.coefficients > 0).sum()) + (best.threshold is not None)

    def times(m: Floats) -> Floats:
        start, columns = _problem(message, m)
        return start + best.seconds(m, columns)

    return times, used
