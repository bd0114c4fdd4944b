"""Machines without any law, measured at points with gaps, for tests of whatever may come."""

import numpy as np

from contend.samples import Sample
from contend.samples.origin import Unsaved
from contend.samples.sample import Provenance

SOURCE, FITTED = Unsaved("drawn", b""), Provenance(source="drawn")
COUNTS = (2, 3, 4, 5, 6, 8, 12, 16, 24, 32, 48, 64, 100, 128, 256)
OPERATIONS = ("alltoall", "alltoallv", "allgather", "bcast", "allreduce", "gather", "barrier")


def drawn(seed: int) -> list[Sample]:
    """Samples of some operation on a machine without any law, at points with gaps."""
    rng = np.random.default_rng(seed)
    operation = str(rng.choice(OPERATIONS))
    counts = np.unique(rng.choice(COUNTS, rng.integers(1, 5)))
    sizes = np.unique(np.round(2.0 ** rng.uniform(0, 21, rng.integers(1, 15))).astype(int))
    sizes = np.array([0]) if operation == "barrier" else np.append(sizes, [0, 4096])
    startup, byte, power = 10.0 ** rng.uniform([-6.5, -11], [-3.5, -7]), rng.uniform(), 1.5
    noise, lost = rng.choice([0, 0.02, 0.2, 0.6]), rng.choice([0, 0.3])
    found = [
        Sample(
            experiment="pingpong", algorithm="half_round_trip", n=2, m=m, launch=launch,
            times_s=tuple((startup[0] + startup[1] * m) * rng.uniform(1, 1.2, 5)),
            provenance=FITTED,
        )
        for m in (1, 64, 1024, 65536)[: rng.integers(0, 5)]
        for launch in range(2)
    ]  # fmt: skip
    for n in counts:
        for m in [*sizes[:-1][rng.random(sizes.size - 1) < rng.choice([0.6, 1.0])], sizes[-1]]:
            for launch in range(rng.integers(1, 4)):
                base = (startup[0] + startup[1] * byte * m) * n**power * rng.uniform(0.5, 2)
                times = base * np.exp(noise * rng.standard_normal(rng.integers(1, 25)))
                times += 0.2 * (rng.random(times.size) < lost)
                found.append(
                    Sample(
                        experiment=operation, algorithm="native", n=int(n), m=int(m),
                        launch=launch, times_s=tuple(times.tolist()), provenance=FITTED,
                    )
                )  # fmt: skip
    return found


def scattered(samples: list[Sample], factor: float, seed: int = 0) -> list[Sample]:
    """The same where each launch took up to so many times less or longer."""
    rng = np.random.default_rng(seed)
    return [
        one.model_copy(update={"times_s": tuple(time * scale for time in one.times_s)})
        for one, scale in zip(samples, factor ** rng.uniform(-1, 1, len(samples)), strict=True)
    ]
