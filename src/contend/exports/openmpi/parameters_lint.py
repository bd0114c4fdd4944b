"""What is wrong with MCA parameters of coll/tuned that a script, a module or a file sets.

Source: ompi_info --all --param coll tuned --level 9 of 4.1.4 and 5.0.11, which list the same; and
runs of both: without coll_tuned_use_dynamic_rules parameters and file are ignored without a word; a
value out of range is shown as "An invalid value was supplied for an enum variable", and then
ignored; a file that is not there is ignored; --prtemca and PRTE_MCA_ pass nothing on to coll;
mpirun with two values of one --mca refuses to start.
"""

from collections.abc import Iterator, Sequence

from contend.exports.finding import Faults, Finding, by_line, meant
from contend.exports.openmpi.collectives import JSON, han_finding
from contend.exports.operands import wrong_in_some
from contend.exports.settings import Setting, settings_of
from contend.exports.settings.read import checked, file_note, form_findings
from contend.libraries import LIBRARIES, Version, version_text
from contend.libraries.openmpi import PREFIX

FAMILY = "coll_tuned_"
DYNAMIC = "coll_tuned_use_dynamic_rules"
FILE = "coll_tuned_dynamic_rules_filename"
TRUE = frozenset(("1", "t", "true", "enabled", "yes", "y"))
FALSE = frozenset(("0", "f", "false", "disabled", "no", "n"))
DEFAULTS = frozenset(("0", "ignore"))  # values of an algorithm that leave the library to itself
# What each operation has besides _algorithm, and the operations that lack it.
_SEGMENTED = ("allgather", "allgatherv", "allreduce", "alltoall", "bcast", "gather", "reduce",
              "reduce_scatter", "reduce_scatter_block", "scatter")  # fmt: skip
OPTIONS = {
    "segmentsize": _SEGMENTED,
    "tree_fanout": _SEGMENTED,
    "chain_fanout": tuple(name for name in _SEGMENTED if name != "reduce_scatter_block"),
    "max_requests": ("alltoall", "reduce", "scatter"),
    "knomial_radix": ("bcast",),
}
# There, and looked at by nothing.
WITHOUT_EFFECT = ("small_msg", "intermediate_msg", "large_msg", "min_procs", "algorithm_count")
_OTHERS = (DYNAMIC, FILE, "coll_tuned_priority", "coll_tuned_init_tree_fanout",
           "coll_tuned_init_chain_fanout")  # fmt: skip


def parameter(setting: Setting) -> str:
    """The parameter that a variable sets."""
    return setting.name.removeprefix(PREFIX)


def operations(version: Version) -> tuple[str, ...]:
    """The operations that have an algorithm to force."""
    library = LIBRARIES.get("openmpi")
    return tuple(name for name in library.operations(version) if library.algorithms(name, version))


def parameters(version: Version) -> list[str]:
    """The names of all of them that have an effect."""
    options = [f"{FAMILY}{of}_algorithm_{name}" for name, those in OPTIONS.items() for of in those]
    forcing = [f"{FAMILY}{of}_algorithm" for of in operations(version)]
    return [*_OTHERS, *forcing, *options]


def forced(setting: Setting, version: Version) -> str | None:
    """The operation of which a setting forces the algorithm."""
    names = {f"{FAMILY}{of}_algorithm": of for of in operations(version)}
    return names.get(parameter(setting))


OF_OTHERS = ("PRTE_MCA_coll", "PMIX_MCA_coll")  # prefixes that do not reach the library


_FAULT = Faults({
    "prefix": ("error", "{name} does not reach Open MPI, which ignores it",
               "write {right}, or --mca on the command line"),
    "conflict": ("error", "{name} is {before!r:.60} and {value!r:.60} on one command line: mpirun "
                 "refuses to start", "give one of them"),
    "no-effect": ("warning", "{name} has no effect: nothing looks at it",
                  "write a file of rules, which tells sizes apart"),
    "parameter": ("error", "coll/tuned has no parameter {name}, and it is ignored", "{remedy}"),
    "value:boolean": ("error", "{name}={value!r:.60} is neither true nor false, and is ignored",
                      "write 1"),
    "value": ("error", "{name}={value!r:.60} is no whole number, and is ignored",
              "write a plain number of 0 or more"),
    "algorithm": ("error", "{of} has no algorithm {value!r:.60} in {version}: Open MPI says so "
                  "when it starts, and takes what it takes by default",
                  "give 0 (the default) or one of {listed}"),
    "two-proc": ("error", "{of} {algorithm} is for 2 processes, and is forced for any: other calls "
                 "fail", "force another, or give it to a block of 2 processes of a file"),
    "dynamic": ("error", f"{{name}} has no effect: it is looked at only with {DYNAMIC}, which "
                "{state}", f"set {DYNAMIC} to 1 in the same way"),
    "both": ("warning", "{name} is set beside a file of rules: {first}", "give one of the two"),
    "alone": ("warning", "{name} has no effect without {head}_algorithm",
              "choose the algorithm too"),
})  # fmt: skip


def parameters_in(text: str) -> list[Setting]:
    """The settings of a text that are for components of collective operations."""
    return settings_of(text, lambda name: name.startswith((f"{PREFIX}coll", *OF_OTHERS)))


def lint_parameters(text: str, version: Version) -> list[Finding]:
    """All findings, by line."""
    settings = parameters_in(text)
    held = checked(settings)
    findings = [*form_findings(settings, ""), *_names_of_others(held), *_conflicts(held)]
    for one in held:
        if parameter(one).startswith(FAMILY):
            findings += _of_name(one, version)
            findings += _of_value(one, version, text)
    findings += _without_rules(settings, version)
    findings += _together(settings, version)
    return by_line([*findings, *_of_han(held, version)])


def _names_of_others(held: Sequence[Setting]) -> Iterator[Finding]:
    for one in held:
        if one.name.startswith(OF_OTHERS):
            right = PREFIX + one.name.partition("_MCA_")[2]
            yield _FAULT("prefix", one.line, name=one.name, right=right)


def _conflicts(held: Sequence[Setting]) -> Iterator[Finding]:
    values: dict[tuple[str, int], str] = {}
    for one in held:
        before = values.setdefault((one.name, one.scope), one.value)
        if one.scope > 0 and before != one.value:
            given = {"name": parameter(one), "before": before, "value": one.value}
            yield _FAULT("conflict", one.line, **given)


def _of_name(one: Setting, version: Version) -> Iterator[Finding]:
    name, names = parameter(one), parameters(version)
    if name.endswith(WITHOUT_EFFECT):
        yield _FAULT("no-effect", one.line, name=name)
    elif name not in names and version < JSON:
        remedy = meant(name, names, "see ompi_info --param coll tuned --level 9")
        yield _FAULT("parameter", one.line, name=name, remedy=remedy)


def _of_value(one: Setting, version: Version, text: str) -> Iterator[Finding]:
    name, value = parameter(one), one.value.strip()
    is_whole = value.isascii() and value.isdecimal()
    if operation := forced(one, version):
        yield from _algorithm(one, operation, value, version, text)
    elif name == DYNAMIC and value.lower() not in TRUE | FALSE and not is_whole:
        yield _FAULT("value:boolean", one.line, name=name, value=value)
    elif name.rpartition("_algorithm_")[2] in OPTIONS and not is_whole:
        yield _FAULT("value", one.line, name=name, value=value)


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
        given = {"value": value, "version": version_text(version), "listed": listed}
        yield _FAULT("algorithm", one.line, of=operation, **given)
    elif algorithm.ranks == "two":
        yield _FAULT("two-proc", one.line, of=operation, algorithm=algorithm.name)
    else:
        yield from wrong_in_some(library, operation, algorithm.name, version, text, one.line)


def _without_rules(settings: Sequence[Setting], version: Version) -> Iterator[Finding]:
    """Settings that are looked at only with dynamic rules, and are without them."""
    rules = [one for one in settings if parameter(one) == DYNAMIC and one.is_read]
    on = [one for one in rules if not one.is_known or one.value.strip().lower() not in FALSE]
    state = f"is set to {rules[-1].value}" if rules and not on else "is not set here"
    for one in settings:
        is_default = one.value.strip() in DEFAULTS
        is_acting = (forced(one, version) and not is_default) or parameter(one) == FILE
        has_rules = any(min(one.scope, each.scope) <= 0 or one.scope == each.scope for each in on)
        if one.is_read and is_acting and not has_rules:
            yield _FAULT("dynamic", one.line, name=parameter(one), state=state)


def _together(settings: Sequence[Setting], version: Version) -> Iterator[Finding]:
    files = [one for one in settings if parameter(one) == FILE and one.is_read]
    yield from map(file_note, files)
    names = {parameter(one) for one in settings}
    for one in settings:
        head, _, option = parameter(one).rpartition("_algorithm_")
        if files and forced(one, version):
            first = "the file beats it" if version < (5,) else "it beats the file"
            yield _FAULT("both", one.line, name=parameter(one), first=first)
        is_option = option in OPTIONS and option != "knomial_radix"
        if not files and is_option and f"{head}_algorithm" not in names:
            yield _FAULT("alone", one.line, name=parameter(one), head=head)


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
