"""Figure for many messages: how many are under way, and how busy each host is.

Rows are hosts, shades the share of a link's rate that is used; a full link has a colour of its own.
"""

from collections.abc import Iterator
from functools import partial
from itertools import groupby, pairwise
from math import ceil

import numpy as np

from contend.canvas.axes import over_time
from contend.canvas.drawing import Axes, Panel, Tip
from contend.canvas.palette import LOAD
from contend.canvas.style import LABEL, PAPER, SHADE, TICK
from contend.document import Floats
from contend.flows.load import Load, load
from contend.flows.messages import Messages, rate_text, shortened
from contend.units import format_seconds

INTERVALS_PER_INCH = 20
MOST_ROWS = 64
LEVELS = 7  # of shades that a tip tells apart
FULL_FROM = 0.97  # share of a link's rate
AREA, GAP = 48.0, 20.0  # points: height of the messages under way; between the parts
LONGEST_NAME = 18


def host_load(messages: Messages, width: float) -> Panel:
    """A panel with what hosts send and receive, `width` inches wide."""
    found = load(messages, int(INTERVALS_PER_INCH * width), MOST_ROWS)
    height = (AREA + 3 * GAP + 2 * _row(found) * len(found.hosts)) / 72 + 0.3
    return Panel(
        "Load of the hosts over time", partial(_draw, messages, found, width), width, height
    )


def _row(found: Load) -> float:
    """Points of a row."""
    return 8.0 if len(found.hosts) <= 32 else 5.0


def _draw(messages: Messages, found: Load, width: float, axes: Axes) -> list[Tip]:
    """The parts from above, in points."""
    height, names = _row(found) * len(found.hosts), [_name(messages, row) for row in found.hosts]
    greatest = float(found.under_way.max(initial=0.0)) or 1.0
    top = GAP + AREA
    axes.stairs(found.under_way / greatest * -AREA + top, found.edges, baseline=top,
                fill=True, fc=LOAD[1], ec=LOAD[2])  # fmt: skip
    ticks = {top: "0", GAP: f"{greatest:.0f}"}
    places = [("Messages under way", GAP)]
    tips = [
        Tip(f"{_times(begin, until)}: {value:.4g} messages on average", begin, top, until, GAP)
        for value, (begin, until) in zip(found.under_way, pairwise(found.edges), strict=True)
    ]
    every = ceil((TICK + 1) / _row(found))
    for title, rates in (("Sending", found.sent), ("Receiving", found.received)):
        top += GAP
        places.append((title, top))
        rows = top + np.arange(len(names) + 1.0) * _row(found)
        image = _heat(axes, found, rates, rows)
        middles = (rows[:-1] + rows[1:]) / 2
        ticks |= dict(list(zip(middles, names, strict=True))[::every])
        tips += _tips(messages, found, rates, rows)
        top += height
    for title, y in places:
        axes.text(0, y - 3, title, fontsize=LABEL, va="bottom")
    axes.set_ylim(top, 0)
    axes.set_yticks(list(ticks), list(ticks.values()))
    over_time(axes, messages.seconds, width - 1)
    bar = axes.figure.colorbar(image, ax=axes, extend="max", shrink=0.5, aspect=40)
    bar.set_label(f"share of a link, %; orange: from {100 * FULL_FROM:.0f} %")
    bar.outline.set_visible(False)
    return tips


def _heat(axes: Axes, found: Load, rates: Floats, rows: Floats) -> object:
    """Cells of hosts and intervals, nothing where a host is idle."""
    from matplotlib.colors import LinearSegmentedColormap

    shades = LinearSegmentedColormap.from_list("load", LOAD[:3]).with_extremes(over=LOAD[3])
    axes.barh(rows[:-1], found.edges[-1], rows[1] - rows[0], color=SHADE, align="edge")
    share = np.ma.masked_equal(100 * rates / found.reference, 0.0)
    image = axes.pcolormesh(
        found.edges, rows, share, vmin=0, vmax=100 * FULL_FROM, cmap=shades, rasterized=True
    )
    axes.hlines(rows, 0, found.edges[-1], color=PAPER, lw=0.5)
    return image


def _tips(messages: Messages, found: Load, rates: Floats, rows: Floats) -> Iterator[Tip]:
    """Cells of about one shade that meet are told as one."""
    shares = rates / found.reference
    levels = np.where(shares >= FULL_FROM, LEVELS + 1, np.ceil(LEVELS * shares))
    for number, hosts in enumerate(found.hosts):
        ends = dict.fromkeys((hosts[0], hosts[-1]))
        name = " – ".join(messages.solution.flows.name(host) for host in ends)
        for level, run in groupby(range(len(found.edges) - 1), key=levels[number].__getitem__):
            cells = list(run)
            begin, until = found.edges[cells[0]], found.edges[cells[-1] + 1]
            rate = float(rates[number, cells].mean())
            said = f"{name}, {_times(begin, until)}: {rate_text(rate)}"
            said += f", {100 * rate / found.reference:.0f} % of its link"
            if level:
                yield Tip(said, begin, rows[number + 1], until, rows[number])


def _name(messages: Messages, hosts: list[int]) -> str:
    if len(hosts) == 1:
        return shortened(messages.short_name(hosts[0]), LONGEST_NAME)
    ends = (messages.short_name(host) for host in (hosts[0], hosts[-1]))
    return " – ".join(shortened(name, LONGEST_NAME // 2) for name in ends)


def _times(begin: float, until: float) -> str:
    return f"{format_seconds(begin)} to {format_seconds(until)}"
