"""Figure: how busy the links of an emulated network were over time."""

from collections.abc import Iterator
from functools import partial
from itertools import pairwise

import numpy as np

from contend.canvas.drawing import Axes, Drawing, Panel, Tip
from contend.canvas.palette import LOAD
from contend.figures.figure import Figure, Findings
from contend.lab.utilisation import Utilisation, joined, lab_of
from contend.units import format_seconds

MOST_INTERVALS = 400  # more than that a screen does not show
MOST_TIPS = 60  # intervals that a pointer tells apart
WIDTH, LINE = 7.0, 0.14  # inches, of a link


class LinkLoad(Figure):
    """Of the emulated network that the samples were taken on."""

    name = "utilisation"
    section = "lab"
    order = 20

    def drawings(self, findings: Findings) -> Iterator[Drawing]:
        """Where it was recorded."""
        lab = lab_of(findings.samples, findings.utilisation)
        own = [run for run in findings.utilisation if run.lab == lab]
        if own:
            yield load_drawing(own, len(findings.utilisation) - len(own))


def load_drawing(runs: list[Utilisation], left_out: int = 0) -> Drawing:
    """Links from above, time to the right, colour from idle to saturated."""
    together = joined(runs)
    remark = (
        "Share of each link's capacity over the time of the campaign: bytes of frames over rate "
        "times time; what Ethernet adds to full frames takes another 2 %."
    )
    if len(runs) > 1:
        remark += f" {len(runs)} runs are shown one after the other."
    if left_out:
        remark += f" Runs of another network are left out: {left_out}."
    title = "How busy each link was"
    height = max(1.8, 0.7 + LINE * len(together.links))
    return Drawing(title, [Panel(title, partial(_draw, together), WIDTH, height)], remark)


def _draw(load: Utilisation, axes: Axes) -> Iterator[Tip]:
    from matplotlib.colors import LinearSegmentedColormap

    fine, links = load.coarser(MOST_INTERVALS), len(load.links)
    image = axes.pcolormesh(
        fine.times, np.arange(links + 1) - 0.5, 100 * fine.share.T, vmin=0, vmax=100,
        cmap=LinearSegmentedColormap.from_list("load", LOAD), rasterized=True,
    )  # fmt: skip
    axes.invert_yaxis()
    axes.set_yticks(range(links), load.links)
    axes.set_xlabel("seconds since the start")
    bar = axes.figure.colorbar(image, ax=axes)
    bar.set_label("load, %")
    bar.outline.set_visible(False)
    coarse = load.coarser(MOST_TIPS)
    for (begin, until), shares in zip(pairwise(coarse.times), coarse.share, strict=True):
        for link, share in enumerate(shares):
            if not np.isnan(share):
                span = f"{format_seconds(begin)} to {format_seconds(until)}"
                said = f"{load.links[link]}, {span}: {100 * share:.0f} %"
                yield Tip(said, begin, link + 0.5, until, link - 0.5)
