"""What is wrong with a selection tree: each place where MPICH aborts, hangs or does not ask.

Source: parse_json_tree, validate_tree, MPIR_Csel_prune and MPIR_Csel_search of csel.c, 4.0 to 5.0;
what aborts was run with 4.0.2 and 5.0.2.
"""

from collections.abc import Iterator
from dataclasses import replace

from contend.exports.csel.ends import Place, composition_findings, end_findings
from contend.exports.csel.facts import UNSAFE_TOTAL
from contend.exports.csel.keys import (
    BETWEEN_GROUPS,
    COLLECTIVES,
    QUESTIONS,
    YES_NO,
    Key,
    key_of,
    wrong_with,
)
from contend.exports.csel.narrow import WITH_ANY, Known
from contend.exports.csel.shipped import Tree, kind_of
from contend.exports.finding import Faults, Finding, by_line
from contend.exports.json_lines import Member, NoJSONError, Value, parse_json
from contend.libraries import Library, Version


def parsed(text: str) -> Value:
    """Return the outermost object, with keys that stand twice; arrays are values.

    Raises
    ------
    NoJSONError
        For what is no JSON, or no object.
    """
    try:
        whole = parse_json(text)
    except NoJSONError as error:
        remedy = "mend it: the library crashes on a file that it cannot parse"
        raise NoJSONError(error.what, error.line, remedy) from None
    if whole.kind != "object":
        raise NoJSONError("the file is no object", whole.line, "write {...} around it")
    return whole


def tree_of(value: Value) -> Tree:
    """Return the same as nested dictionaries; of a repeated key the last, as the library has it."""
    return {one.name: tree_of(one.value) for one in value.members()}


PAGE = 4096  # bytes
DEEPEST = 31  # levels that the library's reader of JSON takes
POSIX = "MPIR_CVAR_CH4_POSIX_COLL_SELECTION_TUNING_JSON_FILE"
MADE_GENERAL = (4, 3)  # from which on every question may have "=any"; before, `WITH_ANY`
SIZES = ("avg_msg_size", "total_msg_size", "count")
_NOTHING = Known({"comm_size": (1, None)})
_FAULT = Faults({
    "other-tree": ("error", f"the file is a tree for shared memory, which {POSIX} names",
                   "name it there; the trees of algorithms have none of its names"),
    "page": ("error", f"the file has a multiple of {PAGE} bytes, and the library reads on past "
             "its end", "add an empty line at its end"),
    "missing-collective": ("error", "no tree for {names}: a program that calls it is aborted",
                           "take them over from the library's own tree, as contend tune export "
                           "does"),
    "top-level": ("error", "{text!r} stands where a collective is due",
                  'write "collective=NAME" at the outermost level'),
    "collective": ("error", "{name!r} is no collective of MPICH, which aborts",
                   "check its spelling"),
    "depth": ("error", f"more than {DEEPEST} levels, which the library does not read",
              "write it flatter"),
    "nothing": ("error", "nothing stands below {text!r}, and the library aborts",
                'end the path in "algorithm=NAME": {{}}'),
    "nothing:value": ("error", "a value stands where an object is due below {text!r}, and the "
                      "library aborts", 'end the path in "algorithm=NAME": {{}}'),
    "repeated": ("error", "{text!r} stands in line {first} too: the last stands for both, or is "
                 "never reached", "remove one, or make one of both"),
    "key": ("error", "{problem}", f"write one of {', '.join(QUESTIONS)}, each with what it asks"),
    "question": ("error", "{name} is not defined for {of}: a call is aborted", "{remedy}"),
    "any": ("error", "{text!r} is unknown to that version, which aborts",
            'write "comm_size=any", which every call is answered with yes'),
    "less": ("warning", "below a message size the library reads {text!r} as comm_size<={value}",
             'write "comm_size<={bound}"'),
    "disagree": ("warning", "ranks may count other sizes of the same {of}, run different "
                 "algorithms and wait for ever", "choose one algorithm for all sizes"),
    "unreachable": ("error", "{text!r} stands after {end!r}, which takes every call: the library "
                    "aborts", "move it before"),
    "shadowed": ("error", "{text!r} takes no call that one before it has not taken",
                 "put the bounds of a level in ascending order"),
    "open-end": ("error", "{what}: the library aborts",
                 'end the level with "comm_size=any" or the branch that is missing'),
})  # fmt: skip


def linted(text: str, library: Library, version: Version) -> list[Finding]:
    """What is wrong with a text, in the order of its lines."""
    try:
        whole = parsed(text)
    except NoJSONError as error:
        return [Finding("error", "json", f"no JSON: {error.what}", error.remedy, error.line)]
    kind = kind_of(text)
    if kind == "posix":
        return [_FAULT("other-tree", None)]
    place = Place("", (), _NOTHING, library, version, kind == "composition")
    return by_line([*_of_file(text, whole, place.is_device), *_of_collectives(whole, place)])


def _of_file(text: str, whole: Value, is_device: bool) -> Iterator[Finding]:
    if len(text.encode("utf-8", "replace")) % PAGE == 0:
        yield _FAULT("page", None)
    keys = [key_of(one.name) for one in whole.members()]
    present = {key.value for key in keys if key.name == "collective"}
    missing = [name for name in COLLECTIVES if name not in present]
    if missing and not is_device:  # what is left out there is made without parts
        names = f"{', '.join(missing[:6])}{' and others' if len(missing) > 6 else ''}"
        yield _FAULT("missing-collective", None, names=names)


def _of_collectives(whole: Value, place: Place) -> Iterator[Finding]:
    yield from _repeated(whole)
    for one in whole.members():
        key = key_of(one.name)
        if key.name != "collective" or key.relation != "=":
            yield _FAULT("top-level", one.line, text=one.name)
        elif key.value not in COLLECTIVES:
            yield _FAULT("collective", one.line, name=key.value)
        else:
            yield from _below(one, replace(place, collective=key.value))


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
        elif any(key_of(one.name).is_leaf for one in below):
            of = composition_findings if here.is_device else end_findings
            yield from of(parent, here)
        else:
            yield from _repeated(parent.value)
            yield from _level(parent, here)
            known = here.known
            for one in below:
                key = key_of(one.name)
                yield from _question(one, key, here)
                taken = known.after(key, key.bound, True)
                waiting.append((one, replace(here, above=(*here.above, key), known=taken)))
                known = known.after(key, key.bound, False)


def _repeated(level: Value) -> Iterator[Finding]:
    seen: dict[Key, int] = {}
    for one in level.members():
        first = seen.setdefault(key_of(one.name), one.line)
        if first != one.line:
            yield _FAULT("repeated", one.line, text=one.name, first=first)


def _question(one: Member, key: Key, place: Place) -> Iterator[Finding]:
    """A key that the library cannot read or that aborts a call."""
    if problem := wrong_with(key):
        yield _FAULT("key", one.line, problem=problem)
        return
    of = QUESTIONS[key.name].of
    if of is None or place.collective in of:
        return
    other = {"avg_msg_size": "total_msg_size", "total_msg_size": "avg_msg_size"}.get(key.name)
    works = other is not None and place.collective in (QUESTIONS[other].of or ())
    remedy = f"ask for {other}, which is" if works else "remove the question"
    yield _FAULT("question", one.line, name=key.name, of=place.collective, remedy=remedy)


def _level(parent: Member, place: Place) -> Iterator[Finding]:
    """Calls that fall out of a level, branches that are not reached, and what ranks disagree on."""
    # What the device's tree has no branch for is made without parts.
    collective = "" if place.is_device else place.collective
    in_calls = any(one.name in SIZES for one in place.above)
    is_between = any((one.name, one.value) == ("comm_type", "inter") for one in place.above)
    yield from _unreached(parent)
    yield from _open_end(parent, collective)
    for one in parent.value.members():
        key = key_of(one.name)
        if key.is_any and key.name not in WITH_ANY and place.version < MADE_GENERAL:
            yield _FAULT("any", one.line, text=one.name)
        if (key.name, key.relation) == ("comm_size", "<") and key.bound is not None and in_calls:
            yield _FAULT("less", one.line, text=one.name, value=key.value, bound=key.bound)
        unsafe = collective in UNSAFE_TOTAL and key.name == "total_msg_size" and not is_between
        if unsafe and not key.is_any:
            yield _FAULT("disagree", one.line, of=collective)


def _unreached(parent: Member) -> Iterator[Finding]:
    reached: dict[str, int] = {}
    end: str | None = None
    for one in parent.value.members():
        key = key_of(one.name)
        if end is not None:
            yield _FAULT("unreachable", one.line, text=one.name, end=end)
        elif key.is_any:
            end = one.name
        elif key.bound is not None:
            if key.bound <= reached.get(key.name, -1):
                yield _FAULT("shadowed", one.line, text=one.name)
            reached[key.name] = max(key.bound, reached.get(key.name, -1))


def _open_end(parent: Member, collective: str) -> Iterator[Finding]:
    """Calls that no key of a level takes."""
    keys = [key_of(one.name) for one in parent.value.members()]
    last = keys[-1].name
    words = {key.value for key in keys if key.name == last}
    if any(key.is_any for key in keys) or last not in QUESTIONS or words.issuperset(YES_NO):
        return
    what = f"calls that no key of the level below {parent.name!r} takes"
    if last == "comm_type":
        missing = [word for word in ("intra", "inter") if word not in words]
        if not missing or (missing == ["inter"] and collective not in BETWEEN_GROUPS):
            return
        what = f"no branch comm_type={missing[0]} of {collective}"
    yield _FAULT("open-end", parent.value.members()[-1].line, what=what)
