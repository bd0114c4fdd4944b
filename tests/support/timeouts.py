"""Samples of exchanges that wait for time-outs, and of those that only look like it."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np

from contend.base.document import Floats
from contend.samples import Sample
from support.synthesis import PROVENANCE, sample

COUNTS = (4, 6, 8, 10, 12)
SIZES = tuple(2**power for power in range(11, 17))
ALPHA, BETA = 1e-4, 1.75e-7  # of 50 Mbit/s
Draw = Callable[[float, np.random.Generator], Floats]


def exchange(n: int, m: int) -> float:
    """Seconds of a direct exchange without a time-out."""
    return (n - 1) * (ALPHA + BETA * m)


@dataclass(frozen=True)
class Lossy:
    """A network of which everything is known.

    Half of the repetitions wait from `half` bytes on at 8 processes, and from `switch` bytes on
    none does. Launches differ by `of_launch` in the logarithm of the losses.
    """

    half: float = 16384.0
    steepness: float = 4.0
    exponent: float = 2.0
    cost: float = 0.2
    again: float = 0.1  # chance of a second time-out
    noise: float = 0.02
    of_launch: float = 0.3
    switch: float = np.inf

    def share(self, n: int, m: int) -> float:
        """Of the repetitions of all launches, those with a time-out."""
        at, weights = np.polynomial.hermite_e.hermegauss(15)
        return float(self._chance(n, m, self.of_launch * at) @ weights / weights.sum())

    def _chance(self, n: int, m: int, launch: Floats) -> Floats:
        if m >= self.switch:
            return np.zeros_like(launch)
        load = np.log(m / self.half) + self.exponent * np.log((n - 1) / 7)
        y = np.log(np.log(2)) + self.steepness * load + launch
        return np.asarray(1 - np.exp(-np.exp(np.minimum(y, 5.0))))

    def samples(
        self,
        rng: np.random.Generator,
        counts: Iterable[int] = COUNTS,
        sizes: Iterable[int] = SIZES,
        *,
        launches: int = 3,
        repetitions: int = 10,
        **fields: object,
    ) -> list[Sample]:
        """What a campaign measures."""
        found = []
        for n in counts:
            for launch in range(launches):
                effect = self.of_launch * rng.standard_normal(1)
                for m in sizes:
                    clean = exchange(n, m) * np.exp(self.noise * rng.standard_normal(repetitions))
                    waits = (rng.random(repetitions) < self._chance(n, m, effect)).astype(int)
                    waits += (waits > 0) & (rng.random(repetitions) < self.again)
                    late = waits * self.cost * (1 + 0.03 * rng.standard_normal(repetitions))
                    found.append(sample(m, n, clean + late, launch=launch, **fields))
        return found


def beside_pairwise(seed: int) -> tuple[Lossy, list[Sample]]:
    """A default that waits for time-outs, and an algorithm of the same clean time that does not."""
    rng, default, own = np.random.default_rng(seed), Lossy(of_launch=0.0), {"processes_per_node": 1}
    samples = default.samples(rng, repetitions=20, **own)
    samples += Lossy(half=1e9).samples(rng, repetitions=20, algorithm="openmpi:pairwise", **own)
    return default, samples


def harmless(draw: Draw, rng: np.random.Generator, **fields: object) -> list[Sample]:
    """A campaign without time-outs, whose repetitions `draw` gives from the time of the point."""
    return [
        sample(m, n, draw(exchange(n, m), rng), launch=launch, **fields)
        for n in COUNTS
        for launch in range(2)
        for m in SIZES
    ]


def smooth(time: float, rng: np.random.Generator) -> Floats:
    """Noise of 5 %."""
    return np.asarray(time * np.exp(0.05 * rng.standard_normal(10)))


def heavy(time: float, rng: np.random.Generator) -> Floats:
    """Noise of 5 % with the tails of Student's distribution of two degrees of freedom."""
    return np.asarray(time * np.exp(0.05 * np.abs(rng.standard_t(2, 10))))


def disturbed(time: float, rng: np.random.Generator) -> Floats:
    """One repetition of fifty stops for anything from a hundredth of a second to half of one."""
    stops = np.exp(rng.uniform(np.log(0.01), np.log(0.5), 10)) * (rng.random(10) < 0.02)
    return smooth(time, rng) + stops


def stalled(time: float, rng: np.random.Generator) -> Floats:
    """One repetition of twelve stops for a fifth of a second, however long it takes."""
    return smooth(time, rng) + 0.2 * (rng.random(10) < 0.08)


def oversubscribed(time: float, rng: np.random.Generator) -> Floats:
    """Processes wait for a core, slice by slice of 4 ms, the more often the longer they take."""
    slices = rng.poisson(0.3 + time / 0.02, 10)
    return smooth(time, rng) + 0.004 * slices * rng.uniform(0.5, 1.0, 10)


def throttled(time: float, rng: np.random.Generator) -> Floats:
    """A quota of cores: what is left of a period of 100 ms is waited for."""
    return smooth(time, rng) + (rng.random(10) < time / 0.1) * rng.uniform(0.0, 0.1, 10)


def busy_core(time: float, rng: np.random.Generator) -> Floats:
    """One repetition of four has half a core, and takes twice as long."""
    return smooth(time, rng) * (1 + (rng.random(10) < 0.25))


def other_route(time: float, rng: np.random.Generator) -> Floats:
    """One launch of three takes three times as long, from the first repetition to the last."""
    return smooth(time, rng) * (3 if rng.random() < 1 / 3 else 1)


HARMLESS: dict[str, Draw] = {
    one.__name__: one
    for one in (
        smooth, heavy, disturbed, stalled, oversubscribed, throttled, busy_core, other_route
    )
}  # fmt: skip
OVERSUBSCRIBED = PROVENANCE.model_copy(update={"is_oversubscribed": True})
