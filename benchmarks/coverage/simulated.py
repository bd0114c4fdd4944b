"""Simulated campaigns of known truth: the default design, launches that differ.

A launch is one start of one program with one number of processes, as `contend measure` does it: all
that it times, every size and repetition, is as many times as long as in truth. That factor is
log-normal with a deviation of 5 %; the programs of a campaign draw theirs apart, also those of the
same launch number. Repetitions have log-normal errors of 3 % of their own. The truth is the median.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import TypeAlias

import numpy as np

from contend.measure.design import Design, design
from contend.samples import Provenance, Sample

BETWEEN_LAUNCHES = 0.05
WITHIN_LAUNCH = 0.03
REPETITIONS = 12
LENGTH_OF_TRAIN = 64
PROVENANCE = Provenance(source="simulated")
Row: TypeAlias = tuple[str, float, float, float, float]  # interval, truth, value, low, high

ALPHA, BETA, GAMMA, DELTA, M = 1e-5, 1e-9, 3.0, 2e-4, 16384
LATENCY, GAP = 4e-6, 6e-6  # together alpha
SEND, RECEIVE = (2e-6, 2e-10), (3e-6, 4e-10)  # start-up and per byte
STEP, STEP_FROM = 2e-5, 4096  # of a message alone, where it has one
DESIGN = design(counts=(6, 8, 12, 16))
LAUNCHES = DESIGN.launches  # of all programs; a lab's default are 2


def gap(m: float) -> float:
    """g(m) in seconds."""
    return GAP + BETA * m


def overhead(line: tuple[float, float], m: float) -> float:
    """os(m) or or(m) in seconds."""
    return line[0] + line[1] * m


def exchange(n: int, m: float) -> float:
    """An all-to-all as the signature in Hockney form has it."""
    return (n - 1) * (ALPHA + BETA * GAMMA * m + DELTA * (m >= M))


def pingpong(rng: np.random.Generator, chosen: Design = DESIGN, step: float = 0.0) -> list[Sample]:
    """Half round trips; from some size on so many seconds longer."""
    sizes = [(m, ALPHA + BETA * m + step * (m >= STEP_FROM)) for m in chosen.sizes]
    return list(_launches(rng, "pingpong", 2, {"half_round_trip": sizes}))


def plogp(rng: np.random.Generator, chosen: Design = DESIGN) -> list[Sample]:
    """Trains, round trips and overheads, all of one program."""
    sizes = (0, *chosen.sizes)
    trips = [(m, 2 * LATENCY + gap(m) + gap(0)) for m in sizes]
    trains = [(m, (t + (LENGTH_OF_TRAIN - 1) * gap(m)) / LENGTH_OF_TRAIN) for m, t in trips]
    times = {
        "round_trip": trips,
        "saturation_gap": trains,
        "send_overhead": [(m, overhead(SEND, m)) for m in sizes],
        "receive_overhead": [(m, overhead(RECEIVE, m)) for m in sizes],
    }
    return list(_launches(rng, "plogp", 2, times, {"train": LENGTH_OF_TRAIN}))


def alltoall(
    rng: np.random.Generator,
    seconds: Callable[[int, float], float] = exchange,
    chosen: Design = DESIGN,
) -> list[Sample]:
    """Exchanges at n', which a fit sees."""
    n = chosen.n_fit or max(chosen.counts)
    return list(
        _launches(rng, "alltoall", n, {"native": [(m, seconds(n, m)) for m in chosen.sizes]})
    )


def _launches(
    rng: np.random.Generator,
    experiment: str,
    n: int,
    times: dict[str, Sequence[tuple[int, float]]],
    parameters: dict[str, float | bool] | None = None,
) -> Iterator[Sample]:
    for launch in range(LAUNCHES):
        factor = np.exp(BETWEEN_LAUNCHES * rng.standard_normal())
        for algorithm, points in times.items():
            for m, seconds in points:
                noise = np.exp(WITHIN_LAUNCH * rng.standard_normal(REPETITIONS))
                yield _TEMPLATE.model_copy(
                    update={
                        "experiment": experiment,
                        "algorithm": algorithm,
                        "n": n,
                        "processes_per_node": 1,
                        "m": m,
                        "launch": launch,
                        "times_s": tuple((seconds * factor * noise).tolist()),
                        "parameters": parameters if algorithm == "saturation_gap" else None,
                    }
                )


_TEMPLATE = Sample(
    experiment="alltoall", algorithm="native", n=2, m=1, times_s=(1.0,), provenance=PROVENANCE
)
