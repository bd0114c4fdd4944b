"""What changed between two networks: their parameters, and the times that they predict.

Idea: a parameter has bounds over launches, a predicted time the interval of its prediction. Both
tell how far another file of the same network may be off. What is in one file only, or has no
bounds, is reported and not judged.
Restrictions: intervals of predictions hold what the form is off by, which two files of one network
have in common: only larger changes are sure by them than by the parameters or by samples.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import sqrt

import numpy as np
import pandas as pd

from contend.base.errors import ContendError, InvalidInputError
from contend.base.statistics.launches import t_factor
from contend.base.statistics.student import NORMAL_90
from contend.base.units import format_bytes
from contend.models.changes.parameters import Bounded, Name, Parameter, parameters_of
from contend.models.changes.ratios import ratios_of_bounds
from contend.models.changes.samples import differences, with_verdicts
from contend.models.network import Network, Operation
from contend.models.prediction.predict import predict

MOST_COUNTS, MOST_SIZES = 4, 6  # of predictions, over the range that both files know
_MANY = 1000  # degrees of freedom


@dataclass(frozen=True)
class NetworkChanges:
    """Rows of what both networks have, and what cannot be compared, in words.

    `rows` has the columns part, name, unit, old, old_low, old_high, new, new_low, new_high, ratio,
    low, high, chance_of_change, chance_of_worse, changed and is_worse (both significant, by more
    than the limit), that which matters most first.
    """

    rows: pd.DataFrame
    not_compared: tuple[str, ...]
    conditions: tuple[str, ...]


def network_changes(old: Network, new: Network, limit: float = 0.0) -> NetworkChanges:
    """What changed from one network to another; `limit` is what may be worse.

    Raises InvalidInputError where they have nothing in common.
    """
    sides = parameters_of(old), parameters_of(new)
    rows, not_compared = list[dict[str, object]](), _only_in_one(*sides)
    for name in sides[0]:
        if name in sides[1]:
            rows += _compared(name, sides[0][name], sides[1][name], not_compared)
    others = {operation.title: operation for operation in new.operations}
    for operation in old.operations:
        if (other := others.pop(operation.title, None)) is None:
            not_compared.append(f"{operation.title} is in the old file alone")
            continue
        try:
            rows += _predicted((old, operation), (new, other))
        except ContendError as problem:
            not_compared.append(f"predictions of {operation.title}: {problem.message}")
    not_compared += [f"{title} is in the new file alone" for title in others]
    if not rows:
        raise InvalidInputError(
            f"{old.name} and {new.name} have nothing in common", "; ".join(not_compared[:3])
        )
    changes = ratios_of_bounds(pd.DataFrame(rows), limit).drop(
        columns=["factor", "freedom", "worse"]
    )
    return NetworkChanges(with_verdicts(changes), tuple(not_compared), _conditions(old, new))


def _compared(
    name: Name, old: Parameter, new: Parameter, not_compared: list[str]
) -> Iterator[dict[str, object]]:
    if min(old.bounded.value, new.bounded.value) > 0:
        launches = min(old.launches, new.launches)
        yield {
            "part": name.part, "name": name.text, "unit": old.unit,
            **_sides(old.bounded, new.bounded),
            "factor": t_factor(launches - 1), "freedom": launches - 1, "worse": old.worse,
        }  # fmt: skip
    elif old.bounded.value != new.bounded.value:
        not_compared.append(
            f"{name.text} of {name.part}: {old.bounded.value:g} {old.unit} -> "
            f"{new.bounded.value:g} {new.unit}, of which there is no ratio"
        )


def _sides(old: Bounded, new: Bounded) -> dict[str, float]:
    return {
        f"{side}{end}": value
        for side, bounded in (("old", old), ("new", new))
        for end, value in zip(("", "_low", "_high"), bounded, strict=True)
    }


def _predicted(
    old: tuple[Network, Operation], new: tuple[Network, Operation]
) -> list[dict[str, object]]:
    counts, sizes = (
        _common([_known(operation)[axis] for _, operation in (old, new)], most)
        for axis, most in enumerate((MOST_COUNTS, MOST_SIZES))
    )
    title = old[1].title
    if not counts or not sizes:
        kind = "numbers of processes" if not counts else "sizes"
        raise InvalidInputError(f"no {kind} in the range of both", "fit to the same range")
    n, m = (axis.ravel() for axis in np.meshgrid(counts, sizes, indexing="ij"))
    tables = [predict(*side, n, m) for side in (old, new)]
    return [
        {
            "part": f"predicted {title}",
            "name": f"n={before.n} {format_bytes(before.m)}",
            "unit": "s",
            **_sides(*(Bounded(row.seconds, row.low, row.high) for row in (before, after))),
            "factor": NORMAL_90,
            "freedom": _MANY,
            "worse": 1,
        }
        for before, after in zip(*(table.itertuples() for table in tables), strict=True)
    ]


def _known(operation: Operation) -> tuple[list[int], list[int]]:
    """Numbers of processes and sizes at which an operation was fitted or measured."""
    n, m = (set(values) for values in operation.fitted_at)
    if operation.measured is not None:
        n |= set(operation.measured.n)
        m |= set(operation.measured.m)
    return sorted(n), sorted(size for size in m if size > 0) or sorted(m)  # a barrier has none


def _common(sides: Sequence[Sequence[int]], most: int) -> list[int]:
    """Values from end to end of the range that both have, those that both know where they can."""
    if not all(sides):
        return []
    low, high = max(values[0] for values in sides), min(values[-1] for values in sides)
    if low > high:
        return []
    shared = set(sides[0]) & set(sides[1])
    both = sorted({low, high} | {value for value in shared if low <= value <= high})
    if len(both) == 2 and high > 2 * low:
        both.insert(1, round(sqrt(low * high)))
    places = np.unique(np.linspace(0, len(both) - 1, min(most, len(both))).round().astype(int))
    return [both[place] for place in places]


def _only_in_one(old: dict[Name, Parameter], new: dict[Name, Parameter]) -> list[str]:
    notes = []
    for side, other, which in ((old, new, "old"), (new, old, "new")):
        parts: dict[str, list[Name]] = {}
        for name in side:
            if name not in other:
                parts.setdefault(name.part, []).append(name)
        for part, names in parts.items():
            shown = ", ".join(name.text for name in names[:4])
            more = f" and {len(names) - 4} more" if len(names) > 4 else ""
            notes.append(f"{part}: {shown}{more} in the {which} file alone")
    return notes


def _conditions(old: Network, new: Network) -> tuple[str, ...]:
    names = {"MPI library": "mpi_libraries", "emulated network": "labs"}
    sides = {
        condition: [
            {text for origin in network.all_origins for text in getattr(origin, name)}
            for network in (old, new)
        ]
        for condition, name in names.items()
    }
    return tuple(differences(sides))
