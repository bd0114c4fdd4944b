"""Section of the page: algorithms that were run, predicted and measured, and the choice of them."""

from collections.abc import Iterator

import pandas as pd

from contend.choose.compare import compare, errors
from contend.choose.regret import CHOSEN, regrets, rivals
from contend.report import charts
from contend.report.candidates import best_options, ends, series
from contend.report.charts.algorithms import line_colour
from contend.report.markup import Html, chart, element, raw, row, table
from contend.report.numbers import MISSING, known_percent, percent, signed_percent
from contend.report.section import Findings, Part, Section
from contend.schedules import COLLECTIVES
from contend.schedules.option_text import options_text
from contend.units import format_bytes

HEIGHT = 230
MOST_SHOWN = 5  # calls in which the choice cost most


class Algorithms(Section):
    """Algorithms that were run, against their predictions."""

    name = "algorithms"
    order = 70

    def parts(self, findings: Findings) -> Iterator[Part]:
        """Where samples of schedules were given."""
        if findings.schedules:
            compared = compare(findings.network.parameters, findings.schedules)
            yield Part(self.name, "Algorithms", section(compared))


def section(points: pd.DataFrame) -> Html:
    """Charts and errors of each operation of what `compare` returned, and the regrets."""
    remark = (
        "Schedules that were run and timed: lines are predicted without contention, points are "
        "medians over launches, with bars from the fastest to the slowest. Of each algorithm the "
        "options with the least predicted time are drawn; the errors are of all that were measured."
    )
    return element(
        "section",
        element("h2", "Algorithms, predicted and measured"),
        element("p", remark, class_="remark"),
        *(_operation(str(name), part) for name, part in points.groupby("operation")),
        id="algorithms",
    )


def _operation(operation: str, points: pd.DataFrame) -> Html:
    about = COLLECTIVES[operation]
    return raw(
        element("h3", about.title, element("small", f" m: {about.size}")),
        _charts(about.title, points),
        _errors(points),
        _choice(points),
    )


def _charts(title: str, points: pd.DataFrame) -> Html:
    """A chart for each algorithm, all with the same axes."""
    best = best_options(points)
    if best.empty:
        return raw()
    names, ranges = [name for name, _ in series(best)], ends(best)
    entries = (
        element(
            "span",
            element("i", class_="swatch field", style=f"background:{line_colour(place)}"),
            name,
            class_="entry",
        )
        for place, name in enumerate(names)
    )
    drawn = (
        element(
            "figure",
            element("figcaption", element("strong", algorithm)),
            chart(charts.algorithm_chart(rows, names, ranges), f"{title}: {algorithm}", HEIGHT),
        )
        for algorithm, rows in best.groupby("algorithm")
    )
    return raw(
        element("p", element("span", *entries, class_="legend")),
        element("div", *drawn, class_="panels"),
    )


def _errors(points: pd.DataFrame) -> Html:
    head = row(
        ["Predicted / measured − 1", "points", "bias", "median", "90 %", "worst"], heading="col"
    )
    rows = [
        row(
            [
                line["algorithm"],
                line["points"],
                signed_percent(line["bias"]),
                *(known_percent(line[name]) for name in ("median", "percentile_90", "worst")),
            ]
        )
        for line in errors(points).to_dict("records")
    ]
    return table(head, rows, class_="counts")


def _choice(points: pd.DataFrame) -> Html:
    rules, choices = rivals(points), regrets(points)
    if choices.empty:
        return element("p", "No two algorithms were measured in the same call: no choice to judge.")
    head = row(
        [
            "Measured / least measured",
            "calls",
            "mean",
            "median",
            "90 %",
            "worst",
            "best or as good",
        ],
        heading="col",
    )
    rows = [
        row(
            [
                _rule(line["rule"]),
                line["calls"],
                *(f"{line[name]:.3f}" for name in ("mean", "median", "percentile_90", "worst")),
                MISSING if pd.isna(line["best"]) else percent(line["best"]),
            ]
        )
        for line in rules.to_dict("records")
    ]
    return raw(
        element("p", _verdict(rules, choices)), table(head, rows, class_="counts"), _worst(choices)
    )


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
