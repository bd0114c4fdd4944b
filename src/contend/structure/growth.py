"""Terms of growth over n: by what an exchange costs more, or less, than its messages and bytes.

Idea: a term is a logarithm of a factor on start-ups, on bytes or on both; it is 0 for a parameter
of 0, which is an exchange whose messages do not slow each other down, whatever n is.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np

from contend.document import Floats

On = Literal["all", "startups", "bytes"]
Curve = Callable[[float], tuple[Floats, Floats]]


@dataclass(frozen=True)
class Term:
    """A factor by kind and parameter: its logarithm at each n, and the derivative of that.

    `last_flat` is the largest n that an onset leaves as it is.
    """

    kind: str
    on: On
    curve: Curve
    last_flat: int | None = None

    def factors(self, parameter: float) -> Floats:
        """At each n, shape (n_counts,)."""
        return np.exp(self.curve(parameter)[0])


def _linear(shape: Floats) -> Curve:
    return lambda parameter: (parameter * shape, shape)


def power(counts: Floats, on: On) -> Term:
    """(n-1)^e, 1 at the smallest n: what grows for good, as on a torus."""
    return Term("power", on, _linear(np.log((counts - 1) / (counts[0] - 1))))


def onset(counts: Floats, place: int, on: On) -> Term:
    """1 up to the n at `place`, from there on ((n-1) / (that n-1))^e: saturation."""
    beyond = np.log((counts - 1) / (counts[place] - 1))
    return Term("onset", on, _linear(np.maximum(beyond, 0.0)), int(counts[place]))


def step(counts: Floats, place: int, on: On) -> Term:
    """1 up to the n at `place`, another constant beyond."""
    return Term("step", on, _linear((counts > counts[place]).astype(float)), int(counts[place]))


def local(counts: Floats, per_node: int, on: On) -> Term:
    """A message within a node costs exp(parameter) of one to another node.

    Of n-1 messages min(n, p) - 1 stay on the node, p processes per node.
    """
    inside = np.minimum(counts, per_node) - 1.0
    share = inside / (counts - 1.0)

    def curve(parameter: float) -> tuple[Floats, Floats]:
        cost = np.exp(parameter)
        mean = 1 - share + share * cost
        return np.log(mean), share * cost / mean

    return Term("local", on, curve)


def fixed(sent: Floats) -> Term:
    """S a + c for S start-ups, c such that the first n takes exp(parameter) times as long.

    What does not depend on n: a latency, a copy to or from a device, a barrier.
    """

    def curve(parameter: float) -> tuple[Floats, Floats]:
        grown = sent[0] * np.exp(parameter)
        whole = np.maximum(sent - sent[0] + grown, 1e-12)
        return np.log(whole / sent), grown / whole

    return Term("fixed", "startups", curve)


def powers_of_two(counts: Floats, on: On) -> Term:
    """Another constant where n is a power of two."""
    return Term("powers_of_two", on, _linear(is_power_of_two(counts).astype(float)))


def is_power_of_two(counts: Floats) -> np.ndarray:
    """Of each n, shape (n_counts,)."""
    whole = counts.astype(int)
    return np.asarray(whole & (whole - 1) == 0)
