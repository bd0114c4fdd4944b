"""A figure that belongs to nobody but its caller."""

from typing import Any

LABEL, TICK = 8, 7  # points; journals ask for no less than 6


def new_figure(width: float, height: float) -> Any:
    """Empty figure of `width` by `height` inches whose parts do not overlap."""
    from matplotlib.figure import Figure

    return Figure(figsize=(width, height), layout="constrained")
