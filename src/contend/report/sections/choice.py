"""Section of the page: what to take of the library in the place of its own choice."""

from collections.abc import Iterator

from contend.canvas.markup import Html, element, paragraphs, table
from contend.choose.rules import Rule
from contend.figures.figure import Findings, drawings_of
from contend.number_text import MISSING
from contend.report.section import Section, remark, shown
from contend.report.text import counts, sentence, sizes
from contend.samples.setting import OF_LIBRARY
from contend.units import format_seconds

LEAD = (
    "An algorithm takes the place of the library's own choice only where it is faster by 5 % or "
    "more, and the interval of 90 % of its gain does not reach below 1; so the own choice may stay "
    "between two sizes where another is taken. Calls were timed one at a "
    "time, after all processes had met: a program that makes one after the other may gain less or "
    "lose. 'contend tune export' writes the rules as the file that the library obeys, 'contend "
    "tune verify' shows whether it does, and what your program gains."
)


class Choice(Section):
    """Rules, and what was measured of each algorithm."""

    name = "choice"
    title = "What to take"
    heading = "What to take of the library"
    order = 5

    def content(self, findings: Findings) -> Iterator[Html]:
        """Where algorithms of the library were measured beside its own choice."""
        compared = any(OF_LIBRARY in one.algorithm for one in findings.network.operations)
        if compared and (found := findings.decisions):
            yield remark(LEAD)
            yield table(HEAD, map(_row, found.rules), class_="")
            yield paragraphs(sentence(one.words) for one in found.left_out)
            yield shown(drawings_of(findings, self.name))


HEAD = (
    "Operation", "Processes", "Size", "Take", "Times faster", "90 %", "Own choice takes", "Points",
    "Why",
)  # fmt: skip


def _row(rule: Rule) -> list[object]:
    options = [f"{name} = {value}" for name, value in rule.options.items()]
    taken = "the library's own choice" if rule.is_default else ", ".join([rule.algorithm, *options])
    span = rule.gain_low is not None and rule.gain_high is not None
    return [
        rule.operation,
        counts(rule),
        sizes(rule),
        taken if rule.is_default else element("strong", taken),
        MISSING if rule.gain is None or rule.is_default else f"{rule.gain:.3g}",
        f"{rule.gain_low:.3g} to {rule.gain_high:.3g}" if span and not rule.is_default else "",
        MISSING if rule.default_seconds is None else format_seconds(rule.default_seconds),
        rule.points,
        "beyond what was measured: " * rule.extrapolates + rule.why,
    ]
