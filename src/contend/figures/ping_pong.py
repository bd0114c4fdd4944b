"""Figure: half round trips of one message over its size, and Hockney's line."""

from collections.abc import Iterator
from functools import partial

import numpy as np
import pandas as pd

from contend.canvas.axes import over_sizes, points
from contend.canvas.drawing import Axes, Drawing, Panel, Tip
from contend.canvas.palette import MEASURED, PREDICTED
from contend.figures.curves import median_text
from contend.figures.figure import Figure, Findings
from contend.pointtopoint import Hockney
from contend.samples import table
from contend.samples.by_setting import conditions_in, under_conditions

POINTS_OF_A_LINE = 80


class PingPong(Figure):
    """Of the outermost level, which is what crosses the network, under each of its conditions."""

    name = "ping-pong"
    section = "message"
    order = 10

    def drawings(self, findings: Findings) -> Iterator[Drawing]:
        """Where there are samples of it."""
        passed = [sample for sample in findings.samples if sample.experiment == "pingpong"]
        lines = {level.conditions: level.hockney for level in findings.network.levels}
        for conditions in conditions_in(passed):
            trips = table.medians(table.timed(under_conditions(passed, conditions)))
            trips = trips[trips["m"] > 0]
            title = ", ".join(filter(None, ("Ping-pong", conditions)))
            if len(trips):
                draw = partial(_draw, trips, lines.get(conditions))
                yield Drawing(title, [Panel(title, draw, 4.0)])


def _draw(trips: pd.DataFrame, hockney: Hockney | None, axes: Axes) -> list[Tip]:
    sizes = (float(trips["m"].min()), float(trips["m"].max()))
    times = trips[["seconds", "low", "high"]].to_numpy().ravel()
    if hockney is not None:
        line = np.geomspace(*sizes, POINTS_OF_A_LINE)
        seconds = hockney.seconds(line)
        axes.plot(line, seconds, color=PREDICTED, label="alpha + beta m")
        times = np.concatenate([times, seconds])
    points(
        axes, trips["m"], trips["seconds"], trips["low"], trips["high"],
        color=MEASURED, label="measured, half a round trip",
    )  # fmt: skip
    times = times[np.isfinite(times) & (times > 0)]
    over_sizes(axes, sizes, (times.min() / 1.4, times.max() * 1.4))
    return [Tip(median_text(row), row["m"], row["seconds"]) for row in trips.to_dict("records")]
