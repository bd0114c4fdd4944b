"""Where the counts of a classic rules file are not those of its lines.

The library looks at numbers alone, so that a count that is too large takes the first number of the
next line for a size, and one that is too small a size for the next count: all that follows is
shifted. Files are written with a rule per line and a count or size per line, which tells.
"""

from collections import Counter
from collections.abc import Iterator

from contend.exports.finding import Finding, Level
from contend.exports.openmpi.numbers import Number
from contend.exports.openmpi.parsed import Parsed


def layout_findings(parsed: Parsed) -> Iterator[Finding]:
    """The first place where numbers and lines part, and numbers that are left at the end."""
    left = parsed.left
    is_broken = bool(left) or parsed.stopped is not None
    if place := _first_parting(parsed):
        count, number, message = place
        level: Level = "error" if is_broken else "warning"
        yield Finding(
            level, "shifted", f"{message}, since line {count.line} announces {count.text}",
            f"make line {count.line} the number of lines that follow it", number.line,
        )  # fmt: skip
    elif left and parsed.stopped is None:
        yield Finding(
            "error", "left", f"{len(left)} numbers are left, which the library does not read",
            f"raise the number of collectives in line {parsed.numbers[0].line}, or the count of "
            "the block before", left[0].line,
        )  # fmt: skip


def _first_parting(parsed: Parsed) -> tuple[Number, Number, str] | None:
    """The count to blame, the number in the wrong place, and what is wrong with it."""
    width = Counter(number.line for number in parsed.numbers)
    if not parsed.numbers:
        return None
    last = parsed.numbers[0]
    for one in parsed.collectives:
        for number in (one.id, one.count):
            if width[number.line] >= 4:
                return last, number, f"the rule of line {number.line} is read as counts"
        for rule in one.communicators:
            for number in (rule.n, rule.count):
                if width[number.line] >= 4:
                    return last, number, f"the rule of line {number.line} is read as counts"
            last = rule.count
            for message in rule.messages:
                if len({number.line for number in message.numbers}) > 1:
                    return last, message.numbers[0], "a rule is read from more than one line"
                if width[message.line] not in (len(message.numbers), 0):
                    wide = width[message.line]
                    due = len(message.numbers)
                    return (
                        last, message.numbers[0],
                        f"line {message.line} has {wide} numbers, of which {due} are a rule",
                    )  # fmt: skip
    stopped_at = parsed.numbers[parsed.used - 1]
    if parsed.stopped and parsed.stopped.code == "out-of-range" and width[stopped_at.line] >= 4:
        return last, stopped_at, f"the rule of line {stopped_at.line} is read as counts"
    return None
