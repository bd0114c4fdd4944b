"""What a library's default takes, by the algorithm that it runs at each n and m.

Source: the rules by which the library chooses, `contend.libraries` (`Library.own_choice`).
Idea: where its rules name an algorithm that was measured too, forced, the default takes what that
one takes. Points of both foretell it together, the default's own first. So a default that becomes
another algorithm beyond the n that were measured is foretold as that one.
Measured times have to bear it out, for a file of rules, a variable or a device may overrule the
rules. No algorithm may be apart from the default where they name it: by `DISTURBED` anywhere, as a
launch may be, or by `NOISE` in the median of three points or more. And the default must have been
seen to run it: at a point of those where it is named each other algorithm has another time, by
`DISTINCT`, or none, unless the two are alike everywhere. One that was not is foretold only where
two others were.
Restrictions: one process per node; no time-outs; by the form `UNJUDGED`, which takes points of
both. Pairs of n and m of which nothing is known are left to the default's own times.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from contend.document import Columns
from contend.network import Network, Operation
from contend.network.evidence import BeatenBound, MeasuredPoints
from contend.network.library import library_in
from contend.prediction.predict import predicted
from contend.prediction.verdict import UNJUDGED
from contend.samples.setting import OF_LIBRARY
from contend.signature.algorithm_growth import OWN_CHOICE

FEWEST_POINTS = 3
NOISE, DISTURBED, DISTINCT = 0.05, 0.15, 0.10  # logarithms of ratios of times
AS = "as "  # before the algorithm, in the column `regime`


class Forced(NamedTuple):
    """An algorithm that was forced, and the logarithms of the default's time over its own."""

    operation: Operation
    ratios: dict[tuple[int, int], float]  # by n and m, at all points of both
    named: list[tuple[int, int]]  # points of the default at which the library names it


def predicted_as_run(
    network: Network, operation: Operation, n: ArrayLike, m: ArrayLike, form: str | None = None
) -> Columns:
    """What `predicted` has, of a library's default as what it runs, where that is known.

    `regime` says so then, and `extrapolates` names what the default itself has not seen too. Asked
    for another form than `UNJUDGED`, and of anything but a default, it is `predicted`.
    """
    found = predicted(network, operation, n, m, form)
    known = _borne_out(network, operation) if form in (None, UNJUDGED) else {}
    if not known:
        return found
    asked = _choices(network, operation, found["n"], found["m"])
    columns = {name: values.astype(object) for name, values in found.items()}
    for name, one in known.items():
        rows = asked == name
        if rows.any():
            part = predicted(network, one, found["n"][rows], found["m"][rows], UNJUDGED)
            seen = zip(found["extrapolates"][rows], part["extrapolates"], strict=True)
            part["regime"] = np.full(rows.sum(), f"{AS}{name}, by {UNJUDGED}")
            part["extrapolates"] = np.array([_either(*words) for words in seen])
            for column, values in part.items():
                columns[column][rows] = values
    kinds = {
        name: str if values.dtype.kind == "U" else values.dtype for name, values in found.items()
    }
    return {name: values.astype(kinds[name]) for name, values in columns.items()}


def _either(*words: str) -> str:
    return " ".join(dict.fromkeys(word for one in words for word in one.split()))


def _borne_out(network: Network, default: Operation) -> dict[str, Operation]:
    """By setting, the algorithms in the default's place; none where measured times contradict."""
    if default.algorithm != OWN_CHOICE or default.processes_per_node != 1 or default.timeouts:
        return {}
    forced = [*_forced(network, default)]
    told = [np.abs([one.ratios[point] for point in _compared(one)]) for one in forced]
    if sum(one.size for one in told) < FEWEST_POINTS or any(map(_is_contradicted, told)):
        return {}
    seen = [one for one in forced if _is_seen(one, forced)]
    return {
        one.operation.algorithm: _in_place(default, one)
        for one in (forced if len(seen) > 1 else seen)
    }


def _forced(network: Network, default: Operation) -> Iterator[Forced]:
    """What else was measured and fitted of the same operation and placement."""
    known = default.measured
    if known is None:
        return
    ran, ours = _choices(network, default, known.n, known.m), known.by_point()
    for one in network.operations:
        if (
            one.operation == default.operation
            and one.processes_per_node == default.processes_per_node
            and one.algorithm != OWN_CHOICE
            and one.measured
            and not one.timeouts
            and UNJUDGED in one.forms
        ):
            theirs = one.measured.by_point()
            ratios = {point: ours[point] / theirs[point] for point in ours.keys() & theirs.keys()}
            gains = one.gains.by_point() if one.gains else {}  # by launches that had both
            told = {point: float(np.log(gains.get(point, ratios[point]))) for point in ratios}
            points = zip(known.n, known.m, ran, strict=True)
            named = [(n, m) for n, m, name in points if name == one.algorithm]
            yield Forced(one, told, named)


def _choices(network: Network, operation: Operation, n: ArrayLike, m: ArrayLike) -> np.ndarray:
    """Settings that the library runs by itself, (k,); "" where that is not known."""
    library, version = library_in(network)
    pairs = list(zip(np.asarray(n, int).tolist(), np.asarray(m, int).tolist(), strict=True))
    if library is None:
        return np.full(len(pairs), "")
    names = [library.own_choice(operation.operation, *pair, version) for pair in pairs]
    return np.array([f"{library.name}{OF_LIBRARY}{name}" if name else "" for name in names])


def _compared(one: Forced) -> list[tuple[int, int]]:
    return [point for point in one.named if point in one.ratios]


def _is_contradicted(apart: np.ndarray) -> bool:
    return bool(apart.size and apart.max() > DISTURBED) or bool(
        apart.size >= FEWEST_POINTS and np.median(apart) > NOISE
    )


def _is_seen(one: Forced, forced: Sequence[Forced]) -> bool:
    """Whether the default was seen to run it, and nothing else."""
    points = _compared(one)
    return bool(points) and all(
        other is one
        or _are_alike(one, other)
        or any(abs(other.ratios.get(point, np.inf)) > DISTINCT for point in points)
        for other in forced
    )


def _are_alike(one: Forced, other: Forced) -> bool:
    """Whether two take the same times, at three points or more."""
    common = sorted(one.ratios.keys() & other.ratios.keys())
    apart = np.abs([one.ratios[point] - other.ratios[point] for point in common])
    return apart.size >= FEWEST_POINTS and not _is_contradicted(apart)


def _in_place(default: Operation, one: Forced) -> Operation:
    """An algorithm with the points of the default where that runs it; no bound that either beat."""
    known, measured = default.measured, one.operation.measured
    assert known is not None and measured is not None
    rows = np.array([point in one.named for point in zip(known.n, known.m, strict=True)])
    own = MeasuredPoints.of({name: values[rows] for name, values in known.columns().items()})
    beaten = BeatenBound() if default.beaten_bound or one.operation.beaten_bound else None
    return one.operation.model_copy(update={"measured": own.over(measured), "beaten_bound": beaten})
