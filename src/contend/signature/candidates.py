"""What an exchange may grow like and how regular a machine may be, weighed by what each foretells.

Source: averages over models: Hoeting, Madigan, Raftery, Volinsky, Statistical Science 14, 1999;
evidence that counts for less than its points say: Grunwald, "The safe Bayesian", ALT 2012.
Idea: candidates of two things. How start-ups grow: as is usual of an unknown algorithm, as those of
a direct exchange, as those of one that forwards. And how much sizes, numbers of processes and
launches scatter: as on most machines, three times as much, or a half, a quarter, an eighth of it.
Each is bent to the points at n' and foretells those at all other n; the better it does, the more it
counts. With one n, nothing is foretold: the kinds count by their weights before, and that a
machine scatters more or less has nothing to speak for it.
Formula: log w = `TEMPER` log p(points at other n | points at n') + log of the weight before; the
mean is that of the mixture, and its variance holds what the candidates disagree by.
Restrictions: the kinds are those of an exchange. Where an algorithm of the catalogue or another
operation says how start-ups grow, scatter alone is open.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from contend.document import Floats
from contend.signature.layout import FEWEST_OF_A_CURVE, Layout, Points
from contend.signature.prior import Usual
from contend.signature.process import Process, mixed, normalised

TEMPER = 0.5  # points at one n are off together in more ways than the covariance says
USUAL_SCATTER = 0.75  # of what the prior says
SCATTERS = tuple(times * USUAL_SCATTER for times in (3.0, 1.0, 0.5, 0.25, 0.125))
_PER_OCTAVE, _PER_KIND = 1.0, 3.0  # of scatter; by which the logarithm of the weight before is less
_FEWEST_OF_SEVERAL = 3  # sizes at one n of several that tell how far predictions are off
_UNKNOWN = Usual().startups  # of an exchange, by an algorithm that is not known
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
    kinds = (usual, *_KINDS) if usual.startups == _UNKNOWN else (usual,)
    for kind in kinds:
        for scatter in SCATTERS:
            octaves = abs(float(np.log2(scatter / USUAL_SCATTER)))
            yield Candidate(kind, scatter, -_PER_OCTAVE * octaves - _PER_KIND * (kind is not usual))


class Mixture:
    """What is known of all n and m once `points` are measured, over all candidates."""

    def __init__(self, points: Points, usual: Usual) -> None:
        self._layout = Layout(points)
        chosen = list(candidates(usual))
        self._before = np.array([one.weight for one in chosen])
        self._is_usual = np.array([one.scatter == USUAL_SCATTER for one in chosen])
        self.processes = [Process(self._layout, one.usual, one.scatter) for one in chosen]
        self._foretold = np.array([one.foretold for one in self.processes])
        others = self._layout.points.n[self._layout.own :]
        self.weights = self._weights(self._foretold, is_told=others.size > 0)

    def logarithm(self, n: ArrayLike, m: ArrayLike) -> tuple[Floats, Floats]:
        """Logarithm of the time in seconds and its standard deviation; shape (q,) as `n` and `m`.

        The deviation is that of a measurement: it holds noise.
        """
        counts, sizes = np.asarray(n, float), np.asarray(m, float)
        parts = self._layout.parts(counts, sizes)
        told = [one.told(counts, sizes, parts) for one in self.processes]
        return mixed(self.weights, *(np.array(part) for part in zip(*told, strict=True)))

    def remaining(self, n: Floats, m: Floats) -> Floats:
        """Covariance of the logarithms of exact times that the points leave; shape (q, q).

        With what the candidates disagree by.
        """
        parts = self._layout.parts(n, m)
        means = np.array([one.told(n, m, parts)[0] for one in self.processes])
        apart = means - self.weights @ means
        found = (apart * self.weights[:, None]).T @ apart
        for weight, one in zip(self.weights, self.processes, strict=True):
            found += weight * one.remaining(n, m)
        return np.asarray(found)

    @property
    def noise(self) -> float:
        """Variance of a measured point."""
        return float(self.weights @ [one.noise for one in self.processes])

    @property
    def launch(self) -> float:
        """Variance of a launch at another n."""
        return float(self.weights @ [one.launch for one in self.processes])

    def foretold_errors(self) -> list[Floats]:
        """Of each n but n', errors over deviations of its points (q,) as foretold by all others.

        An n has to have the sizes of a curve; where several have `_FEWEST_OF_SEVERAL`, these do.
        """
        counts = self._layout.points.n
        others = np.unique(counts[self._layout.own :])
        left_out = [np.flatnonzero(counts == n) for n in others]
        several = [one for one in left_out if one.size >= _FEWEST_OF_SEVERAL]
        fewest = _FEWEST_OF_SEVERAL if len(several) > 1 else FEWEST_OF_A_CURVE
        return [
            self._foretold_error(chosen, is_told=others.size > 1)
            for chosen in left_out
            if chosen.size >= fewest
        ]

    def _foretold_error(self, chosen: np.ndarray, *, is_told: bool) -> Floats:
        told = [one.left_out(chosen) for one in self.processes]
        errors, deviations, densities = (np.array(part) for part in zip(*told, strict=True))
        weights = self._weights(self._foretold - densities, is_told=is_told)
        mean, deviation = mixed(weights, errors, deviations)
        return mean / deviation

    def _weights(self, foretold: Floats, *, is_told: bool) -> Floats:
        """Of the candidates, by what they foretell of other n; `is_told` where there are such."""
        logarithm = TEMPER * foretold + self._before
        if not is_told:
            logarithm = np.where(self._is_usual, self._before, -np.inf)
        return normalised(logarithm)

    def byte_share(self, m: ArrayLike) -> Floats:
        """Share of the time at n' that goes with the bytes; shape of `m`."""
        return self._layout.byte_share(m)

    @property
    def degrees_of_freedom(self) -> float:
        """Points less what they have bent, on average."""
        return float(self.weights @ [one.degrees_of_freedom for one in self.processes])
