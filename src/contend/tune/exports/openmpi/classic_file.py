"""A classic rules file of Open MPI, taken apart as the library does it.

Source: ompi_coll_tuned_read_rules_config_file of ompi/mca/coll/tuned/coll_tuned_dynamic_file.c.
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
from contend.tune.exports.openmpi.counted import Block, Counted, Reader, SizeRule, Stop, Token
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
        reader.read(parsed)
    except Stop as stop:
        parsed.stopped = stop.finding
    parsed.used = len(reader.tokens)
    while reader.number():
        pass  # what the library does not read
    return parsed


class _Reader(Reader):
    def read(self, parsed: Parsed) -> None:
        for _ in range(self._take("the number of collectives", most=len(IDS)).value):
            id = self._take("the id of a collective", most=len(IDS) - 1)
            count = self._take(f"how many communicator sizes {IDS[id.value]} has")
            parsed.collectives.append(Counted(id, count))
            for index in range(count.value):
                self._block(parsed, index)

    def _block(self, parsed: Parsed, index: int) -> None:
        collective = parsed.collectives[-1]
        of, announced = collective.operation, collective.count
        n = self._take(
            f"communicator size {index + 1} of {of} ({announced.text} are announced in line "
            f"{announced.line})"
        )
        count = self._take(f"how many message sizes {of} has from {n.value} processes on")
        block = Block(n, count)
        collective.parts.append(block)
        for which in range(count.value):
            rule = self._rule(
                f"of message size {which + 1} of {of} from {n.value} processes on "
                f"({count.text} are announced in line {count.line})",
                has_requests=parsed.version > 1,
            )
            block.parts.append(rule)
            if which == 0 and rule.size.value:
                raise Stop(_FAULT("first-size", rule.size.line, text=rule.size.text))

    def _rule(self, of: str, *, has_requests: bool) -> SizeRule:
        names = ("the bytes", "the algorithm", "the fanout", "the segment")
        size, *rest = (self._take(f"{name} {of}") for name in names)
        if has_requests and _DIGIT.match(self.text, self.at):
            rest.append(self._take(f"the requests {of}"))
        return SizeRule(size, tuple(rest))

    def _take(self, meaning: str, most: int | None = None) -> Token:
        """The next number; `meaning` says of what."""
        if (number := self.number()) is None:
            line = self.tokens[-1].line if self.tokens else None
            raise Stop(_FAULT("ends-early", line, what=meaning))
        is_beyond = most is not None and number.value > most
        if code := "negative" if number.value < 0 else "out-of-range" if is_beyond else "":
            raise Stop(_FAULT(code, number.line, what=meaning, text=number.text, most=most))
        return number
