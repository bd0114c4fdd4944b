"""What stands beside the fits of an operation: what they were judged on, and what speaks on them.

All of it is computed once, when a network is fitted or validated, and kept in its file: the
report, the console and predictions show the same.
"""

from typing import Annotated

import numpy as np
from pydantic import Field, model_validator

from contend.base.document import Columns, Frame, Processes, Quantity, Record, Size, Time
from contend.base.statistics.rank import FEWEST


class ErrorSummary(Record):
    """Predicted against measured on points that a fit has not seen; relative to the measured."""

    regime: str
    points: int = Field(ge=1)
    median: float = Field(ge=0)
    percentile_90: float | None = Field(
        None, ge=0, description=f"a next point is within this in 90 %; from {FEWEST} points on"
    )
    worst: float = Field(ge=0)
    factor_90: float | None = Field(
        None, ge=1, description="90 % of next predictions are within this factor; likewise"
    )
    factor_worst: float = Field(ge=1, description="all these predictions are within this factor")

    @model_validator(mode="after")
    def _claims_nothing_of_few(self) -> "ErrorSummary":
        """Drop the 90 % that earlier versions interpolated between too few points."""
        if self.points < FEWEST:
            for name in ("percentile_90", "factor_90"):
                object.__setattr__(self, name, None)  # the record is frozen from here on
        return self


class ValidatedForm(Record):
    """Errors of a form by regime, and the range of the points behind them."""

    errors: tuple[ErrorSummary, ...] = Field(
        min_length=1, description="on all points that this form has not seen"
    )
    common: ErrorSummary | None = Field(
        None, description="on the points that no compared form has seen; absent: not compared"
    )
    n_seen: tuple[Processes, ...] = Field(min_length=1)
    m_seen: tuple[Size, ...] = Field(min_length=1)


class LaunchErrors(Record):
    """A launch against the median of the others at the same point, relative to that median."""

    points: int = Field(ge=1, description="that several launches have measured")
    launches: int = Field(ge=2, description="of these points, each counted for itself")
    median: float = Field(ge=0)
    percentile_90: float = Field(ge=0, description="nine in ten of these launches are within it")
    worst: float = Field(ge=0)


class MeasuredPoints(Record):
    """Medians of all points known, fitted ones and those of validation, a column each."""

    n: tuple[Processes, ...]
    m: tuple[Size, ...]
    seconds: tuple[Time, ...]

    @model_validator(mode="after")
    def _one_length(self) -> "MeasuredPoints":
        if not len(self.n) == len(self.m) == len(self.seconds):
            raise ValueError("n, m and seconds are of different lengths")
        return self

    @classmethod
    def of(cls, rows: "Frame | Columns") -> "MeasuredPoints":
        return cls(**{name: tuple(rows[name].tolist()) for name in ("n", "m", "seconds")})

    def over(self, others: "MeasuredPoints") -> "MeasuredPoints":
        """These points, and those of the others that are not among them; by n and m."""
        points = others.by_point() | self.by_point()
        rows = [(*key, points[key]) for key in sorted(points)]
        n, m, seconds = zip(*rows, strict=True) if rows else ((), (), ())
        return MeasuredPoints(n=n, m=m, seconds=seconds)

    def by_point(self) -> dict[tuple[int, int], float]:
        """Seconds by n and m."""
        return dict(zip(zip(self.n, self.m, strict=True), self.seconds, strict=True))

    def columns(self) -> Columns:
        """Arrays (k,) of n, m and seconds."""
        return {name: np.array(getattr(self, name)) for name in ("n", "m", "seconds")}

    def table(self) -> Frame:
        """Rows (n, m, seconds)."""
        import pandas as pd

        return pd.DataFrame(self.columns())


class MeasuredGains(Record):
    """The library's default against an algorithm, where launches had both; a column each."""

    n: tuple[Processes, ...]
    m: tuple[Size, ...]
    gain: tuple[Annotated[float, Field(gt=0)], ...] = Field(
        description="time of the default over that of the algorithm, geometric mean of launches"
    )
    error: tuple[Annotated[float, Field(ge=0)], ...] = Field(
        description="standard error of its logarithm, wider by Student's t where launches are few"
    )
    default_s: tuple[Time, ...] = Field(
        (), description="time of the default, s; with its share of time-outs where there are any"
    )

    @model_validator(mode="after")
    def _one_length(self) -> "MeasuredGains":
        if not len(self.n) == len(self.m) == len(self.gain) == len(self.error):
            raise ValueError("n, m, gain and error are of different lengths")
        if self.default_s and len(self.default_s) != len(self.n):
            raise ValueError("n and default_s are of different lengths")
        return self

    def by_point(self) -> dict[tuple[int, int], float]:
        """Gains by n and m."""
        return dict(zip(zip(self.n, self.m, strict=True), self.gain, strict=True))


class SignatureAt(Record):
    """The default signature fitted at one number of processes by itself."""

    n: Processes
    parameters: dict[str, Quantity] = Field(description="gamma, delta and M, where there are any")


class BeatenBound(Record):
    """Sizes at which measured points are faster than the lower bound: it does not hold there.

    They reach to the next measured size on either side at which it does hold.
    """

    above: int | None = Field(None, ge=0, description="bytes; absent: from the smallest size on")
    below: int | None = Field(None, ge=0, description="bytes; absent: to the largest size")
