"""What a library's default takes, by the algorithm that it runs at each n and m.

Source: the rules by which the library chooses, `contend.schedules.libraries` (`Library.default`).
Idea: where its rules name an algorithm that was measured too, forced, the default takes what that
one takes. Points of both foretell it together, the default's own first. So a default that becomes
another algorithm at n that were not measured is predicted as that one.
A file of rules, a variable or a device may overrule the rules. So what was measured must not
contradict them: an algorithm is apart from the default where they name it by no more than
`DISTURBED` anywhere, as a launch may be, and by no more than `NOISE` in the median of three points
or more, of each size and of all. And a rival is whatever else was forced and took what the default
did at the nearest size, as far as is known. Where one foretells another time the interval reaches
over that of the default's own times too.
Calls of watched programs may have shown that the rules are in effect. Then nothing has to be
forced: the default's own points are of several algorithms, each of
which predicts what it runs (`contend.models.prediction.combination`).
Restrictions: one process per node; no time-outs; by the form `UNJUDGED`, which takes points of
both. A form that validation chose stays where it does not extrapolate. Pairs of n and m of which
nothing is known are left to the default's own times.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from contend.base.document import Columns
from contend.models.network import Network, Operation
from contend.models.network.evidence import BeatenBound, MeasuredPoints
from contend.models.network.library import library_in
from contend.models.prediction.combination import by_algorithm, weighed
from contend.models.prediction.predict import predicted
from contend.models.prediction.verdict import UNJUDGED, verdict
from contend.samples.setting import OF_LIBRARY, own_name, setting_of
from contend.schedules.libraries import Default, Library

FEWEST_POINTS = 3
NOISE, DISTURBED = 0.05, 0.15  # logarithms of ratios of times: of launches, of a single one
AS = "as "  # before the algorithm, in the column `regime`


class Forced(NamedTuple):
    """An algorithm that was forced, and the logarithms of the default's time over its own."""

    operation: Operation
    ratios: dict[tuple[int, int], float]  # by n and m, at all points of both
    named: list[tuple[int, int]]  # points of the default at which the library names it

    @property
    def compared(self) -> list[tuple[int, int]]:
        """Points at which it is named and has a time."""
        return [point for point in self.named if point in self.ratios]


def predicted_as_run(
    network: Network, operation: Operation, n: ArrayLike, m: ArrayLike, form: str | None = None
) -> Columns:
    """What `predicted` has, of a library's default as what it runs, where that is known.

    `regime` says so then, and `extrapolates` names what the default itself has not seen too. A
    column more, `form`, has that of each row. Asked for another form than `UNJUDGED`, and of
    anything but a default, all rows are those of `predicted`.
    """
    prediction = predicted(network, operation, n, m, form)
    chosen = form or verdict(operation).form
    prediction["form"] = np.full(prediction["n"].size, chosen)
    is_of_growth = form in (None, UNJUDGED)
    shown = _shown(network, operation) if is_of_growth and operation.is_as_ruled else []
    forced = _supported(network, operation) if is_of_growth and not shown else []
    if not (shown or forced):
        return prediction
    asked = _choices(network, operation, prediction["n"], prediction["m"])
    if form is None and verdict(operation).is_validated:
        asked[prediction["extrapolates"] == ""] = ""
    columns = {name: values.astype(object) for name, values in prediction.items()}
    for algorithm in shown or forced:
        rows = asked == algorithm.operation.algorithm_alone
        if rows.any():
            times = {name: values[rows] for name, values in prediction.items()}
            part = _as_run(network, operation, algorithm, forced, times)
            for column, values in (weighed(times, part) if shown else part).items():
                columns[column][rows] = values
    kinds = {
        name: str if values.dtype.kind == "U" else values.dtype
        for name, values in prediction.items()
    }
    return {name: values.astype(kinds[name]) for name, values in columns.items()}


def _as_run(
    network: Network,
    default: Operation,
    algorithm: Forced,
    forced: Sequence[Forced],
    times: Columns,
) -> Columns:
    """The rows of the default's `times`, by the `algorithm` that it runs there."""
    n, m = times["n"], times["m"]
    part = predicted(network, _in_place(default, algorithm), n, m, UNJUDGED)
    is_open = np.zeros(n.size, dtype=bool)  # to a rival that foretells another time
    for other in forced:
        if other is not algorithm:
            seconds = predicted(network, other.operation, n, m, UNJUDGED)["seconds"]
            is_apart = (seconds < part["low"]) | (seconds > part["high"])
            is_open |= is_apart & _is_rival(network, default, other, n, m)
    low = np.where(is_open, np.fmin(part["low"], times["low"]), part["low"])
    part["low"] = np.fmax(low, part["lower_bound"])
    part["high"] = np.where(is_open, np.fmax(part["high"], times["high"]), part["high"])
    part["regime"] = np.full(n.size, f"{AS}{algorithm.operation.algorithm}, by {UNJUDGED}")
    seen = zip(times["extrapolates"], part["extrapolates"], strict=True)
    part["extrapolates"] = np.array([_either(*words) for words in seen])
    part["form"] = np.full(n.size, UNJUDGED)
    return part


def _either(*words: str) -> str:
    return " ".join(dict.fromkeys(word for text in words for word in text.split()))


def _is_rival(
    network: Network, default: Operation, other: Forced, n: np.ndarray, m: np.ndarray
) -> np.ndarray:
    """Whether the default may run another algorithm at each pair, by its times of that size."""
    assert default.measured is not None
    sizes = np.unique(default.measured.m)
    apart = np.abs(np.log(np.maximum(m, 1)[:, None] / np.maximum(sizes, 1)))
    nearest = sizes[apart.argmin(axis=1)].tolist()
    alike = {
        size: all(
            abs(ratio) <= DISTURBED for point, ratio in other.ratios.items() if point[1] == size
        )
        for size in sizes.tolist()
    }
    library, version = library_in(network)
    name = own_name(other.operation.algorithm)
    return np.array(
        [
            alike[size]
            and (library is None or library.runs(default.operation, name, count, version))
            for count, size in zip(n.tolist(), nearest, strict=True)
        ]
    )


def _supported(network: Network, default: Operation) -> list[Forced]:
    """What else was forced; none where measured times contradict the library's rules."""
    if not _is_usual(default):
        return []
    forced = [*_forced(network, default)]
    is_enough = sum(len(algorithm.compared) for algorithm in forced) >= FEWEST_POINTS
    return forced if is_enough and not any(map(_is_contradicted, forced)) else []


def _shown(network: Network, default: Operation) -> list[Forced]:
    """What the library's rules name at the default's own points."""
    measured = default.measured
    if measured is None or not _is_usual(default):
        return []
    ran = _choices(network, default, measured.n, measured.m)
    return [Forced(part, {}, []) for part in by_algorithm(default, ran)]


def _is_usual(default: Operation) -> bool:
    return default.is_default and default.processes_per_node == 1 and not default.timeouts


def _is_contradicted(algorithm: Forced) -> bool:
    """Test all points at which the rules name it, and those of each size."""
    sizes = {m for _, m in algorithm.compared}
    groups = [algorithm.compared, *([at for at in algorithm.compared if at[1] == m] for m in sizes)]
    return any(_is_apart([algorithm.ratios[point] for point in points]) for points in groups)


def _is_apart(ratios: Sequence[float]) -> bool:
    apart = np.abs(ratios)
    is_several = apart.size >= FEWEST_POINTS
    return bool((apart > DISTURBED).any() or (is_several and np.median(apart) > NOISE))


def _forced(network: Network, default: Operation) -> Iterator[Forced]:
    """What else was measured and fitted of the same operation and placement."""
    measured = default.measured
    if measured is None:
        return
    ran, ours = _choices(network, default, measured.n, measured.m), measured.by_point()
    for operation in network.operations:
        if (
            operation.is_beside(default)
            and operation.measured
            and not operation.timeouts
            and UNJUDGED in operation.forms
        ):
            theirs = operation.measured.by_point()
            ratios = {point: ours[point] / theirs[point] for point in ours.keys() & theirs.keys()}
            gains = (
                operation.gains.by_point() if operation.gains else {}
            )  # by launches that had both
            ratios_of = {point: float(np.log(gains.get(point, ratios[point]))) for point in ratios}
            points = zip(measured.n, measured.m, ran, strict=True)
            named = [(n, m) for n, m, name in points if name == operation.algorithm_alone]
            yield Forced(operation, ratios_of, named)


def _choices(network: Network, operation: Operation, n: ArrayLike, m: ArrayLike) -> np.ndarray:
    """Settings that the library runs by itself, (k,); "" where that is not known."""
    library, version = library_in(network)
    pairs = list(zip(np.asarray(n, int).tolist(), np.asarray(m, int).tolist(), strict=True))
    if library is None:
        return np.full(len(pairs), "")
    chosen = [library.default(operation.operation, *pair, version, ppn=1) for pair in pairs]
    return np.array([_setting(library, default) for default in chosen])


def _setting(library: Library, default: Default) -> str:
    """What is forced to make the library run it; "" where it is not known."""
    if default.algorithm is None:
        return ""
    return setting_of(f"{library.name}{OF_LIBRARY}{default.algorithm.name}", default.departing)


def _in_place(default: Operation, algorithm: Forced) -> Operation:
    """An algorithm with the points of the default where that runs it; no bound that either beat."""
    of_default, measured = default.measured, algorithm.operation.measured
    assert of_default is not None and measured is not None
    rows = np.array(
        [point in algorithm.named for point in zip(of_default.n, of_default.m, strict=True)]
    )
    points = MeasuredPoints.of(
        {name: values[rows] for name, values in of_default.columns().items()}
    )
    beaten = BeatenBound() if default.beaten_bound or algorithm.operation.beaten_bound else None
    return algorithm.operation.model_copy(
        update={"measured": points.over(measured), "beaten_bound": beaten}
    )
