"""Figure: how many times faster than the library's own choice each of its algorithms was."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import partial

import numpy as np
import pandas as pd

from contend.canvas.axes import log_sizes, points
from contend.canvas.drawing import Axes, Drawing, Panel, Tip
from contend.canvas.palette import BOUND, DASHES, mark
from contend.figures.figure import Figure, Findings
from contend.figures.structure import ratios
from contend.fitting.gains import NORMAL_90
from contend.network import Operation
from contend.network.evidence import MeasuredGains
from contend.samples.setting import OF_LIBRARY, own_name
from contend.units import format_bytes, format_seconds

REMARK = (
    "Time of the library's own choice over that of the algorithm, time-outs included, with the "
    "interval of 90 % over launches. Above 1 the algorithm is the faster one."
)


class Gains(Figure):
    """Of each operation whose algorithms were forced, a panel for each n."""

    name = "gains"
    section = "choice"
    order = 0

    def drawings(self, findings: Findings) -> Iterator[Drawing]:
        """Where launches had both."""
        groups: defaultdict[tuple[str, int | None, str], list[Operation]] = defaultdict(list)
        for one in findings.network.operations:
            if OF_LIBRARY in one.algorithm and one.gains:
                groups[one.operation, one.processes_per_node, one.conditions].append(one)
        for (name, placed, conditions), own in groups.items():
            tables = {own_name(one.algorithm): _table(one.gains) for one in own if one.gains}
            colours = {own_name(one.algorithm): findings.colour_of(one) for one in own}
            counts = sorted(set(pd.concat(tables.values())["n"]))
            where = f", {placed} per node" if placed else ""
            where += f", {conditions}" if conditions else ""
            panels = [Panel(f"n = {n}", partial(_draw, tables, colours, n)) for n in counts]
            yield Drawing(f"Algorithms of {name}{where}", panels, REMARK, name)


def _table(known: MeasuredGains) -> pd.DataFrame:
    """A row for each point: n, m, gain, the factor of its interval, seconds of the own choice."""
    unknown = [np.nan] * len(known.n)
    return pd.DataFrame(
        {
            "n": known.n,
            "m": known.m,
            "gain": known.gain,
            "reach": np.exp(NORMAL_90 * np.asarray(known.error)),
            "default": known.default_s or unknown,
        }
    ).sort_values("m")


def _draw(
    tables: dict[str, pd.DataFrame], colours: dict[str, str], n: int, axes: Axes
) -> Iterator[Tip]:
    here = {name: rows[rows["n"] == n] for name, rows in tables.items()}
    every = pd.concat(here.values())
    log_sizes(axes, float(every["m"].min()), float(every["m"].max()), 4)
    ratios(axes, min(every["gain"].min() / 1.3, 0.8), max(every["gain"].max() * 1.3, 1.25))
    axes.axhline(1.0, color=BOUND, lw=0.8, ls="--", zorder=1)
    for number, (name, rows) in enumerate(here.items()):
        low, high = rows["gain"] / rows["reach"], rows["gain"] * rows["reach"]
        points(
            axes, rows["m"], rows["gain"], low, high, color=colours[name], fmt="", label=name,
            marker=mark(number), markersize=3, ls=DASHES[number % len(DASHES)],
        )  # fmt: skip
        yield from _tips(name, rows.assign(low=low, high=high))


def _tips(name: str, rows: pd.DataFrame) -> Sequence[Tip]:
    found = []
    for row in rows.to_dict("records"):
        text = f"{name}, {format_bytes(row['m'])}: {row['gain']:.3g} times faster"
        text += f"\n{row['low']:.3g} to {row['high']:.3g}"
        if np.isfinite(row["default"]):
            text += f"\nown choice: {format_seconds(row['default'])}"
        found.append(Tip(text, row["m"], row["gain"]))
    return found
