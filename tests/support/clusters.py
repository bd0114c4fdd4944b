"""Hosts whose groups are known, and repetitions of their messages with noise."""

from collections.abc import Sequence

import numpy as np

from contend.alltoall.clusters.rounds import rounds_of
from contend.models.links.times import Times, times_of
from contend.samples import Provenance
from contend.samples.messages import MessageSample

REPETITIONS = 9


def measured(
    seconds: np.ndarray, noise: float, seed: int, m: int = 8, most: int = 1000
) -> list[MessageSample]:
    """Rounds over hosts with these true times; a repetition is off by a factor of exp(noise)."""
    generator, count = np.random.default_rng(seed), len(seconds)
    hosts = tuple(f"h{index}" for index in range(count))
    found = []
    for pairs in rounds_of(count, most):
        true = np.array([seconds[pair] for pair in pairs])
        factor = np.exp(noise * generator.standard_normal((REPETITIONS, len(pairs))))
        found.append(
            MessageSample(
                hosts=hosts, experiment="round", edges=pairs, m=m, times_s=(true * factor).tolist(),
                provenance=Provenance(source="test"),
            )
        )  # fmt: skip
    return found


def times(seconds: np.ndarray, noise: float, seed: int, most: int = 1000) -> Times:
    """What is seen of the true times."""
    (one,) = times_of(measured(seconds, noise, seed, most=most))
    return one


def flat(sizes: Sequence[int], within: float = 1e-4, between: float = 4e-4) -> np.ndarray:
    """True times of groups of these sizes, each as far from each."""
    labels = np.repeat(np.arange(len(sizes)), sizes)
    return np.where(labels[:, None] == labels, within, between)


def labels_of(groups, count: int) -> list[int]:
    """Group of each host."""
    found = np.full(count, -1)
    for number, group in enumerate(groups):
        found[group] = number
    return found.tolist()
