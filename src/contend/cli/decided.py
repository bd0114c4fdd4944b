"""Decisions for people: rules as a table, and what is decided of one call."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from contend.cli import output

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from contend.choose.rules import Decisions, Rule
    from contend.network import Network


def show(found: "Decisions") -> None:
    """The rules, and the names that are one."""
    output.show_table(output.by_columns([_row(rule) for rule in found.rules]), _title(found))
    _note_left_out(found)
    departures = sum(not rule.is_default for rule in found.rules)
    output.note(
        f"{departures} of {len(found.rules)} rules depart from the default; a gain is the time of "
        "the default over that of the algorithm, with an interval of 90 %"
    )


def note_of_conditions(network: "Network", operations: "Sequence[str]" = ()) -> None:
    """Of which conditions decisions are, where a default was measured under several."""
    from contend.choose.rivals import defaults

    for one in defaults(network):
        others = network.under_others(one)
        if others and (not operations or one.operation in operations):
            output.note(f"decided is by {one.title}, not by {', '.join(others)}")


def save(found: "Decisions", path: Path) -> None:
    """Write the file and say so."""
    found.save(path)
    output.note(f"decisions: {path}")


def of_call(
    network: "Network", operation: str, n: int, m: int, *, all_commute: bool
) -> "list[Decisions]":
    """What is decided of one call, a rule for each placement; none without measured defaults."""
    from contend.choose.decide import decide
    from contend.choose.rivals import defaults

    if operation not in {one.operation for one in defaults(network)}:
        return []
    return [decide(network, [operation], [n], [m], all_commute=all_commute)]


def default_rows(network: "Network", operation: str, n: int, m: int) -> "list[dict[str, float]]":
    """Time of the library's default and its interval, seconds, for each placement."""
    from contend.choose.rivals import defaults
    from contend.prediction.predict import predicted

    found = []
    for one in defaults(network):
        if one.operation == operation:
            rows = predicted(network, one, [n], [m])
            found.append({name: float(rows[name][0]) for name in ("seconds", "low", "high")})
    return found


def _note_left_out(found: "Decisions") -> None:
    for one in found.left_out:
        output.note(one.words)


def note_of_call(found: "Decisions") -> None:
    """Whether to leave the library to itself."""
    for rule in found.rules:
        placed = f", {rule.processes_per_node} per node" if rule.processes_per_node else ""
        what = "leave it" if rule.is_default else f"take {_setting(rule)}"
        output.note(f"the library's own choice{placed}: {what}; {rule.why}")
    _note_left_out(found)


def _row(rule: "Rule") -> "dict[str, str]":
    gain = (
        ""
        if rule.gain is None
        else f"{rule.gain:.2f} ({rule.gain_low:.2f} to {rule.gain_high:.2f})"
    )
    remarks = ["extrapolates"] * rule.extrapolates + [rule.why]
    return {
        "operation": rule.operation,
        "per node": str(rule.processes_per_node or ""),
        "n": _range(rule.n, rule.n_to, str),
        "m": _range(rule.m, rule.m_to, _bytes),
        "chosen": _setting(rule),
        "gain": gain,
        "points": str(rule.points),
        "remarks": "; ".join(remarks),
    }


def _bytes(value: int) -> str:
    from contend.units import format_bytes

    return format_bytes(value)


def _range(first: int, end: int | None, text: Callable[[int], str]) -> str:
    """Both ends; one number where there is no other between them."""
    if end is None:
        return f"from {text(first)}"
    return text(first) if end == first + 1 else f"{text(first)} to {text(end - 1)}"


def _setting(rule: "Rule") -> str:
    return " ".join([rule.algorithm, *(f"{name}={value}" for name, value in rule.options.items())])


def _title(found: "Decisions") -> str:
    library = " ".join(filter(None, (found.library, found.library_version)))
    return f"{found.network}: what to take of {library or 'the MPI library'}"


def with_default(
    rows: "Sequence[Mapping[str, object]]", defaults: "Sequence[dict[str, float]]", best: float
) -> "list[Mapping[str, object]]":
    """The rows of a ranking, and below them the library's default."""
    from contend.cli.scheduled import interval_text
    from contend.units import format_seconds

    more = [
        {
            "algorithm": "the library's default",
            "options": "",
            "time": format_seconds(one["seconds"]),
            "interval": interval_text(one["low"], one["high"]),
            "to the best": f"{one['seconds'] / best:.3g}",
            "form": "measured",
            "parameters of": "",
            "remarks": "",
        }
        for one in defaults
    ]
    return [*rows, *more]
