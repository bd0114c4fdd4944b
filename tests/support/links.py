"""Measured links of groups whose network is known: messages, queues and losses by the book."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from contend.models.links.experiments import Ranks, burst_sizes, bursts, single_pairs
from contend.samples import Provenance
from contend.samples.messages import MessageSample, Sent
from contend.schedules.pointtopoint import PLogP
from support.networks import parameters


class Truth(NamedTuple):
    """A network: seconds, bytes per second, bytes."""

    near: float = 50e-6  # latency inside
    rate: float = 6.25e6  # of a host
    latency: float = 5e-3  # of the link, one way
    bandwidth: float = 12.5e6
    buffer: float = 131072.0
    timeout: float = 0.2
    overhead: float = 5e-6  # gap of an empty message


def ranks_of(sizes: Sequence[int] = (8, 8), level: str = "cluster") -> Ranks:
    """Groups a, b, ... of so many hosts, one rank on each."""
    names = [chr(ord("a") + index) for index in range(len(sizes))]
    groups = tuple(name for name, size in zip(names, sizes, strict=True) for _ in range(size))
    hosts = tuple(f"{name}{number}" for name, size in zip(names, sizes, strict=True)
                  for number in range(size))  # fmt: skip
    return Ranks(level, hosts, groups, ("",) * len(hosts), hosts)


def measured(
    truth: Truth = Truth(),  # noqa: B008, a tuple
    ranks: Ranks | None = None,
    launches: int = 3,
    spread: float = 0.0,
    noise: float = 0.0,
    seed: int = 1,
    repetitions: int = 9,
    most: int = 2**20,
) -> list[MessageSample]:
    """All samples; a launch is off by a factor of exp(spread), a repetition by one of exp(noise).

    A burst that the buffer does not hold waits for a time-out in three of four repetitions.
    """
    rng, ranks = np.random.default_rng(seed), ranks or ranks_of()
    found = []
    for launch in range(launches):
        near, rate, latency, bandwidth, timeout = np.exp(spread * rng.standard_normal(5))
        own = truth._replace(
            near=truth.near * near, rate=truth.rate * rate, latency=truth.latency * latency,
            bandwidth=truth.bandwidth * bandwidth, timeout=truth.timeout * timeout,
        )  # fmt: skip
        work = [(one, (8, 1024, 8192, 65536)) for one in single_pairs(ranks)]
        work += [(one, tuple(burst_sizes(len(one.edges), most))) for one in bursts(ranks)]
        for one, sizes in work:
            for m in sizes:
                exact = _times(own, one, m)
                times = exact * np.exp(noise * rng.standard_normal((repetitions, exact.size)))
                if one.experiment == "burst" and _waiting(own, one, m) > own.buffer:
                    times[np.arange(repetitions) % 4 != 0] += own.timeout
                found.append(_sample(ranks, one, m, launch, times))
    return found


def _times(truth: Truth, one: Sent, m: int) -> np.ndarray:
    """End of each message, or its one way."""
    gap = truth.overhead + m / truth.rate
    latency = truth.near if one.is_inside else truth.latency
    if one.experiment == "burst":
        senders = len({src for src, _ in one.edges})
        volume = m * len(one.edges)
        last = max(volume / (senders * truth.rate), volume / truth.bandwidth)
        return latency + truth.overhead + last * np.linspace(0.5, 1.0, len(one.edges))
    return latency + gap * np.arange(1, len(one.edges) + 1)


def _waiting(truth: Truth, one: Sent, m: int) -> float:
    """Bytes of a burst that the link cannot carry while they come."""
    senders = len({src for src, _ in one.edges})
    return m * len(one.edges) * max(1 - truth.bandwidth / (senders * truth.rate), 0.0)


def _sample(ranks: Ranks, one: Sent, m: int, launch: int, times: np.ndarray) -> MessageSample:
    return MessageSample(
        level=one.level, experiment=one.experiment, source=one.source, destination=one.destination,
        hosts=ranks.hosts, groups=ranks.groups, edges=one.edges, m=m, launch=launch,
        times_s=times.tolist(), provenance=Provenance(source="planted"),
    )  # fmt: skip


def line(latency: float, rate: float, overhead: float = 0.0) -> PLogP:
    """A message of m bytes takes the overhead and m / rate of a port, and the latency."""
    sizes = (0.0, 1e9)
    return parameters(latency, sizes, [overhead + size / rate for size in sizes], method="trains")
