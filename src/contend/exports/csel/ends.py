"""What is wrong with the end of a path: the algorithm, its parameters, and the calls it serves."""

from collections.abc import Iterator
from difflib import get_close_matches

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
from contend.exports.csel.names import of_some_version, parts_of, wrong_name
from contend.exports.csel.narrow import Known, are_powers
from contend.exports.csel.text import Entry
from contend.exports.finding import Finding
from contend.exports.operands import wrong_in_some
from contend.libraries import Library, Version

OTHER_VERSION = "other-version"  # code of a finding: another version has the algorithm
IN_PLACE_ONLY = "pairwise_sendrecv_replace"
# Not asked of all: count and hierarchy follow from other branches in the library's own trees.
CHECKED = (POWER_OF_TWO, COMMUTATIVE)


def end_findings(
    parent: Entry,
    collective: str,
    above: tuple[Key, ...],
    known: Known,
    library: Library,
    version: Version,
) -> Iterator[Finding]:
    """What is wrong with a level that names what runs."""
    if len(parent.below) > 1:
        yield Finding(
            "error", "mixed", f"below {parent.text!r} an algorithm stands beside other keys",
            "let it stand alone; parameters belong below it", parent.line,
        )  # fmt: skip
        return
    entry = parent.below[0]
    name = entry.key.value
    problem, remedy = wrong_name(name, collective, library, version)
    is_of_another = of_some_version(name, collective, library)
    if problem and version == library.oldest and is_of_another:
        # That of no version named: the oldest, which is taken for it.
        yield Finding("note", "version", problem, remedy, entry.line)
    elif problem:
        code = OTHER_VERSION if is_of_another else "algorithm"
        yield Finding("error", code, f"{problem}: the library aborts", remedy, entry.line)
        return
    parts = parts_of(name)
    if parts is None:
        return
    yield from _between(entry, parts, above)
    if not collective.startswith("i"):
        yield from _parameters(entry, PARAMETERS.get((parts[0], parts[2]), {}))
    yield from _served(entry, parts, above, known)
    yield from wrong_in_some(library, parts[0], parts[2], version, "", entry.line)


def composition_findings(parent: Entry, collective: str) -> Iterator[Finding]:
    """What is wrong with a level that names how the device puts an operation together."""
    for entry in parent.below:
        due = f"MPIDI_{collective.capitalize()}_intra_composition_"
        if entry.key.name != "composition" or not entry.key.value.startswith(due):
            yield Finding(
                "error", "composition",
                f"{entry.text!r} is no composition of {collective}: the library aborts",
                f"write composition={due}alpha, or what the library's own tree has", entry.line,
            )  # fmt: skip


def _between(
    entry: Entry, parts: tuple[str, str, str], above: tuple[Key, ...]
) -> Iterator[Finding]:
    """An algorithm of one communicator where there are two groups, or the other way round."""
    kind = next((key.value for key in above if key.name == "comm_type"), "")
    if parts[1] == "allcomm" or parts[0] not in BETWEEN_GROUPS or kind == parts[1]:
        return
    if kind:
        said = f"{parts[2]} is no algorithm of comm_type={kind}, below which it stands"
    else:
        said = f"{parts[2]} stands below no comm_type, and is used between two groups too"
    yield Finding(
        "error", "comm-type", said, f'let it stand below "comm_type={parts[1]}"', entry.line
    )


def _parameters(entry: Entry, due: dict[str, str]) -> Iterator[Finding]:
    given = {below.key.name: below for below in entry.below}
    for name, below in given.items():
        if name not in due and name not in OPTIONAL:
            near = get_close_matches(name, due, 1)
            yield Finding(
                "error", "parameter",
                f"{entry.key.value} takes no {name!r}, which is ignored without a word",
                f"write {near[0]}" if near else "remove it", below.line,
            )  # fmt: skip
        elif not _is_value(below.key):
            yield Finding(
                "error", "value", f"{below.text!r} has no value that {entry.key.value} can take",
                f"write one of {', '.join(TREE_TYPES)}" if name == "tree_type"
                else "write a whole number", below.line,
            )  # fmt: skip
    for name, value in due.items():
        if name not in given:
            yield Finding(
                "error", "parameter-missing",
                f"{entry.key.value} has no {name}, and a call of it fails or runs on any number",
                f'write "{name}={value}": {{}} below it', entry.line,
            )  # fmt: skip


def _is_value(key: Key) -> bool:
    if key.name == "tree_type":
        return key.value in TREE_TYPES
    return key.relation == "=" and key.value.isascii() and key.value.isdecimal()


def _served(
    entry: Entry, parts: tuple[str, str, str], above: tuple[Key, ...], known: Known
) -> Iterator[Finding]:
    """Calls that get to an algorithm which cannot serve them."""
    said = {f"{key.name}={key.value}" for key in above if key.relation == "="}
    refused = [key for key, is_yes in known.answers.items() if not is_yes]
    due = [
        serves
        for serves, other in NEEDS.get((parts[0], parts[2]), ())
        if (serves, other) in CHECKED and key_of(other) not in refused
    ]
    if parts[0] in IN_PLACE and parts[1] == "intra":
        due.append(f"is_sendbuf_inplace={'yes' if parts[2] == IN_PLACE_ONLY else 'no'}")
    for serves in due:
        is_given = serves == POWER_OF_TWO[0] and are_powers(*known.numbers["comm_size"])
        if serves not in said and not is_given:
            yield Finding(
                "error", "not-served",
                f"{parts[2]} of {parts[0]} is right only where {serves}, which nothing above asks",
                f'let it stand below "{serves}", and another algorithm beside that', entry.line,
            )  # fmt: skip
