"""What a library's default takes, by the algorithm that it runs at each n and m.

Source: the rules by which the library chooses, `contend.libraries` (`Library.own_choice`).
Idea: where its rules name an algorithm that was measured too, forced, the default takes what that
one takes. Points of both foretell it together, the default's own first. So a default that becomes
another algorithm beyond the n that were measured is foretold as that one.
Measured times have to bear the rules out, for a file of rules, a variable or a device may overrule
them. `FEWEST_POINTS` of an operation or more have both times. No algorithm's differ, in the median,
by more than `NOISE`, or `DISTURBED` of a point or two. And an algorithm that the default was never
seen to run is foretold only if it was seen to run two others as the rules have it.
Restrictions: one process per node; no time-outs. Pairs of n and m of which nothing is known, or
whose algorithm was not measured, are left to the default's own times.
"""

from collections.abc import Iterator

import numpy as np
from numpy.typing import ArrayLike

from contend.network import Network, Operation
from contend.network.evidence import MeasuredPoints
from contend.network.library import library_in
from contend.samples.setting import OF_LIBRARY
from contend.signature.algorithm_growth import OWN_CHOICE

FEWEST_POINTS = 3
NOISE, DISTURBED = 0.05, 0.15  # logarithms of ratios: between launches, of a single one


def run_by_default(
    network: Network, operation: Operation, n: ArrayLike, m: ArrayLike
) -> list[tuple[Operation, np.ndarray]]:
    """What foretells which of the pairs of `n` and `m` (k,), as masks; `operation` those left.

    Empty where nothing else than `operation` does. An algorithm in its place has the default's
    points where that ran it.
    """
    known = _borne_out(network, operation)
    if not known:
        return []
    asked = _choices(network, operation, n, m)
    found = [(one, rows) for name, one in known.items() if (rows := asked == name).any()]
    left = ~np.logical_or.reduce([np.zeros(asked.size, dtype=bool), *(rows for _, rows in found)])
    return [*found, (operation, left)] if found and left.any() else found


def _borne_out(network: Network, default: Operation) -> dict[str, Operation]:
    """By setting, the algorithms in the default's place; none where measured times contradict."""
    known = default.measured
    if default.algorithm != OWN_CHOICE or default.processes_per_node != 1 or known is None:
        return {}
    ran = _choices(network, default, known.n, known.m)
    forced = [*_forced(network, default)]
    if any(one.timeouts for one in (default, *forced)):
        return {}
    own = {one.algorithm: _where(known, ran == one.algorithm) for one in forced}
    apart = {one.algorithm: _apart(own[one.algorithm], one) for one in forced}
    seen = [name for name, ratios in apart.items() if ratios.size]
    if sum(apart[name].size for name in seen) < FEWEST_POINTS:
        return {}
    if any(_is_contradicted(apart[name]) for name in seen):
        return {}
    return {
        one.algorithm: _in_place(default, one, own[one.algorithm])
        for one in forced
        if one.algorithm in seen or len(seen) > 1
    }


def _choices(network: Network, operation: Operation, n: ArrayLike, m: ArrayLike) -> np.ndarray:
    """Settings that the library runs by itself, (k,); "" where that is not known."""
    library, version = library_in(network)
    pairs = list(zip(np.asarray(n, int).tolist(), np.asarray(m, int).tolist(), strict=True))
    if library is None:
        return np.full(len(pairs), "")
    names = [library.own_choice(operation.operation, *pair, version) for pair in pairs]
    return np.array([f"{library.name}{OF_LIBRARY}{name}" if name else "" for name in names])


def _forced(network: Network, default: Operation) -> Iterator[Operation]:
    """What else was measured and fitted of the same operation and placement."""
    for one in network.operations:
        if (
            one.operation == default.operation
            and one.processes_per_node == default.processes_per_node
            and one.algorithm != OWN_CHOICE
            and one.measured
            and one.forms
        ):
            yield one


def _where(points: MeasuredPoints, rows: np.ndarray) -> MeasuredPoints:
    return MeasuredPoints.of({name: values[rows] for name, values in points.columns().items()})


def _apart(own: MeasuredPoints, one: Operation) -> np.ndarray:
    """Logarithms of ratios at the points of both, by launches that had both where there are."""
    ours, theirs = own.by_point(), one.measured.by_point() if one.measured else {}
    found = {point: ours[point] / theirs[point] for point in ours.keys() & theirs.keys()}
    gains = one.gains.by_point() if one.gains else {}
    return np.log([gains.get(point, found[point]) for point in sorted(found)])


def _is_contradicted(ratios: np.ndarray) -> bool:
    return bool(np.median(np.abs(ratios)) > (NOISE if ratios.size > 2 else DISTURBED))


def _in_place(default: Operation, one: Operation, own: MeasuredPoints) -> Operation:
    """An algorithm with the points of the default where that ran it; a bound that either beat."""
    points = own.over(one.measured) if one.measured else own
    bound = default.beaten_bound or one.beaten_bound
    return one.model_copy(update={"measured": points, "beaten_bound": bound})
