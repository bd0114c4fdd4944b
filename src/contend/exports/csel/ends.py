"""What is wrong with the end of a path: the algorithm, its parameters, and the calls it serves."""

from collections.abc import Iterator
from dataclasses import dataclass

from contend.exports.csel.facts import (
    COMMUTATIVE,
    IN_PLACE,
    NEEDS,
    OPTIONAL,
    PARAMETERS,
    POWER_OF_TWO,
    TREE_TYPES,
)
from contend.exports.csel.keys import BETWEEN_GROUPS, Key, key_of
from contend.exports.csel.names import in_some_version, parts_of, wrong_name
from contend.exports.csel.narrow import Known, are_powers
from contend.exports.finding import Faults, Finding, meant
from contend.exports.json_lines import Member
from contend.exports.operands import wrong_in_some
from contend.libraries import Library, Version

OTHER_VERSION = "other-version"  # code of a finding: another version has the algorithm
IN_PLACE_ONLY = "pairwise_sendrecv_replace"
# Not asked of all: count and hierarchy follow from other branches in the library's own trees.
CHECKED = (POWER_OF_TWO, COMMUTATIVE)
_FAULT = Faults({
    "mixed": ("error", "below {text!r} an algorithm stands beside other keys",
              "let it stand alone; parameters belong below it"),
    "version": ("note", "{problem}", "{remedy}"),
    OTHER_VERSION: ("error", "{problem}: the library aborts", "{remedy}"),
    "algorithm": ("error", "{problem}: the library aborts", "{remedy}"),
    "composition": ("error", "{text!r} is no composition of {of}: the library aborts",
                    "write composition={due}alpha, or what the library's own tree has"),
    "comm-type": ("error", "{name} is no algorithm of comm_type={kind}, below which it stands",
                  'let it stand below "comm_type={due}"'),
    "comm-type:none": ("error", "{name} stands below no comm_type, and is used between two groups "
                       "too", 'let it stand below "comm_type={due}"'),
    "parameter": ("error", "{of} takes no {name!r}, which is ignored without a word", "{remedy}"),
    "value": ("error", "{text!r} has no value that {of} can take", "{remedy}"),
    "parameter-missing": ("error", "{of} has no {name}, and a call of it fails or runs on any "
                          "number", 'write "{name}={value}": {{}} below it'),
    "not-served": ("error", "{name} of {of} is right only where {serves}, which nothing above asks",
                   'let it stand below "{serves}", and another algorithm beside that'),
})  # fmt: skip


@dataclass(frozen=True)
class Place:
    """Where in a tree: the collective, the keys above and what they tell, and who reads it."""

    collective: str
    above: tuple[Key, ...]
    known: Known
    library: Library
    version: Version
    is_device: bool  # a tree of compositions, which the device reads


def end_findings(parent: Member, place: Place) -> Iterator[Finding]:
    """What is wrong with a level that names what runs."""
    entry, *others = parent.value.members()
    if others:
        yield _FAULT("mixed", parent.line, text=parent.name)
        return
    name, library, version = key_of(entry.name).value, place.library, place.version
    problem, remedy = wrong_name(name, place.collective, library, version)
    is_of_another = in_some_version(name, place.collective, library)
    if problem and version == library.oldest and is_of_another:
        # That of no version named: the oldest, which is taken for it.
        yield _FAULT("version", entry.line, problem=problem, remedy=remedy)
    elif problem:
        code = OTHER_VERSION if is_of_another else "algorithm"
        yield _FAULT(code, entry.line, problem=problem, remedy=remedy)
        return
    if (parts := parts_of(name)) is None:
        return
    yield from _between(entry, parts, place.above)
    if not place.collective.startswith("i"):
        yield from _parameters(entry, PARAMETERS.get((parts[0], parts[2]), {}))
    yield from _served(entry, parts, place)
    yield from wrong_in_some(library, parts[0], parts[2], version, "", entry.line)


def composition_findings(parent: Member, place: Place) -> Iterator[Finding]:
    """What is wrong with a level that names how the device puts an operation together."""
    due = f"MPIDI_{place.collective.capitalize()}_intra_composition_"
    for entry in parent.value.members():
        key = key_of(entry.name)
        if key.name != "composition" or not key.value.startswith(due):
            yield _FAULT("composition", entry.line, text=entry.name, of=place.collective, due=due)


def _between(
    entry: Member, parts: tuple[str, str, str], above: tuple[Key, ...]
) -> Iterator[Finding]:
    """An algorithm of one communicator where there are two groups, or the other way round."""
    operation, due, name = parts
    kind = next((key.value for key in above if key.name == "comm_type"), "")
    if due != "allcomm" and operation in BETWEEN_GROUPS and kind != due:
        code = "comm-type" if kind else "comm-type:none"
        yield _FAULT(code, entry.line, name=name, kind=kind, due=due)


def _parameters(entry: Member, due: dict[str, str]) -> Iterator[Finding]:
    of = key_of(entry.name).value
    given = {key_of(one.name): one for one in entry.value.members()}
    for key, one in given.items():
        if key.name not in due and key.name not in OPTIONAL:
            yield _FAULT("parameter", one.line, of=of, name=key.name, remedy=meant(key.name, due))
        elif not _is_value(key):
            is_type = key.name == "tree_type"
            remedy = f"write one of {', '.join(TREE_TYPES)}" if is_type else "write a whole number"
            yield _FAULT("value", one.line, text=one.name, of=of, remedy=remedy)
    for name, value in due.items():
        if name not in {key.name for key in given}:
            yield _FAULT("parameter-missing", entry.line, of=of, name=name, value=value)


def _is_value(key: Key) -> bool:
    if key.name == "tree_type":
        return key.value in TREE_TYPES
    return key.relation == "=" and key.value.isascii() and key.value.isdecimal()


def _served(entry: Member, parts: tuple[str, str, str], place: Place) -> Iterator[Finding]:
    """Calls that get to an algorithm which cannot serve them."""
    operation, kind, name = parts
    asked = {f"{key.name}={key.value}" for key in place.above if key.relation == "="}
    refused = [key for key, is_yes in place.known.answers.items() if not is_yes]
    due = [
        serves
        for serves, other in NEEDS.get((operation, name), ())
        if (serves, other) in CHECKED and key_of(other) not in refused
    ]
    if operation in IN_PLACE and kind == "intra":
        due.append(f"is_sendbuf_inplace={'yes' if name == IN_PLACE_ONLY else 'no'}")
    for serves in due:
        is_given = serves == POWER_OF_TWO[0] and are_powers(*place.known.numbers["comm_size"])
        if serves not in asked and not is_given:
            yield _FAULT("not-served", entry.line, name=name, of=operation, serves=serves)
