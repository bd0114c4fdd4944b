"""Figure: how many times faster than the library's own choice each of its algorithms was."""

from collections import defaultdict
from collections.abc import Iterator

import numpy as np
import pandas as pd

from contend.base.statistics.student import NORMAL_90
from contend.base.units import format_seconds
from contend.models.network import Operation
from contend.models.network.evidence import MeasuredGains
from contend.report.canvas.drawing import Drawing
from contend.report.canvas.palette import DASHES, mark
from contend.report.figures.figure import Findings
from contend.report.figures.lines import Line, lines_panel
from contend.samples.setting import OF_LIBRARY, own_name

REMARK = (
    "Time of the library's own choice over that of the algorithm, time-outs included, with the "
    "interval of 90 % over launches. Above 1 the algorithm is the faster one."
)


def gains(findings: Findings) -> Iterator[Drawing]:
    """Draw each operation of which launches had the own choice and forced algorithms."""
    groups: defaultdict[tuple[str, int | None, str], list[Operation]] = defaultdict(list)
    for operation in findings.network.operations:
        if OF_LIBRARY in operation.algorithm and operation.gains:
            groups[operation.operation, operation.processes_per_node, operation.conditions].append(
                operation
            )
    for (name, placed, conditions), algorithms in groups.items():
        tables = {
            own_name(operation.algorithm): _table(operation.gains)
            for operation in algorithms
            if operation.gains
        }
        colours = {
            own_name(operation.algorithm): findings.colour_of(operation) for operation in algorithms
        }
        counts = sorted(set(pd.concat(tables.values())["n"]))
        where = f", {placed} per node" if placed else ""
        where += f", {conditions}" if conditions else ""
        panels = [
            lines_panel(f"n = {n}", _lines(tables, colours, n), are_ratios=True) for n in counts
        ]
        yield Drawing(f"Algorithms of {name}{where}", panels, REMARK, name)


def _table(measured: MeasuredGains) -> pd.DataFrame:
    """A row for each point: n, m, gain, the factor of its interval, seconds of the own choice."""
    unknown = [np.nan] * len(measured.n)
    return pd.DataFrame(
        {
            "n": measured.n,
            "m": measured.m,
            "gain": measured.gain,
            "reach": np.exp(NORMAL_90 * np.asarray(measured.error)),
            "default": measured.default_s or unknown,
        }
    ).sort_values("m")


def _lines(tables: dict[str, pd.DataFrame], colours: dict[str, str], n: int) -> list[Line]:
    lines = []
    for number, (name, table) in enumerate(tables.items()):
        rows = table[table["n"] == n]
        look = {
            "color": colours[name], "fmt": "", "marker": mark(number), "markersize": 3,
            "ls": DASHES[number % len(DASHES)],
        }  # fmt: skip
        low, high = rows["gain"] / rows["reach"], rows["gain"] * rows["reach"]
        notes = [
            f"own choice: {format_seconds(seconds)}" if np.isfinite(seconds) else ""
            for seconds in rows["default"]
        ]
        lines.append(Line(name, rows["m"], rows["gain"], look, low, high, notes))
    return lines
