"""Section of the page: algorithms that were run, predicted and measured, and the choice of them."""

from collections.abc import Iterator, Mapping

import pandas as pd

from contend.base.number_text import MISSING, percent, signed_percent
from contend.base.units import format_bytes
from contend.report.canvas.drawing import Drawing
from contend.report.canvas.markup import Html, element, raw, table
from contend.report.figures.figure import Findings, drawings_of
from contend.report.section import remark, shown
from contend.schedules import COLLECTIVES
from contend.schedules.option_text import options_text
from contend.tune.choose.compare import CHOSEN, compare, errors, regrets, rivals

MOST_SHOWN = 5  # calls in which the choice cost most


def algorithms(findings: Findings) -> Iterator[Html]:
    if findings.schedules:
        compared = compare(findings.network.parameters, findings.schedules)
        drawings = {drawing.subject: drawing for drawing in drawings_of(findings, "algorithms")}
        yield section(compared, drawings)


REMARK = (
    "Schedules that were run and timed. Of each algorithm the options with the least predicted "
    "time are drawn; the errors are of all that were measured."
)
ERRORS = ("Predicted / measured − 1", "points", "bias", "median", "90 %", "worst")
CHOICE = (
    "Measured / least measured", "calls", "mean", "median", "90 %", "worst", "best or as good",
)  # fmt: skip


def section(points: pd.DataFrame, drawings: Mapping[str, Drawing]) -> Html:
    parts = [remark(REMARK)]
    for name, part in points.groupby("operation"):
        title = COLLECTIVES[str(name)].title
        parts.append(shown([drawings[title]]) if title in drawings else element("h3", title))
        parts += [_errors(part), _choice(part)]
    return raw(*parts)


def _errors(points: pd.DataFrame) -> Html:
    rows = (
        [
            line["algorithm"],
            line["points"],
            signed_percent(line["bias"]),
            *(percent(line[name]) for name in ("median", "percentile_90", "worst")),
        ]
        for line in errors(points).to_dict("records")
    )
    return table(ERRORS, rows, class_="counts")


def _choice(points: pd.DataFrame) -> Html:
    rules, choices = rivals(points), regrets(points)
    if choices.empty:
        return element("p", "No two algorithms were measured in the same call: no choice to judge.")
    rows = (
        [
            _rule(line["rule"]),
            line["calls"],
            *(f"{line[name]:.3f}" for name in ("mean", "median", "percentile_90", "worst")),
            MISSING if pd.isna(line["best"]) else percent(line["best"]),
        ]
        for line in rules.to_dict("records")
    )
    judged = table(CHOICE, rows, class_="counts")
    return raw(element("p", _verdict(rules, choices)), judged, _worst(choices))


def _rule(name: str) -> object:
    return element("strong", "the one predicted to be fastest") if name == CHOSEN else name


def _verdict(rules: pd.DataFrame, choices: pd.DataFrame) -> str:
    chosen = rules[rules["rule"] == CHOSEN].iloc[0]
    return (
        f"Taking the algorithm that is predicted to be the fastest takes {chosen['mean']:.2f} "
        f"times the least measured time on average over {len(choices)} calls, and "
        f"{chosen['worst']:.2f} times at worst. Which algorithm is best to be always taken is "
        "known only after all were measured."
    )


def _worst(choices: pd.DataFrame) -> Html:
    costly = choices[choices["is_told_from_best"]].nlargest(MOST_SHOWN, "regret")
    if costly.empty:
        return raw()
    items = (
        element(
            "li",
            f"n = {line['n']}, m = {format_bytes(line['m'])}: "
            f"{_named(line['algorithm'], line['options'])} took {line['regret']:.2f} times as "
            f"long as {_named(line['best_algorithm'], line['best_options'])}",
        )
        for line in costly.to_dict("records")
    )
    return raw(element("p", "Where the choice cost most:"), element("ul", *items))


def _named(algorithm: str, options: tuple[tuple[str, int], ...]) -> str:
    text = options_text(dict(options))
    return f"{algorithm} ({text})" if text else algorithm
