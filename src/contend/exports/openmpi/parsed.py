"""A classic rules file of Open MPI, taken apart as the library does it.

Source: ompi_coll_tuned_read_rules_config_file of ompi/mca/coll/tuned/coll_tuned_dynamic_file.c.
Layout: numbers alone count, line breaks do not: the number of collectives; for each its id and the
number of communicator sizes; for each of these the size and the number of message sizes; for each
of these bytes, algorithm, fanout, segment. "rule-file-version-2" as the very first characters (from
5.0.7 on) allows a fifth number on the line, the most requests.
"""

import re
from dataclasses import dataclass, field

from contend.exports.finding import Faults, Finding
from contend.exports.openmpi.collectives import IDS, VERSION_LINE
from contend.exports.openmpi.groups import Entry
from contend.exports.openmpi.numbers import Number, Skipped, has_digit_next, scan
from contend.libraries import Version

IGNORED = "the library ignores the whole file without a word"
_VERSION = re.compile(r"rule-file-version-([+-]?\d{1,9})")
_FAULT = Faults({
    "ends-early": ("error", f"the file ends where {{what}} is due: {IGNORED}",
                   "make the counts those of the lines that follow them"),
    "negative": ("error", f"{{what}} is {{text}}: {IGNORED}", "give a number of 0 or more"),
    "out-of-range": ("error", f"{{what}} is {{text}}: {IGNORED}",
                     "give one up to {most}; numbers of an earlier block may be shifted, if its "
                     "counts are not those of its lines"),
    "first-size": ("error", f"the first message size is {{text}}, not 0: {IGNORED}",
                   "begin every block with a line for 0 bytes, such as '0 0 0 0', which leaves "
                   "smaller messages to the library"),
})  # fmt: skip


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
        """Where it begins."""
        return self.numbers[0].line

    def entry(self, size: int, size_to: int | None) -> Entry:
        """The rule, held for sizes in a range."""
        names = ("fanout", "segment", "requests")
        options = {name: one.value for name, one in zip(names, self.numbers[2:], strict=False)}
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
        """The operation."""
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
    def left(self) -> list[Number]:
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

    def _take(self, what: str, most: int | None = None) -> Number:
        """The next number, which is `what`."""
        numbers = self.parsed.numbers
        if self.parsed.used == len(numbers):
            raise _Stop(_FAULT("ends-early", numbers[-1].line if numbers else None, what=what))
        number = numbers[self.parsed.used]
        self.parsed.used += 1
        is_beyond = most is not None and number.value > most
        if code := "negative" if number.value < 0 else "out-of-range" if is_beyond else "":
            raise _Stop(_FAULT(code, number.line, what=what, text=number.text, most=most))
        return number
