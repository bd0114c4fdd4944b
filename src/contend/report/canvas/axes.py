"""Axes that many figures have in common: sizes and times, both logarithmic, with round ticks."""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from contend.base.units import format_bytes, format_seconds
from contend.report.canvas.drawing import Axes

SIZES = "m, size of a message"
COUNTS = "n, processes"
TIME = 0.75  # inches, of the name of a time and some room


def over_sizes(axes: Axes, sizes: tuple[float, float], times: tuple[float, float]) -> None:
    """Times over the size of a message, both ranges in full."""
    log_sizes(axes, *sizes)
    axes.set_yscale("log")
    axes.set_ylim(*times)
    set_ticks(axes.yaxis, *time_ticks(*times))
    axes.grid()


def log_sizes(axes: Axes, low: float, high: float, most: int = 5) -> None:
    """Sizes to the right; a message of no bytes stands two octaves before one of a byte."""
    if low > 0:
        axes.set_xscale("log", base=2)
        axes.set_xlim(low / 1.3, high * 1.3)
    else:
        axes.set_xscale("symlog", base=2, linthresh=1.0)
        axes.set_xlim(-0.4, max(high, 1.0) * 1.3)
    set_ticks(axes.xaxis, *size_ticks(low, high, most))
    axes.set_xlabel(SIZES)


def set_ticks(axis: Any, values: ArrayLike, names: "list[str] | None" = None) -> None:
    axis.set_ticks(values, names)
    axis.set_ticks([], minor=True)


def points(
    axes: Axes, x: ArrayLike, y: ArrayLike, low: ArrayLike, high: ArrayLike, **marks: Any
) -> None:
    """Points with bars from `low` to `high`, none where these are not known."""
    middle = np.asarray(y, dtype=np.float64)
    bars = np.array([middle - np.asarray(low), np.asarray(high) - middle], dtype=np.float64)
    axes.errorbar(
        x, middle, yerr=np.maximum(np.nan_to_num(bars), 0.0),
        **{"fmt": "o", "elinewidth": 0.8, **marks},
    )  # fmt: skip


def size_ticks(low: float, high: float, most: int = 6) -> tuple[list[float], list[str]]:
    """Powers of two between two sizes, at even distances, and their names.

    >>> size_ticks(1, 4096, most=4)
    ([1.0, 16.0, 256.0, 4096.0], ['1 B', '16 B', '256 B', '4 KiB'])
    >>> size_ticks(0, 64, most=4)
    ([0.0, 1.0, 8.0, 64.0], ['0 B', '1 B', '8 B', '64 B'])
    """
    if low <= 0:
        values, names = size_ticks(1.0, max(high, 1.0), most - 1)
        return [0.0, *values], [format_bytes(0), *names]
    first, last = int(np.ceil(np.log2(low))), int(np.floor(np.log2(high)))
    step = max(1, int(np.ceil((last - first + 1) / most)))
    values = [2.0**power for power in range(first, last + 1, step)] or [float(low)]
    return values, [format_bytes(value) for value in values]


def count_ticks(low: int, high: int) -> list[int]:
    """Powers of two between two numbers of processes, or both where there is none.

    >>> count_ticks(3, 17), count_ticks(5, 7)
    ([4, 8, 16], [5, 7])
    """
    powers = [1 << power for power in range(low.bit_length() - 1, high.bit_length())]
    return [power for power in powers if low <= power <= high] or [low, high]


def time_ticks(low: float, high: float) -> tuple[list[float], list[str]]:
    """Powers of ten between two times, or finer steps where there are few, and their names.

    >>> time_ticks(1e-6, 1e-3)[1]
    ['1 µs', '10 µs', '100 µs', '1 ms']
    """
    inside = round_values(low, high, ((1,), (1, 2, 5), (1, 1.5, 2, 3, 4, 5, 6, 7, 8, 9)))
    inside = inside if len(inside) > 1 else [low, high]
    return inside, [format_seconds(value) for value in inside]


def round_values(low: float, high: float, digits: Iterable[Sequence[float]]) -> list[float]:
    """Values with the first of several sets of leading digits that has more than two in a range."""
    powers = range(int(np.floor(np.log10(low))), int(np.ceil(np.log10(high))) + 1)
    inside: list[float] = []
    for steps in digits:
        values = [float(f"{step}e{power}") for power in powers for step in steps]
        inside = [value for value in values if low <= value * (1 + 1e-9) and value <= high]
        if len(inside) > 2:
            break
    return inside


def ratios(axes: Axes, low: float, high: float) -> None:
    """A logarithmic axis of ratios, with as many ticks as there is room for."""
    axes.set_yscale("log")
    axes.set_ylim(low, high)
    inside = round_values(low, high, ((1,), (1, 2, 5), (1, 1.2, 1.5, 2, 3, 5, 7)))
    set_ticks(axes.yaxis, inside, [f"{value:g}" for value in inside])
    axes.grid()


def over_time(axes: Axes, seconds: float, width: float) -> None:
    """Time to the right from 0 to `seconds`, `width` inches wide, with round times."""
    from matplotlib.ticker import MaxNLocator

    axes.set_xlim(0, seconds)
    axes.xaxis.set_major_locator(MaxNLocator(max(2, int(width / TIME)), steps=[1, 2, 5, 10]))
    axes.xaxis.set_major_formatter(lambda time, _: format_seconds(time))
    axes.grid(axis="x")
    axes.spines["left"].set_visible(False)
    axes.tick_params(axis="y", length=0)


def rounded(axes: Axes, box: tuple[float, float, float, float], radius: float, **look: Any) -> Any:
    """A box (x, y, width, height) with round corners, in units of the data."""
    from matplotlib.patches import FancyBboxPatch

    x, y, width, height = box
    style = f"round,pad=0,rounding_size={radius}"
    return axes.add_patch(FancyBboxPatch((x, y), width, height, style, lw=0.8, **look))
