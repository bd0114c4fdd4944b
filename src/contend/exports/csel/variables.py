"""What is wrong with control variables of MPICH that choose algorithms, in scripts and modules.

Run with 5.0.2: a name that is none of an operation's, in capitals too, and a number that is none
abort MPI_Init; so does a file that is not there. A variable has three names, of which MPIR_CVAR_ is
looked at first, then MPIR_PARAM_, then MPICH_; it beats the file.
"""

import re
from collections.abc import Iterator, Sequence
from difflib import get_close_matches

from contend.exports.csel.keys import COLLECTIVES
from contend.exports.finding import Finding
from contend.exports.settings import Setting, settings_of
from contend.exports.settings.findings import checked, file_note, form_findings
from contend.libraries import Library, Version, version_text

FILE = "COLL_SELECTION_TUNING_JSON_FILE"
PREFIXES = ("MPIR_CVAR_", "MPIR_PARAM_", "MPICH_")
_CHOOSES = re.compile(r"([A-Z_]+?)_(INTRA_ALGORITHM|INTER_ALGORITHM|DEVICE_COLLECTIVE)")
_FAMILY = re.compile(
    rf"(?:{'|'.join(PREFIXES)})"
    rf"(?:{_CHOOSES.pattern}|[A-Z_]+_(?:KVAL|SHORT_MSG_SIZE|LONG_MSG_SIZE|CHUNK_SIZE)|(?:CH4_)?{FILE})"
)
_NUMBERS = ("KVAL", "SIZE")
_BOOLEANS = frozenset(("0", "1", "yes", "no", "true", "false", "on", "off"))
WITHOUT_EFFECT = "ALLTOALL_SHORT_MSG_SIZE"
# Besides those that are decided on: of all operations, of 5.0, and for blocks in place.
_ALWAYS = ("auto", "nb")
_OTHERS = {
    "alltoall": ("pairwise_sendrecv_replace",),
    "alltoallv": ("pairwise_sendrecv_replace",),
    "alltoallw": ("pairwise_sendrecv_replace", "scattered"),
    "allreduce": ("ccl",),
}


def variables_in(text: str) -> list[Setting]:
    """The settings of a text that choose algorithms."""
    return settings_of(text, lambda name: _FAMILY.fullmatch(name) is not None)


def lint_variables(text: str, library: Library, version: Version) -> list[Finding]:
    """All findings, by line."""
    settings = variables_in(text)
    findings = [*form_findings(settings, "")]
    for one in checked(settings):
        findings += _of_value(one, library, version)
    findings += _beside_a_file(settings)
    return sorted(findings, key=lambda one: one.line or 0)


def _bare(one: Setting) -> str:
    """The name without the library's prefix."""
    return next(one.name.removeprefix(each) for each in PREFIXES if one.name.startswith(each))


def _of_value(one: Setting, library: Library, version: Version) -> Iterator[Finding]:
    name, value = _bare(one), one.value
    if match := _CHOOSES.fullmatch(name):
        operation, what = match[1].lower(), match[2]
        if operation not in COLLECTIVES:
            near = get_close_matches(operation, COLLECTIVES, 1)
            yield Finding(
                "error", "variable", f"{one.name} is no variable of MPICH, which ignores it",
                f"write {name.replace(match[1], near[0].upper())}" if near else "remove it",
                one.line,
            )  # fmt: skip
        elif what == "INTRA_ALGORITHM":
            yield from _algorithm(one, operation, library, version)
        elif what == "DEVICE_COLLECTIVE" and value.lower() not in _BOOLEANS:
            yield _aborts(one, "neither true nor false", "write 0 or 1")
    elif name.endswith(_NUMBERS) and not re.fullmatch(r"-?\d+", value):
        yield _aborts(one, "no whole number", "write a plain number")
    elif name == WITHOUT_EFFECT:
        yield Finding(
            "warning", "no-effect", f"{one.name} has no effect in 5.0.2: the tree decides",
            "name a tree with MPIR_CVAR_" + FILE, one.line,
        )  # fmt: skip


def _algorithm(
    one: Setting, operation: str, library: Library, version: Version
) -> Iterator[Finding]:
    offered = [each.own_name for each in library.algorithms(operation, version)]
    if not offered:
        return
    offered = list(dict.fromkeys([*_ALWAYS, *offered, *_OTHERS.get(operation, ())]))
    if one.value not in offered:
        near = get_close_matches(one.value.lower(), offered, 1)
        yield _aborts(
            one, f"no algorithm of {operation} in {version_text(version)}",
            f"write {near[0]}" if near else f"choose from {', '.join(offered)}",
        )  # fmt: skip


def _aborts(one: Setting, what: str, remedy: str) -> Finding:
    message = f"{one.name}={one.value!r:.60} is {what}: MPI_Init aborts"
    return Finding("error", "value", message, remedy, one.line)


def _beside_a_file(settings: Sequence[Setting]) -> Iterator[Finding]:
    files = [one for one in settings if _bare(one).endswith(FILE) and one.is_read]
    yield from map(file_note, files)
    for one in settings if files else ():
        if _bare(one).endswith("_INTRA_ALGORITHM") and one.value != "auto":
            yield Finding(
                "warning", "both", f"{one.name} is set beside a file of rules: it beats the file",
                "give one of the two", one.line,
            )  # fmt: skip
