"""Section of the page: one message between two processes, by Hockney's model and by pLogP."""

from collections.abc import Iterator

from contend.base.number_text import with_interval
from contend.base.units import format_seconds
from contend.models.network import Level
from contend.report import tables, text
from contend.report.canvas.markup import Html, element, raw
from contend.report.figures.figure import Findings, drawings_of
from contend.report.section import shown
from contend.schedules.pointtopoint import PLogP

METHODS = {
    "trains": "trains of messages of every size, and round trips",
    "kielmann": "a train of messages and round trips (Kielmann)",
    "schedules": "times of collective algorithms",
    "one_way": "half round trips; the split between L and g is a guess, their sum is not",
}
UNKNOWN = (
    "No message between two processes alone was measured. A ping-pong gives alpha and beta, and "
    "with them gamma and a lower bound."
)


def messages(findings: Findings) -> Iterator[Html]:
    levels = findings.network.levels
    yield from (_level(level, len(levels) > 1) for level in levels)
    if not levels:
        yield element("p", UNKNOWN)
    drawings = drawings_of(findings, "message")
    yield element(
        "div", *(element("div", shown([drawing])) for drawing in drawings), class_="beside"
    )


def _level(level: Level, is_named: bool) -> Html:
    parts: list[Html] = [element("h3", f"Level {level.name}")] if is_named else []
    if level.hockney:
        parts += [element("p", text.message(level.hockney)), tables.message(level.hockney)]
    if level.plogp:
        parts.append(element("p", _plogp_sentence(level.plogp)))
    return raw(*parts)


def _plogp_sentence(plogp: PLogP) -> str:
    words = f"pLogP: latency L = {with_interval(plogp.latency)}"
    if plogp.size.array[0] == 0:
        empty = (plogp.gap_at(0), plogp.send_overhead_at(0), plogp.receive_overhead_at(0))
        first = [format_seconds(float(seconds)) for seconds in empty]
        words += f"; for empty messages g = {first[0]}, os = {first[1]}, or = {first[2]}"
    return f"{words}. Measured by {METHODS[plogp.method]}."
