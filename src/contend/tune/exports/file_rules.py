"""Which of the decided rules a file holds, and the lines that tell its reader what it is.

With some algorithms valid programs compute wrong numbers. Those that reorder operands are wrong for
operations that do not commute. They are left to the library unless the user says that all reduction
operations commute; that stands in the head of the file, where whoever reads it, and lint, finds it.
Those that fail other calls are always left to it.
"""

import re
from collections.abc import Iterable, Iterator, Sequence

from contend.base.errors import InvalidInputError
from contend.schedules.libraries import Library, Version, version_text
from contend.tune.choose.rules import DEFAULT, OPERANDS, Rule, default_of_rule, without_shadowed
from contend.tune.exports.finding import Faults, Finding
from contend.tune.exports.format import Request

_FAULT = Faults(__file__)
OPTION = "--all-commute"
PROMISE = "all operations are said to commute"  # in a comment, for lint
HEAD = f"Of the programs {PROMISE} ({OPTION}); others would compute wrong numbers."
# A comment that begins with it: a line of its own, or one behind what holds no quotation mark.
_PROMISED = re.compile(
    rf"^(?:[^\"'`\n]*[ \t]|)#+[ \t]*(?:Of the programs )?{PROMISE}\b"
    rf"|^[ \t]*--[ \t]*(?:Of the programs )?{PROMISE}\b",
    re.MULTILINE | re.IGNORECASE,
)
CODES = ("operands", "wrong-calls", "not-served")  # of findings about rules that are wrong in some
# Operations whose calls have another one inside, by which operands are reordered as well.
INSIDE = {
    ("openmpi", "reduce"): "MPI_Reduce_scatter, MPI_Reduce_scatter_block and the all-reduce "
    "'nonoverlapping', which reduce by it inside, are wrong too"
}


def always_right(
    rules: Sequence[Rule], request: Request, library: Library
) -> tuple[list[Rule], list[str]]:
    """The rules, "default" in the place of those that are wrong in some programs, and notes."""
    notes = [excluded.words for excluded in request.decisions.left_out]
    wrong: dict[tuple[str, str], list[Rule]] = {}
    for rule in rules:
        if where := _wrong_where(rule, request, library):
            wrong.setdefault((rule.operation, where), []).append(rule)
    for (operation, where), group in wrong.items():
        names = ", ".join(dict.fromkeys(rule.algorithm for rule in group))
        unless = f"; if all of the programs commute: {OPTION}" if where == OPERANDS else ""
        notes.append(
            f"{operation}: {names} left to the library, since calls {where} would be wrong{unless}"
        )
    wrong_rules = [rule for group in wrong.values() for rule in group]
    return [as_default(rule) if rule in wrong_rules else rule for rule in rules], notes


def kept_wrong(findings: Iterable[Finding], commutes: bool) -> tuple[str, ...]:
    """A note of rules of a merged file that stood in the old one; none of what is written is so."""
    codes = CODES[1:] if commutes else CODES
    kept = [finding for finding in findings if finding.code in codes and finding.level != "note"]
    if not kept:
        return ()
    lines = ", ".join(str(line) for line in dict.fromkeys(finding.line for finding in kept))
    return (
        f"rules kept from the file that was there give some valid programs wrong numbers (line "
        f"{lines} of the file): 'contend tune lint' says which, and what to take instead",
    )


def _wrong_where(rule: Rule, request: Request, library: Library) -> str:
    call = rule.operation, rule.algorithm, request.version
    if library.reorders_operands(*call) and not request.commutes:
        return OPERANDS
    return library.wrong_where(*call)


def as_default(rule: Rule) -> Rule:
    """Return the rule that leaves its calls to the library."""
    return rule.model_copy(update={"algorithm": DEFAULT, "options": {}, "gain": None})


def wrong_in_some(
    library: Library, operation: str, algorithm: str, version: Version, text: str, line: int | None
) -> Iterator[Finding]:
    """Findings on a rule of a file whose text may say that all operations commute."""
    reorders = library.reorders_operands(operation, algorithm, version)
    where = library.wrong_where(operation, algorithm, version)
    if not (reorders or where):
        return
    others = ", ".join(library.always_right(operation, version))
    given = {"of": operation, "name": algorithm, "others": others, "promise": PROMISE}
    if reorders:
        inside = INSIDE.get((library.name, operation), "")
        code = "operands:promised" if _PROMISED.search(text) else "operands"
        yield _FAULT(code, line, inside=f"; {inside}" if inside else "", **given)
    if where:
        yield _FAULT("wrong-calls", line, where=where, **given)


LEFT = "Nothing departs from the default: the library is left to itself."


def wanted(request: Request) -> list[Rule]:
    """The rules for the processes per node that a request names, and for any; else all."""
    rules, named = request.decisions.rules, request.processes_per_node
    placements = {rule.processes_per_node for rule in rules} - {None}
    if named is not None and placements and named not in placements:
        raise InvalidInputError(
            f"nothing was decided on for {named} processes per node",
            f"choose from {listed(placements)}",
        )
    return [rule for rule in rules if named is None or rule.processes_per_node in (None, named)]


def placed(request: Request) -> tuple[list[Rule], list[str]]:
    """The wanted rules, which are for one number of processes per node at most, and a note of it.

    Those for any hold where there is none for that number.
    """
    rules = wanted(request)
    placements = {rule.processes_per_node for rule in rules} - {None}
    if len(placements) > 1:
        raise InvalidInputError(
            f"decisions for {listed(placements)} processes per node, of which the file can hold "
            "one",
            "choose one with --ppn",
        )
    return without_shadowed(rules), [
        f"measured with {processes(only)} per node; the file holds for any placement of them"
        for only in placements
    ]


def listed(counts: set[int | None]) -> str:
    return ", ".join(map(str, sorted(count for count in counts if count is not None)))


def processes(count: int | None) -> str:
    return "one process" if count == 1 else f"{count} processes"


def head_lines(
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
        *(
            f"  {_rule(rule, default_of_rule(rule, decisions, request.version))}"
            for rule in rules
            if not rule.is_default
        ),
        *(f"Note: {_line(note)}" for note in notes),
    ]


def _rule(rule: Rule, by_itself: str) -> str:
    n = f"{rule.n} processes and more" if rule.n_to is None else _range(rule.n, rule.n_to - 1)
    m = f"{rule.m} bytes and more" if rule.m_to is None else f"{rule.m} to {rule.m_to - 1} bytes"
    options = "".join(f" {_line(name)}={value}" for name, value in rule.options.items())
    gain = "" if rule.gain is None else f", {rule.gain:.3g} times as fast (points: {rule.points})"
    instead = f"; by itself: {by_itself}" if by_itself else ""
    return _line(f"{rule.operation}, {n}, {m}: {rule.algorithm}{options}{gain}{instead}")


def _range(first: int, last: int) -> str:
    return f"{first} processes" if first == last else f"{first} to {last} processes"


def _line(text: str) -> str:
    """The text in one line, so that nothing of it gets out of a comment."""
    return " ".join(text.split())
