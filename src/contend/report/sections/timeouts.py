"""Section of the page: repetitions with a retransmission time-out, by n and m."""

from collections.abc import Iterator

from contend.base.number_text import percent
from contend.base.units import format_bytes
from contend.models.timeouts import Timeouts
from contend.models.timeouts.share import share_of
from contend.report import timeouts as text
from contend.report.canvas.markup import Part, paragraphs, raw, table
from contend.report.figures.figure import Findings
from contend.report.section import lead, remark

REMARK = (
    "Share of the repetitions with a time-out, over all launches; predicted is by all that was "
    "measured, with its interval of 90 %."
)


def timeouts(findings: Findings) -> Iterator[Part]:
    for number, operation in enumerate(findings.operations, start=1):
        if operation.timeouts is not None:
            words = paragraphs([*text.onset(operation), *text.accuracy(operation)])
            shown = raw(lead(words), remark(REMARK), table(HEAD, _rows(operation.timeouts)))
            yield Part(f"timeouts-{number}", f"Time-outs of {operation.title}", shown)


HEAD = ("n", "m", "Repetitions", "With a time-out", "Predicted", "Interval")


def _rows(timeouts: Timeouts) -> Iterator[list[object]]:
    counts = timeouts.points.by_point()
    ordered = sorted(counts)
    shares = share_of(timeouts.points).predict(*zip(*ordered, strict=True))
    for (n, m), share, low, high in zip(ordered, *shares, strict=True):
        repetitions, late, _ = counts[n, m]
        measured = percent(late / repetitions)
        ends = f"{percent(low)} to {percent(high)}"
        yield [n, format_bytes(m), repetitions, measured, percent(share), ends]
