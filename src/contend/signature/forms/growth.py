"""Growth over n of start-ups and of bytes, bent to what was measured.

Source: a Gaussian process with a mean of known form, see `contend.signature.process`; that growth
changes with n and m: Steffenel, Martinasso, Trystram 2007, section 9 (future work).
Idea: no parameter of the network at all. Times measured at one n or two are carried to others by
how exchanges usually grow, and by how this one does; times known at other n correct that near them.
Cost: T(n', m) [(1-b) a(n)/a(n') + b c(n)/c(n')] exp(e), b the share of time that bytes take at m,
a(n) and c(n) what start-ups and bytes grow as, e what the measured times say beyond that.
Fitted: nothing but the scale of the intervals, by leaving out each n in turn.
Restrictions: an interval is right as often as it claims on machines that are like those known.
"""

from copy import copy

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from contend.document import Floats, Quantity
from contend.errors import InvalidInputError
from contend.signature.algorithm_growth import usual_growth
from contend.signature.form import FittedForm, Form, Parameters, PointToPoint
from contend.signature.process import FEWEST_OF_A_CURVE, Points, Process, Usual

_BELIEF = 6.0  # points by which the scale of the intervals is held at 1
_PER_COUNT = 2.0  # points that all sizes left out at one n are worth: they are off together
_NORMAL_90 = 1.645  # standard deviations on either side that hold 90 %


class Growth(Form):
    """Times carried from n' to other n."""

    name = "growth"
    title = "growth of start-ups and bytes"
    source = "Rasmussen, Williams 2006, chapter 2"
    role = "signature"
    process_counts = 2
    takes_fewer = True
    is_parametric = False
    interval_from = "left-out n"
    abscissae = ("n", "m")
    chosen = ("startups", "bytes", "doubt", "interval_scale")

    def __init__(self) -> None:
        self._usual = Usual()

    def of(self, operation: str, algorithm: str) -> "Growth":
        """With the growth of an algorithm of the catalogue for what is usual."""
        found = copy(self)
        found._usual = usual_growth(operation, algorithm)
        return found

    def fit(self, sample: pd.DataFrame, known: PointToPoint) -> FittedForm:
        """Keep the points, and tell by leaving out each n how far predictions are off."""
        points = _points(sample)
        scale = _interval_scale(points, self._usual)
        return _kept(self.name, points, self._usual, scale)

    def fit_again(self, sample: pd.DataFrame, known: PointToPoint, fit: FittedForm) -> FittedForm:
        """Keep other times of the same points."""
        scale = float(fit.parameters["interval_scale"])
        return _kept(self.name, _points(sample), _usual(fit.parameters), scale)

    def anchored(self, fit: FittedForm, points: pd.DataFrame) -> FittedForm:
        """With the times measured at further points, which count where both have a point."""
        old = {name: fit.parameters[name].array for name in ("n", "m", "seconds")}
        rows = pd.concat([points[["n", "m", "seconds"]], pd.DataFrame(old)])
        every = _points(rows[rows["m"] > 0].drop_duplicates(["n", "m"]))
        usual = _usual(fit.parameters)
        return _kept(self.name, every, usual, _interval_scale(every, usual))

    def seconds(
        self, parameters: Parameters, known: PointToPoint, n: ArrayLike, m: ArrayLike
    ) -> Floats:
        """Median of the process."""
        counts, sizes = np.broadcast_arrays(np.asarray(n, float), np.asarray(m, float))
        logarithm, _ = _process(parameters).logarithm(counts.ravel(), sizes.ravel())
        return np.exp(logarithm).reshape(counts.shape)

    def half_width(self, parameters: Parameters, n: ArrayLike, m: ArrayLike) -> Floats:
        """Half the interval of log time that holds 90 %; shape (k,)."""
        _, deviation = _process(parameters).logarithm(n, m)
        return _NORMAL_90 * float(parameters["interval_scale"]) * deviation

    def foresight(self, parameters: Parameters) -> tuple[Process, float]:
        """The process, and the standard deviations that the interval has on either side."""
        return _process(parameters), _NORMAL_90 * float(parameters["interval_scale"])

    def byte_share(self, parameters: Parameters, m: ArrayLike) -> Floats:
        """Share of the time at n' that goes with the bytes; shape of `m`."""
        return _process(parameters).byte_share(m)


def _points(sample: pd.DataFrame) -> Points:
    if sample.empty:
        raise InvalidInputError("no point to fit", "measure an exchange at some n")
    ordered = sample.sort_values(["n", "m"])
    return Points(*(np.asarray(ordered[name], float) for name in ("n", "m", "seconds")))


def _usual(parameters: Parameters) -> Usual:
    startups, bytes_ = (tuple(parameters[name].array.tolist()) for name in ("startups", "bytes"))
    return Usual(startups, bytes_, float(parameters["doubt"]))


def _process(parameters: Parameters) -> Process:
    points = Points(*(parameters[name].array for name in ("n", "m", "seconds")))
    return Process(points, _usual(parameters))


def _interval_scale(points: Points, usual: Usual) -> float:
    """Of standard deviations, by how far each n was off that was predicted from the others."""
    squares = []
    for n in np.unique(points.n):
        left_out = points.n == n
        if min(left_out.sum(), (~left_out).sum()) < FEWEST_OF_A_CURVE:
            continue
        own = points.at(left_out)
        logarithm, deviation = Process(points.at(~left_out), usual).logarithm(own.n, own.m)
        squares.append(float(np.mean(((np.log(own.seconds) - logarithm) / deviation) ** 2)))
    found = _BELIEF + _PER_COUNT * sum(squares)
    return float(np.sqrt(found / (_BELIEF + _PER_COUNT * len(squares))))


def _kept(name: str, points: Points, usual: Usual, scale: float) -> FittedForm:
    process = Process(points, usual)
    errors = process.logarithm(points.n, points.m)[0] - np.log(points.seconds)
    degrees = int(process.degrees_of_freedom)
    return FittedForm(
        form=name,
        parameters={
            "n": Quantity(value=tuple(points.n.tolist()), unit="1"),
            "m": Quantity(value=tuple(points.m.tolist()), unit="B"),
            "seconds": Quantity(value=tuple(points.seconds.tolist()), unit="s"),
            "startups": Quantity(value=usual.startups, unit="1"),
            "bytes": Quantity(value=usual.bytes, unit="1"),
            "doubt": Quantity(value=usual.doubt, unit="1"),
            "interval_scale": Quantity(value=scale, unit="1"),
        },
        relative_residual=float(np.sqrt(np.sum(errors**2) / max(degrees, 1))),
        degrees_of_freedom=degrees,
        n_fitted=tuple(int(n) for n in np.unique(points.n)),
        m_fitted=tuple(int(m) for m in np.unique(points.m)),
    )
