"""Terms of growth over n: by what an exchange costs more, or less, than its messages and bytes.

Idea: a term is a logarithm of a factor on start-ups, on bytes or on both; it is 0 for a parameter
of 0, which is an exchange whose messages do not slow each other down, whatever n is.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np

from contend.base.document import Floats

On = Literal["all", "startups", "bytes"]
Curve = Callable[[float], tuple[Floats, Floats]]
_FEWEST_FLAT = 2  # numbers of processes that show that times per message are level


@dataclass(frozen=True)
class Term:
    """A factor by name and parameter: its logarithm at each n, and the derivative of that.

    `n` is the largest that an onset leaves as it is, or the only one that an outlier is of; `sign`
    is that of a parameter that makes sense, 0 where both do.
    """

    name: str
    on: On
    curve: Curve
    n: int | None = None
    sign: int = 0

    def share(self, bytes_share: Floats) -> Floats:
        """Share of a time that it multiplies, by the share of the bytes."""
        return {"all": 1 + 0 * bytes_share, "bytes": bytes_share}.get(self.on, 1 - bytes_share)


def candidates(
    counts: Floats, per_node: int | None, sent: Floats, ons: tuple[On, ...]
) -> list[Term]:
    """Every term that these n can tell of `sent` start-ups, on what is in `ons`."""
    terms = [_linear("power", on, np.log((counts - 1) / (counts[0] - 1))) for on in ons]
    terms.append(fixed(sent))
    if counts.size < 3:
        return terms
    alike = [on for on in ons if on != "startups"]
    terms += [term for on in alike for term in _onsets(counts, on)]
    if per_node is not None and per_node > 1 and counts.max() > per_node:
        terms += [local(counts, per_node, on) for on in alike]
    if _has_both_classes(counts):
        terms.append(_linear("powers_of_two", "all", is_power_of_two(counts).astype(float)))
    if counts.size > 3:  # the largest n alone is an onset
        terms += [_linear("outlier", "all", 1.0 * (counts == n), int(n)) for n in counts[:-1]]
    return terms


def _linear(name: str, on: On, shape: Floats, n: int | None = None) -> Term:
    sign = int(name == "power" and on != "bytes")  # start-ups that fall are fixed, or forwarded
    return Term(name, on, lambda parameter: (parameter * shape, shape), n, sign)


def _onsets(counts: Floats, on: On) -> Iterator[Term]:
    """Level up to an n; from there on ((n-1) / (that n-1))^e, or another constant."""
    for place in range(_FEWEST_FLAT - 1, counts.size - 1):
        beyond, n = np.maximum(np.log((counts - 1) / (counts[place] - 1)), 0.0), int(counts[place])
        yield _linear("onset", on, beyond, n)
        if place < counts.size - 2:
            yield _linear("step", on, 1.0 * (beyond > 0), n)


def local(counts: Floats, per_node: int, on: On) -> Term:
    """A message within a node costs exp(parameter) of one to another node.

    Of n-1 messages min(n, p) - 1 stay on the node, p processes per node.
    """
    share = (np.minimum(counts, per_node) - 1.0) / (counts - 1.0)

    def curve(parameter: float) -> tuple[Floats, Floats]:
        cost = np.exp(parameter)
        mean = 1 - share + share * cost
        return np.log(mean), share * cost / mean

    return Term("local", on, curve, sign=-1)  # no message is dearer within a node


def fixed(sent: Floats) -> Term:
    """S a + c for S start-ups, c such that the first n takes exp(parameter) times as long.

    What does not depend on n: a latency, a copy to or from a device, a barrier.
    """

    def curve(parameter: float) -> tuple[Floats, Floats]:
        grown = sent[0] * np.exp(parameter)
        whole = np.maximum(sent - sent[0] + grown, 1e-12)
        return np.log(whole / sent), grown / whole

    return Term("fixed", "startups", curve, sign=1)


def is_power_of_two(counts: Floats) -> np.ndarray:
    """Whether each n is one, shape (n_counts,)."""
    whole = counts.astype(int)
    return np.asarray(whole & (whole - 1) == 0)


def _has_both_classes(counts: Floats) -> bool:
    """Whether there are powers of two and others, mixed; of three n one among the two others.

    Where all of one class come first, they are an onset by another name.
    """
    classes = is_power_of_two(counts)
    is_mixed = np.count_nonzero(np.diff(classes.astype(int))) > 1
    return bool(is_mixed and (counts.size == 3 or min(classes.sum(), (~classes).sum()) >= 2))
