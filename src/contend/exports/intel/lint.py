"""What is wrong with variables of Intel MPI: what is ignored, and what is taken without a word."""

from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from itertools import combinations

from contend.exports.bands import Unit
from contend.exports.finding import Finding
from contend.exports.intel.conditions import MOST, Clause, Condition, clauses
from contend.exports.operands import wrong_in_some
from contend.exports.settings import Setting, settings_of
from contend.exports.settings.findings import checked, form_findings
from contend.libraries import Library, Version

PREFIX = "I_MPI_ADJUST_"
# How sizes are counted, Developer Reference, "message collective functions": bytes of a block of a
# rank, or of all that a rank receives; of others no size is told apart.
UNITS: Mapping[str, Unit] = {
    "bcast": "m", "reduce": "m", "allreduce": "m", "alltoall": "m", "allgather": "m",
    "gather": "m", "scatter": "m", "scan": "m", "exscan": "m", "allgatherv": "total",
    "reduce_scatter": "total",
}  # fmt: skip
NONBLOCKING = "I_MPI_ADJUST_I"
# Ends of names of variables that choose parts of algorithms, in libmpi.so of 2021.18.
PARTS = ("_LIST", "ALLTOALLW", "_COMPOSITION", "_NETWORK", "_NODE", "_RADIX", "_SEGSIZE",
         "_THROTTLE", "_TYPE", "_NBUFFERS", "_THRESHOLD", "_OFFLOAD", "_SIZE", "_NLEAD",
         "_MREDUCE", "_NRAIL", "_PIPELINE", "_FALLBACK", "_NB_ALLGATHER", "_NB_ALLTOALL",
         "_ARCH")  # fmt: skip


def linted(text: str, library: Library, version: Version) -> list[Finding]:
    """What is wrong with a text, in the order of its lines."""
    settings = settings_of(text, lambda name: name.startswith(PREFIX))
    known = {f"{PREFIX}{name.upper()}" for name in library.operations(version)}
    findings = [*form_findings(settings, ";")]
    for one in checked(settings):
        findings += _variable(one, known, library, version, text)
    return sorted(findings, key=lambda finding: finding.line or 0)


def _variable(
    one: Setting, known: set[str], library: Library, version: Version, text: str
) -> Iterator[Finding]:
    if one.name not in known:
        if one.name.startswith(NONBLOCKING) or one.name.endswith(PARTS):
            return  # they exist, and are not what is decided on
        near = get_close_matches(one.name, sorted(known), 1)
        yield Finding(
            "error", "variable", f"{one.name} is no variable of Intel MPI, which ignores it",
            f"write {near[0]}" if near else "remove it", one.line,
        )  # fmt: skip
        return
    operation = one.name.removeprefix(PREFIX).lower()
    most = max(found.number or 0 for found in library.algorithms(operation, version))
    held = list(clauses(one.value))
    if any(not clause.is_preset or clause.unread for clause in held):
        unread = [text for clause in held for text in clause.unread]
        yield Finding(
            "error", "syntax",
            f"{unread[0]!r:.60} cannot be read, and Intel MPI ignores all of {one.name}",
            "write preset:size-size@processes-processes, with ';' between presets", one.line,
        )  # fmt: skip
        return
    names = {each.number: each.name for each in library.algorithms(operation, version)}
    for clause in held:
        yield from _clause(clause, operation, most, one)
        name = names.get(clause.preset, "")
        yield from wrong_in_some(library, operation, name, version, text, one.line)
    yield from _together(held, operation, one)


def _clause(clause: Clause, operation: str, most: int, one: Setting) -> Iterator[Finding]:
    if clause.preset > most:
        yield Finding(
            "error", "preset",
            f"preset {clause.preset} of {operation}, where there are 0 to {most}: it is taken "
            "without a word, and what runs is not known",
            f"impi_info -v {one.name} says the range of the library at hand", one.line,
        )  # fmt: skip
    for condition in clause.conditions:
        if condition.size > condition.size_last or condition.n > condition.n_last:
            yield Finding(
                "error", "range", f"{condition.text!r} ends before it begins: it holds for nothing",
                "write the smaller number first", one.line,
            )  # fmt: skip
        if max(condition.size_last, condition.n_last) > MOST:
            yield Finding(
                "warning", "number", f"{condition.text!r} goes beyond {MOST}, which no int holds",
                f"end it with {MOST}", one.line,
            )  # fmt: skip
        sized = condition.size > 0 or condition.size_last < MOST
        if sized and UNITS.get(operation, "none") == "none":
            yield Finding(
                "warning", "size", f"Intel MPI has no size of {operation} to compare with",
                f"write 0-{MOST} in the place of {condition.text.partition('@')[0]}", one.line,
            )  # fmt: skip


def _together(held: list[Clause], operation: str, one: Setting) -> Iterator[Finding]:
    """Conditions that are for the same calls, and sizes between those of one range of processes."""
    all_of = [(clause.preset, each) for clause in held for each in clause.conditions]
    for (first, left), (second, right) in combinations(all_of[:200], 2):
        if left.meets(right) and first != second:
            yield Finding(
                "warning", "overlap",
                f"{first}:{left.text} and {second}:{right.text} hold for the same calls, and which "
                "of them is taken is not documented",
                "let one end before the other begins", one.line,
            )  # fmt: skip
    for least, most, processes in _gaps([each for _, each in all_of]):
        yield Finding(
            "note", "gap",
            f"{operation} of {least} to {most} bytes on {processes} processes is left to the "
            "library",
            "nothing is to be done if that is meant", one.line,
        )  # fmt: skip


def _gaps(conditions: list[Condition]) -> Iterator[tuple[int, int, str]]:
    ranges: dict[tuple[int, int], list[Condition]] = {}
    for each in conditions:
        ranges.setdefault((each.n, each.n_last), []).append(each)
    for (n, n_last), those in ranges.items():
        sizes = sorted((one.size, one.size_last) for one in those)
        reached = sizes[0][1]
        for size, size_last in sizes[1:]:
            if size > reached + 1:
                yield reached + 1, size - 1, f"{n} to {n_last}"
            reached = max(reached, size_last)
