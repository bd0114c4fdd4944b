"""What is wrong with a classic rules file of Open MPI, by line.

Each finding is a trap that the library does not tell of: it skips what is no number, ignores the
whole file where a number is not what is due, and applies what is left without a word. It looks at
numbers alone, so that a count that is too large takes the first number of the next line for a size,
and one that is too small a size for the next count: all that follows is shifted. Files are written
with a rule per line and a count or size per line, which tells.
"""

from collections import Counter
from collections.abc import Iterator
from itertools import pairwise

from contend.schedules.libraries import Version, version_text
from contend.tune.exports.finding import Faults, Finding, by_line
from contend.tune.exports.openmpi.checks import Group, check_groups
from contend.tune.exports.openmpi.classic_file import IGNORED, Number, Parsed, parse
from contend.tune.exports.openmpi.collectives import (
    JSON,
    VERSION_LINE,
    VERSION_WORD,
    is_of_han,
    of_han,
)

_FAULT = Faults(__file__, ignored=IGNORED)
AS_COUNTS = "the rule of line {} is read as counts"
_LONG = 200  # characters of what was skipped that are shown


def lint_classic(text: str, version: Version) -> list[Finding]:
    """All findings, by line; those of the whole file first."""
    if text.lstrip()[:1] == "{" and version < JSON:
        return [_FAULT("json", 1, version=version_text(version))]
    if is_of_han(text):
        return [of_han()]
    parsed = parse(text, version)
    return by_line([
        *_of_version_line(text, parsed, version), *_of_words(parsed),
        *([parsed.stopped] if parsed.stopped else []), *layout_findings(parsed),
        *_of_order(parsed, version), *_of_columns(parsed),
        *check_groups(list(_groups(parsed)), version, text),
    ])  # fmt: skip


def _of_version_line(text: str, parsed: Parsed, version: Version) -> Iterator[Finding]:
    at = text.find(VERSION_WORD)
    if at < 0 or "#" in text[text.rfind("\n", 0, at) + 1 : at]:
        return
    line = text.count("\n", 0, at) + 1
    if version < VERSION_LINE:
        yield _FAULT("version-line:early", line, version=version_text(version))
    elif at > 0:
        yield _FAULT("version-line:late", line)
    elif parsed.version not in (1, 2):
        yield _FAULT("version-line", line, number=parsed.version)


def _of_words(parsed: Parsed) -> Iterator[Finding]:
    """What is no number, and how numbers are written."""
    for skipped in parsed.skipped:
        if not VERSION_WORD.startswith(skipped.text.strip()[:4]):
            yield _FAULT("skipped", skipped.line, text=skipped.text[:_LONG])
    for number in parsed.numbers:
        digits = number.text.lstrip("+-")
        is_octal = len(digits) > 1 and digits[0] == "0" and set(digits) != {"0"}
        code = "hexadecimal" if digits[:2] in ("0x", "0X") else "octal" if is_octal else ""
        if code := "glued" if number.is_glued else code:
            given = {"text": number.text, "value": number.value, "digits": digits.lstrip("0")}
            yield _FAULT(code, number.line, **given)


def _of_order(parsed: Parsed, version: Version) -> Iterator[Finding]:
    """Keys that do not ascend, collectives that are given twice, and what 6.0 makes of it."""
    seen: dict[int, int] = {}
    for collective in parsed.collectives:
        if collective.id.value in seen:
            yield _FAULT(
                "twice", collective.id.line, of=collective.name, first=seen[collective.id.value]
            )
        seen[collective.id.value] = collective.id.line
        counts = [(rule.n.value, rule.n.line) for rule in collective.communicators]
        yield from _ascending(counts, f"communicator sizes of {collective.name}")
        for rule in collective.communicators:
            sizes = [(message.size, message.line) for message in rule.messages]
            yield from _ascending(
                sizes, f"message sizes of {collective.name} from {rule.n.value} on"
            )
        for first in collective.communicators[:1]:
            if version >= JSON and len(collective.communicators) > 1:
                yield _FAULT("shift", first.n.line, of=collective.name)
            elif first.n.value > 2 and any(message.algorithm for message in first.messages):
                yield _FAULT("smaller", first.n.line, of=collective.name, n=first.n.value)


def _ascending(keys: list[tuple[int, int]], subject: str) -> Iterator[Finding]:
    for (before, _), (key, line) in pairwise(keys):
        if key <= before:
            yield _FAULT("order", line, what=subject, key=key, before=before)


def _of_columns(parsed: Parsed) -> Iterator[Finding]:
    """Rules without the fifth number where others could have it."""
    for collective in parsed.collectives if parsed.version > 1 else ():
        for message in (message for rule in collective.communicators for message in rule.messages):
            if len(message.numbers) < 5:
                yield _FAULT("requests", message.line)


def _groups(parsed: Parsed) -> Iterator[Group]:
    for collective in parsed.collectives:
        ends = [*(rule.n.value for rule in collective.communicators[1:]), None]
        for rule, n_to in zip(collective.communicators, ends, strict=False):
            sizes = [message.size for message in rule.messages]
            spans = zip(rule.messages, [*sizes[1:], None], strict=False)
            entries = [message.entry(message.size, size_to) for message, size_to in spans]
            yield Group(collective.name, rule.n.value, n_to, entries, rule.n.line)


def layout_findings(parsed: Parsed) -> Iterator[Finding]:
    """The first place where numbers and lines part, and numbers that are left at the end."""
    unread = parsed.unread
    if place := _first_parting(parsed):
        count, number, message = place
        code = "shifted" if unread or parsed.stopped else "shifted:read"
        given = {"message": message, "line": count.line, "count": count.text}
        yield _FAULT(code, number.line, **given)
    elif unread and parsed.stopped is None:
        yield _FAULT("left", unread[0].line, count=len(unread), line=parsed.numbers[0].line)


def _first_parting(parsed: Parsed) -> tuple[Number, Number, str] | None:
    """The count to blame, the number in the wrong place, and what is wrong with it."""
    width = Counter(number.line for number in parsed.numbers)
    if not parsed.numbers:
        return None
    last = parsed.numbers[0]
    for collective in parsed.collectives:
        for number in (collective.id, collective.count):
            if width[number.line] >= 4:
                return last, number, AS_COUNTS.format(number.line)
        for rule in collective.communicators:
            for number in (rule.n, rule.count):
                if width[number.line] >= 4:
                    return last, number, AS_COUNTS.format(number.line)
            last = rule.count
            for message in rule.messages:
                if len({number.line for number in message.numbers}) > 1:
                    return last, message.numbers[0], "a rule is read from more than one line"
                if width[message.line] not in (len(message.numbers), 0):
                    counts = f"{width[message.line]} numbers, of which {len(message.numbers)}"
                    return last, message.numbers[0], f"line {message.line} has {counts} are a rule"
    stopped_at = parsed.numbers[parsed.used - 1]
    if parsed.stopped and parsed.stopped.code == "out-of-range" and width[stopped_at.line] >= 4:
        return last, stopped_at, AS_COUNTS.format(stopped_at.line)
    return None
