"""Rules for one placement of processes, and the lines that tell the reader of a file what it is."""

from collections.abc import Iterable

from contend.choose.rules import Rule, without_shadowed
from contend.choose.untold import default_of_rule
from contend.errors import InvalidInputError
from contend.exports.format import Request
from contend.exports.operands import HEAD
from contend.libraries import version_text

LEFT = "Nothing departs from the default: the library is left to itself."


def wanted(request: Request) -> list[Rule]:
    """The rules for the processes per node that a request names, and for any; else all.

    Raises
    ------
    InvalidInputError
        Where nothing was decided for the number that is named.
    """
    rules, named = request.decisions.rules, request.processes_per_node
    known = {rule.processes_per_node for rule in rules} - {None}
    if named is not None and known and named not in known:
        raise InvalidInputError(
            f"nothing was decided on for {named} processes per node", f"choose from {listed(known)}"
        )
    return [rule for rule in rules if named is None or rule.processes_per_node in (None, named)]


def placed(request: Request) -> tuple[list[Rule], list[str]]:
    """The wanted rules, which are for one number of processes per node at most, and a note of it.

    Those for any hold where there is none for that number.

    Raises
    ------
    InvalidInputError
        Where they are for several.
    """
    rules = wanted(request)
    known = {rule.processes_per_node for rule in rules} - {None}
    if len(known) > 1:
        raise InvalidInputError(
            f"decisions for {listed(known)} processes per node, of which the file can hold one",
            "choose one with --ppn",
        )
    return without_shadowed(rules), [
        f"measured with {processes(only)} per node; the file holds for any placement of them"
        for only in known
    ]


def listed(counts: set[int | None]) -> str:
    """Numbers of processes in ascending order."""
    return ", ".join(map(str, sorted(one for one in counts if one is not None)))


def processes(count: int | None) -> str:
    """So many processes, in words."""
    return "one process" if count == 1 else f"{count} processes"


def told_lines(
    title: str,
    request: Request,
    loading: Iterable[str],
    notes: Iterable[str],
    written: Iterable[Rule] | None = None,
) -> list[str]:
    """Title and version, network, how it is loaded, what departs from the default, and notes.

    `written` are the rules of the file, where these are not all that was decided.
    """
    decisions = request.decisions
    measured = " ".join(filter(None, (decisions.library, decisions.library_version)))
    rules = decisions.rules if written is None else written
    is_left = all(rule.is_default for rule in decisions.rules)
    return [
        f"Rules for {title} {version_text(request.version)}, by contend {_line(decisions.contend)}",
        f"Network: {_line(decisions.network)}; decided on {_line(decisions.date)}"
        + (f"; measured with {_line(measured)}" if measured else ""),
        *[HEAD] * request.commutes,
        *[LEFT] * is_left,
        *loading,
        *(f"  {_rule(rule, request)}" for rule in rules if not rule.is_default),
        *(f"Note: {_line(note)}" for note in notes),
    ]


def _rule(rule: Rule, request: Request) -> str:
    n = f"{rule.n} processes and more" if rule.n_to is None else _range(rule.n, rule.n_to - 1)
    m = f"{rule.m} bytes and more" if rule.m_to is None else f"{rule.m} to {rule.m_to - 1} bytes"
    options = "".join(f" {_line(name)}={value}" for name, value in rule.options.items())
    gain = "" if rule.gain is None else f", {rule.gain:.3g} times as fast (points: {rule.points})"
    by_itself = default_of_rule(rule, request.decisions, request.version)
    instead = f"; by itself: {by_itself}" if by_itself else ""
    return _line(f"{rule.operation}, {n}, {m}: {rule.algorithm}{options}{gain}{instead}")


def _range(first: int, last: int) -> str:
    return f"{first} processes" if first == last else f"{first} to {last} processes"


def _line(text: str) -> str:
    """The text in one line, so that nothing of it gets out of a comment."""
    return " ".join(text.split())
