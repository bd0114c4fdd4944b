"""Figures: how busy links and hosts are over time, of replays, emulated networks and many messages.

Rows are links or hosts, shades the share of a link's rate that is used.
"""

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import pairwise
from math import ceil

import numpy as np

from contend.base.document import Floats
from contend.base.units import format_seconds
from contend.measure.lab.utilisation import joined, lab_of
from contend.report.canvas.axes import over_time
from contend.report.canvas.drawing import Axes, Drawing, Panel, Tip
from contend.report.canvas.palette import LOAD, TICK
from contend.report.figures.figure import Findings
from contend.simulate.flows.load import Load, load
from contend.simulate.flows.messages import Messages, shortened

MOST_INTERVALS = 400  # of a campaign; more than that a screen does not show
MOST_TIPS = 50  # intervals that a pointer tells apart
WIDTH, LINE, MARGINS = 8.0, 0.2, 2.2  # inches, of all, of a link, beside the links


def utilisation(findings: Findings) -> Iterator[Drawing]:
    """Draw what the links of the emulated network carried in all its runs, one after the other."""
    lab = lab_of(findings.samples, findings.utilisation)
    runs = [run for run in findings.utilisation if run.lab == lab]
    if not runs:
        return
    remark = (
        "Share of each link's capacity over the time of the campaign: bytes of frames over rate "
        "times time; what Ethernet adds to full frames takes another 2 %."
    )
    if len(runs) > 1:
        remark += f" {len(runs)} runs are shown one after the other."
    if left_out := len(findings.utilisation) - len(runs):
        remark += f" Runs of another network are left out: {left_out}."
    load = joined(runs).coarser(MOST_INTERVALS)
    yield link_load_drawing(load.links, load.share.T, load.times, "How busy each link was", remark)


def link_load_drawing(
    names: Sequence[str],
    load: Floats,
    times: Floats,
    title: str = "How busy the links are over time",
    remark: str = "Share of each link's capacity that messages use.",
) -> Drawing:
    """Links from above, time to the right, colour from idle to saturated.

    `load` is the share of the capacity, (n_links, n_bins), `times` are the edges of the bins.
    """
    return Drawing(title, [load_panel(title, names, load, times)], remark)


def load_panel(
    title: str,
    names: Sequence[str],
    load: Floats,
    times: Floats,
    width: float = WIDTH,
    line: float = LINE,
) -> Panel:
    """A row of `line` inches for each name."""
    every = ceil((TICK + 1) / (72 * line))
    draw = partial(_draw, names, load, times, width - MARGINS, every)
    return Panel(title, draw, width, 0.75 + line * len(names))


def _draw(
    names: Sequence[str], load: Floats, times: Floats, width: float, every: int, axes: Axes
) -> Iterator[Tip]:
    from matplotlib.colors import LinearSegmentedColormap

    image = axes.pcolormesh(
        times, np.arange(len(names) + 1) - 0.5, 100 * np.minimum(load, 1.0), vmin=0, vmax=100,
        cmap=LinearSegmentedColormap.from_list("load", LOAD), rasterized=True,
    )  # fmt: skip
    axes.invert_yaxis()
    axes.set_yticks(range(0, len(names), every), names[::every])
    over_time(axes, float(times[-1]), width)
    bar = axes.figure.colorbar(image, ax=axes, fraction=0.05, pad=0.02)
    bar.set_label("load, %")
    bar.outline.set_visible(False)
    cuts = np.unique(np.linspace(0, load.shape[1], MOST_TIPS + 1).astype(int))
    for first, last in pairwise(cuts):
        span = f"{format_seconds(times[first])} to {format_seconds(times[last])}"
        for link, name in enumerate(names):
            part = load[link, first:last][~np.isnan(load[link, first:last])]
            if part.size:
                words = f"{name}, {span}: {100 * float(part.mean()):.0f} %"
                yield Tip(words, times[first], link + 0.5, times[last], link - 0.5)


INTERVALS_PER_INCH = 20
MOST_ROWS, FEW_ROWS = 64, 32
ROW, LEAST_ROW = 0.112, 0.07  # inches; the first has room for a name
HEIGHT = 1.0  # inches, of the messages under way
LONGEST_NAME = 18


def host_load(messages: Messages, width: float) -> list[Panel]:
    """Panels of messages under way and of what hosts send and receive, `width` inches wide."""
    loads = load(messages, int(INTERVALS_PER_INCH * width), MOST_ROWS)
    names = [_name(messages, row) for row in loads.hosts]
    row = ROW if len(names) <= FEW_ROWS else LEAST_ROW
    return [
        Panel("Messages under way", partial(_under_way, loads, width - MARGINS), width, HEIGHT),
        load_panel("Sending", names, loads.sent / loads.reference, loads.edges, width, row),
        load_panel("Receiving", names, loads.received / loads.reference, loads.edges, width, row),
    ]


def _under_way(loads: Load, width: float, axes: Axes) -> Iterator[Tip]:
    axes.stairs(loads.under_way, loads.edges, fill=True, fc=LOAD[1], ec=LOAD[2])
    axes.set_ylim(bottom=0)
    over_time(axes, float(loads.edges[-1]), width)
    for value, (begin, until) in zip(loads.under_way, pairwise(loads.edges), strict=True):
        span = f"{format_seconds(begin)} to {format_seconds(until)}"
        yield Tip(f"{span}: {value:.4g} messages on average", begin, 0.0, until, value)


def _name(messages: Messages, hosts: list[int]) -> str:
    if len(hosts) == 1:
        return shortened(messages.short_name(hosts[0]), LONGEST_NAME)
    ends = (messages.short_name(host) for host in (hosts[0], hosts[-1]))
    return " – ".join(shortened(name, LONGEST_NAME // 2) for name in ends)
