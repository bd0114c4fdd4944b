"""Growth over n of start-ups and of bytes, bent to what was measured.

Source: Gaussian processes with a mean of known form, see `contend.signature.process`, averaged over
candidates by what these foretell, see `contend.signature.candidates`; that growth changes with n
and m: Steffenel, Martinasso, Trystram 2007, section 9 (future work).
Idea: no parameter of the network at all. Times measured at one n or two are carried to others by
how the operation usually grows, and by how it does here; times known at other n correct that near
them.
Cost: T(n', m) [(1-b) a(n)/a(n') + b c(n)/c(n')] exp(e), b the share of time that bytes take at m,
a(n) and c(n) what start-ups and bytes grow as, e what the measured times say beyond that.
Fitted: weights of the candidates, and the scale of the intervals by leaving out each n but n'.
Restrictions: an interval is right as often as it claims on machines that are like those known.
"""

from copy import copy
from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike

from contend.document import Columns, Floats, Quantity
from contend.errors import InvalidInputError
from contend.signature.algorithm_growth import usual_growth
from contend.signature.candidates import Mixture
from contend.signature.form import FittedForm, Form, Parameters, PointToPoint, Rows
from contend.signature.layout import Points
from contend.signature.operations import OPERATIONS
from contend.signature.prior import Usual

_BELIEF = 6.0  # points by which the scale of the intervals is held at 1
_PER_COUNT = 2.0  # points that all sizes left out at one n are worth: they are off together
_DOUBTS = ("doubt", "bytes_doubt", "size_doubt")
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
    chosen = ("startups", "bytes", *_DOUBTS, "interval_scale")
    operations = OPERATIONS

    def __init__(self) -> None:
        self._usual = Usual()

    def of(self, operation: str, algorithm: str) -> "Growth":
        """With what is usual of the operation, and of an algorithm of the catalogue."""
        found = copy(self)
        found._usual = usual_growth(operation, algorithm)
        return found

    def fit(self, sample: Rows, known: PointToPoint) -> FittedForm:
        """Keep the points, and tell by leaving out each n how far predictions are off."""
        return _kept(self.name, _points(sample), self._usual)

    def fit_again(self, sample: Rows, known: PointToPoint, fit: FittedForm) -> FittedForm:
        """Keep other times of the same points."""
        scale = float(fit.parameters["interval_scale"])
        return _kept(self.name, _points(sample), _usual(fit.parameters), scale)

    def anchored(self, fit: FittedForm, points: Columns) -> FittedForm:
        """With the times measured at further points, which count where both have a point."""
        old = {name: fit.parameters[name].array for name in ("n", "m", "seconds")}
        every = {name: np.concatenate([points[name], old[name]]) for name in old}
        _, first = np.unique([every["n"], every["m"]], axis=1, return_index=True)
        chosen = _points({name: values[first] for name, values in every.items()})
        return _kept(self.name, chosen, _usual(fit.parameters))

    def seconds(
        self, parameters: Parameters, known: PointToPoint, n: ArrayLike, m: ArrayLike
    ) -> Floats:
        """By the mean logarithm over the candidates."""
        counts, sizes = np.broadcast_arrays(np.asarray(n, float), np.asarray(m, float))
        logarithm, _ = _mixture(parameters).logarithm(counts.ravel(), sizes.ravel())
        return np.exp(logarithm).reshape(counts.shape)

    def half_width(self, parameters: Parameters, n: ArrayLike, m: ArrayLike) -> Floats:
        """Half the interval of log time that holds 90 %; shape (k,)."""
        _, deviation = _mixture(parameters).logarithm(n, m)
        return _NORMAL_90 * float(parameters["interval_scale"]) * deviation

    def foresight(self, parameters: Parameters) -> tuple[Mixture, float]:
        """What is known, and the standard deviations that the interval has on either side."""
        return _mixture(parameters), _NORMAL_90 * float(parameters["interval_scale"])

    def byte_share(self, parameters: Parameters, m: ArrayLike) -> Floats:
        """Share of the time at n' that goes with the bytes; shape of `m`."""
        return _mixture(parameters).byte_share(m)


def _points(sample: "Rows | Columns") -> Points:
    """In the order of n and m."""
    n, m, seconds = (np.asarray(sample[name], float) for name in ("n", "m", "seconds"))
    if not n.size:
        raise InvalidInputError("no point to fit", "measure the operation at some n")
    order = np.lexsort((m, n))
    return Points(n[order], m[order], seconds[order])


def _usual(parameters: Parameters) -> Usual:
    startups, bytes_ = (tuple(parameters[name].array.tolist()) for name in ("startups", "bytes"))
    told = {name: float(parameters[name]) for name in _DOUBTS if name in parameters}
    return Usual(startups, bytes_, **told)  # files of all-to-alls alone have that of start-ups


def _mixture(parameters: Parameters) -> Mixture:
    columns = (tuple(parameters[name].array.tolist()) for name in ("n", "m", "seconds"))
    return _mixture_of(*columns, _usual(parameters))


@lru_cache(maxsize=16)
def _mixture_of(
    n: tuple[float, ...], m: tuple[float, ...], seconds: tuple[float, ...], usual: Usual
) -> Mixture:
    """A prediction asks three times for the same one."""
    return Mixture(Points(np.array(n), np.array(m), np.array(seconds)), usual)


def _interval_scale(mixture: Mixture) -> float:
    """Of standard deviations, by how far each n was off that was predicted from the others."""
    squares = [float(np.mean(errors**2)) for errors in mixture.foretold_errors()]
    found = _BELIEF + _PER_COUNT * sum(squares)
    return float(np.sqrt(found / (_BELIEF + _PER_COUNT * len(squares))))


def _kept(name: str, points: Points, usual: Usual, scale: float | None = None) -> FittedForm:
    """With the scale of the intervals, told by the points unless given."""
    columns = (tuple(values.tolist()) for values in (points.n, points.m, points.seconds))
    mixture = _mixture_of(*columns, usual)
    errors = mixture.logarithm(points.n, points.m)[0] - np.log(points.seconds)
    degrees = int(mixture.degrees_of_freedom)
    return FittedForm(
        form=name,
        parameters={
            "n": Quantity(value=tuple(points.n.tolist()), unit="1"),
            "m": Quantity(value=tuple(points.m.tolist()), unit="B"),
            "seconds": Quantity(value=tuple(points.seconds.tolist()), unit="s"),
            "startups": Quantity(value=usual.startups, unit="1"),
            "bytes": Quantity(value=usual.bytes, unit="1"),
            **{name: Quantity(value=getattr(usual, name), unit="1") for name in _DOUBTS},
            "interval_scale": Quantity(value=scale or _interval_scale(mixture), unit="1"),
        },
        relative_residual=float(np.sqrt(np.sum(errors**2) / max(degrees, 1))),
        degrees_of_freedom=degrees,
        n_fitted=tuple(int(n) for n in np.unique(points.n)),
        m_fitted=tuple(int(m) for m in np.unique(points.m)),
    )
