"""What is wrong with MCA parameters of coll/tuned, and which of them stand in the way of a file.

Source: ompi_info --all --param coll tuned --level 9 of 4.1.4 and 5.0.11, which list the same; and
runs of both: without coll_tuned_use_dynamic_rules parameters and file are ignored without a word; a
value out of range is shown as "An invalid value was supplied for an enum variable", and then
ignored; a file that is not there is ignored; --prtemca and PRTE_MCA_ pass nothing on to coll;
mpirun with two values of one --mca refuses to start.
Precedence (tests/verification/test_precedence.py): -x OMPI_MCA_p=v beats --mca p v, which beats the
environment, which beats files of parameters; 5.0.11 lets an override file beat all. A forced
algorithm beats the file from 5.0 on and is beaten by it in 4.1; where the file has algorithm 0 it
is taken in both. coll/tuned is not asked where --mca coll leaves it out or another component has a
higher priority. Of 6.0 it is taken to be as in 5.0.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence

from contend.schedules.libraries import LIBRARIES, Version, version_text
from contend.schedules.libraries.openmpi import PREFIX
from contend.tune.exports.file_rules import wrong_in_some
from contend.tune.exports.filerule import FileRule
from contend.tune.exports.finding import Faults, Finding, by_line, meant
from contend.tune.exports.openmpi.collectives import IDS, JSON, han_finding, han_takes
from contend.tune.exports.settings import Setting, settings_of
from contend.tune.exports.settings.parser import checked, file_note, form_findings
from contend.tune.exports.surroundings import Circumstances, Place, Surrounding, in_effect

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
    return setting.name.removeprefix(PREFIX)


def operations(version: Version) -> tuple[str, ...]:
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


_FAULT = Faults(__file__)


def parameters_in(text: str) -> list[Setting]:
    """The settings of a text that are for components of collective operations."""
    return settings_of(text, lambda name: name.startswith((f"{PREFIX}coll", *OF_OTHERS)))


def lint_parameters(text: str, version: Version) -> list[Finding]:
    settings = parameters_in(text)
    held = checked(settings)
    findings = [*form_findings(settings, ""), *_names_of_others(held), *_conflicts(held)]
    for setting in held:
        if parameter(setting).startswith(FAMILY):
            findings += _of_name(setting, version)
            findings += _of_value(setting, version, text)
    findings += _without_rules(settings, version)
    findings += _together(settings, version)
    return by_line([*findings, *_of_han(held, version)])


def _names_of_others(held: Sequence[Setting]) -> Iterator[Finding]:
    for setting in held:
        if setting.name.startswith(OF_OTHERS):
            right = PREFIX + setting.name.partition("_MCA_")[2]
            yield _FAULT("prefix", setting.line, name=setting.name, right=right)


def _conflicts(held: Sequence[Setting]) -> Iterator[Finding]:
    values: dict[tuple[str, int], str] = {}
    for setting in held:
        before = values.setdefault((setting.name, setting.scope), setting.value)
        if setting.scope > 0 and before != setting.value:
            given = {"name": parameter(setting), "before": before, "value": setting.value}
            yield _FAULT("conflict", setting.line, **given)


def _of_name(setting: Setting, version: Version) -> Iterator[Finding]:
    name, names = parameter(setting), parameters(version)
    if name.endswith(WITHOUT_EFFECT):
        yield _FAULT("no-effect", setting.line, name=name)
    elif name not in names and version < JSON:
        remedy = meant(name, names, "see ompi_info --param coll tuned --level 9")
        yield _FAULT("parameter", setting.line, name=name, remedy=remedy)


def _of_value(setting: Setting, version: Version, text: str) -> Iterator[Finding]:
    name, value = parameter(setting), setting.value.strip()
    is_whole = value.isascii() and value.isdecimal()
    if operation := forced(setting, version):
        yield from _algorithm(setting, operation, value, version, text)
    elif name == DYNAMIC and value.lower() not in TRUE | FALSE and not is_whole:
        yield _FAULT("value:boolean", setting.line, name=name, value=value)
    elif name.rpartition("_algorithm_")[2] in OPTIONS and not is_whole:
        yield _FAULT("value", setting.line, name=name, value=value)


def _algorithm(
    setting: Setting, operation: str, value: str, version: Version, text: str
) -> Iterator[Finding]:
    library = LIBRARIES.get("openmpi")
    offered = library.algorithms(operation, version)
    if value in DEFAULTS:
        return
    algorithm = next((each for each in offered if value in (str(each.number), each.name)), None)
    if algorithm is None:
        listed = ", ".join(f"{each.number} {each.name}" for each in offered)
        given = {"value": value, "version": version_text(version), "listed": listed}
        yield _FAULT("algorithm", setting.line, of=operation, **given)
    elif algorithm.ranks == "two":
        yield _FAULT("two-proc", setting.line, of=operation, algorithm=algorithm.name)
    else:
        yield from wrong_in_some(library, operation, algorithm.name, version, text, setting.line)


def _without_rules(settings: Sequence[Setting], version: Version) -> Iterator[Finding]:
    """Settings that are looked at only with dynamic rules, and are without them."""
    rules = [setting for setting in settings if parameter(setting) == DYNAMIC and setting.is_read]
    on = [rule for rule in rules if not rule.is_known or rule.value.strip().lower() not in FALSE]
    state = f"is set to {rules[-1].value}" if rules and not on else "is not set here"
    for setting in settings:
        is_default = setting.value.strip() in DEFAULTS
        is_acting = (forced(setting, version) and not is_default) or parameter(setting) == FILE
        has_rules = any(
            min(setting.scope, each.scope) <= 0 or setting.scope == each.scope for each in on
        )
        if setting.is_read and is_acting and not has_rules:
            yield _FAULT("dynamic", setting.line, name=parameter(setting), state=state)


def _together(settings: Sequence[Setting], version: Version) -> Iterator[Finding]:
    files = [setting for setting in settings if parameter(setting) == FILE and setting.is_read]
    yield from map(file_note, files)
    names = {parameter(setting) for setting in settings}
    for setting in settings:
        head, _, option = parameter(setting).rpartition("_algorithm_")
        if files and forced(setting, version):
            first = "the file beats it" if version < (5,) else "it beats the file"
            yield _FAULT("both", setting.line, name=parameter(setting), first=first)
        is_option = option in OPTIONS and option != "knomial_radix"
        if not files and is_option and f"{head}_algorithm" not in names:
            yield _FAULT("alone", setting.line, name=parameter(setting), head=head)


def _of_han(held: Sequence[Setting], version: Version) -> Iterator[Finding]:
    """Forced algorithms of operations that coll/han takes before."""
    names = {parameter(setting) for setting in held}
    left_out = any(
        parameter(setting) == "coll" and _leaves_out(setting.value, "han") for setting in held
    )
    if "coll_han_priority" in names or left_out:
        return
    for setting in held:
        operation = forced(setting, version)
        if operation and setting.value.strip() not in DEFAULTS:
            yield from han_finding(operation, version, False, setting.line, True)


PRIORITY = 30  # of coll/tuned
LOWEST = 10  # of coll/basic and coll/libnbc, which serve what nobody else does
FORCED_BEATS = (5,)
ALONE = 1  # a process, which exchanges nothing
# Components whose priority is a parameter, and that take calls of whole communicators.
COMPONENTS = ("acoll", "adapt", "basic", "han", "hcoll", "libnbc", "sm", "ucc", "xhc")


def obstacles(case: Circumstances) -> Iterator[Finding]:
    """What of the surroundings wins over rules, or runs beside them."""
    rules, loading, version, around = case.rules, case.loading, case.version, case.around
    held = {
        name.removeprefix(PREFIX): setting
        for name, setting in in_effect(around).items()
        if name.startswith(PREFIX) and loading.get(name) != setting.value
    }
    yield from _loading(held, is_named=PREFIX + FILE in loading)
    yield from _components(held, rules, loading, version)
    for operation in IDS:
        setting = held.get(f"coll_tuned_{operation}_algorithm")
        if setting is not None and setting.value.strip() not in DEFAULTS:
            yield from _forced(setting, operation, rules, version)
    for name, setting in held.items():
        if name.startswith("coll_tuned_") and name.endswith(WITHOUT_EFFECT):
            yield _FAULT("no-effect:around", None, **vars(setting))
    for setting in around:
        if setting.name.startswith(OF_OTHERS):
            yield _FAULT("prefix:around", None, **vars(setting))
    yield from _twice(around)


def _loading(held: Mapping[str, Surrounding], *, is_named: bool) -> Iterator[Finding]:
    if (setting := held.get(DYNAMIC)) and setting.value.strip().lower() in FALSE:
        yield _FAULT("off", None, **vars(setting))
    if is_named and (setting := held.get(FILE)) and setting.value.strip():
        yield _FAULT("file", None, **vars(setting))


def _forced(
    setting: Surrounding, operation: str, rules: Sequence[FileRule] | None, version: Version
) -> Iterator[Finding]:
    """An algorithm that is forced for all calls of an operation."""
    given = {**vars(setting), "of": operation, "version": version_text(version)}
    of_operation = [rule for rule in rules or () if rule.operation == operation]
    has_rules = rules is None or any(not rule.is_default for rule in of_operation)
    if has_rules and version >= FORCED_BEATS:
        yield _FAULT("forced", None, **given)
    elif not of_operation or any(_leaves_to_library(rule) for rule in of_operation):
        yield _FAULT("besides", None, **given)


def _leaves_to_library(rule: FileRule) -> bool:
    """Whether it has algorithm 0, other than for a single process, with which files begin."""
    return rule.is_default and rule.n_to != ALONE + 1


def _components(
    held: Mapping[str, Surrounding],
    rules: Sequence[FileRule] | None,
    loading: Mapping[str, str],
    version: Version,
) -> Iterator[Finding]:
    if (setting := held.get("coll")) and _leaves_out(setting.value, "tuned"):
        yield _FAULT("excluded", None, **vars(setting))
    priority = PRIORITY
    if (setting := held.get("coll_tuned_priority")) and (
        number := _number(setting.value)
    ) is not None:
        priority = number
        if priority <= LOWEST:
            yield _FAULT("priority", None, **vars(setting))
    for component in COMPONENTS:
        other = held.get(f"coll_{component}_priority")
        value = _number(other.value) if other else None
        if other is None or value is None or value <= priority:
            continue
        if component != "han" or _is_for_han(rules, version):
            yield _FAULT("before", None, **vars(other), component=component)
    for component in ("hcoll", "ucc"):
        other = held.get(f"coll_{component}_enable")
        if other and other.value.strip().lower() not in FALSE:
            yield _FAULT("enabled", None, **vars(other), component=component)


def _is_for_han(rules: Sequence[FileRule] | None, version: Version) -> bool:
    """Whether coll/han takes an operation that rules are for."""
    acting: Collection[str] = {rule.operation for rule in rules or () if not rule.is_default}
    return rules is None or any(han_takes(operation, version) for operation in acting)


def _leaves_out(value: str, component: str) -> bool:
    names = [name.strip() for name in value.lstrip("^").split(",")]
    return (component in names) is value.startswith("^")


def _number(value: str) -> int | None:
    text = value.strip()
    return int(text) if text.lstrip("-").isdecimal() else None


def _twice(around: Sequence[Surrounding]) -> Iterator[Finding]:
    """Values of one --mca that differ, which only the launcher's options can have."""
    first: dict[str, str] = {}
    for setting in around:
        if setting.place is Place.options and setting.name.startswith(PREFIX):
            before = first.setdefault(setting.name, setting.value)
            if before != setting.value:
                given = {"first": before, "second": setting.value}
                yield _FAULT("twice", None, parameter=setting.name.removeprefix(PREFIX), **given)
