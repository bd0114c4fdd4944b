"""One look for all that is drawn, in `assets/look.mplstyle`, and its colours and sizes of text."""

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
