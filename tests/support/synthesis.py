"""Samples of networks whose parameters are known, for tests of everything that learns them."""

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

import numpy as np
import pandas as pd

from contend.samples import Provenance, Sample, SampleStore
from contend.samples.origin import Unsaved
from contend.samples.reader import ReadOptions

SIZES = tuple(2**power for power in range(6, 18))
PROVENANCE = Provenance(source="planted")
# How the measured all-to-all of Lassen, staged through the host, is read.
LASSEN = ReadOptions(
    experiment="alltoall",
    algorithm="native",
    columns={
        "m": "msg_bytes_per_pair",
        "time": "time_s",
        "n": "n_endpoints",
        "processes_per_node": "gpus_per_node",
        "launch": "job",
    },
    where={"mpi": "spectrum", "variant": "3step_host"},
)


def sample(
    m: int = 8, n: int = 4, times_s: Sequence[float] = (1e-3, 2e-3, 3e-3), **fields: object
) -> Sample:
    """A sample of an all-to-all unless `fields` say otherwise."""
    given = {"experiment": "alltoall", "algorithm": "native", "provenance": PROVENANCE} | fields
    return Sample(n=n, m=m, times_s=tuple(times_s), **given)  # type: ignore[arg-type]


def noisy(
    seconds: float, rng: np.random.Generator, noise: float, repetitions: int = 1
) -> tuple[float, ...]:
    """Repetitions with lognormal errors of standard deviation `noise`."""
    return tuple(
        float(seconds * error) for error in np.exp(noise * rng.standard_normal(repetitions))
    )


def alltoall(
    counts: Iterable[int],
    seconds: Callable[[int, int], float],
    sizes: Iterable[int] = SIZES,
    rng: np.random.Generator | None = None,
    noise: float = 0.0,
    **fields: object,
) -> list[Sample]:
    """A sample per n and m that takes `seconds(n, m)`, with noise where there is an `rng`."""
    points = [(n, m, seconds(n, m)) for n in counts for m in sizes]
    return [
        sample(m, n, noisy(time, rng, noise) if rng else (time,), **fields) for n, m, time in points
    ]


def pingpong(alpha: float, beta: float, sizes: Iterable[int] = SIZES) -> list[Sample]:
    """Half round trips of alpha + beta m."""
    return [
        sample(m, 2, (alpha + beta * m,), experiment="pingpong", algorithm="half_round_trip")
        for m in sizes
    ]


def plogp(
    latency: float,
    gap: Callable[[int], float],
    overheads: tuple[Callable[[int], float], Callable[[int], float]],
    sizes: Iterable[int] = (0, *SIZES),
) -> list[Sample]:
    """What Kielmann's method measures on a network with these parameters."""
    seconds: dict[str, Callable[[int], float]] = {
        "round_trip": lambda m: 2 * latency + gap(m) + gap(0),
        "send_overhead": overheads[0],
        "receive_overhead": overheads[1],
    }
    train = sample(0, 2, (gap(0),), experiment="plogp", algorithm="saturation_gap")
    return [train] + [
        sample(m, 2, (time(m),), experiment="plogp", algorithm=algorithm)
        for algorithm, time in seconds.items()
        for m in sizes
    ]


def trained(
    latency: Callable[[int], float],
    gap: Callable[[int], float],
    overheads: tuple[Callable[[int], float], Callable[[int], float]],
    length: Callable[[int], int],
    sizes: Iterable[int] = (0, *SIZES),
) -> list[Sample]:
    """What trains of `length` messages of every size measure, and round trips."""
    seconds: dict[str, Callable[[int], float]] = {
        "round_trip": lambda m: latency(m) + gap(m) + latency(0) + gap(0),
        "send_overhead": overheads[0],
        "receive_overhead": overheads[1],
    }
    once = seconds["round_trip"]
    trains = [
        sample(
            m, 2, ((once(m) + (length(m) - 1) * gap(m)) / length(m),),
            experiment="plogp", algorithm="saturation_gap", parameters={"train": length(m)},
        )
        for m in sizes
    ]  # fmt: skip
    return trains + [
        sample(m, 2, (time(m),), experiment="plogp", algorithm=algorithm)
        for algorithm, time in seconds.items()
        for m in sizes
    ]


def table(times: Callable[[int], float], sizes: Iterable[int], **columns: object) -> pd.DataFrame:
    """Table of medians over the sizes, bounds equal to the values."""
    rows = [(m, times(m), times(m), times(m)) for m in sizes]
    return pd.DataFrame(rows, columns=["m", "seconds", "low", "high"]).assign(**columns)


def save(samples: Iterable[Sample], path: Path) -> Path:
    """The path, where the samples now are."""
    with SampleStore(path) as store:
        store.extend(samples)
    return path


def exchange_time(n: int, m: int) -> float:
    """A network with gamma 2 and a jump of 40 us from 8 KiB on; alpha 10 us, beta 1 ns/B."""
    return (n - 1) * (1e-5 + 2e-9 * m + (4e-5 if m >= 8192 else 0.0))


LAB_OF_THREE = """
minimum_rto = "20ms"
[[clusters]]
name = "node"
hosts = 3
rate = "50Mbit/s"
buffer = "64KiB"
latency = "1ms"
"""


def lab_of_two_clusters(left: int, right: int, *, delay: str, buffer: str) -> str:
    """Text of a lab of so many hosts in two clusters; delay and buffer are the backbone's."""
    text = ""
    for name, hosts in (("left", left), ("right", right)):
        text += f"""
[[clusters]]
name = "{name}"
hosts = {hosts}
rate = "50Mbit/s"
buffer = "128KiB"
latency = "50us"
"""
    text += f"""
[[backbones]]
between = ["left", "right"]
rate = "20Mbit/s"
delay = "{delay}"
buffer = "{buffer}"
"""
    return text


# Machines without any law, measured at points with gaps.
SOURCE = Unsaved("drawn", b"")
COUNTS = (2, 3, 4, 5, 6, 8, 12, 16, 24, 32, 48, 64, 100, 128, 256)
OPERATIONS = ("alltoall", "alltoallv", "allgather", "bcast", "allreduce", "gather", "barrier")


def arbitrary(seed: int) -> list[Sample]:
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
            provenance=PROVENANCE,
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
                        launch=launch, times_s=tuple(times.tolist()), provenance=PROVENANCE,
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
