"""One look for all that is drawn: colours, sizes of text, and the settings of matplotlib.

Colours of data are readable on white and on near black, and distinct in grey by marks and dashes:
every colour of a line or a mark has a contrast of 3 to both papers (WCAG 2.1, 1.4.11).
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

INK, SOFT, GRID, SHADE, PAPER = "#1d2430", "#596273", "#dfe3e8", "#f2f4f7", "#fefefe"
LABEL, TICK, SMALL = 8.0, 7.0, 6.0  # points; journals ask for no less than 6


@contextmanager
def look() -> Iterator[None]:
    """Make and write figures of matplotlib in this look, whatever the reader's settings are."""
    import matplotlib as mpl

    with mpl.rc_context(fname=Path(__file__).with_name("assets") / "look.mplstyle"):
        yield


MEASURED, PREDICTED, BOUND, THIRD = "#d1600f", "#2f7fc1", "#82878f", "#2a956d"
BAND_OPACITY = 0.22
# Things side by side, each with a colour, a mark and a dash of its own.
SERIES = (
    PREDICTED, MEASURED, THIRD, "#9a6bc7", "#b07d00", "#c9527a", BOUND, "#2f93a6",
)  # fmt: skip
MARKS = ("o", "s", "D", "^", "v", "P", "X", "p", "<", ">", "h", "*", "d")
DASHES = ("-", "--", ":", "-.", (0, (6, 1, 1, 1, 1, 1)))
# Blue to red over white, ColorBrewer's RdBu: safe for colour-blind readers.
DIVERGING = ("#2166ac", "#92c5de", "#f7f7f7", "#f4a582", "#b2182b")
# Nothing to full: what is idle shows the paper, what is saturated stands out, in grey too.
LOAD = ("#2f7fc10d", "#2f7fc159", "#2f7fc1a6", "#d1600f")
# Fields side by side: Tol's light scheme and lighter shades of his muted one, distinct for readers
# with any colour vision and light enough for black names (Tol, Colour Schemes, SRON/EPS/TN/09-002).
FIELDS = (
    "#77aadd", "#ee8866", "#44bb99", "#eedd88", "#ffaabb",
    "#99ddff", "#bbcc33", "#aaaa00", "#dddddd", "#b8a3d4",
)  # fmt: skip
BORDER, INK_ON_FIELD = "#ffffff", "#16191d"


def series(number: int) -> str:
    return SERIES[number % len(SERIES)]


def mark(number: int) -> str:
    return MARKS[number % len(MARKS)]
