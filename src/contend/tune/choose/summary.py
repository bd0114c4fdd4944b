"""What is shown of decisions and of decision maps: rules, and the fastest over n and m."""

from collections.abc import Callable, Iterator, Sequence
from math import isnan

from contend.base.result import Cell, Part, Result, Table
from contend.base.units import format_bytes
from contend.models.network import Network
from contend.schedules.option_text import options_text
from contend.tune.choose.decisions import DecisionMap
from contend.tune.choose.rivals import defaults
from contend.tune.choose.rules import Decisions, Rule, default_of_rule
from contend.tune.choose.text import WAYS


def result_of(decisions: Decisions, network: Network, operations: Sequence[str]) -> Result:
    """Return the rules; show them, what is left out, and of which conditions they are."""

    def parts() -> Iterator[Part]:
        library = " ".join(filter(None, (decisions.library, decisions.library_version)))
        title = f"{decisions.network}: what to take of {library or 'the MPI library'}"
        yield Table(decisions.rules, RULES | _by_itself(decisions), title)
        yield from (excluded.words for excluded in decisions.left_out)
        departures = sum(not rule.is_default for rule in decisions.rules)
        yield (
            f"{departures} of {len(decisions.rules)} rules depart from the default; a gain is the "
            "time of the default over that of the algorithm, with an interval of 90 %"
        )
        yield from conditions(network, operations)

    return Result(decisions.to_json(), parts())


def _by_itself(decisions: Decisions) -> dict[str, Cell]:
    """A column of what the library runs by itself where a rule is for, if that is known."""
    names = {id(rule): default_of_rule(rule, decisions) for rule in decisions.rules}
    return {"by itself": lambda rule: names[id(rule)]} if any(names.values()) else {}


def conditions(network: Network, operations: Sequence[str] = ()) -> Iterator[str]:
    """Show of which conditions decisions are, where a default was measured under several."""
    for default in defaults(network):
        others = network.under_others(default)
        if others and (not operations or default.operation in operations):
            yield f"decided is by {default.title}, not by {', '.join(others)}"


def sentences(decisions: Decisions) -> Iterator[str]:
    """Show of the rules of one call whether to leave the library to itself."""
    for rule in decisions.rules:
        where = f", {rule.processes_per_node} per node" if rule.processes_per_node else ""
        advice = "leave it" if rule.is_default else f"take {_setting(rule)}"
        yield f"the library's own choice{where}: {advice}; {rule.why}"
    yield from (excluded.words for excluded in decisions.left_out)


def map_parts(decision_map: DecisionMap) -> Iterator[Part]:
    cells = {
        format_bytes(m): [
            f"{name}\n{options_text(chosen).replace('segment ', '')}".strip()
            for name, chosen in zip(
                decision_map.algorithm[:, i], decision_map.options[:, i], strict=True
            )
        ]
        for i, m in enumerate(decision_map.m)
    }
    lines = ([line for cell in column for line in cell.splitlines()] for column in cells.values())
    width = 10 + sum(max(map(len, column)) + 3 for column in lines)
    title = f"{decision_map.collective}: the fastest algorithm and its segment"
    yield Table({"n \\ m": decision_map.n} | cells, title=title, width=width)
    yield WAYS["single"]


def map_cells(decision_map: DecisionMap) -> list[dict[str, object]]:
    """Return the cells; nothing where there is no second, or no bounds to judge by."""
    return [
        {
            "collective": decision_map.collective,
            "n": int(n),
            "m": int(m),
            "algorithm": decision_map.algorithm[row, column],
            "options": decision_map.options[row, column],
            "seconds": float(decision_map.seconds[row, column]),
            "second": decision_map.second[row, column] or None,
            "second_ratio": float(decision_map.ratio[row, column]),
            "is_told_from_second": None if isnan(is_clear) else bool(is_clear),
        }
        for row, n in enumerate(decision_map.n)
        for column, m in enumerate(decision_map.m)
        for is_clear in [decision_map.is_significant[row, column]]
    ]


def _range(first: int, end: int | None, text: Callable[[int], str]) -> str:
    """Both ends; one number where there is no other between them."""
    if end is None:
        return f"from {text(first)}"
    return text(first) if end == first + 1 else f"{text(first)} to {text(end - 1)}"


def _setting(rule: Rule) -> str:
    return " ".join([rule.algorithm, *(f"{name}={value}" for name, value in rule.options.items())])


def _gain(rule: Rule) -> str:
    if rule.gain is None:
        return ""
    return f"{rule.gain:.2f} ({rule.gain_low:.2f} to {rule.gain_high:.2f})"


RULES: dict[str, Cell] = {
    "operation": "operation",
    "per node": lambda rule: rule.processes_per_node or "",
    "n": lambda rule: _range(rule.n, rule.n_to, str),
    "m": lambda rule: _range(rule.m, rule.m_to, format_bytes),
    "chosen": _setting,
    "gain": _gain,
    "points": "points",
    "remarks": lambda rule: "; ".join(["extrapolates"] * rule.extrapolates + [rule.why]),
}
