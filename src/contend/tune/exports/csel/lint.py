"""What is wrong with a selection tree: each place where MPICH aborts, hangs or does not ask.

Source: parse_json_tree, validate_tree, MPIR_Csel_prune and MPIR_Csel_search of csel.c, 4.0 to 5.0;
what aborts was run with 4.0.2 and 5.0.2.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from contend.schedules.libraries import Library, Version
from contend.tune.exports.csel.facts import (
    BETWEEN_GROUPS,
    COLLECTIVES,
    COMMUTATIVE,
    IN_PLACE,
    NEEDS,
    OPTIONAL,
    PARAMETERS,
    POWER_OF_TWO,
    QUESTIONS,
    TREE_TYPES,
    UNSAFE_TOTAL,
    YES_NO,
    Key,
    in_some_version,
    key_of,
    parts_of,
    wrong_name,
    wrong_with,
)
from contend.tune.exports.csel.library_trees import Tree, kind_of
from contend.tune.exports.csel.narrow import WITH_ANY, Known, are_powers
from contend.tune.exports.file_rules import wrong_in_some
from contend.tune.exports.finding import Faults, Finding, by_line, meant
from contend.tune.exports.json_lines import Member, NoJSONError, Value, parse_json


@dataclass(frozen=True)
class Place:
    """Where in a tree: the collective, the keys above and what they tell, and who reads it."""

    collective: str
    above: tuple[Key, ...]
    facts: Known
    library: Library
    version: Version
    is_device: bool  # a tree of compositions, which the device reads


def parsed(text: str) -> Value:
    """Return the outermost object, with keys that stand twice; arrays are values."""
    try:
        whole = parse_json(text)
    except NoJSONError as error:
        remedy = "mend it: the library crashes on a file that it cannot parse"
        raise NoJSONError(error.problem, error.line, remedy) from None
    if whole.kind != "object":
        raise NoJSONError("the file is no object", whole.line, "write {...} around it")
    return whole


def tree_of(value: Value) -> Tree:
    """Return the same as nested dictionaries; of a repeated key the last, as the library has it."""
    return {member.name: tree_of(member.value) for member in value.members()}


PAGE = 4096  # bytes
DEEPEST = 31  # levels that the library's reader of JSON takes
POSIX = "MPIR_CVAR_CH4_POSIX_COLL_SELECTION_TUNING_JSON_FILE"
MADE_GENERAL = (4, 3)  # from which on every question may have "=any"; before, `WITH_ANY`
SIZES = ("avg_msg_size", "total_msg_size", "count")
_NOTHING = Known({"comm_size": (1, None)})
_FAULT = Faults(__file__)


def linted(text: str, library: Library, version: Version) -> list[Finding]:
    """What is wrong with a text, in the order of its lines."""
    try:
        whole = parsed(text)
    except NoJSONError as error:
        return [Finding("error", "json", f"no JSON: {error.problem}", error.remedy, error.line)]
    kind = kind_of(text)
    if kind == "posix":
        return [_FAULT("other-tree", None)]
    place = Place("", (), _NOTHING, library, version, kind == "composition")
    return by_line([*_of_file(text, whole, place.is_device), *_of_collectives(whole, place)])


def _of_file(text: str, whole: Value, is_device: bool) -> Iterator[Finding]:
    if len(text.encode("utf-8", "replace")) % PAGE == 0:
        yield _FAULT("page", None)
    keys = [key_of(member.name) for member in whole.members()]
    present = {key.value for key in keys if key.name == "collective"}
    missing = [name for name in COLLECTIVES if name not in present]
    if missing and not is_device:  # what is left out there is made without parts
        names = f"{', '.join(missing[:6])}{' and others' if len(missing) > 6 else ''}"
        yield _FAULT("missing-collective", None, names=names)


def _of_collectives(whole: Value, place: Place) -> Iterator[Finding]:
    yield from _repeated(whole)
    for member in whole.members():
        key = key_of(member.name)
        if key.name != "collective" or key.relation != "=":
            yield _FAULT("top-level", member.line, text=member.name)
        elif key.value not in COLLECTIVES:
            yield _FAULT("collective", member.line, name=key.value)
        else:
            yield from _below(member, replace(place, collective=key.value))


def _below(top: Member, place: Place) -> Iterator[Finding]:
    """What is wrong below a key, without recursion: texts of others nest as they like."""
    waiting = [(top, place)]
    while waiting:
        parent, here = waiting.pop()
        below = parent.value.members()
        if not below:
            code = "nothing" if parent.value.kind == "object" else "nothing:value"
            yield _FAULT(code, parent.line, text=parent.name)
        elif len(here.above) >= DEEPEST:
            yield _FAULT("depth", parent.line)
        elif any(key_of(member.name).is_leaf for member in below):
            of = composition_findings if here.is_device else end_findings
            yield from of(parent, here)
        else:
            yield from _repeated(parent.value)
            yield from _level(parent, here)
            facts = here.facts
            for member in below:
                key = key_of(member.name)
                yield from _question(member, key, here)
                taken = facts.after(key, key.bound, True)
                waiting.append((member, replace(here, above=(*here.above, key), facts=taken)))
                facts = facts.after(key, key.bound, False)


def _repeated(level: Value) -> Iterator[Finding]:
    seen: dict[Key, int] = {}
    for member in level.members():
        first = seen.setdefault(key_of(member.name), member.line)
        if first != member.line:
            yield _FAULT("repeated", member.line, text=member.name, first=first)


def _question(member: Member, key: Key, place: Place) -> Iterator[Finding]:
    """A key that the library cannot read or that aborts a call."""
    if problem := wrong_with(key):
        yield _FAULT("key", member.line, problem=problem)
        return
    of = QUESTIONS[key.name].of
    if of is None or place.collective in of:
        return
    other = {"avg_msg_size": "total_msg_size", "total_msg_size": "avg_msg_size"}.get(key.name)
    works = other is not None and place.collective in (QUESTIONS[other].of or ())
    remedy = f"ask for {other}, which is" if works else "remove the question"
    yield _FAULT("question", member.line, name=key.name, of=place.collective, remedy=remedy)


def _level(parent: Member, place: Place) -> Iterator[Finding]:
    """Calls that fall out of a level, branches that are not reached, and what ranks disagree on."""
    # What the device's tree has no branch for is made without parts.
    collective = "" if place.is_device else place.collective
    in_calls = any(key.name in SIZES for key in place.above)
    is_between = any((key.name, key.value) == ("comm_type", "inter") for key in place.above)
    yield from _unreached(parent)
    yield from _open_end(parent, collective)
    for member in parent.value.members():
        key = key_of(member.name)
        if key.is_any and key.name not in WITH_ANY and place.version < MADE_GENERAL:
            yield _FAULT("any", member.line, text=member.name)
        if (key.name, key.relation) == ("comm_size", "<") and key.bound is not None and in_calls:
            yield _FAULT("less", member.line, text=member.name, value=key.value, bound=key.bound)
        unsafe = collective in UNSAFE_TOTAL and key.name == "total_msg_size" and not is_between
        if unsafe and not key.is_any:
            yield _FAULT("disagree", member.line, of=collective)


def _unreached(parent: Member) -> Iterator[Finding]:
    reached: dict[str, int] = {}
    end: str | None = None
    for member in parent.value.members():
        key = key_of(member.name)
        if end is not None:
            yield _FAULT("unreachable", member.line, text=member.name, end=end)
        elif key.is_any:
            end = member.name
        elif key.bound is not None:
            if key.bound <= reached.get(key.name, -1):
                yield _FAULT("shadowed", member.line, text=member.name)
            reached[key.name] = max(key.bound, reached.get(key.name, -1))


def _open_end(parent: Member, collective: str) -> Iterator[Finding]:
    keys = [key_of(member.name) for member in parent.value.members()]
    last = keys[-1].name
    words = {key.value for key in keys if key.name == last}
    if any(key.is_any for key in keys) or last not in QUESTIONS or words.issuperset(YES_NO):
        return
    calls = f"calls that no key of the level below {parent.name!r} takes"
    if last == "comm_type":
        missing = [word for word in ("intra", "inter") if word not in words]
        if not missing or (missing == ["inter"] and collective not in BETWEEN_GROUPS):
            return
        calls = f"no branch comm_type={missing[0]} of {collective}"
    yield _FAULT("open-end", parent.value.members()[-1].line, what=calls)


OTHER_VERSION = "other-version"  # code of a finding: another version has the algorithm
IN_PLACE_ONLY = "pairwise_sendrecv_replace"
# Not asked of all: count and hierarchy follow from other branches in the library's own trees.
CHECKED = (POWER_OF_TWO, COMMUTATIVE)


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
    given = {key_of(member.name): member for member in entry.value.members()}
    for key, member in given.items():
        if key.name not in due and key.name not in OPTIONAL:
            yield _FAULT(
                "parameter", member.line, of=of, name=key.name, remedy=meant(key.name, due)
            )
        elif not _is_value(key):
            is_type = key.name == "tree_type"
            remedy = f"write one of {', '.join(TREE_TYPES)}" if is_type else "write a whole number"
            yield _FAULT("value", member.line, text=member.name, of=of, remedy=remedy)
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
    refused = [key for key, is_yes in place.facts.answers.items() if not is_yes]
    due = [
        serves
        for serves, other in NEEDS.get((operation, name), ())
        if (serves, other) in CHECKED and key_of(other) not in refused
    ]
    if operation in IN_PLACE and kind == "intra":
        due.append(f"is_sendbuf_inplace={'yes' if name == IN_PLACE_ONLY else 'no'}")
    for serves in due:
        is_given = serves == POWER_OF_TWO[0] and are_powers(*place.facts.numbers["comm_size"])
        if serves not in asked and not is_given:
            yield _FAULT("not-served", entry.line, name=name, of=operation, serves=serves)
