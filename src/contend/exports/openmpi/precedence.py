"""What stands in the way of a file of rules for Open MPI: parameters that win over it.

Run with 4.1.4 and 5.0.11 (tests/verification/test_precedence.py): -x OMPI_MCA_p=v beats --mca p v,
which beats the environment, which beats files of parameters; 5.0.11 lets an override file beat all.
A forced algorithm beats the file from 5.0 on and is beaten by it in 4.1; where the file has
algorithm 0 it is taken in both. coll/tuned is not asked where --mca coll leaves it out or another
component has a higher priority. Of 6.0 it is taken to be as in 5.0.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence

from contend.exports.filerule import FileRule
from contend.exports.finding import Faults, Finding
from contend.exports.openmpi.collectives import IDS, han_takes
from contend.exports.openmpi.parameters_lint import (
    DEFAULTS,
    DYNAMIC,
    FALSE,
    FILE,
    OF_OTHERS,
    WITHOUT_EFFECT,
)
from contend.exports.surroundings import Circumstances, Place, Surrounding, in_effect
from contend.libraries import Version, version_text
from contend.libraries.openmpi import PREFIX

PRIORITY = 30  # of coll/tuned
LOWEST = 10  # of coll/basic and coll/libnbc, which serve what nobody else does
FORCED_BEATS = (5,)
ALONE = 1  # a process, which exchanges nothing
# Components whose priority is a parameter, and that take calls of whole communicators.
COMPONENTS = ("acoll", "adapt", "basic", "han", "hcoll", "libnbc", "sm", "ucc", "xhc")

_FAULT = Faults({
    "off": ("warning", "{name}={value} {where} turns rules off, whatever file is named", "{undo}"),
    "file": ("warning", "{name}={value:.120} {where} names another file of rules than this",
             "{undo}, or name this file there"),
    "forced": ("warning", "{name}={value} {where} beats the file's rules for {of} with {version}",
               "{undo}"),
    "besides": ("warning", "{name}={value} {where} is taken where the file leaves {of} to the "
                "library: it is looked at once rules are read", "{undo}"),
    "excluded": ("warning", "{name}={value} {where} leaves out coll/tuned, which reads the file",
                 "{undo}, or name tuned among the components"),
    "priority": ("warning", "{name}={value} {where}: other components than coll/tuned, whose "
                 "priority it is, take calls before the rules are looked at", "{undo}"),
    "before": ("warning", "{name}={value} {where} puts coll/{component} before coll/tuned, whose "
               f"priority is {PRIORITY}: it takes calls before the rules are looked at", "{undo}"),
    "enabled": ("warning", "{name}={value} {where} lets coll/{component} take calls before the "
                "rules are looked at", "{undo}"),
    "twice": ("warning", "--mca {parameter} is given as {first!r:.60} and as {second!r:.60}: "
              "mpirun refuses to start", "give one of them"),
    "no-effect": ("note", "{name}={value} {where} has no effect: nothing looks at it", "{undo}"),
    "prefix": ("note", "{name}={value} {where} does not reach Open MPI, which ignores it",
               "write OMPI_MCA_, or --mca on the command line"),
})  # fmt: skip


def obstacles(case: Circumstances) -> Iterator[Finding]:
    """What of the surroundings wins over rules, or runs beside them."""
    rules, loading, version, around = case.rules, case.loading, case.version, case.around
    held = {
        name.removeprefix(PREFIX): one
        for name, one in in_effect(around).items()
        if name.startswith(PREFIX) and loading.get(name) != one.value
    }
    yield from _loading(held, is_named=PREFIX + FILE in loading)
    yield from _components(held, rules, loading, version)
    for operation in IDS:
        one = held.get(f"coll_tuned_{operation}_algorithm")
        if one is not None and one.value.strip() not in DEFAULTS:
            yield from _forced(one, operation, rules, version)
    for name, one in held.items():
        if name.startswith("coll_tuned_") and name.endswith(WITHOUT_EFFECT):
            yield _FAULT("no-effect", None, **one.given)
    for one in around:
        if one.name.startswith(OF_OTHERS):
            yield _FAULT("prefix", None, **one.given)
    yield from _twice(around)


def _loading(held: Mapping[str, Surrounding], *, is_named: bool) -> Iterator[Finding]:
    """What switches rules off, or names other ones."""
    if (one := held.get(DYNAMIC)) and one.value.strip().lower() in FALSE:
        yield _FAULT("off", None, **one.given)
    if is_named and (one := held.get(FILE)) and one.value.strip():
        yield _FAULT("file", None, **one.given)


def _forced(
    one: Surrounding, operation: str, rules: Sequence[FileRule] | None, version: Version
) -> Iterator[Finding]:
    """An algorithm that is forced for all calls of an operation."""
    given = {**one.given, "of": operation, "version": version_text(version)}
    own = [rule for rule in rules or () if rule.operation == operation]
    has_rules = rules is None or any(not rule.is_default for rule in own)
    if has_rules and version >= FORCED_BEATS:
        yield _FAULT("forced", None, **given)
    elif not own or any(_leaves_to_library(rule) for rule in own):
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
    """What keeps coll/tuned from being asked."""
    if (one := held.get("coll")) and _leaves_out(one.value, "tuned"):
        yield _FAULT("excluded", None, **one.given)
    priority = PRIORITY
    if (one := held.get("coll_tuned_priority")) and (number := _number(one.value)) is not None:
        priority = number
        if priority <= LOWEST:
            yield _FAULT("priority", None, **one.given)
    for component in COMPONENTS:
        own = held.get(f"coll_{component}_priority")
        value = _number(own.value) if own else None
        if own is None or value is None or value <= priority:
            continue
        if component != "han" or _is_for_han(rules, version):
            yield _FAULT("before", None, **own.given, component=component)
    for component in ("hcoll", "ucc"):
        own = held.get(f"coll_{component}_enable")
        if own and own.value.strip().lower() not in FALSE:
            yield _FAULT("enabled", None, **own.given, component=component)


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
    for one in around:
        if one.place is Place.options and one.name.startswith(PREFIX):
            before = first.setdefault(one.name, one.value)
            if before != one.value:
                given = {"first": before, "second": one.value}
                yield _FAULT("twice", None, parameter=one.name.removeprefix(PREFIX), **given)
