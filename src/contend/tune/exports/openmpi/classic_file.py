"""A classic rules file of Open MPI, taken apart as the library does it.

Source: ompi_coll_tuned_read_rules_config_file of ompi/mca/coll/tuned/coll_tuned_dynamic_file.c, and
ompi_coll_base_file_getnext_long: fscanf("%li"), which takes 010 for eight and 0x10 for sixteen;
where that finds no number a character is skipped without a word, and from # on the line.
Layout: numbers alone count, line breaks do not: the number of collectives; for each its id and the
number of communicator sizes; for each of these the size and the number of message sizes; for each
of these bytes, algorithm, fanout, segment. "rule-file-version-2" as the very first characters (from
5.0.7 on) allows a fifth number on the line, the most requests.
"""

import re
from dataclasses import dataclass, field

from contend.schedules.libraries import Version
from contend.tune.exports.finding import Faults, Finding
from contend.tune.exports.openmpi.checks import Entry
from contend.tune.exports.openmpi.collectives import IDS, VERSION_LINE
from contend.tune.exports.settings import says_script

LONG_MAX = 2**63 - 1
NUMBER = re.compile(r"[+-]?(0[xX][0-9a-fA-F]+|0[0-7]*|[1-9][0-9]*)")
_SPACE = re.compile(r"[ \t\n\v\f\r]*")
_DIGIT = re.compile(r"[ \t]*[0-9]")
_BEGIN = re.compile(r"[+-]?\d\w*(?:\s|#|$)")  # no date, address, item of a list or of CSV
_MOST_DIGITS = 24  # more than a long has, in any base


@dataclass(frozen=True)
class Number:
    """A number, as written and as read; `end` is the place in the text behind it."""

    value: int
    text: str
    line: int
    end: int
    is_glued: bool = False  # to what stands before it, as the 9 of 09 and the 5 of 2.5


@dataclass(frozen=True)
class Skipped:
    """Characters that the library skips without a word."""

    text: str
    line: int


def scan(text: str, start: int = 0) -> tuple[list[Number], list[Skipped]]:
    """Numbers and skipped characters of a text from a place on, in order.

    >>> numbers, skipped = scan("010 4k # rest 5")
    >>> [one.value for one in numbers], [one.text for one in skipped]
    ([8, 4], ['k'])
    """
    numbers: list[Number] = []
    skipped: list[Skipped] = []
    place, line, last = start, 1 + text.count("\n", 0, start), -1
    while True:
        after = _SPACE.match(text, place).end()  # type: ignore[union-attr]  # matches nothing too
        line += text.count("\n", place, after)
        place = after
        if place >= len(text):
            return numbers, skipped
        if match := NUMBER.match(text, place):
            numbers.append(Number(value_of(match[0]), match[0], line, match.end(), place == last))
            place = last = match.end()
        elif text[place] == "#":
            place = (text.find("\n", place) + 1 or len(text) + 1) - 1
        else:
            place = last = _skip(text, place, line, skipped)


def has_digit_next(text: str, place: int) -> bool:
    """Whether the next of the line but blanks is a digit, which the fifth number depends on."""
    return _DIGIT.match(text, place) is not None


def _skip(text: str, place: int, line: int, skipped: list[Skipped]) -> int:
    """The place behind a character that is skipped, which joins those skipped before it."""
    glued = skipped and text.endswith(skipped[-1].text, 0, place) and skipped[-1].line == line
    if glued:
        skipped[-1] = Skipped(skipped[-1].text + text[place], line)
    else:
        skipped.append(Skipped(text[place], line))
    return place + 1


def value_of(text: str) -> int:
    """The value as strtol with base 0 gives it."""
    digits = text.lstrip("+-")
    if len(digits) > _MOST_DIGITS:
        value = LONG_MAX
    else:
        base = 16 if digits[:2] in ("0x", "0X") else 8 if digits[0] == "0" else 10
        value = min(int(digits, base), LONG_MAX)
    return -value if text[0] == "-" else value


def is_numbers(text: str) -> bool:
    r"""Whether a text looks like rules: the first line but comments, or most, begin with a number.

    >>> is_numbers("# rules\n1\n7\n"), is_numbers("# a script\nmodule load mpi\n")
    (True, False)
    """
    lines = [line for line in (each.strip() for each in text.splitlines()) if line[:1] not in "#"]
    begins = [_BEGIN.match(line) is not None for line in lines if line]
    is_most = 2 * sum(begins) >= len(begins) and not says_script(text)
    return bool(begins) and (begins[0] or is_most)


IGNORED = "the library ignores the whole file without a word"
_VERSION = re.compile(r"rule-file-version-([+-]?\d{1,9})")
_FAULT = Faults(__file__, ignored=IGNORED)


@dataclass(frozen=True)
class MessageRule:
    """Bytes, algorithm, fanout, segment, and the most requests where the file has them."""

    numbers: tuple[Number, ...]

    @property
    def size(self) -> int:
        """Bytes from which it holds."""
        return self.numbers[0].value

    @property
    def algorithm(self) -> int:
        """Its number; 0 leaves the library to itself."""
        return self.numbers[1].value

    @property
    def line(self) -> int:
        return self.numbers[0].line

    def entry(self, size: int, size_to: int | None) -> Entry:
        """The rule, held for sizes in a range."""
        names = ("fanout", "segment", "requests")
        options = {
            name: number.value for name, number in zip(names, self.numbers[2:], strict=False)
        }
        return Entry(size, size_to, self.algorithm, options, self.line)


@dataclass
class CommunicatorRule:
    """The rules for a number of processes and more."""

    n: Number
    count: Number
    messages: list[MessageRule] = field(default_factory=list)


@dataclass
class Collective:
    """The rules of a collective operation."""

    id: Number
    count: Number
    communicators: list[CommunicatorRule] = field(default_factory=list)

    @property
    def name(self) -> str:
        return IDS[self.id.value]


@dataclass
class Parsed:
    """What the library finds in a text; where it gives up, `stopped` says why."""

    version: int = 1  # of the format
    collectives: list[Collective] = field(default_factory=list)
    skipped: list[Skipped] = field(default_factory=list)
    numbers: list[Number] = field(default_factory=list)
    used: int = 0  # of the numbers
    stopped: Finding | None = None

    @property
    def unread(self) -> list[Number]:
        """Numbers behind the end, which the library does not read."""
        return self.numbers[self.used :]


class _Stop(Exception):
    """Where the library gives up."""

    def __init__(self, finding: Finding) -> None:
        self.finding = finding


def parse(text: str, library: Version) -> Parsed:
    """What that version of the library finds in a text; never an error."""
    parsed = Parsed()
    match = _VERSION.match(text) if library >= VERSION_LINE else None
    if match:
        parsed.version = int(match[1])
    parsed.numbers, parsed.skipped = scan(text, match.end() if match else 0)
    try:
        _Reader(text, parsed).read()
    except _Stop as stop:
        parsed.stopped = stop.finding
    return parsed


class _Reader:
    """Takes the numbers one after the other."""

    def __init__(self, text: str, parsed: Parsed) -> None:
        self.text = text
        self.parsed = parsed

    def read(self) -> None:
        for _ in range(self._take("the number of collectives", most=len(IDS)).value):
            id = self._take("the id of a collective", most=len(IDS) - 1)
            of = IDS[id.value]
            count = self._take(f"how many communicator sizes {of} has")
            collective = Collective(id, count)
            self.parsed.collectives.append(collective)
            for index in range(count.value):
                self._communicator(collective, of, index)

    def _communicator(self, collective: Collective, of: str, index: int) -> None:
        missing = f" ({collective.count.text} are announced in line {collective.count.line})"
        n = self._take(f"communicator size {index + 1} of {of}{missing}")
        count = self._take(f"how many message sizes {of} has from {n.value} processes on")
        rule = CommunicatorRule(n, count)
        collective.communicators.append(rule)
        for which in range(count.value):
            message = self._message(
                f"of message size {which + 1} of {of} from {n.value} processes on "
                f"({count.text} are announced in line {count.line})"
            )
            rule.messages.append(message)
            if which == 0 and message.size:
                raise _Stop(_FAULT("first-size", message.line, text=message.numbers[0].text))

    def _message(self, of: str) -> MessageRule:
        names = ("the bytes", "the algorithm", "the fanout", "the segment")
        numbers = [self._take(f"{name} {of}") for name in names]
        if self.parsed.version > 1 and has_digit_next(self.text, numbers[-1].end):
            numbers.append(self._take(f"the requests {of}"))
        return MessageRule(tuple(numbers))

    def _take(self, meaning: str, most: int | None = None) -> Number:
        """The next number; `meaning` says of what."""
        numbers = self.parsed.numbers
        if self.parsed.used == len(numbers):
            raise _Stop(_FAULT("ends-early", numbers[-1].line if numbers else None, what=meaning))
        number = numbers[self.parsed.used]
        self.parsed.used += 1
        is_beyond = most is not None and number.value > most
        if code := "negative" if number.value < 0 else "out-of-range" if is_beyond else "":
            raise _Stop(_FAULT(code, number.line, what=meaning, text=number.text, most=most))
        return number
