"""Section of the page: repetitions with a retransmission time-out, by n and m."""

from collections import defaultdict
from collections.abc import Iterator

from contend.canvas.markup import Html, element, paragraphs, row, table
from contend.figures.figure import Findings
from contend.network import Operation
from contend.number_text import percent
from contend.report import timeouts as text
from contend.report.section import Part, Section
from contend.timeouts import Timeouts
from contend.timeouts.share import share_of
from contend.units import format_bytes

REMARK = (
    "Share of the repetitions with a time-out, over all launches; predicted is by all that was "
    "measured, with its interval of 90 %."
)


class OfTimeouts(Section):
    """A part for each operation whose repetitions wait for time-outs."""

    name = "timeouts"
    order = 35

    def parts(self, findings: Findings) -> Iterator[Part]:
        """In the order of the file."""
        for number, known in enumerate(findings.operations, start=1):
            if known.timeouts is not None:
                title = f"Time-outs of {known.title}"
                anchor = f"{self.name}-{number}"
                yield Part(anchor, title, _section(known, known.timeouts, title, anchor))


def _section(operation: Operation, timeouts: Timeouts, title: str, anchor: str) -> Html:
    said = [*text.found(operation), *text.accuracy(operation)]
    return element(
        "section",
        element("h2", title),
        element("div", paragraphs(said), class_="lead"),
        element("p", REMARK, class_="remark"),
        table(_HEAD, _rows(timeouts)),
        id=anchor,
    )


_HEAD = row(["n", "m", "Repetitions", "With a time-out", "Predicted", "Interval"], heading="col")


def _rows(timeouts: Timeouts) -> Iterator[Html]:
    counts: defaultdict[tuple[int, int], list[int]] = defaultdict(lambda: [0, 0])
    points = timeouts.points
    for n, m, late, repetitions in zip(
        points.n, points.m, points.late, points.repetitions, strict=True
    ):
        counts[n, m][0] += late
        counts[n, m][1] += repetitions
    ordered = sorted(counts)
    found = share_of(points).predict(*zip(*ordered, strict=True))
    for (n, m), share, low, high in zip(ordered, *found, strict=True):
        late, repetitions = counts[n, m]
        measured = percent(late / repetitions)
        ends = f"{percent(low)} to {percent(high)}"
        yield row([n, format_bytes(m), repetitions, measured, percent(share), ends])
