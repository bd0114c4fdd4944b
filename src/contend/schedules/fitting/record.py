"""Parameters fitted to times of algorithms: of each algorithm, of each operation, of all.

Idea: an algorithm that was measured is predicted by parameters of its own, which hold what its
pattern of messages meets on this network. Other algorithms of the operation are predicted by those
of the operation, other operations by those of all. Each is fitted to its own times and takes what
they leave open from the next wider one.
Restrictions: contention at the n that was measured counts as if it did not change with n.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from pydantic import Field

from contend.base.document import Processes, Record
from contend.base.statistics.rank import reach
from contend.schedules.algorithm import Algorithm
from contend.schedules.fitting.fit import fit, relative_errors
from contend.schedules.fitting.series import Series
from contend.schedules.pointtopoint import PLogP


class ScheduleFit(Record):
    """Effective pLogP parameters, what they were fitted to, and how far off they are there."""

    operation: str | None = Field(None, description="absent: all operations that were measured")
    algorithm: str | None = Field(None, description="absent: all algorithms that were measured")
    plogp: PLogP
    algorithms: tuple[str, ...] = Field(description="operation/algorithm of the times")
    n_fitted: tuple[Processes, ...] = Field(min_length=1)
    m_fitted: tuple[int, ...] = Field(min_length=1)
    points: int = Field(ge=2)
    median_error: float = Field(ge=0, description="predicted over measured less one, of the points")
    percentile_90: float | None = Field(None, ge=0, description="absent: too few points to tell")

    @property
    def title(self) -> str:
        if self.operation is None:
            return "all operations"
        return f"{self.operation}/{self.algorithm}" if self.algorithm else self.operation


@dataclass(frozen=True)
class Parameters:
    """What predicts the algorithms of one operation: their own parameters, or those of `others`."""

    others: PLogP
    others_of: str = "one message"
    by_algorithm: Mapping[str, ScheduleFit] = field(default_factory=dict)
    n_fitted: tuple[int, ...] = ()

    def of(self, algorithm: Algorithm) -> PLogP:
        fit = self.by_algorithm.get(algorithm.name)
        return fit.plogp if fit else self.others

    def title(self, algorithm: Algorithm) -> str:
        fit = self.by_algorithm.get(algorithm.name)
        return fit.title if fit else self.others_of

    def beyond(self, n: Sequence[int], others: Sequence[str]) -> list[str]:
        """What each prediction extrapolates: n, where it was not among those fitted, and others."""
        if not self.n_fitted:
            return list(others)
        inside = range(min(self.n_fitted), max(self.n_fitted) + 1)
        pairs = zip(n, others, strict=True)
        return [
            " ".join(["n"] * (count not in inside) + [extrapolated] * bool(extrapolated))
            for count, extrapolated in pairs
        ]

    def has_seen(self, algorithm: str, n: int, m: int) -> bool:
        """Whether an algorithm's own parameters were fitted to its time at n and m."""
        fit = self.by_algorithm.get(algorithm)
        return fit is not None and n in fit.n_fitted and m in fit.m_fitted


def plogp_of(parameters: PLogP | Parameters, algorithm: Algorithm) -> PLogP:
    """The parameters for an algorithm, where there may be one set for all."""
    return parameters.of(algorithm) if isinstance(parameters, Parameters) else parameters


def largest_size(parameters: PLogP | Parameters) -> float:
    """Bytes of the largest message that any of the parameters were found with."""
    if isinstance(parameters, PLogP):
        return float(parameters.size.array.max())
    plogps = [parameters.others, *(fit.plogp for fit in parameters.by_algorithm.values())]
    return max(map(largest_size, plogps))


def fit_schedules(series: Sequence[Series]) -> tuple[ScheduleFit, ...]:
    """Parameters of all operations, of each operation, and of each algorithm, in this order."""
    everything = _fitted(series, None, None, None)
    fits = [everything]
    for operation in dict.fromkeys(row.operation for row in series):
        those = [row for row in series if row.operation == operation]
        common = _fitted(those, operation, None, everything.plogp)
        fits.append(common)
        for name in dict.fromkeys(row.algorithm.name for row in those):
            rows = [row for row in those if row.algorithm.name == name]
            if sum(row.m.size for row in rows) > 1:
                fits.append(_fitted(rows, operation, name, common.plogp))
    return tuple(fits)


def parameters(
    fits: Sequence[ScheduleFit], operation: str, message: PLogP | None = None
) -> Parameters | None:
    """What predicts the algorithms of an operation; None where there is nothing.

    An algorithm that was not measured takes the parameters of the operation, else those of one
    message, where these were measured, else those of all operations.
    """
    by_algorithm = {
        fit.algorithm: fit for fit in fits if fit.operation == operation and fit.algorithm
    }
    common = [fit for fit in fits if fit.operation == operation and fit.algorithm is None]
    everything = [fit for fit in fits if fit.operation is None]
    if not common and message is not None:
        return Parameters(message, by_algorithm=by_algorithm)
    for entry in (*common, *everything):
        return Parameters(entry.plogp, entry.title, by_algorithm, entry.n_fitted)
    return None


def _fitted(
    series: Sequence[Series], operation: str | None, algorithm: str | None, towards: PLogP | None
) -> ScheduleFit:
    plogp = fit(series, towards)
    errors = np.abs(relative_errors(series, plogp))
    return ScheduleFit(
        operation=operation,
        algorithm=algorithm,
        plogp=plogp,
        algorithms=tuple(dict.fromkeys(row.name for row in series)),
        n_fitted=tuple(sorted({row.n for row in series})),
        m_fitted=tuple(sorted({int(m) for row in series for m in row.m})),
        points=errors.size,
        median_error=float(np.median(errors)),
        percentile_90=reach(errors),
    )
