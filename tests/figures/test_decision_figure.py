"""Decision maps: outlines that hold just their cells, names inside, and each cell in words."""

from __future__ import annotations

import doctest
import importlib
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from matplotlib.path import Path

import network_files
from contend.choose import DecisionMap, decision_map
from contend.choose.regions import Regions, regions
from contend.errors import InvalidInputError
from contend.figures.decisions import LEAST_ROW, UNSURE, map_drawing
from drawn import drawn, names, only

COUNTS, SIZES = (2, 3, 5, 8, 40), (1, 16, 64, 4096, 1 << 20)
PLOGP = network_files.plogp()


@pytest.fixture(scope="module")
def found() -> DecisionMap:
    return decision_map("bcast", PLOGP, COUNTS, SIZES)


def of_cells(cells: np.ndarray) -> Regions:
    """A plane of which some cells are one region; edges are not evenly spaced."""
    lines, columns = cells.shape
    x, y = np.arange(columns + 1.0) ** 1.5, np.arange(lines + 1.0) ** 0.5
    return Regions(["a"], cells.astype(np.int64), cells, x, y)


def enclosed(loop: np.ndarray) -> float:
    """Area that a closed loop has on its left."""
    (x, y), (next_x, next_y) = loop[:-1].T, loop[1:].T
    return float((x * next_y - next_x * y).sum() / 2)


@given(st.integers(1, 6), st.integers(1, 6), st.randoms(use_true_random=False))
def test_outlines_hold_all_cells_and_no_others(lines: int, columns: int, random: object) -> None:
    cells = np.array(
        [[random.random() < 0.6 for _ in range(columns)] for _ in range(lines)]  # type: ignore[attr-defined]
    )
    plane = of_cells(cells)
    loops = plane.outline(cells)
    area = (np.outer(np.diff(plane.y), np.diff(plane.x)) * cells).sum()
    assert sum(map(enclosed, loops)) == pytest.approx(area)
    for row, column in np.ndindex(*cells.shape):
        middle = (plane.x[column : column + 2].mean(), plane.y[row : row + 2].mean())
        around = sum(np.sign(enclosed(loop)) for loop in loops if Path(loop).contains_point(middle))
        assert around == cells[row, column]


def test_a_hole_is_a_loop_of_its_own() -> None:
    cells = np.ones((3, 3), dtype=bool)
    cells[1, 1] = False
    loops = of_cells(cells).outline(cells)
    assert sorted(np.sign(enclosed(loop)) for loop in loops) == [-1, 1]
    assert [len(loop) for loop in loops] == [5, 5]


def test_a_name_stands_within_its_region_or_nowhere() -> None:
    cells = np.zeros((8, 8), dtype=bool)
    cells[5:, 2:7] = True
    plane = replace(of_cells(cells), x=np.arange(9.0), y=np.arange(9.0))
    x, y = plane.label_place(cells, 0.4, 0.2) or (0.0, 0.0)
    assert 2 + 1.6 - 0.1 <= x <= 7 - 1.6 + 0.1
    assert 5 + 0.8 - 0.1 <= y <= 8 - 0.8 + 0.1
    assert plane.label_place(cells, 0.7, 0.2) is None
    assert plane.label_place(~cells, 0.9, 0.5) is not None


def test_cells_reach_half_way_to_their_neighbours(found: DecisionMap) -> None:
    known = regions(found)
    assert known.x[1] == pytest.approx(2.0)  # between 1 and 16
    assert known.y[1] == pytest.approx(np.log2(np.sqrt(6)))
    assert known.x[0] == pytest.approx(-2.0)
    names = np.array(known.names, dtype=object)[known.index]
    assert (names == found.algorithm).all()


def test_the_algorithm_with_the_most_of_the_plane_comes_first(found: DecisionMap) -> None:
    known = regions(found)
    area = np.outer(np.diff(known.y), np.diff(known.x))
    areas = [area[known.index == place].sum() for place in range(len(known.names))]
    assert areas == sorted(areas, reverse=True)


def test_a_size_of_0_has_no_place() -> None:
    with pytest.raises(InvalidInputError, match="0 B has no place"):
        regions(decision_map("bcast", PLOGP, [4], [0, 64]))


def test_each_cell_is_told_where_it_is(found: DecisionMap) -> None:
    axes, tips = drawn(only(map_drawing(found)))
    known = regions(found)
    assert len(tips) == found.seconds.size
    for number, tip in enumerate(tips):
        row, column = divmod(number, len(SIZES))
        assert (tip.x, tip.right) == tuple(known.x[column : column + 2])
        assert (tip.y, tip.top) == tuple(known.y[row : row + 2])
    best, second = found.algorithm[4, 4], found.second[4, 4]
    place, said = tips[-1].text.split("\n")
    assert place == "40, 1 MiB"
    assert said.startswith(f"{best}, segment ")
    assert said.endswith(f"; {second} ×{found.ratio[4, 4]:.3g}")
    assert tips[0].text.endswith("; as all") == np.isnan(found.ratio[0, 0])
    inside = {text.get_text() for text in axes.texts}
    assert inside
    assert inside <= set(found.algorithm.ravel())


def test_rows_that_a_pointer_cannot_tell_apart_are_told_once() -> None:
    counts = list(range(2, 200))
    _, tips = drawn(only(map_drawing(decision_map("bcast", PLOGP, counts, SIZES))))
    rows = sorted({tip.y for tip in tips})
    assert len(rows) < 1 / LEAST_ROW
    assert min(np.diff(rows)) > LEAST_ROW * (rows[-1] - rows[0])


def test_hatching_is_there_only_where_something_is_unsure(found: DecisionMap) -> None:
    for told, is_hatched in ((1, False), (0, True)):
        one = replace(found, is_told=np.full_like(found.seconds, told))
        axes, _ = drawn(only(map_drawing(one)))
        assert any(patch.get_hatch() for patch in axes.patches) == is_hatched
        assert (UNSURE in names(axes)) == is_hatched


def test_the_figure_has_a_field_and_an_entry_for_each_algorithm(found: DecisionMap) -> None:
    axes, _ = drawn(only(map_drawing(found)))
    assert set(regions(found).names) <= set(names(axes))
    assert map_drawing(found, "lab").figure("a title").get_suptitle().strip() == "a title"


def test_examples_in_docstrings_hold() -> None:
    for name in ("canvas.axes", "schedules.option_text", "choose.decisions"):
        assert doctest.testmod(importlib.import_module(f"contend.{name}")).failed == 0
