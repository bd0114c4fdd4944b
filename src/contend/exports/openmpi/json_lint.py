"""What is wrong with JSON rules of Open MPI 6.0, by line.

The reader skips names that it does not know, so that a rule with a misspelt one holds more widely,
or with other options, than it says; what it cannot read makes it ignore the whole file.
"""

from collections.abc import Iterator

from contend.exports.filerule import Placement
from contend.exports.finding import Finding
from contend.exports.json_lines import Member, NoJSONError, Value, parse_json
from contend.exports.openmpi.checks import check_groups
from contend.exports.openmpi.collectives import IDS
from contend.exports.openmpi.groups import Entry, Group
from contend.exports.openmpi.json_names import (
    OF_COMMUNICATOR,
    OF_MESSAGE,
    TOP,
    meant_by,
    names_twice,
    unknown_names,
)
from contend.exports.openmpi.parsed import IGNORED
from contend.exports.openmpi.rules_json import (
    DISTRIBUTIONS,
    VERSION,
    algorithm_of,
    bounds,
    options_of,
)
from contend.libraries import LIBRARIES, Version


def lint_json(text: str, version: Version) -> list[Finding]:
    """All findings, by line."""
    try:
        root = parse_json(text)
    except NoJSONError as error:
        read = f"the library then reads it as a classic file, and {IGNORED}"
        message = f"no JSON: {error.what}; {read}"
        return [Finding("error", "json", message, error.remedy, error.line)]
    findings = list(_of_top(root))
    collectives = root.get("collectives")
    groups: list[Group] = []
    for member in collectives.members() if collectives else ():
        findings += _of_collective(member)
        groups += _groups(member, version)
        findings += _of_algorithms(member, version)
    findings += check_groups(groups, version, None)
    return sorted(dict.fromkeys(findings), key=lambda one: one.line or 0)


def _of_top(root: Value) -> Iterator[Finding]:
    collectives = root.get("collectives")
    if collectives is None or collectives.kind != "object":
        yield Finding(
            "error", "collectives", f"there is no object 'collectives': {IGNORED}",
            'write {"rule_file_version": 3, "module": "tuned", "collectives": {...}}', root.line,
        )  # fmt: skip
        return
    yield from unknown_names(root, TOP, "of the file")
    told = root.get("rule_file_version")
    if told is not None and told.content != VERSION:
        yield Finding("warning", "version", f"rule_file_version is {told.content!r}",
                      f"write {VERSION}", told.line)  # fmt: skip
    module = root.get("module")
    if module is not None and module.content != "tuned":
        yield Finding("warning", "module", f"module is {module.content!r}", "write 'tuned'",
                      module.line)  # fmt: skip
    yield from names_twice(collectives, "the collective")
    for member in collectives.members():
        if member.name not in IDS:
            meant = meant_by(member.name, IDS)
            yield Finding(
                "error", "collective", f"{member.name!r} is no collective: {IGNORED}",
                f"write {meant!r}" if meant else f"choose from {', '.join(IDS[:17])}", member.line,
            )  # fmt: skip


def _of_collective(member: Member) -> Iterator[Finding]:
    if member.value.kind != "array":
        yield Finding("error", "list", f"{member.name} is no list of rules: {IGNORED}",
                      "write [{...}, ...]", member.line)  # fmt: skip
        return
    for communicator in member.value.items():
        yield from _object(communicator, OF_COMMUNICATOR, f"of a communicator of {member.name}")
        yield from _range(communicator, "comm_size", f"a communicator rule of {member.name}")
        placement = communicator.get("comm_rank_distribution")
        if placement is not None and placement.content not in DISTRIBUTIONS:
            yield Finding(
                "error", "distribution",
                f"comm_rank_distribution {placement.content!r} is read as 'any'",
                f"choose from {', '.join(DISTRIBUTIONS)}", placement.line,
            )  # fmt: skip
        messages = communicator.get("rules")
        if messages is None or messages.kind != "array":
            yield Finding("error", "rules", f"a communicator of {member.name} has no list 'rules': "
                          f"{IGNORED}", "add it", communicator.line)  # fmt: skip
            continue
        for message in messages.items():
            yield from _object(message, OF_MESSAGE, f"of a rule of {member.name}")
            yield from _range(message, "msg_size", f"a rule of {member.name}")
            yield from _whole(message, ("faninout", "seg_size", "reqs"))
        yield from _overlaps(messages.items(), "msg_size", f"rules of {member.name}")
    yield from _shadows(member)


def _of_algorithms(member: Member, version: Version) -> Iterator[Finding]:
    offered = LIBRARIES.get("openmpi").algorithms(member.name, version)
    for communicator in member.value.items():
        messages = communicator.get("rules")
        for message in messages.items() if messages else ():
            given = message.get("alg")
            if given is None and message.kind == "object":
                yield Finding("error", "alg", f"a rule of {member.name} names no 'alg': it leaves "
                              "the library to itself", "add it", message.line)  # fmt: skip
            elif given is not None and offered and not algorithm_of(member.name, message, version):
                known = ", ".join(one.name for one in offered)
                yield Finding("error", "algorithm", f"{member.name} has no algorithm "
                              f"{given.content!r:.60}: the rule is skipped",
                              f"choose from {known}", given.line)  # fmt: skip


def _object(value: Value, names: tuple[str, ...], of: str) -> Iterator[Finding]:
    if value.kind != "object":
        yield Finding("error", "object", f"a value {of} is no object: {IGNORED}", "write {...}",
                      value.line)  # fmt: skip
        return
    yield from unknown_names(value, names, of)
    yield from names_twice(value, "the name")


def _range(value: Value, name: str, of: str) -> Iterator[Finding]:
    yield from _whole(value, (f"{name}_min", f"{name}_max"))
    first, last = bounds(value, name)
    if last is not None and last < first:
        yield Finding("error", "range", f"{of} is for {first} to {last}: it is never used",
                      f"give {name}_max >= {name}_min", value.line)  # fmt: skip


def _whole(value: Value, names: tuple[str, ...]) -> Iterator[Finding]:
    for name in names:
        given = value.get(name)
        if given is None or (given.kind == "integer" and given.content >= 0):
            continue
        if given.kind == "string" and str(given.content)[:3] in ("inf", "Inf", "INF"):
            continue
        yield Finding("error", "number", f"{name} is {given.content!r:.60}, no whole number: "
                      f"{IGNORED}", "write a plain number, or leave it out for no end",
                      given.line)  # fmt: skip


def _overlaps(values: tuple[Value, ...], name: str, what: str) -> Iterator[Finding]:
    """Rules of which a part is never used, since an earlier one holds there."""
    for index, value in enumerate(values):
        first, last = bounds(value, name)
        for earlier in values[:index]:
            least, most = bounds(earlier, name)
            if (most is None or first <= most) and (last is None or least <= last):
                yield Finding(
                    "warning", "overlap", f"{what} overlap: from {max(first, least)} on the one of "
                    f"line {earlier.line} is used", "make the ranges end where the next begins",
                    value.line,
                )  # fmt: skip
                break


def _shadows(member: Member) -> Iterator[Finding]:
    """Communicator rules that an earlier one overlaps, which holds for their placement."""
    values = [one for one in member.value.items() if one.kind == "object"]
    for index, value in enumerate(values):
        own = _placement(value)
        earlier = tuple(one for one in values[:index] if _placement(one) in ("any", own))
        found = list(_overlaps((*earlier, value), "comm_size", f"communicators of {member.name}"))
        yield from (one for one in found if one.line == value.line)


def _placement(value: Value) -> Placement:
    given = value.get("comm_rank_distribution")
    return next((one for one in DISTRIBUTIONS if given and given.content == one), "any")


def _groups(member: Member, version: Version) -> Iterator[Group]:
    if member.name not in IDS:
        return
    numbers = {one.name: one.number or 0 for one in
               LIBRARIES.get("openmpi").algorithms(member.name, version)}  # fmt: skip
    for communicator in member.value.items():
        messages = communicator.get("rules")
        entries = []
        for message in messages.items() if messages else ():
            algorithm = algorithm_of(member.name, message, version) or "default"
            options = options_of(member.name, algorithm, message, version)
            fanout = message.get("faninout")
            options.setdefault("fanout", fanout.content if fanout else 0)
            first, last = bounds(message, "msg_size")
            entries.append(
                Entry(first, None if last is None else last + 1, numbers.get(algorithm, 0), options,
                      message.line)
            )  # fmt: skip
        first, last = bounds(communicator, "comm_size")
        yield Group(member.name, first, max(first, 2), None if last is None else last + 1, entries,
                    communicator.line, _placement(communicator))  # fmt: skip
