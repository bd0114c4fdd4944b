"""Figure: algorithms that were run, predicted lines and measured points over the size."""

from collections.abc import Iterator
from functools import partial
from typing import Any

import pandas as pd

from contend.canvas.axes import over_sizes, points
from contend.canvas.drawing import Axes, Drawing, Panel, Tip
from contend.canvas.palette import mark, series
from contend.choose.candidates import best_options, by_series
from contend.choose.compare import compare
from contend.figures.figure import Figure, Findings
from contend.number_text import signed_percent
from contend.schedules import COLLECTIVES
from contend.schedules.option_text import options_text
from contend.units import format_bytes, format_seconds


class Algorithms(Figure):
    """Of every operation whose algorithms were run."""

    name = "algorithms"
    section = "algorithms"
    order = 10

    def drawings(self, findings: Findings) -> Iterator[Drawing]:
        """Where samples of schedules were given."""
        if findings.schedules:
            compared = compare(findings.network.parameters, findings.schedules)
            for name, rows in compared.groupby("operation"):
                best = best_options(rows)
                if len(best):
                    yield algorithm_drawing(str(name), best)


def algorithm_drawing(operation: str, best: pd.DataFrame) -> Drawing:
    """A panel for each algorithm, all with the same axes; rows of `best_options`."""
    names = [name for name, _ in by_series(best)]
    panels = [
        Panel(str(algorithm), partial(_draw, best, rows, names))
        for algorithm, rows in best.groupby("algorithm")
    ]
    title = COLLECTIVES[operation].title
    remark = (
        "Lines are predicted without contention; points are medians over launches, with bars from "
        f"the fastest to the slowest. m: {COLLECTIVES[operation].size}."
    )
    return Drawing(title, panels, remark, title)


def _draw(best: pd.DataFrame, rows: pd.DataFrame, names: list[str], axes: Axes) -> list[Tip]:
    """Lines and points of an algorithm; `best` are all, for the ranges."""
    for name, part in by_series(rows):
        place = names.index(name)
        axes.plot(part["m"], part["predicted"], color=series(place), lw=1.2)
        points(
            axes, part["m"], part["measured"], part["low"], part["high"],
            color=series(place), fmt=mark(place), label=name,
        )  # fmt: skip
    times = best[["low", "high", "predicted"]].to_numpy()
    times = times[times > 0]
    sizes = float(best["m"].min()), float(best["m"].max())
    over_sizes(axes, sizes, (float(times.min()) / 1.3, float(times.max()) * 1.3))
    return [Tip(_said(row), row["m"], row["measured"]) for row in rows.to_dict("records")]


def _said(row: dict[Any, Any]) -> str:
    options = options_text(dict(row["options"]))
    return (
        f"{row['series']}, {format_bytes(row['m'])}{f', {options}' if options else ''}\n"
        f"measured {format_seconds(row['measured'])}\n"
        f"predicted {format_seconds(row['predicted'])}, {signed_percent(row['error'])}"
    )
