"""What is wrong with variables of Intel MPI: what is ignored, and what is taken without a word."""

from collections.abc import Iterator, Mapping
from itertools import combinations

from contend.exports.bands import Unit
from contend.exports.finding import Faults, Finding, by_line, meant
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


_FAULT = Faults({
    "variable": ("error", "{name} is no variable of Intel MPI, which ignores it", "{remedy}"),
    "syntax": ("error", "{text!r:.60} cannot be read, and Intel MPI ignores all of {name}",
               "write preset:size-size@processes-processes, with ';' between presets"),
    "preset": ("error", "preset {preset} of {of}, where there are 0 to {most}: it is taken "
               "without a word, and what runs is not known",
               "impi_info -v {name} says the range of the library at hand"),
    "range": ("error", "{text!r} ends before it begins: it holds for nothing",
              "write the smaller number first"),
    "number": ("warning", f"{{text!r}} goes beyond {MOST}, which no int holds",
               f"end it with {MOST}"),
    "size": ("warning", "Intel MPI has no size of {of} to compare with",
             f"write 0-{MOST} in the place of {{text}}"),
    "overlap": ("warning", "{one} and {other} hold for the same calls, and which of them is taken "
                "is not documented", "let one end before the other begins"),
    "gap": ("note", "{of} of {least} to {most} bytes on {first} to {last} processes is left to the "
            "library", "nothing is to be done if that is meant"),
})  # fmt: skip


def linted(text: str, library: Library, version: Version) -> list[Finding]:
    """What is wrong with a text, in the order of its lines."""
    settings = settings_of(text, lambda name: name.startswith(PREFIX))
    findings = [*form_findings(settings, ";")]
    for one in checked(settings):
        findings += _variable(one, library, version, text)
    return by_line(findings)


def _variable(one: Setting, library: Library, version: Version, text: str) -> Iterator[Finding]:
    variables = sorted(f"{PREFIX}{name.upper()}" for name in library.operations(version))
    if one.name not in variables:
        if not one.name.startswith(NONBLOCKING) and not one.name.endswith(PARTS):
            remedy = meant(one.name, variables)
            yield _FAULT("variable", one.line, name=one.name, remedy=remedy)
        return  # the others exist, and are not what is decided on
    operation = one.name.removeprefix(PREFIX).lower()
    names = {each.number: each.name for each in library.algorithms(operation, version)}
    held = list(clauses(one.value))
    if unread := [text for clause in held for text in clause.unread]:
        yield _FAULT("syntax", one.line, text=unread[0], name=one.name)
        return
    most = max(number or 0 for number in names)
    for clause in held:
        if clause.preset > most:
            yield _FAULT(
                "preset", one.line, preset=clause.preset, of=operation, most=most, name=one.name
            )
        for condition in clause.conditions:
            yield from _condition(condition, operation, one)
        name = names.get(clause.preset, "")
        yield from wrong_in_some(library, operation, name, version, text, one.line)
    yield from _together(held, operation, one)


def _condition(condition: Condition, operation: str, one: Setting) -> Iterator[Finding]:
    if condition.size > condition.size_last or condition.n > condition.n_last:
        yield _FAULT("range", one.line, text=condition.text)
    if max(condition.size_last, condition.n_last) > MOST:
        yield _FAULT("number", one.line, text=condition.text)
    sized = condition.size > 0 or condition.size_last < MOST
    if sized and UNITS.get(operation, "none") == "none":
        yield _FAULT("size", one.line, of=operation, text=condition.text.partition("@")[0])


def _together(held: list[Clause], operation: str, one: Setting) -> Iterator[Finding]:
    """Conditions that are for the same calls, and sizes between those of one range of processes."""
    all_of = [(clause.preset, each) for clause in held for each in clause.conditions]
    for (first, left), (second, right) in combinations(all_of[:200], 2):
        if left.meets(right) and first != second:
            texts = {"one": f"{first}:{left.text}", "other": f"{second}:{right.text}"}
            yield _FAULT("overlap", one.line, **texts)
    ranges: dict[tuple[int, int], list[tuple[int, int]]] = {}
    for _, each in all_of:
        ranges.setdefault((each.n, each.n_last), []).append((each.size, each.size_last))
    for (n, n_last), sizes in ranges.items():
        (_, reached), *others = sorted(sizes)
        for size, size_last in others:
            if size > reached + 1:
                gap = {"least": reached + 1, "most": size - 1, "first": n, "last": n_last}
                yield _FAULT("gap", one.line, of=operation, **gap)
            reached = max(reached, size_last)
