"""What a library's default takes, by the algorithm that it runs at each n and m.

Source: the rules by which the library chooses, `contend.libraries` (`Library.own_choice`).
Idea: where its rules name an algorithm that was measured too, forced, the default takes what that
one takes. Points of both foretell it together, the default's own first. So a default that becomes
another algorithm beyond the n that were measured is foretold as that one.
Restrictions: one process per node, or all on one; and what was measured has to bear the rules out:
at `FEWEST_POINTS` of an operation or more both have a time, and of no algorithm do these differ by
more than `SAME` in the median. Pairs of n and m of which nothing is known, or whose algorithm was
not measured, are left to the default's own times.
"""

from collections.abc import Iterator

import numpy as np
from numpy.typing import ArrayLike

from contend.network import Network, Operation
from contend.network.evidence import MeasuredPoints
from contend.network.library import library_in
from contend.prediction.verdict import UNJUDGED
from contend.samples.setting import OF_LIBRARY
from contend.signature.algorithm_growth import OWN_CHOICE

FEWEST_POINTS = 4
SAME = 0.05  # logarithm of a ratio that is noise of launches


def run_by_default(
    network: Network, operation: Operation, n: ArrayLike, m: ArrayLike
) -> Iterator[tuple[Operation, np.ndarray]]:
    """What foretells which of the pairs of `n` and `m` (k,), as masks; `operation` those left.

    An algorithm in its place has the default's points where that ran it, and its time-outs.
    """
    asked = _choices(network, operation, n, m)
    left = np.ones(asked.size, dtype=bool)
    for name, one in _borne_out(network, operation).items():
        if (rows := asked == name).any():
            yield one, rows
            left &= ~rows
    if left.any():
        yield operation, left


def _choices(network: Network, operation: Operation, n: ArrayLike, m: ArrayLike) -> np.ndarray:
    """Settings that the library runs by itself, (k,); "" where that is not known."""
    library, version = library_in(network)
    pairs = list(zip(np.asarray(n).tolist(), np.asarray(m).tolist(), strict=True))
    if library is None:
        return np.full(len(pairs), "")
    names = [library.own_choice(operation.operation, *pair, version) for pair in pairs]
    return np.array([f"{library.name}{OF_LIBRARY}{name}" if name else "" for name in names])


def _borne_out(network: Network, default: Operation) -> dict[str, Operation]:
    """By setting, the algorithms in the default's place; none where measured times contradict."""
    known = default.measured
    if default.algorithm != OWN_CHOICE or known is None or (default.processes_per_node or 1) > 1:
        return {}
    ran = _choices(network, default, known.n, known.m)
    found, apart = {}, []
    for one in _forced(network, default):
        own = _where(known, ran == one.algorithm)
        points = {"measured": own.over(one.measured) if one.measured else own}
        found[one.algorithm] = one.model_copy(update={**points, "timeouts": default.timeouts})
        apart.append(_apart(own, one))
    if sum(one.size for one in apart) < FEWEST_POINTS:
        return {}
    return {} if any(np.median(one) > SAME for one in apart if one.size) else found


def _forced(network: Network, default: Operation) -> list[Operation]:
    """Algorithms of the same operation and placement that `UNJUDGED` foretells."""
    key = default.operation, default.processes_per_node
    return [
        one
        for one in network.operations
        if (one.operation, one.processes_per_node) == key and UNJUDGED in one.forms
    ]


def _where(points: MeasuredPoints, rows: np.ndarray) -> MeasuredPoints:
    return MeasuredPoints.of({name: values[rows] for name, values in points.columns().items()})


def _apart(own: MeasuredPoints, one: Operation) -> np.ndarray:
    """Absolute logarithms of ratios at the points of both."""
    ours, theirs = own.by_point(), one.measured.by_point() if one.measured else {}
    common = sorted(ours.keys() & theirs.keys())
    return np.array([abs(np.log(ours[point] / theirs[point])) for point in common])
