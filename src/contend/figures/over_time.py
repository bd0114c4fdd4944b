"""The axis of pictures over time: round times from 0 on, and nothing that parts what is above."""

from contend.canvas.axes import seconds_on
from contend.canvas.drawing import Axes

TICK_WIDTH = 0.75  # inches, of a time and some room


def over_time(axes: Axes, seconds: float, width: float) -> None:
    """Time to the right from 0 to `seconds`, `width` inches wide."""
    axes.set_xlim(0, seconds)
    seconds_on(axes.xaxis, max(2, int(width / TICK_WIDTH)))
    axes.grid(axis="x")
    axes.spines["left"].set_visible(False)
    axes.tick_params(axis="y", length=0)
