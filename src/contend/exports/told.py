"""What a file of rules is, in lines for the user who finds it: of which network, and each rule."""

from collections.abc import Iterable

from contend.choose.rules import Rule
from contend.exports.format import Request
from contend.exports.operands import HEAD
from contend.libraries import version_text


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
    return [
        f"Rules for {title} {version_text(request.version)}, by contend {_line(decisions.contend)}",
        f"Network: {_line(decisions.network)}; decided on {_line(decisions.date)}"
        + (f"; measured with {_line(measured)}" if measured else ""),
        *[HEAD] * request.commutes,
        *loading,
        *(f"  {_rule(rule)}" for rule in rules if not rule.is_default),
        *(f"Note: {_line(note)}" for note in notes),
    ]


def _rule(rule: Rule) -> str:
    n = f"{rule.n} processes and more" if rule.n_to is None else _range(rule.n, rule.n_to - 1)
    m = f"{rule.m} bytes and more" if rule.m_to is None else f"{rule.m} to {rule.m_to - 1} bytes"
    options = "".join(f" {_line(name)}={value}" for name, value in rule.options.items())
    gain = "" if rule.gain is None else f", {rule.gain:.3g} times as fast (points: {rule.points})"
    return _line(f"{rule.operation}, {n}, {m}: {rule.algorithm}{options}{gain}")


def _range(first: int, last: int) -> str:
    return f"{first} processes" if first == last else f"{first} to {last} processes"


def _line(text: str) -> str:
    """The text in one line, so that nothing of it gets out of a comment."""
    return " ".join(text.split())
