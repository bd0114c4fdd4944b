"""Growth over n of start-ups and of bytes, bent to what was measured.

Source: Gaussian processes with a mean of known form, see `contend.models.signature.process`,
averaged over candidates by what these foretell, see `contend.models.signature.candidates`; that
growth changes with n and m: Steffenel, Martinasso, Trystram 2007, section 9 (future work).
Idea: no parameter of the network at all. Times measured at one n or two are carried to others by
how the operation usually grows, and by how it does here; times known at other n correct that near
them.
Cost: T(n', m) [(1-b) a(n)/a(n') + b c(n)/c(n')] exp(e), b the share of time that bytes take at m,
a(n) and c(n) what start-ups and bytes grow as, e what the measured times say beyond that.
Fitted: weights of the candidates, and the scale of the intervals by leaving out each n but n', and
at each size by how well sizes near it predict each other.
Restrictions: an interval is right as often as it claims on machines that are like those known.
"""

from copy import copy
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import ArrayLike

from contend.base.document import Columns, Floats, Quantity
from contend.base.errors import InvalidInputError
from contend.base.statistics.student import NORMAL_90
from contend.models.signature.algorithm_growth import usual_growth
from contend.models.signature.candidates import BELIEF, Mixture
from contend.models.signature.form import FittedForm, Form, Parameters, PointToPoint, Rows
from contend.models.signature.layout import Points
from contend.models.signature.operations import GROWTH, OPERATIONS
from contend.models.signature.prior import PRIOR, Usual

_PER_COUNT = 2.0  # points that all sizes left out at one n are worth: they are off together
_PER_NODE = "processes_per_node"
_OF_BYTES = "bytes_per_node"
_DOUBTS = ("doubt", "bytes_doubt", "size_doubt", "count_doubt")


class Growth(Form):
    name = "growth"
    title = "growth of start-ups and bytes"
    source = "Rasmussen, Williams 2006, chapter 2"
    role = "signature"
    process_counts = 2
    takes_fewer = True
    is_parametric = False
    interval_from = "left-out n"
    abscissae = ("n", "m")
    chosen = ("startups", "bytes", *_DOUBTS, _PER_NODE, _OF_BYTES, "interval_scale")
    operations = OPERATIONS

    def __init__(self) -> None:
        self._prior = _Prior(Usual(), 1, 1)

    def of(self, operation: str, algorithm: str, per_node: int | None = None) -> "Growth":
        """With what is usual of the operation, and of an algorithm of the catalogue."""
        form, each = copy(self), per_node or 1
        of_bytes = 1 if GROWTH[operation].is_to_all else each
        form._prior = _Prior(usual_growth(operation, algorithm), each, of_bytes)
        return form

    def fit(self, sample: Rows, message: PointToPoint) -> FittedForm:
        """Keep the points, and tell by leaving out each n how far predictions are off."""
        return _kept(self.name, _points(sample), self._prior)

    def fit_again(self, sample: Rows, message: PointToPoint, fit: FittedForm) -> FittedForm:
        """Keep other times of the same points, with the scale and the residuals of `fit`."""
        points = _points(sample)
        return fit.model_copy(update={"parameters": {**fit.parameters, **_columns(points)}})

    def anchored(self, fit: FittedForm, points: Columns) -> FittedForm:
        """With the times measured at further points, which count where both have a point."""
        old = {name: fit.parameters[name].array for name in ("n", "m", "seconds")}
        every = {name: np.concatenate([points[name], old[name]]) for name in old}
        _, first = np.unique([every["n"], every["m"]], axis=1, return_index=True)
        chosen = _points({name: values[first] for name, values in every.items()})
        return _kept(self.name, chosen, _prior(fit.parameters))

    def seconds(
        self, parameters: Parameters, message: PointToPoint, n: ArrayLike, m: ArrayLike
    ) -> Floats:
        counts, sizes = np.broadcast_arrays(np.asarray(n, float), np.asarray(m, float))
        logarithm, _ = _model(parameters).logarithm(counts.ravel(), sizes.ravel())
        return np.exp(logarithm).reshape(counts.shape)

    def half_width(self, parameters: Parameters, n: ArrayLike, m: ArrayLike) -> Floats:
        """Half the interval of log time that holds 90 %; shape (k,)."""
        counts, sizes = np.asarray(n, float), np.asarray(m, float)
        model, reach = self.foresight(parameters, counts, sizes)
        return reach * model.logarithm(counts, sizes)[1]

    def foresight(self, parameters: Parameters, n: Floats, m: Floats) -> tuple["Known", Floats]:
        """What is known, and the standard deviations of each interval on either side; (k,)."""
        model = _model(parameters)
        reach = NORMAL_90 * float(parameters["interval_scale"]) * model.unevenness(n, m)
        return model, reach

    def reasons(self, parameters: Parameters, n: ArrayLike, m: ArrayLike) -> list[str]:
        """Return what most of the width of each interval comes from, a clause each; (k,)."""
        counts, sizes = np.broadcast_arrays(np.asarray(n, float), np.asarray(m, float))
        return _model(parameters).reasons(counts.ravel(), sizes.ravel())

    def byte_share(self, parameters: Parameters, m: ArrayLike) -> Floats:
        """Share of the time at n' that goes with the bytes; shape of `m`."""
        return _model(parameters).several.byte_share(m)


@dataclass(frozen=True)
class _Prior:
    """What is known before anything is measured: usual growth, and processes per node.

    Bytes may grow with the processes beyond the first `of_bytes`.
    """

    usual: Usual
    per_node: int
    of_bytes: int


class Known:
    """What is known of one node, whose processes share memory, and of several, which is another.

    Where one of the two was not measured it is guessed from the other, with a doubt that says so.
    """

    def __init__(self, points: Points, prior: _Prior) -> None:
        self._points, self._prior = points, prior
        self._has_several = self._is_several(points.n)

    @cached_property
    def several(self) -> Mixture:
        """What is known of several nodes."""
        rows = self._has_several if self._has_several.any() else slice(None)
        return Mixture(self._points.at(rows), self._prior.usual, self._prior.of_bytes)

    @cached_property
    def single(self) -> Mixture:
        """What is known of a single node."""
        rows = slice(None) if self._has_several.all() else ~self._has_several
        return Mixture(self._points.at(rows), self._prior.usual)

    def logarithm(self, n: Floats, m: Floats) -> tuple[Floats, Floats]:
        """Logarithm of the time in seconds and its standard deviation; shape (q,) as both."""
        logarithms, is_several = np.empty((2, n.size)), self._is_several(n)
        for kind, name in ((True, "several"), (False, "single")):
            rows = is_several == kind
            if rows.any():
                mean, deviation = getattr(self, name).logarithm(n[rows], m[rows])
                if kind not in self._has_several:
                    deviation = np.hypot(deviation, PRIOR.other_memory)
                logarithms[:, rows] = mean, deviation
        return logarithms[0], logarithms[1]

    def unevenness(self, n: Floats, m: Floats) -> Floats:
        """Scale of each interval by how well sizes near it predict each other; (q,).

        On several nodes; of one there are too few points.
        """
        is_several = self._is_several(n) & self._has_several.any()
        return np.where(is_several, self.several.unevenness(m), 1.0)

    def remaining(self, n: Floats, m: Floats) -> Floats:
        """Covariance of the logarithms of exact times that the points leave; shape (q, q).

        One node and several have nothing in common.
        """
        covariance, is_several = np.zeros((n.size, n.size)), self._is_several(n)
        for kind, name in ((True, "several"), (False, "single")):
            rows = np.flatnonzero(is_several == kind)
            if rows.size:
                block = getattr(self, name).remaining(n[rows], m[rows])
                lost = 0.0 if kind in self._has_several else PRIOR.other_memory**2
                covariance[np.ix_(rows, rows)] = block + lost
        return covariance

    @property
    def noise(self) -> float:
        """Variance of a measured point."""
        return self.several.noise

    @property
    def launch(self) -> float:
        """Variance of a launch at another n."""
        return self.several.launch

    def reasons(self, n: Floats, m: Floats) -> list[str]:
        """Return what most of the width of each interval comes from, a clause each; (k,)."""
        is_several = self._is_several(n)
        rows = np.flatnonzero(is_several)
        several = self.several.spread(n[rows], m[rows]) if rows.size else {}
        reasons = []
        for place, kind in zip(np.cumsum(is_several) - 1, is_several.tolist(), strict=True):
            if kind not in self._has_several:
                reasons.append(
                    "several nodes were not measured, and one tells little of them"
                    if kind
                    else "one node was not measured, and several tell little of it"
                )
            elif not kind:
                reasons.append("few points tell of one node")
            else:
                reasons.append(
                    self._reason({name: spread[place] for name, spread in several.items()})
                )
        return reasons

    def _reason(self, spread: dict[str, float]) -> str:
        per_node, counts = self._prior.per_node, np.unique(self._points.n[self._has_several])
        clauses = {
            "remote": f"whether bytes grow with n-1 or with the n-{per_node} processes on other "
            "nodes is open",
            "shift": "whether its algorithm changes at a size or at a total size n m is open",
            "kinds": "how start-ups grow is open",
            "noise": "measured points scatter",
            "growth": "one n does not tell how times grow"
            if counts.size == 1
            else "they are far from the n and m that were measured",
        }
        return clauses[max(spread, key=lambda name: spread[name])]

    def _is_several(self, n: Floats) -> np.ndarray:
        per_node = self._prior.per_node
        return np.asarray((n > per_node) | (per_node == 1))


def _points(sample: "Rows | Columns") -> Points:
    """In the order of n and m."""
    n, m, seconds = (np.asarray(sample[name], float) for name in ("n", "m", "seconds"))
    if not n.size:
        raise InvalidInputError("no point to fit", "measure the operation at some n")
    order = np.lexsort((m, n))
    return Points(n[order], m[order], seconds[order])


def _prior(parameters: Parameters) -> _Prior:
    startups, bytes_ = (tuple(parameters[name].array.tolist()) for name in ("startups", "bytes"))
    doubts = {name: float(parameters[name]) for name in _DOUBTS if name in parameters}
    per_node = int(float(parameters[_PER_NODE])) if _PER_NODE in parameters else 1
    of_bytes = int(float(parameters[_OF_BYTES])) if _OF_BYTES in parameters else per_node
    return _Prior(Usual(startups, bytes_, **doubts), per_node, of_bytes)  # older files lack some


def _model(parameters: Parameters) -> Known:
    columns = (tuple(parameters[name].array.tolist()) for name in ("n", "m", "seconds"))
    return _model_of(*columns, _prior(parameters))


@lru_cache(maxsize=16)
def _model_of(
    n: tuple[float, ...], m: tuple[float, ...], seconds: tuple[float, ...], prior: _Prior
) -> Known:
    """A prediction asks three times for the same one."""
    return Known(Points(np.array(n), np.array(m), np.array(seconds)), prior)


def _interval_scale(mixture: Mixture) -> float:
    """Scale standard deviations by the errors of each n when predicted from the others."""
    squares = [float(np.mean(errors**2)) for errors in mixture.unseen_errors()]
    variance = BELIEF + _PER_COUNT * sum(squares)
    return float(np.sqrt(variance / (BELIEF + _PER_COUNT * len(squares))))


def _columns(points: Points) -> dict[str, Quantity]:
    units = {"n": "1", "m": "B", "seconds": "s"}
    return {
        name: Quantity(value=tuple(getattr(points, name).tolist()), unit=unit)
        for name, unit in units.items()
    }


def _kept(name: str, points: Points, prior: _Prior) -> FittedForm:
    """Return the fit to the points, with the scale of the intervals that these tell."""
    columns = (tuple(values.tolist()) for values in (points.n, points.m, points.seconds))
    model, usual = _model_of(*columns, prior), prior.usual
    mixture = model.several
    errors = model.logarithm(points.n, points.m)[0] - np.log(points.seconds)
    degrees = int(mixture.degrees_of_freedom)
    return FittedForm(
        form=name,
        parameters={
            **_columns(points),
            "startups": Quantity(value=usual.startups, unit="1"),
            "bytes": Quantity(value=usual.bytes, unit="1"),
            **{name: Quantity(value=getattr(usual, name), unit="1") for name in _DOUBTS},
            _PER_NODE: Quantity(value=float(prior.per_node), unit="1"),
            _OF_BYTES: Quantity(value=float(prior.of_bytes), unit="1"),
            "interval_scale": Quantity(value=_interval_scale(mixture), unit="1"),
        },
        relative_residual=float(np.sqrt(np.sum(errors**2) / max(degrees, 1))),
        degrees_of_freedom=degrees,
        n_fitted=tuple(int(n) for n in np.unique(points.n)),
        m_fitted=tuple(int(m) for m in np.unique(points.m)),
    )
