"""Figure: regimes over the size, and how the time per message grows with n in each."""

from collections.abc import Iterator
from functools import partial

import numpy as np

from contend.base.document import Floats
from contend.base.units import format_seconds
from contend.models.explanation.exchange import Exchange
from contend.models.explanation.finding import Analysis
from contend.models.explanation.regime import Regime
from contend.models.explanation.table import analysis
from contend.models.explanation.words import at_sizes, within
from contend.report.canvas.axes import COUNTS, count_ticks, ratios, set_ticks
from contend.report.canvas.drawing import Axes, Drawing, Panel, Tip
from contend.report.canvas.palette import BOUND, DASHES, LABEL, SHADE, SOFT, mark, series
from contend.report.figures.figure import Findings
from contend.report.figures.lines import Line, at_count, draw_ratios, reach, times_text

MOST_LINES = 6
LETTERS = "ABCDEFGH"
HEIGHT = 2.6
ROOM = 0.12  # of the height, for the letters of the regimes


def structure(findings: Findings) -> Iterator[Drawing]:
    for operation in findings.exchanges:
        analysed = analysis(findings.network, operation)
        if analysed and analysed.exchange.sizes.size > 1:
            yield structure_drawing(analysed, operation.title)


def structure_drawing(analysis: Analysis, title: str = "") -> Drawing:
    """Times over the bound against m, a line per n, and beside it over n, a line per regime."""
    divisor = "bound" if analysis.exchange.message.hockney else "cheapest seen"
    panels = [Panel(f"Time over the {divisor}", partial(_over_sizes, analysis), height=HEIGHT)]
    if analysis.exchange.counts.size > 1:
        panels.append(
            Panel("Time per message over n", partial(_over_counts, analysis), height=HEIGHT)
        )
    return Drawing("Structure", panels, _remark(analysis), title)


def bound(exchange: Exchange) -> Floats:
    """What each time is divided by, seconds, shape (n_counts, n_sizes).

    (n-1)(alpha + beta m) of a single message; without one n-1 times the cheapest message seen, or m
    times the cheapest byte seen, whichever is more.
    """
    others = exchange.counts[:, None] - 1
    if line := exchange.message.hockney:
        return np.asarray(others * line.seconds(exchange.sizes))
    each = np.exp(exchange.logarithms) / others
    cheapest = np.nanmin(each), np.nanmin(each / exchange.sizes)
    return np.asarray(others * np.maximum(cheapest[0], cheapest[1] * exchange.sizes))


def _remark(analysis: Analysis) -> str:
    divisor = (
        "Times are divided by (n − 1)(alpha + beta m)." if analysis.exchange.message.hockney
        else "No single message is known: times are divided by what they would be if every message "
        "and every byte cost what the cheapest did."
    )  # fmt: skip
    named = [
        f"{letter}: {_label(regime)}"
        for letter, regime in zip(LETTERS, analysis.regimes, strict=False)
    ]
    text = f"{divisor} Regimes: {'; '.join(named)}."
    if analysis.exchange.counts.size > 1:
        text += " Over n, points are means over the sizes of a regime, lines what they grow like."
    return text


def _label(regime: Regime) -> str:
    sizes = within(at_sizes(regime.exchange, (regime.sizes[0], regime.sizes[-1])))
    if regime.exchange.counts.size < 2:
        return sizes
    return f"{sizes}, {regime.explanation.best.title}"


def _over_sizes(analysis: Analysis, axes: Axes) -> Iterator[Tip]:
    exchange = analysis.exchange
    ratio = np.exp(exchange.logarithms) / bound(exchange)
    low, high = float(np.nanmin(ratio)), float(np.nanmax(ratio))
    lines = [
        _line(exchange, ratio, place, number_)
        for number_, place in enumerate(_shown(exchange.counts))
    ]
    ends = float(exchange.sizes[0]), float(exchange.sizes[-1])
    draw_ratios(lines, ends, (low, high * (high / low) ** ROOM), 4, axes)
    _regimes(analysis, axes)
    odd = list(analysis.partition.odd)
    if odd:
        axes.plot(
            exchange.sizes[odd], np.nanmax(ratio[:, odd], axis=0), ls="", marker="o", color=SOFT,
            markersize=8, fillstyle="none", label="odd size",
        )  # fmt: skip
    for line in lines:
        yield from line.tips(times_text)


def _line(exchange: Exchange, ratio: Floats, place: int, number_: int) -> Line:
    is_measured = exchange.is_measured[place]
    look = {"color": series(number_), "marker": mark(number_), "markersize": 2.6, "lw": 1.0}
    look["ls"] = DASHES[number_ % len(DASHES)]
    seconds = [
        format_seconds(float(time)) for time in np.exp(exchange.logarithms[place, is_measured])
    ]
    name = f"n = {int(exchange.counts[place])}"
    return Line(name, exchange.sizes[is_measured], ratio[place, is_measured], look, notes=seconds)


def _regimes(analysis: Analysis, axes: Axes) -> None:
    sizes = analysis.exchange.sizes
    low, high = axes.get_xlim()
    inner = [
        float(np.sqrt(sizes[regime.start - 1] * sizes[regime.start]))
        for regime in analysis.regimes[1:]
    ]
    edges = [low, *inner, high]
    for number_, letter in zip(range(len(analysis.regimes)), LETTERS, strict=False):
        ends = edges[number_], edges[number_ + 1]
        if number_ % 2:
            axes.axvspan(*ends, color=SHADE, zorder=0)
        if number_:
            axes.axvline(ends[0], color=SOFT, lw=0.8, ls=":")
        if len(analysis.regimes) > 1:
            axes.text(
                float(np.sqrt(ends[0] * ends[1])), 0.985, letter, ha="center", va="top",
                transform=axes.get_xaxis_transform(), fontsize=LABEL, color=SOFT,
            )  # fmt: skip


def _over_counts(analysis: Analysis, axes: Axes) -> Iterator[Tip]:
    lines = []
    for number_, regime in enumerate(analysis.regimes):
        measured, fitted = _per_message(regime)
        if measured is None or fitted is None:
            continue
        counts, letter = regime.points.counts, LETTERS[number_ % len(LETTERS)]
        name = f"{letter}, " * (len(analysis.regimes) > 1) + regime.explanation.best.title
        look = {"color": series(MOST_LINES + 1 - number_)}
        dashed = {"lw": 1.0, "ls": DASHES[number_ % len(DASHES)]}
        marked = {"ls": "", "marker": mark(number_), "markersize": 4}
        lines += [
            Line("", counts, fitted, look | dashed),
            Line(name, counts, measured, look | marked),
        ]
    for line in lines:
        line.draw(axes)
        yield from line.tips(times_text, at_count)
    least, most = int(analysis.exchange.counts[0]), int(analysis.exchange.counts[-1])
    axes.set_xscale("log", base=2)
    axes.set_xlim(least / 1.15, most * 1.15)
    ticks = count_ticks(least, most)
    set_ticks(axes.xaxis, ticks, [str(n) for n in ticks])
    axes.set_xlabel(COUNTS)
    low, high = reach(lines)
    ratios(axes, min(low, 1.0) / 1.15, max(high, 1.0) * 1.15)
    axes.axhline(1.0, color=BOUND, lw=0.8, ls="--", zorder=1)


def _per_message(regime: Regime) -> tuple[Floats | None, Floats | None]:
    """Measured and fitted time over n-1 at each n, over that fitted at the first n.

    Of sizes that all n have; None where there are none.
    """
    points = regime.points
    present = [set(points.sizes[points.place == at]) for at in range(points.counts.size)]
    common = np.array(sorted(set.intersection(*present)))
    if points.counts.size < 2 or common.size == 0:
        return None, None
    used = np.isin(points.sizes, common)
    each = points.logarithms, points.logarithms - regime.explanation.best.errors
    measured, fitted = (
        np.bincount(points.place[used], weights=values[used]) / common.size
        - np.log(points.counts - 1)
        for values in each
    )
    return np.exp(measured - fitted[0]), np.exp(fitted - fitted[0])


def _shown(counts: Floats) -> list[int]:
    """Places of the n that have a line: all, or some evenly among them."""
    if counts.size <= MOST_LINES:
        return list(range(counts.size))
    return sorted({int(at) for at in np.linspace(0, counts.size - 1, MOST_LINES).round()})
