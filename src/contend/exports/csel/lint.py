"""What is wrong with a selection tree: each place where MPICH aborts, hangs or does not ask.

Source: parse_json_tree, validate_tree, MPIR_Csel_prune and MPIR_Csel_search of csel.c, 4.0 to 5.0;
what aborts was run with 4.0.2 and 5.0.2.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from contend.exports.csel.ends import composition_findings, end_findings
from contend.exports.csel.keys import COLLECTIVES, QUESTIONS, Key, wrong_with
from contend.exports.csel.levels import level_findings
from contend.exports.csel.narrow import Known
from contend.exports.csel.shipped import kind_of
from contend.exports.csel.text import Entry, entries_of
from contend.exports.finding import Finding
from contend.exports.json_lines import NoJSONError
from contend.libraries import Library, Version

PAGE = 4096  # bytes
DEEPEST = 31  # levels that the library's reader of JSON takes
POSIX = "MPIR_CVAR_CH4_POSIX_COLL_SELECTION_TUNING_JSON_FILE"
_NOTHING = Known({"comm_size": (1, None)})


@dataclass(frozen=True)
class Place:
    """Where in a tree: the collective, the keys above and what they tell, and who reads it."""

    collective: str
    above: tuple[Key, ...]
    known: Known
    library: Library
    version: Version
    is_device: bool  # a tree of compositions, which the device reads


def linted(text: str, library: Library, version: Version) -> list[Finding]:
    """What is wrong with a text, in the order of its lines."""
    try:
        entries = entries_of(text)
    except NoJSONError as error:
        return [Finding("error", "json", f"no JSON: {error.what}", error.remedy, error.line)]
    kind = kind_of(text)
    if kind == "posix":
        return [
            Finding(
                "error", "other-tree", f"the file is a tree for shared memory, which {POSIX} names",
                "name it there; the trees of algorithms have none of its names",
            )
        ]  # fmt: skip
    is_device = kind == "composition"
    found = [
        *_of_file(text, entries, is_device),
        *_of_collectives(entries, Place("", (), _NOTHING, library, version, is_device)),
    ]
    return sorted(found, key=lambda one: one.line or 0)


def _of_file(text: str, entries: list[Entry], is_device: bool) -> Iterator[Finding]:
    if len(text.encode("utf-8", "replace")) % PAGE == 0:
        yield Finding(
            "error", "page",
            f"the file has a multiple of {PAGE} bytes, and the library reads on past its end",
            "add an empty line at its end",
        )  # fmt: skip
    present = {entry.key.value for entry in entries if entry.key.name == "collective"}
    if is_device:
        return  # what is left out is made without parts
    if missing := [name for name in COLLECTIVES if name not in present]:
        yield Finding(
            "error", "missing-collective",
            f"no tree for {', '.join(missing[:6])}{' and others' if len(missing) > 6 else ''}: a "
            "program that calls it is aborted",
            "take them over from the library's own tree, as contend tune export does",
        )  # fmt: skip


def _of_collectives(entries: list[Entry], place: Place) -> Iterator[Finding]:
    yield from _repeated(entries)
    for entry in entries:
        key = entry.key
        if key.name != "collective" or key.relation != "=":
            yield Finding(
                "error", "top-level", f"{entry.text!r} stands where a collective is due",
                'write "collective=NAME" at the outermost level', entry.line,
            )  # fmt: skip
        elif key.value not in COLLECTIVES:
            yield Finding(
                "error", "collective", f"{key.value!r} is no collective of MPICH, which aborts",
                "check its spelling", entry.line,
            )  # fmt: skip
        else:
            yield from _below(entry, replace(place, collective=key.value))


def _below(entry: Entry, place: Place) -> Iterator[Finding]:
    """What is wrong below a key, without recursion: texts of others nest as they like."""
    waiting = [(entry, place)]
    while waiting:
        parent, here = waiting.pop()
        if not parent.is_object or not parent.below:
            yield _nothing(parent)
            continue
        if len(here.above) >= DEEPEST:
            yield Finding(
                "error", "depth", f"more than {DEEPEST} levels, which the library does not read",
                "write it flatter", parent.line,
            )  # fmt: skip
            continue
        if any(one.key.is_leaf for one in parent.below):
            yield from (
                composition_findings(parent, here.collective) if here.is_device else
                end_findings(parent, here.collective, here.above, here.known, here.library,
                             here.version)
            )  # fmt: skip
            continue
        yield from _repeated(parent.below)
        # What the device's tree has no branch for is made without parts.
        collective = "" if here.is_device else here.collective
        yield from level_findings(parent, collective, here.above, here.version)
        known = here.known
        for child in parent.below:
            key = child.key
            if problem := _question(key, here):
                yield Finding("error", *problem, child.line)
            taken = known.after(key, key.bound, True)
            waiting.append((child, replace(here, above=(*here.above, key), known=taken)))
            known = known.after(key, key.bound, False)


def _nothing(entry: Entry) -> Finding:
    what = "nothing stands" if entry.is_object else "a value stands where an object is due"
    return Finding(
        "error", "nothing", f"{what} below {entry.text!r}, and the library aborts",
        'end the path in "algorithm=NAME": {}', entry.line,
    )  # fmt: skip


def _repeated(level: list[Entry]) -> Iterator[Finding]:
    seen: dict[Key, int] = {}
    for entry in level:
        first = seen.setdefault(entry.key, entry.line)
        if first != entry.line:
            yield Finding(
                "error", "repeated",
                f"{entry.text!r} stands in line {first} too: the last stands for both, or is never "
                "reached",
                "remove one, or make one of both", entry.line,
            )  # fmt: skip


def _question(key: Key, place: Place) -> tuple[str, str, str] | None:
    """Code, message and remedy for a key that the library cannot read or that aborts a call."""
    if problem := wrong_with(key):
        return "key", problem, f"write one of {', '.join(QUESTIONS)}, each with what it asks"
    of = QUESTIONS[key.name].of
    if of is not None and place.collective not in of:
        other = {"avg_msg_size": "total_msg_size", "total_msg_size": "avg_msg_size"}.get(key.name)
        instead = other and QUESTIONS[other].of
        works = instead is not None and place.collective in instead
        return (
            "question",
            f"{key.name} is not defined for {place.collective}: a call is aborted",
            f"ask for {other}, which is" if works else "remove the question",
        )
    return None
