"""Growth: user CPU time against the number of flows, and the slope of each case on log-log axes.

Points that a file holds are not measured again, so that what was stopped goes on.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
from benchmarks.large_machines.alone import NoFiguresError, run_alone
from benchmarks.large_machines.cases import CASES, spaced

from contend.report.canvas.axes import set_ticks, time_ticks
from contend.report.canvas.drawing import Axes, Drawing, Panel, Tip
from contend.report.canvas.files import write_for_paper
from contend.report.canvas.palette import BOUND, series

PARTS = ("random-128",)  # a beginning of another case, which its growth passes
FACTOR = 2  # between numbers of flows
SMALLEST = 1 / 64  # of the number that a case is made for, where that is a thousand at least
LEAST = 0.02  # seconds; below, it is start-up that is seen


@dataclass(frozen=True)
class Curve:
    """Seconds of a case by flows."""

    case: str
    flows: Sequence[int]
    seconds: Sequence[float]

    def slope(self) -> float:
        """Of log seconds over log flows by least squares, of points long enough; or nan."""
        flows, seconds = np.array(self.flows), np.array(self.seconds)
        is_long = seconds >= LEAST
        if is_long.sum() < 3:
            return float("nan")
        return float(np.polyfit(np.log(flows[is_long]), np.log(seconds[is_long]), 1)[0])


def numbers(case: str) -> list[int]:
    """Of flows, up to that which the case is made for."""
    most = CASES[case].flows
    steps = int(np.log(1 / SMALLEST) / np.log(FACTOR))
    found = [round(most / FACTOR**step) for step in range(steps, -1, -1)]
    return [number for number in found if number >= min(1000, most // 8)]


def measured(cases: Sequence[str], points: Path, limit: float) -> Iterator[Curve]:
    """A curve per case; the first number that takes too long is its last."""
    known = json.loads(points.read_text()) if points.is_file() else {}
    for case in cases:
        mine: dict[str, list[float]] = known.setdefault(case, {})
        for number in numbers(case):
            if str(number) in mine:
                continue
            point = _point(case, number, limit)
            if point is None:
                break
            mine[str(number)] = point
            points.write_text(json.dumps(known, indent=1))
        if mine:
            flows, seconds = zip(*mine.values(), strict=True)
            yield Curve(case, [int(one) for one in flows], seconds)


def _point(case: str, number: int, limit: float) -> list[float] | None:
    """Flows and seconds, or None."""
    try:
        found = run_alone(case, number, limit)
    except NoFiguresError:
        return None
    return [found.flows, found.user]


def draw(curves: Sequence[Curve], path: Path) -> None:
    """Write the figure; the suffix of the path says in which format."""
    title = "Time of the engine against the number of flows"
    panel = Panel(title, partial(_panel, curves), 6.4, 3.6)
    write_for_paper(Drawing(title, [panel]), [path])


def _panel(curves: Sequence[Curve], axes: Axes) -> list[Tip]:
    for number, curve in enumerate(curves):
        slope = curve.slope()
        label = curve.case if np.isnan(slope) else f"{curve.case}: {slope:.2f}"
        axes.plot(curve.flows, curve.seconds, color=series(number), label=label, lw=1.4, marker="o",
                  markersize=3, ls="--" if number >= 7 else "-")  # fmt: skip
    flows = [one for curve in curves for one in curve.flows]
    seconds = [one for curve in curves for one in curve.seconds]
    few, many, least = min(flows), max(flows), min(seconds)
    axes.plot([few, many], [least, least * many / few], color=BOUND, lw=1, ls="--",
              label="in proportion: 1")  # fmt: skip
    axes.set_xscale("log")
    axes.set_yscale("log")
    set_ticks(axes.yaxis, *time_ticks(min(seconds), max(seconds)))
    powers = [10**power for power in range(int(np.log10(few)) + 1, int(np.log10(many)) + 1)]
    set_ticks(axes.xaxis, powers, [spaced(power) for power in powers])
    axes.set_xlabel("flows")
    axes.set_ylabel("user CPU time")
    axes.grid()
    return []


def table(curves: Sequence[Curve]) -> list[dict[str, str]]:
    """Exponents, and between which numbers of flows they were fitted."""
    rows = []
    for curve in curves:
        fitted = [f for f, s in zip(curve.flows, curve.seconds, strict=True) if s >= LEAST]
        if np.isnan(curve.slope()):
            continue
        rows.append({
            "case": curve.case,
            "exponent": f"{curve.slope():.2f}",
            "from flows": spaced(fitted[0]),
            "to flows": spaced(fitted[-1]),
            "last, s": f"{curve.seconds[-1]:.3g}",
        })  # fmt: skip
    return rows
