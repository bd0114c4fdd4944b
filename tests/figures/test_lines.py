"""Lines over sizes: what is drawn of them, what a pointer reads, and how far their axes reach."""

import numpy as np
import pytest

from contend.report.figures.lines import Line, lines_panel, reach
from support.pictures import drawn, marks, names

SIZES = [1.0, 1024.0]


def test_a_pointer_reads_name_size_value_interval_and_note() -> None:
    line = Line("x", SIZES, [1e-3, 2e-3], low=[0.9e-3, 2e-3], high=[1.1e-3, 2e-3], notes=["", "y"])
    axes, tips = drawn(lines_panel("t", [line]))
    assert [tip.text for tip in tips] == [
        "x, 1 B: 1 ms\n900 µs to 1.1 ms", "x, 1 KiB: 2 ms\ny"
    ]  # fmt: skip
    assert [(tip.x, tip.y) for tip in tips] == [(1.0, 1e-3), (1024.0, 2e-3)]
    assert marks(axes) == {"x": [SIZES, [1e-3, 2e-3]]}


def test_a_band_without_an_interval_says_so() -> None:
    unknown = [np.nan, np.nan]
    band = Line("x", SIZES, [1.0, 2.0], {"color": "k"}, unknown, unknown, is_band=True)
    axes, tips = drawn(lines_panel("t", [band]))
    assert [tip.text.split("\n")[1] for tip in tips] == ["interval unknown"] * 2
    assert names(axes) == ["its interval", "x"]


def test_a_line_without_a_name_is_in_no_legend_and_a_missing_value_says_nothing() -> None:
    lines = [Line("", SIZES, [1.0, 2.0]), Line("x", SIZES, [np.nan, 2.0])]
    axes, tips = drawn(lines_panel("t", lines))
    assert names(axes) == ["x"]
    assert len(axes.lines) == 2
    assert [tip.x for tip in tips] == [1024.0]


@pytest.mark.parametrize(
    ("low", "high", "expected"),
    [(None, None, (1.0, 2.0)), (0.5, 3.0, (0.5, 3.0)), (0.01, 900.0, (0.25, 8.0))],
)
def test_axes_reach_to_intervals_but_not_beyond_four_times_the_values(low, high, expected) -> None:
    ends = [] if low is None else [[low] * 2, [high] * 2]
    assert reach([Line("x", SIZES, [1.0, 2.0], {}, *ends), Line("y", [], [])]) == expected
    assert reach([]) == (1.0, 2.0)


def test_ratios_are_drawn_around_1() -> None:
    axes, tips = drawn(lines_panel("t", [Line("x", SIZES, [3.0, 4.0])], are_ratios=True))
    low, high = axes.get_ylim()
    assert low <= 0.9
    assert high == pytest.approx(4.8)
    assert axes.lines[0].get_ydata() == [1.0, 1.0]
    assert tips[0].text == "x, 1 B: 3 times"
