"""What a form is: fitted to a few measurements of an operation, evaluated for any n and m.

A form is a subclass of `Form` in a module of `signature/forms`. It says what it needs, fits a
`FittedForm` (its parameters with bounds, which the network file stores) and evaluates it.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike
from pydantic import Field, model_validator

from contend.base.document import (
    LONGEST,
    Columns,
    Floats,
    Frame,
    Processes,
    Quantity,
    Record,
    Size,
    require_numbers,
)
from contend.base.errors import InvalidInputError
from contend.base.registry import Registry
from contend.base.statistics.regression import Regression, fit_times
from contend.base.units import MOST_BYTES, MOST_PROCESSES
from contend.models.signature.operations import EXCHANGES
from contend.schedules.pointtopoint import Hockney, PLogP

Parameters = Mapping[str, Quantity]
Rows: TypeAlias = Frame  # columns n, m and seconds
# Tables and thresholds of forms are of what was measured.
_MOST = {
    "n": MOST_PROCESSES, "processes": MOST_PROCESSES, "m": MOST_BYTES, "M": MOST_BYTES,
    "smallest": MOST_BYTES, "seconds": LONGEST,
}  # fmt: skip
Role = Literal["signature", "baseline"]


@dataclass(frozen=True)
class PointToPoint:
    """What is known of a single message; a form says which of the two it needs."""

    hockney: Hockney | None = None
    plogp: PLogP | None = None


class FittedForm(Record):
    """A form with its parameters and what its fit saw; part of a network file."""

    form: str
    parameters: dict[str, Quantity]
    covariance_of: tuple[str, ...] = Field((), description="parameters in the covariance's order")
    covariance: tuple[tuple[float, ...], ...] = ()
    relative_residual: float = Field(
        ge=0, description="standard deviation of log(fitted / measured) in the fit"
    )
    degrees_of_freedom: int = Field(ge=0, le=2**31 - 1)
    aic: float | None = None
    launches: int = Field(
        1,
        ge=1,
        le=2**31 - 1,
        description="what bounds and covariance are over; of one launch, the scatter in it",
    )
    n_fitted: tuple[Processes, ...] = Field(
        min_length=1, description="process counts that the fit used"
    )
    m_fitted: tuple[Size, ...] = Field(min_length=1, description="sizes that the fit used, bytes")

    @model_validator(mode="after")
    def _is_of_points_that_can_be(self) -> "FittedForm":
        for name, most in _MOST.items():
            values = self.parameters[name].array if name in self.parameters else np.zeros(1)
            if values.min() < 0 or values.max() > most:
                raise ValueError(f"{name} is not within 0 and {most:g}")
        return self

    @model_validator(mode="after")
    def _has_a_covariance_of_its_numbers(self) -> "FittedForm":
        for name in self.covariance_of:
            if name not in self.parameters:
                raise ValueError(f"a covariance of {name}, which is no parameter")
        require_numbers(**{name: self.parameters[name] for name in self.covariance_of})
        count = len(self.covariance_of)
        if [len(row) for row in self.covariance] not in ([count] * count, []):
            raise ValueError(f"the covariance of {count} parameters has {count} rows of {count}")
        return self


class Form(ABC):
    name: ClassVar[str]
    title: ClassVar[str]
    source: ClassVar[str]
    role: ClassVar[Role] = "baseline"
    operations: ClassVar[tuple[str, ...]] = EXCHANGES  # those whose time it is the form of
    process_counts: ClassVar[int] = 1  # how many n the fit uses
    takes_fewer: ClassVar[bool] = False  # fits where there are fewer, too
    is_parametric: ClassVar[bool] = True  # finds its parameters again in times that they give
    interval_from: ClassVar[str | None] = None  # what its `half_width` is set by, if it has one
    needs_plogp: ClassVar[bool] = False
    needs_hockney: ClassVar[bool] = False
    abscissae: ClassVar[tuple[str, ...]] = ()  # parameters that are measured sizes or counts
    chosen: ClassVar[tuple[str, ...]] = ()  # parameters that are one of a few possible values

    def of(self, operation: str, algorithm: str, per_node: int | None = None) -> "Form":
        """Return the form for an operation by an algorithm, `per_node` processes on each node.

        It is the same form where it makes no use of these.
        """
        return self

    @abstractmethod
    def fit(self, sample: Rows, message: PointToPoint) -> FittedForm:
        """Fit to the rows (n, m, seconds) of `sample`, which has `process_counts` values of n."""

    def fit_again(self, sample: Rows, message: PointToPoint, fit: FittedForm) -> FittedForm:
        """Fit to other launches of the same points; what was chosen stays as in `fit`."""
        return self.fit(sample, message)

    @abstractmethod
    def seconds(
        self, parameters: Parameters, message: PointToPoint, n: ArrayLike, m: ArrayLike
    ) -> Floats:
        """Time of the operation by `n` processes, `m` bytes each; the arguments broadcast."""

    def anchored(self, fit: FittedForm, points: Columns) -> FittedForm:
        """The fit with all that is measured: n, m and seconds; itself where that is no use."""
        return fit

    def half_width(self, parameters: Parameters, n: ArrayLike, m: ArrayLike) -> Floats:
        """Half the 90 % interval of log time, shape (k,); NaN of a form that has none itself."""
        return np.full(np.shape(n), np.nan)

    def describes(self, parameters: Parameters, m: ArrayLike) -> np.ndarray:
        """Whether the form claims anything of each size of `m`, shape (k,)."""
        return np.ones(np.atleast_1d(np.asarray(m)).size, dtype=bool)

    def regime(self, parameters: Parameters, m: ArrayLike) -> list[str]:
        """Name of the regime that each size of `m`, shape (k,), falls in."""
        return ["all sizes"] * np.atleast_1d(np.asarray(m)).size


DEFAULT_FORM = "hockney_2007"
SHORTEST = 1e-15  # seconds; a form may predict 0 s for an empty message
FEWEST_SIZES = 4  # for gamma, delta and M: Steffenel, Martinasso, Trystram 2007, section 6
FORMS: Registry[Form] = Registry(
    "signature form", Form, "contend.models.signature.forms", group="contend.signature.forms"
)


def one_process_count(sample: Rows) -> tuple[int, Floats, Floats]:
    """n', sizes (k,) and seconds (k,) of a sample with a single n."""
    counts = sample["n"].unique()
    if counts.size != 1:
        raise InvalidInputError(
            f"a sample with {counts.size} process counts for a form that takes one", "choose one n"
        )
    ordered = sample.sort_values("m")
    return (
        int(counts[0]),
        np.asarray(ordered["m"], dtype=np.float64),
        np.asarray(ordered["seconds"], dtype=np.float64),
    )


def require_sizes(sizes: Floats) -> None:
    """Raise an error unless there are enough sizes (k,) for gamma, delta and M."""
    if (count := np.unique(sizes).size) < FEWEST_SIZES:
        raise InvalidInputError(
            f"{count} message sizes for a contention signature",
            f"measure at least {FEWEST_SIZES} at the same number of processes",
        )


def fitted(
    form: Form,
    sample: Rows,
    message: PointToPoint,
    parameters: dict[str, Quantity],
    regression: Regression | None = None,
    covariance_of: tuple[str, ...] = (),
) -> FittedForm:
    """The result of a fit, its residuals taken over `sample`.

    Without a regression every entry of `parameters` counts as one that the fit has used up, but for
    the sizes or counts of a table, and for alpha and beta where they are known.
    """
    predicted = form.seconds(parameters, message, sample["n"].to_numpy(), sample["m"].to_numpy())
    errors = np.log(np.maximum(predicted, SHORTEST) / sample["seconds"].to_numpy())
    given = {*form.abscissae, *(("alpha", "beta") if message.hockney else ())}
    free = sum(entry.array.size for name, entry in parameters.items() if name not in given)
    dof = regression.degrees_of_freedom if regression else max(len(sample) - free, 0)
    return FittedForm(
        form=form.name,
        parameters=parameters,
        covariance_of=covariance_of,
        covariance=tuple(map(tuple, regression.covariance.tolist())) if regression else (),
        relative_residual=float(np.sqrt(np.sum(errors**2) / max(dof, 1))),
        degrees_of_freedom=dof,
        aic=regression.aic if regression else None,
        n_fitted=tuple(int(n) for n in sorted(sample["n"].unique())),
        m_fitted=tuple(int(m) for m in sorted(sample["m"].unique())),
    )


def plogp_of(message: PointToPoint) -> PLogP:
    """The pLogP parameters, or an error that says how to get them."""
    if message.plogp is None:
        raise InvalidInputError("no pLogP parameters are known", "measure the experiment plogp")
    return message.plogp


def message_cost(sample: Rows, message: PointToPoint) -> dict[str, Quantity]:
    """The parameters alpha and beta of one message, as a form keeps them.

    Without a point-to-point measurement they are fitted to the exchange at n' itself, as if its
    n-1 messages passed one by one without contention.
    """
    if message.hockney:
        return {"alpha": message.hockney.alpha, "beta": message.hockney.beta}
    n, sizes, seconds = one_process_count(sample)
    per_process = seconds / (n - 1)
    design = np.column_stack([np.ones_like(sizes), sizes])
    regression = fit_times(design, per_process)
    alpha, beta = regression.quantity(0, "s"), regression.quantity(1, "s/B")
    return {"alpha": alpha, "beta": beta}


def message_seconds(parameters: Parameters, m: ArrayLike) -> Floats:
    """Alpha + beta m for sizes of any shape, alpha and beta from a form's parameters."""
    time: Floats = float(parameters["alpha"]) + float(parameters["beta"]) * np.asarray(m, float)
    return time
