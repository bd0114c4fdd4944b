"""What commands share that predict the algorithms of the catalogue."""

from math import isnan
from pathlib import Path
from typing import TYPE_CHECKING, get_args

from contend.cli import output
from contend.cli.options import PortsAre
from contend.schedules.option_text import option_text

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from contend.document import Columns
    from contend.samples import Sample
    from contend.schedules import Algorithm
    from contend.schedules.fitting.record import Parameters
    from contend.schedules.groups import Grouping

_BOUNDS = "intervals: the bounds of the pLogP parameters, not errors of the model"
INTERVALS = {
    PortsAre.single: f"without contention; {_BOUNDS}",
    PortsAre.shared: f"messages of a rank share its port; {_BOUNDS}",
}


def call_options(
    segment: str | None, degree: int | None, window: int | None, leaders: int | None
) -> dict[str, int]:
    """The options of a call that were given."""
    from contend.units import parse_bytes

    size = None if segment is None else parse_bytes(segment)
    given = {"segment": size, "degree": degree, "window": window, "leaders": leaders}
    return {name: value for name, value in given.items() if value is not None}


def grouping_of(groups: str | None) -> "Grouping | None":
    """The groups that were named."""
    from contend.schedules.groups import given, parse_groups

    return given(parse_groups(groups)) if groups else None


def placed(algorithm: "Algorithm", groups: str | None) -> "Algorithm":
    """The algorithm on the groups that were named; an error if it does not look at them."""
    grouping = grouping_of(groups)
    return algorithm.grouped(grouping) if grouping else algorithm


def read_all(files: "Sequence[Path]") -> "list[Sample]":
    """Samples of all files, without the utilisation files beside them, which *.jsonl names too."""
    from contend.lab.utilisation import path_beside
    from contend.samples import read_samples

    beside = {path_beside(path) for path in files}
    return [one for path in files if path not in beside for one in read_samples(path)]


def note_late(samples: "Sequence[Sample]", include_flagged: bool) -> int:
    """How many samples are left out since the emulated network was late in them; says so."""
    from contend.samples import quality

    samples = quality.standing(samples)
    late = [] if include_flagged else [one.lab for one in samples if one.is_flagged and one.lab]
    if late:
        output.note(
            f"{len(late)} of {len(samples)} samples were left out: the emulated network could not "
            f"keep up ({late[0].limits_text}); --include-flagged uses them"
        )
    return len(late)


def title(
    algorithm: "Algorithm",
    known: "Parameters",
    given: dict[str, int],
    ports: PortsAre,
    groups: str | None = None,
) -> str:
    """What a table of predictions is of."""
    from contend.schedules import Call

    used = {name: given.get(name, getattr(Call, name)) for name in algorithm.options}
    words = [f"{name} {option_text(name, value)}" for name, value in used.items()]
    defaults = [name for name in used if name not in given]
    if defaults:
        words.append(f"{' and '.join(defaults)} by default: 'contend choose' finds the best")
    words += [f"groups {groups}"] * bool(groups)
    what = f"{algorithm.collective}/{algorithm.name} by its schedule"
    whose = f"parameters of {known.title(algorithm)}"
    return "; ".join([", ".join([what, *words]), whose, INTERVALS[ports]])


def interval_text(low: float, high: float) -> str:
    """Both ends, or that they are unknown."""
    from contend.units import format_seconds

    if isnan(low):
        return "unknown"
    return f"{format_seconds(low)} .. {format_seconds(high)}"


def predictions(rows: "Columns") -> "dict[str, list[Any]]":
    """Predictions as text."""
    from contend.schedules.algorithm import Claim
    from contend.units import format_bytes, format_seconds

    of_closed_form = get_args(Claim)
    return {
        "n": rows["n"].tolist(),
        "m": [format_bytes(m) for m in rows["m"]],
        "time": [format_seconds(value) for value in rows["seconds"]],
        "interval": [
            interval_text(low, high) for low, high in zip(rows["low"], rows["high"], strict=True)
        ],
        "form": [
            claim + ("" if claim in of_closed_form else f"; closed form {format_seconds(closed)}")
            for claim, closed in zip(rows["claim"], rows["closed_form"], strict=True)
        ],
        "remarks": [f"extrapolates: {what}" if what else "" for what in rows["extrapolates"]],
    }
