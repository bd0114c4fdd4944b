"""Decisions for people: rules as a table, and what is decided of one call."""

from collections.abc import Callable, Iterator, Sequence

from contend.base.units import format_bytes
from contend.cli.result import Cell, Part, Result, Table
from contend.models.network import Network
from contend.models.prediction.predict import predicted
from contend.tune.choose.decide import decide
from contend.tune.choose.rivals import defaults
from contend.tune.choose.rules import Decisions, Rule, default_of_rule


def decided(found: Decisions, network: Network, operations: Sequence[str]) -> Result:
    """Return the rules; show them, what is left out, and of which conditions they are."""

    def parts() -> Iterator[Part]:
        library = " ".join(filter(None, (found.library, found.library_version)))
        title = f"{found.network}: what to take of {library or 'the MPI library'}"
        yield Table(found.rules, RULES | _by_itself(found), title)
        yield from (one.words for one in found.left_out)
        departures = sum(not rule.is_default for rule in found.rules)
        yield (
            f"{departures} of {len(found.rules)} rules depart from the default; a gain is the time "
            "of the default over that of the algorithm, with an interval of 90 %"
        )
        yield from of_conditions(network, operations)

    return Result(found.to_json(), parts())


def _by_itself(found: Decisions) -> dict[str, Cell]:
    """A column of what the library runs by itself where a rule is for, if that is known."""
    names = {id(rule): default_of_rule(rule, found) for rule in found.rules}
    return {"by itself": lambda rule: names[id(rule)]} if any(names.values()) else {}


def of_conditions(network: Network, operations: Sequence[str] = ()) -> Iterator[str]:
    """Show of which conditions decisions are, where a default was measured under several."""
    for one in defaults(network):
        others = network.under_others(one)
        if others and (not operations or one.operation in operations):
            yield f"decided is by {one.title}, not by {', '.join(others)}"


def of_call(
    network: Network, operation: str, n: int, m: int, *, all_commute: bool
) -> list[Decisions]:
    """What is decided of one call, a rule for each placement; none without measured defaults."""
    if operation not in {one.operation for one in defaults(network)}:
        return []
    return [decide(network, [operation], [n], [m], all_commute=all_commute)]


def default_rows(network: Network, operation: str, n: int, m: int) -> list[dict[str, float]]:
    """Time of the library's default and its interval, seconds, for each placement."""
    found = []
    for one in defaults(network):
        if one.operation == operation:
            rows = predicted(network, one, [n], [m])
            found.append({name: float(rows[name][0]) for name in ("seconds", "low", "high")})
    return found


def call_parts(found: Decisions) -> Iterator[str]:
    """Show whether to leave the library to itself."""
    for rule in found.rules:
        placed = f", {rule.processes_per_node} per node" if rule.processes_per_node else ""
        what = "leave it" if rule.is_default else f"take {_setting(rule)}"
        yield f"the library's own choice{placed}: {what}; {rule.why}"
    yield from (one.words for one in found.left_out)


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
