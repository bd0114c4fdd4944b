"""A file of rules of coll/han, taken apart as the library does it, and what is wrong with it.

Source: mca_coll_han_init_dynamic_rules of ompi/mca/coll/han/coll_han_dynamic_file.c, and runs of
4.1.4 and 5.0.11 with coll_han_dump_dynamic_rules. Layout: the number of collectives; for each its
name or id and the number of topologic levels; for each of these the level and the number of
communicator sizes; for each of these the size and the number of message sizes; for each of these
bytes and the component that serves calls from there on. Levels are numbers, from 5.0 on names too;
from 5.0 on an algorithm of coll/han may stand behind it ("han @simple"). Of a file that cannot be
read to its end the library says "could not fully read dynamic rules file" and takes no rule; what
it reads and does not heed it says only at a verbosity of 5 and more (coll_han_verbose, in 4.1
coll_base_verbose).
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from contend.schedules.libraries import Version, version_text
from contend.tune.exports.finding import Faults, Finding, by_line
from contend.tune.exports.openmpi.collectives import IDS, han_takes
from contend.tune.exports.openmpi.tokens import (
    DECIMAL,
    LONG_MAX,
    NUMBER,
    Block,
    Counted,
    Reader,
    SizeRule,
    Stop,
    Token,
    descending,
    twice,
)

LEVELS = ("intra_node", "inter_node", "global_communicator")
WHOLE = 2  # the level of communicators that programs have
COMPONENTS = ("self", "basic", "libnbc", "tuned", "sm", "adapt", "han")
HAN = "han"
NAMES = (5,)  # the first version that reads names of levels, and algorithms
IGNORED = "coll/han says that it could not read the file, and ignores all of it"
Level = Counted[Block]
_FAULT = Faults(__file__, ignored=IGNORED)


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


def lint_han(text: str, version: Version) -> list[Finding]:
    """All findings, by line; those of the whole file first."""
    parsed = parse(text, version)
    return by_line([*_of_file(parsed, version), *_of_collectives(parsed, version)])


def _of_file(parsed: Parsed, version: Version) -> Iterator[Finding]:
    for skipped, line in parsed.skipped:
        yield _FAULT("skipped", line, text=skipped)
    if parsed.stopped:
        yield parsed.stopped
    if version < NAMES:
        yield _FAULT("priority", None)
    if parsed.unread is not None:
        yield _FAULT("left", parsed.unread)
    yield from twice([(collective.operation, collective.key) for collective in parsed.collectives])


def _of_collectives(parsed: Parsed, version: Version) -> Iterator[Finding]:
    for collective in parsed.collectives:
        of = collective.operation
        if not han_takes(of, max(version, NAMES)):
            yield _FAULT("unused", collective.key.line, of=of, version=version_text(version))
        yield from _empty(collective.count, of)
        names = [f"the level {LEVELS[level.key.value]} of {of}" for level in collective.parts]
        yield from twice([(n, level.key) for n, level in zip(names, collective.parts, strict=True)])
        for name, level in zip(names, collective.parts, strict=True):
            yield from _empty(level.count, name)
            yield from _of_level(level, of)


def _empty(count: Token, subject: str) -> Iterator[Finding]:
    if not count.value:
        yield _FAULT("empty", count.line, what=subject)


def _of_level(level: Level, of: str) -> Iterator[Finding]:
    yield from descending([block.key for block in level.parts], f"communicator sizes of {of}")
    for block in level.parts:
        subject = f"{of} from {block.key.value} ranks on"
        yield from _empty(block.count, subject)
        yield from descending([rule.size for rule in block.parts], f"message sizes of {subject}")
        if of == "barrier" and len(block.parts) > 1:
            yield _FAULT("without-size", block.parts[1].size.line)
        for rule in block.parts:
            component = rule.rest[0]
            if component.text == HAN and level.key.value != WHOLE:
                yield _FAULT("level", component.line, level=LEVELS[level.key.value])
            if rule.has_segments:
                yield _FAULT("segments", component.line)
