"""Sections of the page: the answer, what to take, and what would be fastest without contention."""

from collections.abc import Iterator

from contend.base.number_text import MISSING
from contend.base.units import format_seconds
from contend.report.answer import answer
from contend.report.canvas.drawing import Drawing
from contend.report.canvas.inline import on_page
from contend.report.canvas.markup import Html, element, paragraphs, table
from contend.report.figures.figure import Findings, drawings_of
from contend.report.section import lead, remark, shown
from contend.report.text import counts, sentence, sizes
from contend.samples.setting import OF_LIBRARY
from contend.tune.choose.rules import Rule


def first_screen(findings: Findings) -> Iterator[Html]:
    if reply := answer(findings):
        first, *others = reply.sentences
        yield element("p", element("strong", first), class_="answer")
        yield lead(paragraphs(others))
        yield element("p", "Next: ", element("code", reply.command), class_="next")
        yield shown(drawings_of(findings, "answer"))


LEAD = (
    "An algorithm takes the place of the library's own choice only where it is faster by 5 % or "
    "more, and the interval of 90 % of its gain does not reach below 1; so the own choice may stay "
    "between two sizes where another is taken. Calls were timed one at a "
    "time, after all processes had met: a program that makes one after the other may gain less or "
    "lose. 'contend tune export' writes the rules as the file that the library obeys, 'contend "
    "tune verify' shows whether it does, and what your program gains."
)


def choice(findings: Findings) -> Iterator[Html]:
    compared = any(OF_LIBRARY in operation.algorithm for operation in findings.network.operations)
    if compared and (decisions := findings.decisions):
        yield remark(LEAD)
        yield table(HEAD, map(_row, decisions.rules), class_="")
        yield paragraphs(sentence(algorithm.words) for algorithm in decisions.left_out)
        yield shown(drawings_of(findings, "choice"))


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


FASTEST = (
    "Predicted from the pLogP parameters of this network for messages that do not meet, each "
    "algorithm with its best segment and degree: what was measured of the library counts more. "
    "Point at a cell for its options, its time and what comes second. "
    "Hatched: the intervals of the best and the second overlap, so that there is no significant "
    "difference between them."
)


def decisions(findings: Findings) -> Iterator[Html]:
    if maps := drawings_of(findings, "decisions"):
        yield remark(FASTEST)
        yield element("div", *map(_map, maps), class_="beside")


def _map(drawing: Drawing) -> Html:
    title = element("p", element("strong", drawing.title), " ", element("small", drawing.remark))
    return element("div", title, on_page(drawing))
