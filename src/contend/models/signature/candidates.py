"""What an exchange may grow like and how regular a machine may be, weighed by what each predicts.

Source: averages over models: Hoeting, Madigan, Raftery, Volinsky, Statistical Science 14, 1999;
evidence that counts for less than its points say: Grunwald, "The safe Bayesian", ALT 2012.
Idea: candidates of four things. What bytes grow with: n-1, or the processes on other nodes. Which
sizes of two n correspond: the same m, the same n m, where a library switches at a total size, or
halfway. How start-ups grow: as is usual of an unknown algorithm, as n-1 beside what a call costs at
any n, so that their exponent rises to 1, as those of a direct exchange, as those of one that
forwards. And how much sizes, numbers of processes and launches scatter: as on
most machines, three times as much, or a half, a quarter, an eighth of it. Each is bent to the
points at n' and predicts those at all other n; the better it does, the more it counts. With one n,
nothing is predicted: all count by their weights before, and that a machine scatters more or less
has nothing to speak for it.
Formula: log w = `TEMPER` log p(points at other n | points at n') + log of the weight before; the
mean is that of the mixture, and its variance holds what the candidates disagree by.
Restrictions: the kinds are those of an exchange. Where an algorithm of the catalogue or another
operation says how start-ups grow, they are not weighed. Scalings that are unlikely by the usual
start-ups and scatter are not tried with others.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from contend.base.document import Floats
from contend.models.signature.layout import FEWEST_OF_A_CURVE, Layout, Points, Scaling
from contend.models.signature.prior import Usual
from contend.models.signature.process import Process, mixed, normalised

TEMPER = 0.5  # points at one n are off together in more ways than the covariance says
SCATTERS = (3.0, 1.0, 0.5, 0.25, 0.125)  # times what the prior says
USUAL_SCATTER = 1.0
_PER_OCTAVE, _PER_KIND = 1.0, 3.0  # of scatter; by which the logarithm of the weight before is less
_SHIFTS = {0.0: 0.7, 0.5: 0.15, 1.0: 0.15}  # of sizes with n, and the weights before
_FEWEST_OF_SEVERAL = 3  # sizes at one n of several that tell how far predictions are off
BELIEF = 6.0  # points by which the scale of the intervals is held at 1
_NEAR = 2.0  # octaves over which sizes are alike uneven
_SINGLE = 1.4  # times the square of a point's error counts: all others of its n predict it too
_NEGLIGIBLE = 1e-3  # weight of a candidate that predictions leave out
_LEAST = 0.01  # weight of a scaling that is tried with all scatters
_UNKNOWN = Usual().startups  # of an exchange, by an algorithm that is not known
_FIXED = 160.0  # processes whose start-ups cost what a call costs at any n
_BYTES = (1.07, 0.0)  # between those of a direct exchange and those of an unknown algorithm
_KINDS = (Usual((1.0, 0.0), _BYTES, 0.1), Usual((0.0, 1.0), _BYTES, 0.1))  # direct, forwarded


@dataclass(frozen=True)
class Candidate:
    """What may be usual, by how much the machine scatters, and the log of the weight before."""

    usual: Usual
    scatter: float
    weight: float


def candidates(usual: Usual) -> Iterator[Candidate]:
    """All that are weighed where `usual` is what is expected of the algorithm."""
    kinds = {usual: 0.0}
    if usual.startups == _UNKNOWN:
        rising = replace(usual, startups=(1.0, 0.0), fixed=_FIXED)
        kinds = dict.fromkeys((usual, rising), -np.log(2.0)) | dict.fromkeys(_KINDS, -_PER_KIND)
    for kind, weight in kinds.items():
        for scatter in SCATTERS:
            octaves = abs(float(np.log2(scatter / USUAL_SCATTER)))
            yield Candidate(kind, scatter, weight - _PER_OCTAVE * octaves)


def scalings(n: Floats, per_node: int) -> dict[Scaling, float]:
    """Return the scalings that are weighed, with their weights before.

    What crosses between nodes can be seen only in points that all have several.
    """
    remote = (1, per_node) if per_node > 1 and n.min() > per_node else (1,)
    return {
        Scaling(count, shift): weight / len(remote)
        for count in remote
        for shift, weight in _SHIFTS.items()
    }


class Mixture:
    """What is known of all n and m once `points` are measured, over all candidates."""

    def __init__(self, points: Points, usual: Usual, per_node: int = 1) -> None:
        self._has_others = np.unique(points.n).size > 1
        before = scalings(points.n, per_node)
        layouts = {scaling: Layout(points, scaling) for scaling in before}
        every = list(candidates(usual))
        first = [
            candidate
            for candidate in every
            if candidate.usual is usual and candidate.scatter == USUAL_SCATTER
        ]
        rough = [Process(layout, first[0].usual, USUAL_SCATTER) for layout in layouts.values()]
        log_before = np.log(list(before.values()))
        likely = (
            self._weights(np.array([process.density for process in rough]), log_before) >= _LEAST
        )
        self.processes: list[Process] = []
        weights: list[float] = []
        for layout, logarithm, is_likely in zip(layouts.values(), log_before, likely, strict=True):
            for candidate in every if is_likely else []:
                if self._has_others or candidate.scatter == USUAL_SCATTER:
                    self.processes.append(Process(layout, candidate.usual, candidate.scatter))
                    weights.append(float(logarithm) + candidate.weight)
        self._before = np.array(weights)
        self._densities = np.array([process.density for process in self.processes])
        self.weights = self._weights(self._densities, self._before)
        kept = np.flatnonzero(self.weights >= _NEGLIGIBLE)
        shares = self.weights[kept] / self.weights[kept].sum()
        self._kept = [
            (float(share), self.processes[k]) for share, k in zip(shares, kept, strict=True)
        ]

    def logarithm(self, n: ArrayLike, m: ArrayLike) -> tuple[Floats, Floats]:
        """Logarithm of the time in seconds and its standard deviation; shape (q,) as `n` and `m`.

        The deviation is that of a measurement: it holds noise.
        """
        counts, sizes = np.asarray(n, float), np.asarray(m, float)
        parts = {
            layout: layout.parts(counts, sizes)
            for layout in dict.fromkeys(process.layout for _, process in self._kept)
        }
        parts_of = [
            process.predict(counts, sizes, parts[process.layout]) for _, process in self._kept
        ]
        weights = np.array([weight for weight, _ in self._kept])
        return mixed(weights, *(np.array(part) for part in zip(*parts_of, strict=True)))

    def remaining(self, n: Floats, m: Floats) -> Floats:
        """Covariance of the logarithms of exact times that the points leave; shape (q, q).

        With what the candidates disagree by.
        """
        weights = np.array([weight for weight, _ in self._kept])
        means = np.array([process.logarithm(n, m)[0] for _, process in self._kept])
        apart = means - weights @ means
        covariance = (apart * weights[:, None]).T @ apart
        for weight, process in self._kept:
            covariance += weight * process.remaining(n, m)
        return np.asarray(covariance)

    def spread(self, n: Floats, m: Floats) -> dict[str, Floats]:
        """Return the variances that make up each interval, by where they come from; (q,) each.

        `remote` and `shift` are what scalings disagree by, `kinds` all other candidates; `noise` is
        that of a measurement, and `growth` what the points leave of the growth over n and m.
        """
        both = [process.logarithm(n, m) for _, process in self._kept]
        weights = np.array([weight for weight, _ in self._kept])
        means, deviations = (np.array(part) for part in zip(*both, strict=True))
        within = weights @ deviations**2
        scalings = [process.layout.scaling for _, process in self._kept]
        groups: dict[str, Sequence[float]] = {
            "remote": [scaling.per_node for scaling in scalings],
            "shift": [scaling.shift for scaling in scalings],
        }
        spreads = {name: _between(weights, means, of) for name, of in groups.items()}
        every = _between(weights, means, list(range(weights.size)))
        noise = np.full(n.shape, self.noise + self.launch)
        return spreads | {
            "kinds": np.maximum(every - sum(spreads.values()), 0.0),
            "noise": noise,
            "growth": np.maximum(within - noise, 0.0),
        }

    def share(self, scaling: Callable[[Scaling], bool]) -> float:
        """Return the weight of the scalings for which `scaling` holds."""
        return float(
            sum(weight for weight, process in self._kept if scaling(process.layout.scaling))
        )

    @property
    def noise(self) -> float:
        """Variance of a measured point."""
        return sum(weight * process.noise for weight, process in self._kept)

    @property
    def launch(self) -> float:
        """Variance of a launch at another n."""
        return sum(weight * process.launch for weight, process in self._kept)

    def unseen_errors(self) -> list[Floats]:
        """Return per n but n' the standardised errors (q,) of points predicted from all others.

        An n has to have the sizes of a curve; where several have `_FEWEST_OF_SEVERAL`, these do.
        """
        layout = self.processes[0].layout
        others = np.unique(layout.points.n[layout.reference_count :])
        return [
            self._unseen_error(chosen, has_others=others.size > 1) for chosen in self._other_curves
        ]

    @cached_property
    def _other_curves(self) -> list[np.ndarray]:
        """Places of the points of each n but n' that has sizes enough."""
        layout = self.processes[0].layout
        counts = layout.points.n
        others = [np.flatnonzero(counts == n) for n in np.unique(counts[layout.reference_count :])]
        several = [rows for rows in others if rows.size >= _FEWEST_OF_SEVERAL]
        fewest = _FEWEST_OF_SEVERAL if len(several) > 1 else FEWEST_OF_A_CURVE
        return [rows for rows in others if rows.size >= fewest]

    def unevenness(self, m: Floats) -> Floats:
        """Scale of the interval at each size, by how well sizes near it predict each other; (q,).

        By the points of other n, each left out alone; a spike tells nothing of other n.
        """
        if not self._other_curves:
            return np.ones(m.shape)
        layout = self.processes[0].layout
        rows = np.concatenate(self._other_curves)
        rows = rows[~layout.is_spike[rows]]
        left_out = [process.each_left_out(rows) for _, process in self._kept]
        weights = np.array([weight for weight, _ in self._kept])
        errors, deviations = mixed(
            weights, *(np.array(part) for part in zip(*left_out, strict=True))
        )
        octaves = np.log2(np.maximum(m, 1))[:, None] - np.log2(np.maximum(layout.points.m[rows], 1))
        near = np.exp(-np.abs(octaves) / _NEAR)
        squares = _SINGLE * (errors / deviations) ** 2
        return np.asarray(np.sqrt((BELIEF + near @ squares) / (BELIEF + near.sum(axis=1))))

    def _unseen_error(self, chosen: np.ndarray, *, has_others: bool) -> Floats:
        predictions = [process.left_out(chosen) for process in self.processes]
        errors, deviations, densities = (np.array(part) for part in zip(*predictions, strict=True))
        before = self._before
        if not has_others:
            usual = np.array([process.scatter == USUAL_SCATTER for process in self.processes])
            before = np.where(usual, before, -np.inf)
        weights = normalised(before + has_others * TEMPER * (self._densities - densities))
        mean, deviation = mixed(weights, errors, deviations)
        return mean / deviation

    def _weights(self, densities: Floats, before: Floats) -> Floats:
        """Return weights of candidates by their predictions of other n and their log prior."""
        return normalised(before + TEMPER * densities if self._has_others else before)

    def byte_share(self, m: ArrayLike) -> Floats:
        """Share of the time at n' that goes with the bytes; shape of `m`."""
        return self.processes[0].layout.byte_share(m)

    @property
    def degrees_of_freedom(self) -> float:
        """Points less what they have bent, on average."""
        return float(self.weights @ [process.degrees_of_freedom for process in self.processes])


def _between(weights: Floats, means: Floats, groups: Sequence[float]) -> Floats:
    """Variance between the means of groups of candidates, each by its weight; shape (q,)."""
    places = np.unique(groups, return_inverse=True)[1]
    share = np.bincount(places, weights)
    mean = np.array([np.bincount(places, weights * column) / share for column in means.T]).T
    return np.asarray(share @ (mean - share @ mean) ** 2)
