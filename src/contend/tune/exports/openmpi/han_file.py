"""A file of rules of coll/han, taken apart as the library does it.

Source: mca_coll_han_init_dynamic_rules of ompi/mca/coll/han/coll_han_dynamic_file.c, and runs of
4.1.4 and 5.0.11 with coll_han_dump_dynamic_rules. Layout: the number of collectives; for each its
name or id and the number of topologic levels; for each of these the level and the number of
communicator sizes; for each of these the size and the number of message sizes; for each of these
bytes and the component that serves calls from there on. Levels are numbers, from 5.0 on names too;
from 5.0 on an algorithm of coll/han may stand behind it ("han @simple").
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from contend.schedules.libraries import Version
from contend.tune.exports.finding import Faults, Finding
from contend.tune.exports.openmpi.collectives import IDS
from contend.tune.exports.openmpi.counted import (
    DECIMAL,
    LONG_MAX,
    NUMBER,
    Block,
    Counted,
    Reader,
    SizeRule,
    Stop,
    Token,
)

LEVELS = ("intra_node", "inter_node", "global_communicator")
WHOLE = 2  # the level of communicators that programs have
COMPONENTS = ("self", "basic", "libnbc", "tuned", "sm", "adapt", "han")
HAN = "han"
NAMES = (5,)  # the first version that reads names of levels, and algorithms
IGNORED = "coll/han says that it could not read the file, and ignores all of it"
_FAULT = Faults(__file__, ignored=IGNORED)
Level = Counted[Block]


@dataclass
class Parsed:
    """What the library finds in a text; where it gives up, `stopped` says why."""

    collectives: list[Counted[Level]] = field(default_factory=list)
    skipped: list[tuple[str, int]] = field(default_factory=list)
    stopped: Finding | None = None
    unread: int | None = None  # the line of what stands behind the end


def parse(text: str, version: Version) -> Parsed:
    """What that version of the library finds in a text; never an error."""
    reader = _Reader(text)
    parsed = Parsed(skipped=reader.skipped)
    try:
        for _ in range(reader.due("the number of collectives", 1).value):
            reader.collective(parsed, has_names=version >= NAMES)
        parsed.unread = None if reader.is_at_end() else reader.line
    except Stop as stop:
        parsed.stopped = stop.finding
    return parsed


class _Reader(Reader):
    def collective(self, parsed: Parsed, *, has_names: bool) -> None:
        id = self._named("the name of a collective", IDS)
        of, last = IDS[id.value], len(LEVELS) - 1
        collective = Counted[Level](id, self.due(f"how many levels {of} has", 0))
        parsed.collectives.append(collective)
        for _ in range(collective.count.value):
            subject = f"a level of {of}"
            id = self._named(subject, LEVELS) if has_names else self.due(subject, 0, last)
            level = Level(id, self.due(f"how many communicator sizes {of} has", 0))
            collective.parts.append(level)
            for index in range(level.count.value):
                n = self.due(f"a communicator size of {of}", 1)
                self._require_first(index, n, f"communicator size of {of}", 1)
                count = self.due(f"how many message sizes {of} has from {n.value} ranks on", 0)
                level.parts.append(Block(n, count))
                for which in range(count.value):
                    rule = self._size_rule(of, has_names=has_names)
                    level.parts[-1].parts.append(rule)
                    self._require_first(which, rule.size, f"message size of {of}", 0)

    def _require_first(self, index: int, token: Token, subject: str, least: int) -> None:
        if index == 0 and token.value > 1:
            given = {"what": subject, "text": token.text, "least": least}
            raise Stop(_FAULT("first-size", token.line, **given))

    def _size_rule(self, of: str, *, has_names: bool) -> SizeRule:
        size = self.due(f"a message size of {of}", 0, pattern=DECIMAL)
        component = self._named(f"a component of {of}", COMPONENTS, is_number=False)
        algorithm = ""
        if has_names and component.text == HAN and self.takes("@"):
            algorithm = self._named(f"the algorithm of coll/han for {of}", algorithms(of)).text
        has_segments = self.takes("[")
        while has_segments and not self.takes("]"):
            self.due(f"a segment of {of}", -LONG_MAX)
        return SizeRule(size, (component,), algorithm, has_segments)

    def _named(self, subject: str, names: tuple[str, ...], *, is_number: bool = True) -> Token:
        """A word of a list, or its number in it."""
        if (token := self.word()) is None:
            raise Stop(_FAULT("ends-early", self.line, what=subject))
        if token.text in names:
            return replace(token, value=names.index(token.text))
        if is_number and token.text.isdecimal() and int(token.text) < len(names):
            return replace(token, value=int(token.text))
        given = {"what": subject, "text": token.text, "remedy": f"give one of {', '.join(names)}"}
        raise Stop(_FAULT("unknown", token.line, **given))

    def due(
        self, subject: str, least: int, most: int | None = None, pattern: re.Pattern[str] = NUMBER
    ) -> Token:
        """The next number, which has to lie in a range."""
        if (token := self.number(pattern)) is None:
            raise Stop(_FAULT("ends-early", self.line, what=subject))
        if token.value < least or (most is not None and token.value > most):
            to = " on" if most is None else f" to {most}"
            given = {"what": subject, "text": token.text, "least": least, "to": to}
            raise Stop(_FAULT("out-of-range", token.line, **given))
        return token


def algorithms(operation: str) -> tuple[str, ...]:
    """Algorithms of coll/han by their numbers, after ompi_info of 5.0.11."""
    if operation == "barrier":
        return "default", "simple"
    is_exact = operation in ("reduce", "allreduce")
    return "default", "intra", "simple", *(["reproducible"] * is_exact)


def whole(parsed: Parsed) -> Iterator[tuple[str, Level]]:
    """The rules for communicators of programs; of a collective that stands twice the last."""
    for operation, collective in {each.operation: each for each in parsed.collectives}.items():
        for level in {level.key.value: level for level in collective.parts}.values():
            if level.key.value == WHOLE:
                yield operation, level
