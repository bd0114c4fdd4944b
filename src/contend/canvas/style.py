"""One look for all that is drawn: colours of text and lines that follow the reader's scheme.

A drawing uses these few colours, and those of the palette, which are legible on both papers. In an
SVG they become variables, which a page or the file itself sets for a light and for a dark screen;
print is light.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

INK, SOFT, GRID, SHADE, PAPER = "#1d2430", "#596273", "#dfe3e8", "#f2f4f7", "#fefefe"
LIGHT = {"ink": INK, "soft": SOFT, "grid": GRID, "shade": SHADE, "paper": PAPER}
DARK = {
    "ink": "#e3e7ed", "soft": "#9ba5b4", "grid": "#323943", "shade": "#20262f", "paper": "#15191f",
}  # fmt: skip
LABEL, TICK, SMALL = 8.0, 7.0, 6.0  # points; journals ask for no less than 6


@contextmanager
def look() -> Iterator[None]:
    """Within it, figures of matplotlib are made and written in this look."""
    import matplotlib as mpl

    with mpl.rc_context(_SETTINGS):
        yield


_SETTINGS: Any = {
    "axes.axisbelow": True,
    "axes.edgecolor": SOFT,
    "axes.labelcolor": INK,
    "axes.labelsize": LABEL,
    "axes.linewidth": 0.6,
    "axes.spines.right": False,
    "axes.spines.top": False,
    "axes.titlelocation": "left",
    "axes.titlesize": LABEL,
    "errorbar.capsize": 1.5,
    "figure.constrained_layout.w_pad": 0.1,  # inches: a page has fonts of its own, maybe wider
    "figure.dpi": 72,  # points are the units of an SVG
    "figure.facecolor": PAPER,
    "axes.facecolor": "none",
    "font.size": TICK,
    "grid.color": GRID,
    "grid.linewidth": 0.6,
    "hatch.linewidth": 0.7,
    "legend.fontsize": TICK,
    "legend.frameon": False,
    "lines.linewidth": 1.4,
    "lines.markersize": 3.5,
    "lines.markeredgewidth": 0.9,
    "pdf.fonttype": 42,  # text that can be searched
    "svg.fonttype": "none",
    "svg.hashsalt": "contend",  # the same names in every run
    "text.color": INK,
    "text.hinting": "none",  # else text is narrower at 72 dots per inch than in print
    "text.parse_math": False,  # a name may hold a dollar
    "xtick.color": SOFT,
    "xtick.labelcolor": INK,
    "xtick.labelsize": TICK,
    "xtick.major.size": 2.5,
    "xtick.major.width": 0.6,
    "ytick.color": SOFT,
    "ytick.labelcolor": INK,
    "ytick.labelsize": TICK,
    "ytick.major.size": 2.5,
    "ytick.major.width": 0.6,
}


def variables(selector: str) -> str:
    """CSS that sets the colours for what a selector chooses, as the reader's screen is.

    >>> variables("svg").startswith("svg { --ink: #1d2430;")
    True
    """
    light, dark = (
        " ".join(f"--{name}: {colour};" for name, colour in colours.items())
        for colours in (LIGHT, DARK)
    )
    return (
        f"{selector} {{ {light} }}\n"
        f"@media screen and (prefers-color-scheme: dark) {{ {selector} {{ {dark} }} }}"
    )
