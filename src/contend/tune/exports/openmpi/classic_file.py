"""A classic rules file of Open MPI, taken apart as the library does it, and what is wrong with it.

Source: ompi_coll_tuned_read_rules_config_file of ompi/mca/coll/tuned/coll_tuned_dynamic_file.c.
Layout: numbers alone count, line breaks do not: the number of collectives; for each its id and the
number of communicator sizes; for each of these the size and the number of message sizes; for each
of these bytes, algorithm, fanout, segment. "rule-file-version-2" as the very first characters (from
5.0.7 on) allows a fifth number on the line, the most requests.

The library skips what is no number, ignores the whole file where a number is not what is due, and
applies what remains without a word. It looks at numbers alone, so that a count that is too large
takes the first number of the next line for a size, and one that is too small a size for the next
count: all that follows is shifted. Files are written with a rule per line and a count or size per
line, which shows it.
"""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from contend.schedules.libraries import Version, version_text
from contend.tune.exports.finding import Faults, Finding, by_line
from contend.tune.exports.openmpi.collectives import (
    IDS,
    JSON,
    VERSION_LINE,
    VERSION_WORD,
    Entry,
    Group,
    check_groups,
    is_of_han,
    of_han,
)
from contend.tune.exports.openmpi.tokens import (
    Block,
    Counted,
    Reader,
    SizeRule,
    Stop,
    Token,
    descending,
    twice,
)
from contend.tune.exports.settings import says_script

_DIGIT = re.compile(r"[ \t]*[0-9]")
_BEGIN = re.compile(r"[+-]?\d\w*(?:\s|#|$)")  # no date, address, item of a list or of CSV
IGNORED = "the library ignores the whole file without a word"
_VERSION = re.compile(r"rule-file-version-([+-]?\d{1,9})")
_FAULT = Faults(__file__, ignored=IGNORED)


def is_numbers(text: str) -> bool:
    r"""Whether a text looks like rules: the first line but comments, or most, begin with a number.

    >>> is_numbers("# rules\n1\n7\n"), is_numbers("# a script\nmodule load mpi\n")
    (True, False)
    """
    lines = [line for line in (each.strip() for each in text.splitlines()) if line[:1] not in "#"]
    begins = [_BEGIN.match(line) is not None for line in lines if line]
    is_most = 2 * sum(begins) >= len(begins) and not says_script(text)
    return bool(begins) and (begins[0] or is_most)


def entry_of(rule: SizeRule, size: int, size_to: int | None) -> Entry:
    """A rule, held for sizes in a range."""
    algorithm, *rest = (number.value for number in rule.rest)
    options = dict(zip(("fanout", "segment", "requests"), rest, strict=False))
    return Entry(size, size_to, algorithm, options, rule.size.line)


@dataclass
class Parsed:
    """What the library finds in a text; where it gives up, `stopped` says why."""

    version: int  # of the format
    collectives: list[Counted[Block]] = field(default_factory=list)
    skipped: list[tuple[str, int]] = field(default_factory=list)
    numbers: list[Token] = field(default_factory=list)
    used: int = 0  # of the numbers
    stopped: Finding | None = None


def parse(text: str, library: Version) -> Parsed:
    """What that version of the library finds in a text; never an error."""
    match = _VERSION.match(text) if library >= VERSION_LINE else None
    reader = _Reader(text, match.end() if match else 0)
    parsed = Parsed(int(match[1]) if match else 1, skipped=reader.skipped, numbers=reader.tokens)
    try:
        for _ in range(reader.take("the number of collectives", most=len(IDS)).value):
            id = reader.take("the id of a collective", most=len(IDS) - 1)
            count = reader.take(f"how many communicator sizes {IDS[id.value]} has")
            parsed.collectives.append(Counted(id, count))
            for index in range(count.value):
                reader.block(parsed, index)
    except Stop as stop:
        parsed.stopped = stop.finding
    parsed.used = len(reader.tokens)
    while reader.number():
        pass  # what the library does not read
    return parsed


class _Reader(Reader):
    def block(self, parsed: Parsed, index: int) -> None:
        """Read the rules from a number of processes on, of the last collective."""
        collective = parsed.collectives[-1]
        of, announced = collective.operation, collective.count
        n = self.take(
            f"communicator size {index + 1} of {of} ({announced.text} are announced in line "
            f"{announced.line})"
        )
        count = self.take(f"how many message sizes {of} has from {n.value} processes on")
        block = Block(n, count)
        collective.parts.append(block)
        names = ("the bytes", "the algorithm", "the fanout", "the segment")
        for which in range(count.value):
            of_rule = (
                f"of message size {which + 1} of {of} from {n.value} processes on "
                f"({count.text} are announced in line {count.line})"
            )
            size, *rest = (self.take(f"{name} {of_rule}") for name in names)
            if parsed.version > 1 and _DIGIT.match(self.text, self.at):
                rest.append(self.take(f"the requests {of_rule}"))
            block.parts.append(SizeRule(size, tuple(rest)))
            if which == 0 and size.value:
                raise Stop(_FAULT("first-size", size.line, text=size.text))

    def take(self, meaning: str, most: int | None = None) -> Token:
        """The next number; `meaning` says of what."""
        if (number := self.number()) is None:
            line = self.tokens[-1].line if self.tokens else None
            raise Stop(_FAULT("ends-early", line, what=meaning))
        is_beyond = most is not None and number.value > most
        if code := "negative" if number.value < 0 else "out-of-range" if is_beyond else "":
            raise Stop(_FAULT(code, number.line, what=meaning, text=number.text, most=most))
        return number


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
