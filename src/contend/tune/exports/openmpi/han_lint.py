"""What is wrong with a file of rules of coll/han, by line.

Run with 4.1.4 and 5.0.11: of a file that cannot be read to its end the library says "could not
fully read dynamic rules file" and takes no rule; what it reads and does not heed it tells only at a
verbosity of 5 and more (coll_han_verbose, in 4.1 coll_base_verbose).
"""

from collections.abc import Iterator

from contend.schedules.libraries import Version, version_text
from contend.tune.exports.finding import Faults, Finding, by_line
from contend.tune.exports.openmpi.collectives import han_takes
from contend.tune.exports.openmpi.counted import Token, descending, twice
from contend.tune.exports.openmpi.han_file import HAN, LEVELS, NAMES, WHOLE, Level, Parsed, parse

_FAULT = Faults(__file__)


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
