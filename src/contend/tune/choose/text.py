"""Times of algorithms of the catalogue, in words and columns."""

from collections.abc import Iterable, Mapping
from math import exp, isnan
from typing import Any, get_args

from contend.base.result import Cell
from contend.base.statistics.student import NORMAL_90
from contend.base.units import format_bytes, format_seconds
from contend.schedules import Algorithm, Call
from contend.schedules.algorithm import Claim
from contend.schedules.fitting.record import Parameters
from contend.schedules.option_text import option_text
from contend.schedules.timing.predict import Timing
from contend.tune.choose.validation import Validated

_OF_ENGINE = {
    "shared": "shared ports",
    "fitted": "fitted sharing",
    "levels": "links between groups",
}
_BOUNDS = "intervals: the bounds of the pLogP parameters, not errors of the model"
WAYS = {
    "single": "without contention",
    "shared": "messages of a rank share its port",
    "fitted": "messages share ports by the fitted sharing model",
    "levels": "messages between groups share the links there",
}


def interval_note(
    timing: Timing, ports: str, calls: Iterable[tuple[int, int]], claims: Iterable[str]
) -> str:
    """What times of calls (n, m) are made from, and what their intervals are."""
    if not isinstance(timing, Validated):
        return f"{WAYS[ports]}; {_BOUNDS}"
    way, asked = timing.way.name, list(calls)
    basis = WAYS[way]
    if not timing.is_validated:
        here = timing.where or " with one process per node; --ppn asks for those with several"
        return f"{basis}; {_BOUNDS}: too few algorithms of {timing.operation} were measured{here}"
    if timing.way.is_corrected:
        basis += ", times the factor by which the others of a call took longer"
    if way in _OF_ENGINE and {*claims} - {"corrected", _OF_ENGINE[way]}:
        basis += "; calls of very many messages without contention"
    reach = max((timing.doubt(*call) or 0.0) * NORMAL_90 for call in asked)
    sentence = (
        f"{basis}: by these, nine of ten of {timing.points} measured times of other algorithms of "
        f"{timing.operation} are within {exp(reach) - 1:.0%}, which is in the intervals"
    )
    beyond = sorted({name for call in asked for name in timing.beyond(*call)})
    seen = {"n": timing.counts, "m": [format_bytes(size) for size in timing.sizes]}
    return "; ".join(
        [
            sentence,
            *(f"measured were {name} = {seen[name][0]} to {seen[name][-1]}" for name in beyond),
        ]
    )


def described(timing: Timing) -> dict[str, object] | None:
    """Describe the timing chosen by measurements: its kind, and how many times support it."""
    if not isinstance(timing, Validated):
        return None
    is_known = timing.is_validated
    return {
        "ports": timing.way.name,
        "is_corrected": timing.way.is_corrected,
        "points": timing.points if is_known else 0,
        "n": list(timing.counts) if is_known else [],
        "m": list(timing.sizes) if is_known else [],
    }


def title(
    algorithm: Algorithm,
    parameters: Parameters,
    given: Mapping[str, int],
    groups: str | None,
    note: str,
) -> str:
    """What a table of predictions is of; `note` is of its intervals."""
    used = {name: given.get(name, getattr(Call, name)) for name in algorithm.options}
    words = [f"{name} {option_text(name, value)}" for name, value in used.items()]
    defaults = [name for name in used if name not in given]
    if defaults:
        words.append(f"{' and '.join(defaults)} by default: 'contend choose' finds the best")
    words += [f"groups {groups}"] * bool(groups)
    subject = f"{algorithm.collective}/{algorithm.name} by its schedule"
    whose = f"parameters of {parameters.title(algorithm)}"
    return "; ".join([", ".join([subject, *words]), whose, note])


def interval_text(row: Mapping[str, Any]) -> str:
    if isnan(row["low"]):
        return "unknown"
    return f"{format_seconds(row['low'])} .. {format_seconds(row['high'])}"


def _form(row: Mapping[str, Any]) -> str:
    if row["claim"] in get_args(Claim):
        return str(row["claim"])
    return f"{row['claim']}; closed form {format_seconds(row['closed_form'])}"


COLUMNS: dict[str, Cell] = {
    "n": "n",
    "m": ("m", format_bytes),
    "time": ("seconds", format_seconds),
    "interval": interval_text,
    "form": _form,
    "remarks": lambda row: f"extrapolates: {row['extrapolates']}" if row["extrapolates"] else "",
}
