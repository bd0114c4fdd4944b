"""Figure: algorithms that were run, predicted lines and measured points over the size."""

from collections.abc import Iterator

import pandas as pd

from contend.report.canvas.drawing import Drawing
from contend.report.canvas.palette import mark, series
from contend.report.figures.figure import Findings
from contend.report.figures.lines import Line, error_text, lines_panel, reach
from contend.schedules import COLLECTIVES
from contend.schedules.option_text import options_text
from contend.tune.choose.compare import best_options, by_series, compare


def algorithms(findings: Findings) -> Iterator[Drawing]:
    if findings.schedules:
        compared = compare(findings.network.parameters, findings.schedules)
        for name, rows in compared.groupby("operation"):
            best = best_options(rows)
            if len(best):
                yield algorithm_drawing(str(name), best)


def algorithm_drawing(operation: str, best: pd.DataFrame) -> Drawing:
    """A panel for each algorithm, all with the same axes; rows of `best_options`."""
    names = [name for name, _ in by_series(best)]
    lines = {
        str(algorithm): [
            line for name, part in by_series(rows) for line in _lines(name, names.index(name), part)
        ]
        for algorithm, rows in best.groupby("algorithm")
    }
    ends = reach([line for lines_of in lines.values() for line in lines_of])
    panels = [lines_panel(algorithm, lines_of, ends) for algorithm, lines_of in lines.items()]
    title = COLLECTIVES[operation].title
    remark = (
        "Lines are predicted without contention; points are medians over launches, with bars from "
        f"the fastest to the slowest. m: {COLLECTIVES[operation].size}."
    )
    return Drawing(title, panels, remark, title)


def _lines(name: str, place: int, part: pd.DataFrame) -> list[Line]:
    look = {"color": series(place)}
    notes = [
        ", ".join(filter(None, (error_text(row), options_text(dict(row["options"])))))
        for row in part.to_dict("records")
    ]
    return [
        Line("", part["m"], part["predicted"], look | {"lw": 1.2}),
        Line(
            name, part["m"], part["measured"], look | {"fmt": mark(place)}, part["low"],
            part["high"], notes,
        ),
    ]  # fmt: skip
