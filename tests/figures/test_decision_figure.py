"""Decision maps: each cell in its colour, names inside, and each cell in words."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from contend.base.errors import InvalidInputError
from contend.report.figures.decisions import LEAST_ROW, UNSURE, _widest_run, fields, map_drawing
from contend.tune.choose import DecisionMap, decision_map
from support import networks
from support.pictures import drawn, names, only

COUNTS, SIZES = (2, 3, 5, 8, 40), (1, 16, 64, 4096, 1 << 20)
PLOGP = networks.plogp()


@pytest.fixture(scope="module")
def found() -> DecisionMap:
    return decision_map("bcast", PLOGP, COUNTS, SIZES)


def test_cells_reach_half_way_to_their_neighbours_and_have_the_colour_of_their_algorithm(
    found: DecisionMap,
) -> None:
    axes, _ = drawn(only(map_drawing(found)))
    mesh = axes.collections[0]
    corners = mesh.get_coordinates()
    x, y = corners[0, :, 0], corners[:, 0, 1]
    assert x[1] == pytest.approx(2.0)  # between 1 and 16
    assert y[1] == pytest.approx(np.log2(np.sqrt(6)))
    assert x[0] == pytest.approx(-2.0)
    shown = np.array(fields(found), dtype=object)[np.asarray(mesh.get_array())]
    assert (shown == found.algorithm).all()
    handles, titles = axes.get_legend_handles_labels()
    for handle, title in zip(handles, titles, strict=True):
        if title != UNSURE:
            cell = mesh.to_rgba(np.array([fields(found).index(title)]))
            assert handle.get_facecolor() == pytest.approx(cell[0], abs=0.01)


def test_a_name_stands_in_the_widest_row_of_its_cells() -> None:
    cells = np.zeros((8, 8), dtype=bool)
    cells[5:, 2:7] = True
    cells[0, 0] = True
    width, x, y = _widest_run(cells, np.arange(9.0), np.arange(9.0))
    assert (width, x, y) == (5.0, 4.5, 6.5)


def test_the_algorithm_with_the_most_of_the_plane_comes_first(found: DecisionMap) -> None:
    axes, _ = drawn(only(map_drawing(found)))
    corners = axes.collections[0].get_coordinates()
    area = np.outer(np.diff(corners[:, 0, 1]), np.diff(corners[0, :, 0]))
    areas = [area[found.algorithm == name].sum() for name in fields(found)]
    assert areas == sorted(areas, reverse=True)


def test_a_size_of_0_has_no_place() -> None:
    with pytest.raises(InvalidInputError, match="0 B has no place"):
        map_drawing(decision_map("bcast", PLOGP, [4], [0, 64]))


def test_each_cell_is_told_where_it_is(found: DecisionMap) -> None:
    axes, tips = drawn(only(map_drawing(found)))
    corners = axes.collections[0].get_coordinates()
    x, y = corners[0, :, 0], corners[:, 0, 1]
    assert len(tips) == found.seconds.size
    for number, tip in enumerate(tips):
        row, column = divmod(number, len(SIZES))
        assert (tip.x, tip.right) == tuple(x[column : column + 2])
        assert (tip.y, tip.top) == tuple(y[row : row + 2])
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
        one = replace(found, is_significant=np.full_like(found.seconds, told))
        axes, _ = drawn(only(map_drawing(one)))
        hatched = [patch for patch in axes.patches if patch.get_hatch() and not patch.get_label()]
        assert len(hatched) == is_hatched
        for patch in hatched:  # all of the plane
            ends = patch.get_path().get_extents()
            assert ends.intervalx == pytest.approx(axes.get_xlim())
            assert ends.intervaly == pytest.approx(axes.get_ylim())
        assert (UNSURE in names(axes)) == is_hatched


def test_the_figure_has_a_field_and_an_entry_for_each_algorithm(found: DecisionMap) -> None:
    axes, _ = drawn(only(map_drawing(found)))
    assert set(fields(found)) <= set(names(axes))
    assert map_drawing(found, "lab").figure("a title").get_suptitle().strip() == "a title"
