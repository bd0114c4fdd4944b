"""What is wrong with a classic rules file of Open MPI, by line.

Each finding is a trap that the library does not tell of: it skips what is no number, ignores the
whole file where a number is not what is due, and applies what is left without a word.
"""

from collections.abc import Iterator
from itertools import pairwise

from contend.exports.finding import Finding
from contend.exports.openmpi.checks import check_groups
from contend.exports.openmpi.collectives import JSON, VERSION_LINE, VERSION_WORD
from contend.exports.openmpi.groups import Entry, Group
from contend.exports.openmpi.han import is_of_han, of_han
from contend.exports.openmpi.layout import layout_findings
from contend.exports.openmpi.parsed import IGNORED, Collective, Parsed, parse
from contend.libraries import Version, version_text

_LONG = 200  # characters of what was skipped that are shown


def lint_classic(text: str, version: Version) -> list[Finding]:
    """All findings, by line; those of the whole file first."""
    if text.lstrip()[:1] == "{" and version < JSON:
        return [
            Finding("error", "json", f"a JSON file, which Open MPI reads from {JSON[0]}.0 on: "
                    f"for {version_text(version)} {IGNORED}", "export for its version", 1)
        ]  # fmt: skip
    if is_of_han(text):
        return [of_han()]
    parsed = parse(text, version)
    findings = [*_of_words(text, parsed, version), *_of_numbers(parsed)]
    if parsed.stopped:
        findings.append(parsed.stopped)
    findings += layout_findings(parsed)
    findings += _of_order(parsed, version)
    findings += _of_columns(parsed)
    findings += check_groups(list(_groups(parsed)), version, text)
    return sorted(dict.fromkeys(findings), key=lambda one: one.line or 0)


def _of_words(text: str, parsed: Parsed, version: Version) -> Iterator[Finding]:
    """The version line, and all else that is no number."""
    at = text.find(VERSION_WORD)
    line = text.count("\n", 0, max(at, 0)) + 1
    in_comment = "#" in text[text.rfind("\n", 0, max(at, 0)) + 1 : max(at, 0)]
    if at >= 0 and not in_comment:
        if version < VERSION_LINE:
            yield Finding(
                "error", "version-line",
                f"the version line is known from {version_text(VERSION_LINE)} on; "
                f"{version_text(version)} reads a negative count from it, so that {IGNORED}",
                "remove the line, and the fifth number of each rule", line,
            )  # fmt: skip
        elif at > 0:
            yield Finding(
                "error", "version-line", "the version line is not the very first of the file: "
                f"a negative count is read from it, and {IGNORED}",
                "move it to the first line, before comments and blanks", line,
            )  # fmt: skip
        elif parsed.version not in (1, 2):
            yield Finding(
                "warning", "version-line", f"version {parsed.version} of the format is read as 2",
                "write rule-file-version-2", line,
            )  # fmt: skip
    for skipped in parsed.skipped:
        if VERSION_WORD.startswith(skipped.text.strip()[:4]):
            continue
        yield Finding(
            "error", "skipped",
            f"{skipped.text[:_LONG]!r} is no number and is skipped without a word, so that what "
            "follows is read in its place",
            "write plain numbers (4096 for 4k), and # before comments", skipped.line,
        )  # fmt: skip


def _of_numbers(parsed: Parsed) -> Iterator[Finding]:
    """How numbers are written."""
    for number in parsed.numbers:
        digits = number.text.lstrip("+-")
        if number.is_glued:
            yield Finding(
                "error", "glued",
                f"{number.text} is read as a number of its own, without a blank before it",
                "write whole decimal numbers: no fractions, exponents, units, or 8 and 9 after a "
                "leading zero", number.line,
            )  # fmt: skip
        elif digits[:2] in ("0x", "0X"):
            yield Finding(
                "warning", "hexadecimal", f"{number.text} is read as {number.value}",
                f"write {number.value}", number.line,
            )  # fmt: skip
        elif len(digits) > 1 and digits[0] == "0" and set(digits) != {"0"}:
            yield Finding(
                "error", "octal", f"{number.text} is read as octal, {number.value}",
                f"write {digits.lstrip('0')}, without zeros before it", number.line,
            )  # fmt: skip


def _of_order(parsed: Parsed, version: Version) -> Iterator[Finding]:
    """Keys that do not ascend, collectives that are given twice, and what 6.0 makes of it."""
    seen: dict[int, int] = {}
    for one in parsed.collectives:
        if one.id.value in seen:
            yield Finding(
                "error", "twice",
                f"{one.name} was given in line {seen[one.id.value]} already: these rules replace "
                "those", "join the two", one.id.line,
            )  # fmt: skip
        seen[one.id.value] = one.id.line
        yield from _ascending([(rule.n.value, rule.n.line) for rule in one.communicators],
                              f"communicator sizes of {one.name}")  # fmt: skip
        for rule in one.communicators:
            sizes = [(message.size, message.line) for message in rule.messages]
            yield from _ascending(sizes, f"message sizes of {one.name} from {rule.n.value} on")
        yield from _of_first(one, version)


def _of_first(one: Collective, version: Version) -> Iterator[Finding]:
    if not one.communicators:
        return
    first = one.communicators[0]
    if version >= JSON and len(one.communicators) > 1:
        yield Finding(
            "error", "shift",
            f"6.0 takes a communicator size for the end of a block, not its begin: the rules of "
            f"{one.name} shift by a block", "export JSON for openmpi-6", first.n.line,
        )  # fmt: skip
    elif first.n.value > 2 and any(message.algorithm for message in first.messages):
        yield Finding(
            "warning", "smaller",
            f"the rules of {one.name} from {first.n.value} processes on hold for fewer as well, "
            "as they are the first",
            "put a block for 1 process with the line '0 0 0 0' before it", first.n.line,
        )  # fmt: skip


def _ascending(keys: list[tuple[int, int]], what: str) -> Iterator[Finding]:
    for (before, _), (key, line) in pairwise(keys):
        if key <= before:
            yield Finding(
                "error", "order", f"{what} do not ascend: {key} after {before}, so that one of the "
                "two is never used", "sort them, and give each once", line,
            )  # fmt: skip


def _of_columns(parsed: Parsed) -> Iterator[Finding]:
    """Rules without the fifth number where others could have it."""
    if parsed.version < 2:
        return
    for one in parsed.collectives:
        for rule in one.communicators:
            for message in rule.messages:
                if len(message.numbers) < 5:
                    yield Finding(
                        "warning", "requests",
                        "no fifth number: the most requests are those of "
                        "coll_tuned_alltoall_algorithm_max_requests",
                        "add it, 0 for no limit", message.line,
                    )  # fmt: skip


def _groups(parsed: Parsed) -> Iterator[Group]:
    for one in parsed.collectives:
        for index, rule in enumerate(one.communicators):
            following = one.communicators[index + 1 : index + 2]
            sizes = [message.size for message in rule.messages]
            entries = [
                Entry(message.size, size_to, message.algorithm, message.options, message.line)
                for message, size_to in zip(rule.messages, [*sizes[1:], None], strict=False)
            ]
            n_to = following[0].n.value if following else None
            yield Group(one.name, rule.n.value, rule.n.value if index else min(rule.n.value, 2),
                        n_to, entries, rule.n.line)  # fmt: skip
