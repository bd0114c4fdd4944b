"""What is wrong with MCA parameters of coll/tuned that a script, a module or a file sets.

Run with 4.1.4 and 5.0.11: without coll_tuned_use_dynamic_rules parameters and file are ignored
without a word; a value out of range is shown as "An invalid value was supplied for an enum
variable", and then ignored; a file that is not there is ignored; --prtemca and PRTE_MCA_ pass
nothing on to coll; mpirun with two values of one --mca refuses to start.
"""

from collections.abc import Iterator, Sequence
from difflib import get_close_matches

from contend.exports.finding import Finding
from contend.exports.openmpi.collectives import JSON
from contend.exports.openmpi.han import han_finding
from contend.exports.openmpi.parameters import (
    DEFAULTS,
    DYNAMIC,
    FALSE,
    FAMILY,
    FILE,
    OPTIONS,
    TRUE,
    WITHOUT_EFFECT,
    forced,
    parameter,
    parameters,
)
from contend.exports.operands import wrong_in_some
from contend.exports.settings import Setting, settings_of
from contend.exports.settings.findings import checked, file_note, form_findings
from contend.libraries import LIBRARIES, Version, version_text
from contend.libraries.openmpi import PREFIX

OF_OTHERS = ("PRTE_MCA_coll", "PMIX_MCA_coll")  # prefixes that do not reach the library


def parameters_in(text: str) -> list[Setting]:
    """The settings of a text that are for components of collective operations."""
    return settings_of(text, lambda name: name.startswith((f"{PREFIX}coll", *OF_OTHERS)))


def lint_parameters(text: str, version: Version) -> list[Finding]:
    """All findings, by line."""
    settings = parameters_in(text)
    held = checked(settings)
    tuned = [one for one in held if parameter(one).startswith(FAMILY)]
    findings = [*form_findings(settings, ""), *_prefixes(held), *_conflicts(held)]
    for one in tuned:
        findings += _of_name(one, version)
        findings += _of_value(one, version, text)
    acting = [one for one in settings if _wants_rules(one, version)]
    findings += _without_rules(acting, settings)
    findings += _together(settings, version)
    findings += _of_han(held, version)
    return sorted(dict.fromkeys(findings), key=lambda one: one.line or 0)


def _prefixes(held: Sequence[Setting]) -> Iterator[Finding]:
    for one in held:
        if one.name.startswith(OF_OTHERS):
            meant = PREFIX + one.name.partition("_MCA_")[2]
            yield Finding(
                "error", "prefix", f"{one.name} does not reach Open MPI, which ignores it",
                f"write {meant}, or --mca on the command line", one.line,
            )  # fmt: skip


def _conflicts(held: Sequence[Setting]) -> Iterator[Finding]:
    values: dict[tuple[str, int], str] = {}
    for one in held:
        before = values.setdefault((one.name, one.scope), one.value)
        if one.scope > 0 and before != one.value:
            yield Finding(
                "error", "conflict",
                f"{parameter(one)} is {before!r:.60} and {one.value!r:.60} on one command line: "
                "mpirun refuses to start", "give one of them", one.line,
            )  # fmt: skip


def _of_name(one: Setting, version: Version) -> Iterator[Finding]:
    name, names = parameter(one), parameters(version)
    if name.endswith(WITHOUT_EFFECT):
        yield Finding(
            "warning", "no-effect", f"{name} has no effect: nothing looks at it",
            "write a file of rules, which tells sizes apart", one.line,
        )  # fmt: skip
    elif name not in names and version < JSON:
        near = get_close_matches(name, names, 1)
        yield Finding(
            "error", "parameter", f"coll/tuned has no parameter {name}, and it is ignored",
            f"write {near[0]}" if near else "see ompi_info --param coll tuned --level 9", one.line,
        )  # fmt: skip


def _of_value(one: Setting, version: Version, text: str) -> Iterator[Finding]:
    name, value = parameter(one), one.value.strip()
    if operation := forced(one, version):
        yield from _algorithm(one, operation, value, version, text)
    elif name == DYNAMIC and value.lower() not in TRUE | FALSE and not _is_whole(value):
        yield Finding(
            "error", "value", f"{name}={value!r:.60} is neither true nor false, and is ignored",
            "write 1", one.line,
        )  # fmt: skip
    elif name.rpartition("_algorithm_")[2] in OPTIONS and not _is_whole(value):
        yield Finding(
            "error", "value", f"{name}={value!r:.60} is no whole number, and is ignored",
            "write a plain number of 0 or more", one.line,
        )  # fmt: skip


def _is_whole(value: str) -> bool:
    return value.isascii() and value.isdecimal()


def _algorithm(
    one: Setting, operation: str, value: str, version: Version, text: str
) -> Iterator[Finding]:
    library = LIBRARIES.get("openmpi")
    offered = library.algorithms(operation, version)
    if value in DEFAULTS:
        return
    algorithm = next((each for each in offered if value in (str(each.number), each.name)), None)
    if algorithm is None:
        listed = ", ".join(f"{each.number} {each.name}" for each in offered)
        yield Finding(
            "error", "algorithm",
            f"{operation} has no algorithm {value!r:.60} in {version_text(version)}: Open MPI says "
            "so when it starts, and takes what it takes by default",
            f"give 0 (the default) or one of {listed}", one.line,
        )  # fmt: skip
    elif algorithm.ranks == "two":
        yield Finding(
            "error", "two-proc",
            f"{operation} {algorithm.name} is for 2 processes, and is forced for any: other calls "
            "fail", "force another, or give it to a block of 2 processes of a file", one.line,
        )  # fmt: skip
    else:
        yield from wrong_in_some(library, operation, algorithm.name, version, text, one.line)


def _wants_rules(one: Setting, version: Version) -> bool:
    """Whether a setting is looked at only with dynamic rules."""
    if forced(one, version) and one.value.strip() in DEFAULTS:
        return False
    return one.is_read and bool(forced(one, version) or parameter(one) == FILE)


def _without_rules(acting: Sequence[Setting], settings: Sequence[Setting]) -> Iterator[Finding]:
    rules = [one for one in settings if parameter(one) == DYNAMIC and one.is_read]
    on = [one for one in rules if not one.is_known or one.value.strip().lower() not in FALSE]
    for one in acting:
        if any(min(one.scope, each.scope) <= 0 or one.scope == each.scope for each in on):
            continue
        state = f"is set to {rules[-1].value}" if rules and not on else "is not set here"
        yield Finding(
            "error", "dynamic",
            f"{parameter(one)} has no effect: it is looked at only with {DYNAMIC}, which {state}",
            f"set {DYNAMIC} to 1 in the same way", one.line,
        )  # fmt: skip


def _together(settings: Sequence[Setting], version: Version) -> Iterator[Finding]:
    files = [one for one in settings if parameter(one) == FILE and one.is_read]
    forcing = [one for one in settings if forced(one, version)]
    yield from map(file_note, files)
    for one in forcing if files else ():
        first = "the file beats it" if version < (5,) else "it beats the file"
        yield Finding(
            "warning", "both", f"{parameter(one)} is set beside a file of rules: {first}",
            "give one of the two", one.line,
        )  # fmt: skip
    names = {parameter(one) for one in settings}
    for one in () if files else settings:
        head, _, option = parameter(one).rpartition("_algorithm_")
        if option in OPTIONS and option != "knomial_radix" and f"{head}_algorithm" not in names:
            yield Finding(
                "warning", "alone", f"{parameter(one)} has no effect without {head}_algorithm",
                "choose the algorithm too", one.line,
            )  # fmt: skip


def _of_han(held: Sequence[Setting], version: Version) -> Iterator[Finding]:
    """Forced algorithms of operations that coll/han takes before."""
    names = {parameter(one) for one in held}
    left_out = any(parameter(one) == "coll" and _leaves_han(one.value) for one in held)
    if "coll_han_priority" in names or left_out:
        return
    for one in held:
        operation = forced(one, version)
        if operation and one.value.strip() not in DEFAULTS:
            yield from han_finding(operation, version, False, one.line, True)


def _leaves_han(value: str) -> bool:
    names = value.lstrip("^").split(",")
    return ("han" in names) is value.startswith("^")
