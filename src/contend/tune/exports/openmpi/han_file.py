"""A file of rules of coll/han, taken apart as the library does it.

Source: mca_coll_han_init_dynamic_rules of ompi/mca/coll/han/coll_han_dynamic_file.c, and runs of
4.1.4 and 5.0.11 with coll_han_dump_dynamic_rules. Layout: the number of collectives; for each its
name or id and the number of topologic levels; for each of these the level and the number of
communicator sizes; for each of these the size and the number of message sizes; for each of these
bytes and the component that serves calls from there on. Levels are numbers, from 5.0 on names too;
from 5.0 on an algorithm of coll/han may stand behind it ("han @simple"). Where a number is due,
what is none is skipped; where a word is due, the next one is taken, whatever it is.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from contend.schedules.libraries import Version
from contend.tune.exports.finding import Faults, Finding
from contend.tune.exports.openmpi.classic_file import LONG_MAX, NUMBER, value_of
from contend.tune.exports.openmpi.collectives import IDS

LEVELS = ("intra_node", "inter_node", "global_communicator")
WHOLE = 2  # the level of communicators that programs have
COMPONENTS = ("self", "basic", "libnbc", "tuned", "sm", "adapt", "han")
HAN = "han"
NAMES = (5,)  # the first version that reads names of levels, and algorithms
IGNORED = "coll/han says that it could not read the file, and ignores all of it"
_FAULT = Faults(__file__, ignored=IGNORED)
# A size is read in decimal, whatever its first digits are.
_SIZE = re.compile(r"[+-]?[0-9]{1,24}")
_WORD = re.compile(r"\S{1,32}")
_SPACE = re.compile(r"\s*")


@dataclass(frozen=True)
class Token:
    """What was read for a number or a word, its line, and what was skipped before it."""

    text: str
    value: int
    line: int
    skipped: str = ""


@dataclass(frozen=True)
class SizeRule:
    """From `size` bytes on the component serves calls; `algorithm` is one of coll/han."""

    size: Token
    component: Token
    algorithm: str = ""
    has_segments: bool = False


@dataclass
class Configuration:
    """The rules for so many ranks and more."""

    n: Token
    count: Token
    sizes: list[SizeRule] = field(default_factory=list)


@dataclass
class Level:
    """The rules for communicators of a topologic level."""

    id: Token
    count: Token
    configurations: list[Configuration] = field(default_factory=list)


@dataclass
class Collective:
    """The rules of a collective operation."""

    id: Token
    count: Token
    levels: list[Level] = field(default_factory=list)

    @property
    def name(self) -> str:
        return IDS[self.id.value]


@dataclass
class Parsed:
    """What the library finds in a text; where it gives up, `stopped` says why."""

    collectives: list[Collective] = field(default_factory=list)
    tokens: list[Token] = field(default_factory=list)
    stopped: Finding | None = None
    unread: int | None = None  # the line of what stands behind the end


class _Stop(Exception):
    def __init__(self, finding: Finding) -> None:
        self.finding = finding


def parse(text: str, version: Version) -> Parsed:
    """What that version of the library finds in a text; never an error."""
    reader = _Reader(text, version)
    try:
        for _ in range(reader.number("the number of collectives", 1).value):
            reader.collective()
        reader.parsed.unread = reader.rest()
    except _Stop as stop:
        reader.parsed.stopped = stop.finding
    return reader.parsed


class _Reader:
    """Takes numbers and words one after the other."""

    def __init__(self, text: str, version: Version) -> None:
        self.text, self.at = text, 0
        self.has_names = version >= NAMES
        self.parsed = Parsed()

    def collective(self) -> None:
        id = self._named("the name of a collective", IDS)
        of = IDS[id.value]
        collective = Collective(id, self.number(f"how many levels {of} has", 0))
        self.parsed.collectives.append(collective)
        for _ in range(collective.count.value):
            subject = f"a level of {of}"
            last = len(LEVELS) - 1
            id = self._named(subject, LEVELS) if self.has_names else self.number(subject, 0, last)
            level = Level(id, self.number(f"how many communicator sizes {of} has", 0))
            collective.levels.append(level)
            for index in range(level.count.value):
                n = self.number(f"a communicator size of {of}", 1)
                if index == 0 and n.value > 1:
                    raise self._first(f"communicator size of {of}", n, 1)
                count = self.number(f"how many message sizes {of} has from {n.value} ranks on", 0)
                level.configurations.append(Configuration(n, count))
                for which in range(count.value):
                    rule = self._size_rule(collective, of)
                    level.configurations[-1].sizes.append(rule)
                    if which == 0 and rule.size.value > 1:
                        raise self._first(f"message size of {of}", rule.size, 0)

    def rest(self) -> int | None:
        """The line of what stands behind the end, if anything does."""
        self._blanks()
        return self._line() if self.at < len(self.text) else None

    def _first(self, subject: str, token: Token, least: int) -> _Stop:
        return _Stop(_FAULT("first-size", token.line, what=subject, text=token.text, least=least))

    def _size_rule(self, collective: Collective, of: str) -> SizeRule:
        size = self.number(f"a message size of {of}", 0, pattern=_SIZE)
        component = self._named(f"a component of {of}", COMPONENTS, is_number=False)
        algorithm = ""
        if self.has_names and component.text == HAN and self._takes("@"):
            algorithm = self._algorithm(of)
        has_segments = self._takes("[")
        while has_segments and not self._takes("]"):
            self.number(f"a segment of {of}", -LONG_MAX)
        return SizeRule(size, component, algorithm, has_segments)

    def _algorithm(self, of: str) -> str:
        names = algorithms(of)
        token = self._word(f"an algorithm of coll/han for {of}")
        if token.text in names or (token.text.isdecimal() and int(token.text) < len(names)):
            return token.text
        raise self._none(f"the algorithm of coll/han for {of}", token, names)

    def _named(self, subject: str, names: tuple[str, ...], is_number: bool = True) -> Token:
        """A word of a list, or its number in it."""
        token = self._word(subject)
        if token.text in names:
            return Token(token.text, names.index(token.text), token.line)
        if is_number and token.text.isdecimal() and int(token.text) < len(names):
            return Token(token.text, int(token.text), token.line)
        raise self._none(subject, token, names)

    def _none(self, subject: str, token: Token, names: tuple[str, ...]) -> _Stop:
        given = {"what": subject, "text": token.text, "remedy": f"give one of {', '.join(names)}"}
        return _Stop(_FAULT("unknown", token.line, **given))

    def number(
        self, subject: str, least: int, most: int | None = None, pattern: re.Pattern[str] = NUMBER
    ) -> Token:
        """The next number; what is none before it is skipped."""
        skipped = ""
        while True:
            self._blanks()
            if self.at >= len(self.text):
                raise _Stop(_FAULT("ends-early", self._line(), what=subject))
            if match := pattern.match(self.text, self.at):
                break
            skipped += self.text[self.at]
            self.at += 1
        value = value_of(match[0]) if pattern is NUMBER else int(match[0])
        token = self._token(match, value, skipped)
        if value < least or (most is not None and value > most):
            to = " on" if most is None else f" to {most}"
            given = {"what": subject, "text": token.text, "least": least, "to": to}
            raise _Stop(_FAULT("out-of-range", token.line, **given))
        return token

    def _word(self, subject: str) -> Token:
        self._blanks()
        if (match := _WORD.match(self.text, self.at)) is None:
            raise _Stop(_FAULT("ends-early", self._line(), what=subject))
        return self._token(match, 0)

    def _token(self, match: re.Match[str], value: int, skipped: str = "") -> Token:
        line = self.text.count("\n", 0, self.at) + 1
        token = Token(match[0], value, line, skipped)
        self.at = match.end()
        self.parsed.tokens.append(token)
        return token

    def _takes(self, char: str) -> bool:
        """Whether the next character is this one, which is taken then."""
        self._blanks()
        is_next = self.text.startswith(char, self.at)
        self.at += is_next
        return is_next

    def _blanks(self) -> None:
        while True:
            self.at = _SPACE.match(self.text, self.at).end()  # type: ignore[union-attr]  # or ""
            if not self.text.startswith("#", self.at):
                return
            self.at = self.text.find("\n", self.at) + 1 or len(self.text)

    def _line(self) -> int:
        return self.text.count("\n", 0, self.at) + 1


def algorithms(operation: str) -> tuple[str, ...]:
    """Algorithms of coll/han by their numbers, after ompi_info of 5.0.11."""
    if operation == "barrier":
        return "default", "simple"
    is_exact = operation in ("reduce", "allreduce")
    return "default", "intra", "simple", *(["reproducible"] * is_exact)


def whole(parsed: Parsed) -> Iterator[tuple[Collective, Level]]:
    """The rules for communicators of programs; of a collective that stands twice the last."""
    for collective in {collective.name: collective for collective in parsed.collectives}.values():
        levels = {level.id.value: level for level in collective.levels}
        if WHOLE in levels:
            yield collective, levels[WHOLE]
