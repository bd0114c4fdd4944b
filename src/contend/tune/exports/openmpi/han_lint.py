"""What is wrong with a file of rules of coll/han, by line.

Run with 4.1.4 and 5.0.11: of a file that cannot be read to its end the library says "could not
fully read dynamic rules file" and takes no rule; what it reads and does not heed it tells only at a
verbosity of 5 and more (coll_han_verbose, in 4.1 coll_base_verbose).
"""

from collections.abc import Iterator
from itertools import pairwise

from contend.schedules.libraries import Version, version_text
from contend.tune.exports.finding import Faults, Finding, by_line
from contend.tune.exports.openmpi.collectives import han_takes
from contend.tune.exports.openmpi.han_file import (
    HAN,
    LEVELS,
    NAMES,
    WHOLE,
    Collective,
    Level,
    Parsed,
    Token,
    parse,
)

_FAULT = Faults(__file__)


def lint_han(text: str, version: Version) -> list[Finding]:
    """All findings, by line; those of the whole file first."""
    parsed = parse(text, version)
    findings = [*_of_tokens(parsed), *([parsed.stopped] if parsed.stopped else [])]
    if version < NAMES:
        findings.append(_FAULT("priority", None))
    if parsed.unread is not None:
        findings.append(_FAULT("left", parsed.unread))
    seen: dict[str, int] = {}
    for collective in parsed.collectives:
        if collective.name in seen:
            findings.append(
                _FAULT(
                    "twice", collective.id.line, what=collective.name, first=seen[collective.name]
                )
            )
        seen[collective.name] = collective.id.line
        findings += _of_collective(collective, version)
    return by_line(findings)


def _of_tokens(parsed: Parsed) -> Iterator[Finding]:
    for token in parsed.tokens:
        if token.skipped:
            yield _FAULT("skipped", token.line, text=token.skipped)


def _of_collective(collective: Collective, version: Version) -> Iterator[Finding]:
    if not han_takes(collective.name, max(version, NAMES)):
        yield _FAULT(
            "unused", collective.id.line, of=collective.name, version=version_text(version)
        )
    if not collective.count.value:
        yield _FAULT("empty", collective.count.line, what=collective.name)
    seen: dict[int, int] = {}
    for level in collective.levels:
        subject = f"the level {LEVELS[level.id.value]} of {collective.name}"
        if level.id.value in seen:
            yield _FAULT("twice", level.id.line, what=subject, first=seen[level.id.value])
        seen[level.id.value] = level.id.line
        yield from _of_level(level, subject, collective.name)


def _of_level(level: Level, subject: str, of: str) -> Iterator[Finding]:
    if not level.count.value:
        yield _FAULT("empty", level.count.line, what=subject)
    yield from _ascending(
        [configuration.n for configuration in level.configurations], f"communicator sizes of {of}"
    )
    for configuration in level.configurations:
        if not configuration.count.value:
            yield _FAULT(
                "empty",
                configuration.count.line,
                what=f"{of} from {configuration.n.value} ranks on",
            )
        sizes = f"message sizes of {of} from {configuration.n.value} ranks on"
        yield from _ascending([rule.size for rule in configuration.sizes], sizes)
        if of == "barrier" and len(configuration.sizes) > 1:
            yield _FAULT("without-size", configuration.sizes[1].size.line)
        for rule in configuration.sizes:
            if rule.component.text == HAN and level.id.value != WHOLE:
                yield _FAULT("level", rule.component.line, level=LEVELS[level.id.value])
            if rule.has_segments:
                yield _FAULT("segments", rule.component.line)


def _ascending(keys: list[Token], subject: str) -> Iterator[Finding]:
    for before, key in pairwise(keys):
        if key.value <= before.value:
            yield _FAULT("order", key.line, what=subject, key=key.text, before=before.text)
