"""What is wrong with JSON rules of Open MPI 6.0, by line.

The reader skips names that it does not know, so that a rule with a misspelt one holds more widely,
or with other options, than it says; what it cannot read makes it ignore the whole file.
"""

from collections.abc import Iterator
from difflib import get_close_matches

from contend.schedules.libraries import LIBRARIES, Version
from contend.tune.exports.finding import Faults, Finding, by_line
from contend.tune.exports.json_lines import Member, NoJSONError, Value, parse_json
from contend.tune.exports.openmpi.classic_file import IGNORED
from contend.tune.exports.openmpi.collectives import IDS, check_groups
from contend.tune.exports.openmpi.rules_json import (
    DISTRIBUTIONS,
    VERSION,
    algorithm_of,
    bounds,
    groups_in,
    placed_on,
)

TOP = ("rule_file_version", "module", "collectives")
OF_COMMUNICATOR = ("comm_size_min", "comm_size_max", "comm_rank_distribution", "rules")
OF_MESSAGE = ("msg_size_min", "msg_size_max", "alg", "faninout", "seg_size", "reqs")
NUMBERS = ("faninout", "seg_size", "reqs")
MEANT = {
    "segsize": "seg_size", "segment": "seg_size", "segment_size": "seg_size",
    "fanout": "faninout", "fan_in_out": "faninout", "fanin": "faninout", "algorithm": "alg",
    "max_requests": "reqs", "requests": "reqs", "msg_size": "msg_size_min",
    "comm_size": "comm_size_min", "reducescatter": "reduce_scatter",
    "reducescatterblock": "reduce_scatter_block",
}  # fmt: skip
_FAULT = Faults(__file__, ignored=IGNORED)


def lint_json(text: str, version: Version) -> list[Finding]:
    try:
        root = parse_json(text)
    except NoJSONError as error:
        return [_FAULT("json", error.line, what=error.problem, remedy=error.remedy)]
    findings = list(_of_top(root))
    collectives = root.get("collectives")
    for member in collectives.members() if collectives else ():
        findings += _of_collective(member, version)
    groups = [group for group in groups_in(root, version) if group.operation in IDS]
    return by_line([*findings, *check_groups(groups, version, None)])


def _of_top(root: Value) -> Iterator[Finding]:
    collectives = root.get("collectives")
    if collectives is None or collectives.kind != "object":
        yield _FAULT("collectives", root.line)
        return
    yield from _names(root, TOP, "of the file", "")
    for name, right in (("rule_file_version", VERSION), ("module", "tuned")):
        given = root.get(name)
        if given is not None and given.content != right:
            yield _FAULT(name.removeprefix("rule_file_"), given.line, value=given.content)
    yield from _names(collectives, None, "", "the collective")
    for member in collectives.members():
        if member.name not in IDS:
            remedy = _meant(member.name, IDS, f"choose from {', '.join(IDS[:17])}")
            yield _FAULT("collective", member.line, name=member.name, remedy=remedy)


def _of_collective(member: Member, version: Version) -> Iterator[Finding]:
    of, values = member.name, member.value.items()
    if member.value.kind != "array":
        yield _FAULT("list", member.line, of=of)
    for communicator in values:
        yield from _names(communicator, OF_COMMUNICATOR, f"of a communicator of {of}", "the name")
        yield from _whole(communicator, ("comm_size_min", "comm_size_max"))
        yield from _range(communicator, "comm_size", f"a communicator rule of {of}")
        placement = communicator.get("comm_rank_distribution")
        if placement is not None and placement.content not in DISTRIBUTIONS:
            yield _FAULT("distribution", placement.line, value=placement.content)
        messages = communicator.get("rules")
        if messages is None or messages.kind != "array":
            yield _FAULT("rules", communicator.line, of=of)
            continue
        for message in messages.items():
            yield from _of_message(message, of, version)
            yield from _range(message, "msg_size", f"a rule of {of}")
        for index, message in enumerate(messages.items()):
            before = messages.items()[:index]
            yield from _overlap(before, message, "msg_size", f"rules of {of}")
    for index, value in enumerate(values):
        if value.kind == "object":
            before = tuple(earlier for earlier in values[:index] if earlier.kind == "object" and
                           placed_on(earlier) in ("any", placed_on(value)))  # fmt: skip
            yield from _overlap(before, value, "comm_size", f"communicators of {of}")


def _of_message(message: Value, of: str, version: Version) -> Iterator[Finding]:
    yield from _names(message, OF_MESSAGE, f"of a rule of {of}", "the name")
    yield from _whole(message, ("msg_size_min", "msg_size_max", *NUMBERS))
    offered = LIBRARIES.get("openmpi").algorithms(of, version)
    given = message.get("alg")
    if given is None and message.kind == "object":
        yield _FAULT("alg", message.line, of=of)
    elif given is not None and offered and not algorithm_of(of, message, version):
        names = ", ".join(algorithm.name for algorithm in offered)
        yield _FAULT("algorithm", given.line, of=of, value=given.content, offered=names)


def _names(value: Value, names: tuple[str, ...] | None, of: str, subject: str) -> Iterator[Finding]:
    """No object, names that the reader skips, and that stand twice if there is a `subject`."""
    if value.kind != "object":
        yield _FAULT("object", value.line, of=of)
    seen: set[str] = set()
    for member in value.members():
        if names is not None and member.name not in names:
            remedy = _meant(member.name, names, f"known are {', '.join(names)}")
            yield _FAULT("name", member.line, name=member.name, of=of, remedy=remedy)
        if subject and member.name in seen:
            yield _FAULT("twice", member.line, what=subject, name=member.name)
        seen.add(member.name)


def _meant(name: str, names: tuple[str, ...], otherwise: str) -> str:
    lower = name.lower().replace("-", "_")
    close = get_close_matches(lower[:80], names, 1, 0.75)
    right = MEANT[lower] if MEANT.get(lower) in names else close[0] if close else None
    return f"write {right!r}" if right else otherwise


def _range(value: Value, name: str, of: str) -> Iterator[Finding]:
    first, last = bounds(value, name)
    if last is not None and last < first:
        yield _FAULT("range", value.line, of=of, first=first, last=last, name=name)


def _whole(value: Value, names: tuple[str, ...]) -> Iterator[Finding]:
    for name in names:
        given = value.get(name)
        if given is None or (given.kind == "integer" and given.content >= 0):
            continue
        if given.kind != "string" or str(given.content)[:3] not in ("inf", "Inf", "INF"):
            yield _FAULT("number", given.line, name=name, value=given.content)


def _overlap(before: tuple[Value, ...], value: Value, name: str, subject: str) -> Iterator[Finding]:
    """A rule of which a part is never used, since an earlier one holds there."""
    first, last = bounds(value, name)
    for earlier in before:
        least, most = bounds(earlier, name)
        if (most is None or first <= most) and (last is None or least <= last):
            given = {"first": max(first, least), "earlier": earlier.line}
            yield _FAULT("overlap", value.line, what=subject, **given)
            return
