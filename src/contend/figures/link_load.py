"""Figure: how busy the links of a replayed network are over time."""

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import pairwise

import numpy as np

from contend.canvas.axes import over_time
from contend.canvas.drawing import Axes, Drawing, Panel, Tip
from contend.canvas.palette import LOAD
from contend.document import Floats
from contend.units import format_seconds

MOST_TIPS = 50  # intervals that a pointer tells apart
WIDTH, LINE = 8.0, 0.2  # inches, of all and of a link


def link_load_drawing(names: Sequence[str], load: Floats, times: Floats) -> Drawing:
    """Links from above, time to the right, colour from idle to saturated.

    `load` is the share of the capacity, (n_links, n_bins), `times` are the edges of the bins.
    """
    title = "How busy the links are over time"
    height = 0.75 + LINE * len(names)
    panel = Panel(title, partial(_draw, names, load, times), WIDTH, height)
    return Drawing(title, [panel], "Share of each link's capacity that messages use.")


def _draw(names: Sequence[str], load: Floats, times: Floats, axes: Axes) -> Iterator[Tip]:
    from matplotlib.colors import LinearSegmentedColormap

    image = axes.pcolormesh(
        times, np.arange(len(names) + 1) - 0.5, 100 * np.minimum(load, 1.0), vmin=0, vmax=100,
        cmap=LinearSegmentedColormap.from_list("load", LOAD), rasterized=True,
    )  # fmt: skip
    axes.invert_yaxis()
    axes.set_yticks(range(len(names)), names)
    over_time(axes, float(times[-1]), WIDTH - 2.2)
    bar = axes.figure.colorbar(image, ax=axes, fraction=0.05, pad=0.02)
    bar.set_label("load, %")
    bar.outline.set_visible(False)
    cuts = np.unique(np.linspace(0, load.shape[1], MOST_TIPS + 1).astype(int))
    for first, last in pairwise(cuts):
        span = f"{format_seconds(times[first])} to {format_seconds(times[last])}"
        for link, name in enumerate(names):
            share = float(load[link, first:last].mean())
            said = f"{name}, {span}: {100 * share:.0f} %"
            yield Tip(said, times[first], link + 0.5, times[last], link - 0.5)
