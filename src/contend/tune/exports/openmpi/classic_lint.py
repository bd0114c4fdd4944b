"""What is wrong with a classic rules file of Open MPI, by line.

Each finding is a trap that the library does not tell of: it skips what is no number, ignores the
whole file where a number is not what is due, and applies what is left without a word. It looks at
numbers alone, so that a count that is too large takes the first number of the next line for a size,
and one that is too small a size for the next count: all that follows is shifted. Files are written
with a rule per line and a count or size per line, which tells.
"""

from collections import Counter
from collections.abc import Iterator

from contend.schedules.libraries import Version, version_text
from contend.tune.exports.finding import Faults, Finding, by_line
from contend.tune.exports.openmpi.checks import Group, check_groups
from contend.tune.exports.openmpi.classic_file import IGNORED, Parsed, entry_of, parse
from contend.tune.exports.openmpi.collectives import (
    JSON,
    VERSION_LINE,
    VERSION_WORD,
    is_of_han,
    of_han,
)
from contend.tune.exports.openmpi.counted import Token, descending, twice

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
        *([parsed.stopped] if parsed.stopped else []), *_of_layout(parsed),
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
    for skipped, line in parsed.skipped:
        if not VERSION_WORD.startswith(skipped[:4]):
            yield _FAULT("skipped", line, text=skipped[:_LONG])
    for number in parsed.numbers:
        digits = number.text.lstrip("+-")
        is_octal = len(digits) > 1 and digits[0] == "0" and set(digits) != {"0"}
        code = "hexadecimal" if digits[:2] in ("0x", "0X") else "octal" if is_octal else ""
        if code := "glued" if number.is_glued else code:
            given = {"text": number.text, "value": number.value, "digits": digits.lstrip("0")}
            yield _FAULT(code, number.line, **given)


def _of_order(parsed: Parsed, version: Version) -> Iterator[Finding]:
    """Keys that do not ascend, collectives that are given twice, and what 6.0 makes of it."""
    yield from twice([(collective.operation, collective.key) for collective in parsed.collectives])
    for collective in parsed.collectives:
        of, blocks = collective.operation, collective.parts
        yield from descending([block.key for block in blocks], f"communicator sizes of {of}")
        for block in blocks:
            subject = f"message sizes of {of} from {block.key.value} on"
            yield from descending([rule.size for rule in block.parts], subject)
        for first in blocks[:1]:
            n, line = first.key.value, first.key.line
            if version >= JSON and len(blocks) > 1:
                yield _FAULT("shift", line, of=of)
            elif n > 2 and any(rule.rest[0].value for rule in first.parts):
                yield _FAULT("smaller", line, of=of, n=n)


def _of_columns(parsed: Parsed) -> Iterator[Finding]:
    """Rules without the fifth number where others could have it."""
    for collective in parsed.collectives if parsed.version > 1 else ():
        for rule in (rule for block in collective.parts for rule in block.parts):
            if len(rule.rest) < 4:
                yield _FAULT("requests", rule.size.line)


def _groups(parsed: Parsed) -> Iterator[Group]:
    for collective in parsed.collectives:
        ends = [*(block.key.value for block in collective.parts[1:]), None]
        for block, n_to in zip(collective.parts, ends, strict=False):
            sizes = [rule.size.value for rule in block.parts]
            spans = zip(block.parts, sizes, [*sizes[1:], None], strict=False)
            entries = [entry_of(*span) for span in spans]
            yield Group(collective.operation, block.key.value, n_to, entries, block.key.line)


def _of_layout(parsed: Parsed) -> Iterator[Finding]:
    """The first place where numbers and lines part, and numbers that are left at the end."""
    unread = parsed.numbers[parsed.used :]
    if place := _first_parting(parsed):
        count, number, message = place
        code = "shifted" if unread or parsed.stopped else "shifted:read"
        given = {"message": message, "line": count.line, "count": count.text}
        yield _FAULT(code, number.line, **given)
    elif unread and parsed.stopped is None:
        yield _FAULT("left", unread[0].line, count=len(unread), line=parsed.numbers[0].line)


def _first_parting(parsed: Parsed) -> tuple[Token, Token, str] | None:
    """The count to blame, the number in the wrong place, and what is wrong with it."""
    width = Counter(number.line for number in parsed.numbers)
    if not parsed.numbers:
        return None
    last = parsed.numbers[0]
    for collective in parsed.collectives:
        for number in (collective.key, collective.count):
            if width[number.line] >= 4:
                return last, number, AS_COUNTS.format(number.line)
        for block in collective.parts:
            for number in (block.key, block.count):
                if width[number.line] >= 4:
                    return last, number, AS_COUNTS.format(number.line)
            last = block.count
            for rule in block.parts:
                line, due = rule.size.line, 1 + len(rule.rest)
                if any(number.line != line for number in rule.rest):
                    return last, rule.size, "a rule is read from more than one line"
                if width[line] not in (due, 0):
                    counts = f"{width[line]} numbers, of which {due}"
                    return last, rule.size, f"line {line} has {counts} are a rule"
    stopped_at = parsed.numbers[parsed.used - 1]
    if parsed.stopped and parsed.stopped.code == "out-of-range" and width[stopped_at.line] >= 4:
        return last, stopped_at, AS_COUNTS.format(stopped_at.line)
    return None
