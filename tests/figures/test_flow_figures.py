"""Pictures of contention graphs show every message and every byte, and nothing else."""

from itertools import combinations
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest
from matplotlib.collections import LineCollection, QuadMesh
from matplotlib.patches import FancyArrowPatch, FancyBboxPatch
from matplotlib.transforms import Bbox

from contend.base.errors import InvalidInputError
from contend.report.canvas.files import SUFFIXES, write_picture
from contend.report.figures.contention_graph import MOST_EDGES, contention_graph
from contend.report.figures.flows import flow_drawing
from contend.report.figures.gantt import BAND, MOST_MESSAGES, gantt
from contend.report.figures.link_load import host_load
from contend.simulate.flows.engine import Solution, solve
from contend.simulate.flows.messages import messages
from contend.simulate.flows.reader import read_flows
from support.flows import BANDWIDTH, MODELS, crowd, solved
from support.pictures import drawn, names

HOSTILE = "</title><script>alert(1)</script>&\"'$x^2$"
WIDTH = 4.0
GRAPHS = sorted((Path(__file__).parents[2] / "examples" / "graphs").glob("*.csv"))
BARS, BANDS = "rate of the message", "rate alone"


def chart(solution: Solution, measured: Any = None) -> tuple[Any, list[Any]]:
    return drawn(gantt(messages(solution, measured), WIDTH))


def bars(axes: Any, label: str = BARS) -> list[Any]:
    """Rectangles of that name in the legend."""
    found = dict(zip(*reversed(axes.get_legend_handles_labels()), strict=True))
    return list(found[label])


def said_of_rates(solution: Solution) -> list[str]:
    """Tips of all bars, which come after those of the messages."""
    return [tip.text for tip in chart(solution)[1][len(solution.flows) :]]


def graph_of(solution: Solution, width: float = 5.4, height: float = 4.0) -> tuple[Any, list[Any]]:
    axes, tips = drawn(contention_graph(messages(solution), width, height))
    axes.figure.draw_without_rendering()
    return axes, tips


def labels(axes: Any) -> list[str]:
    """Texts at arrows: those that are not the bold names of hosts."""
    return [text.get_text() for text in axes.texts if text.get_weight() != "bold"]


def extents(axes: Any) -> list[tuple[str, Bbox]]:
    """Every text with the room that it takes, in pixels."""
    return [(text.get_text(), text.get_window_extent()) for text in axes.texts]


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("count", [2, 9, 40])
def test_the_area_of_the_bars_of_a_message_is_its_bytes(model: str, count: int) -> None:
    solution = crowd(count, 6, model)
    axes, tips = chart(solution)
    moved = np.zeros(count)
    for flow, bar, tip in zip(
        messages(solution).rates["flow"], bars(axes), tips[count:], strict=True
    ):
        moved[flow] += bar.get_width() * bar.get_height() / BAND * BANDWIDTH
        assert tip[1:] == pytest.approx([*bar.get_bbox().min, *bar.get_bbox().max])
        assert round(-bar.get_y() - BAND / 2) == flow
    assert moved == pytest.approx(solution.flows.bytes)


def test_bands_reach_from_the_first_byte_to_the_end() -> None:
    solution = solved("AB AC", start=[0, 1e-3], latency=[1e-3, 1e-3])
    axes, tips = chart(solution)
    for flow, band in enumerate(bars(axes, BANDS)):
        assert band.get_x() == pytest.approx([1e-3, 2e-3][flow])
        assert band.get_x() + band.get_width() == pytest.approx(solution.end[flow])
        assert band.get_height() == BAND
        assert tips[flow].right == pytest.approx(solution.end[flow])
    assert [tip.text.split(", ends")[0] for tip in tips[:2]] == [
        "1: A → B, 20 MiB",
        "2: A → C, 20 MiB",
    ]


def test_bars_say_rate_penalty_and_bytes_of_their_step() -> None:
    said = said_of_rates(solved("SX SY CX DX EY"))
    assert len(said) == 3 + 3 + 2 + 2 + 1
    assert said[0] == (
        "1: S → X, step 1, 0 s to 13.4 ms: 392 MB/s (3.136 Gbit/s), penalty 5, 5 MiB moved"
    )
    assert said[-1].endswith("penalty 1.25, 20 MiB moved")


def test_a_rate_that_outlasts_a_step_names_all_its_steps() -> None:
    said = said_of_rates(solved("AB CD", [2**20, 2**21]))
    assert "step 1, " in said[0]
    assert "steps 1 to 2, " in said[1]


def test_bars_end_where_the_message_does_and_measured_ends_are_marked_there() -> None:
    solution = solved("AB AC")
    axes, _ = chart(solution, solution.end / 2)
    (marks,) = [line for line in axes.lines if line.get_label() == "measured end"]
    assert marks.get_xdata() == pytest.approx(solution.end / 2)
    for bar, end in zip(bars(axes), solution.end, strict=True):
        assert bar.get_x() + bar.get_width() == pytest.approx(end)
    assert [text.get_text() for text in axes.texts][:2] == ["21.4 ms, +100.0 %"] * 2
    assert "measured end" not in names(chart(solution)[0])


def test_penalties_stand_at_their_bars_where_these_are_wide_enough() -> None:
    axes, _ = chart(solved("SX SY CX DX EY"))
    written = [text.get_text() for text in axes.texts if text.get_text().startswith("×")]
    assert written == ["×5", "×4", "×2", "×5", "×4", "×2", "×2.5", "×2.67", "×2.5", "×2.67",
                       "×1.25"]  # fmt: skip


@pytest.mark.parametrize("path", GRAPHS, ids=lambda path: path.stem)
def test_arrows_reach_from_border_to_border_of_their_hosts(path: Path) -> None:
    solution = solve(read_flows(path), bandwidth=1e9, is_recorded=True)
    axes, tips = graph_of(solution)
    arrows = [patch for patch in axes.patches if isinstance(patch, FancyArrowPatch)]
    hosts = {tip.text: Bbox([tip[1:3], tip[3:5]]) for tip in tips if tip.text.startswith("host ")}
    assert len(arrows) == len(solution.flows)
    for arrow, (src, dst) in zip(arrows, messages(solution).edges, strict=True):
        points = arrow.get_path().vertices
        for host, ends in ((src, points[:1]), (dst, points[1:])):
            box = hosts[f"host {solution.flows.name(host)}"]
            assert box.padded(2).count_contains(ends)
            assert not box.padded(-1).count_contains(points)


def test_every_message_is_an_arrow_and_parallel_ones_are_apart() -> None:
    axes, tips = graph_of(solved("AB AB AB BA BA AC"))
    arrows = [patch for patch in axes.patches if isinstance(patch, FancyArrowPatch)]
    assert len(arrows) == 6
    middles = np.array([arrow.get_path().vertices[1] for arrow in arrows[:5]])
    apart = np.linalg.norm(middles[:, None] - middles, axis=2) + 1e9 * np.eye(5)
    assert apart.min() > 10
    assert [label.split(":")[0] for label in labels(axes)] == ["1", "2", "3", "4", "5", "6"]
    said = {tip.text.split(":")[0] for tip in tips}
    assert said == {"host A", "host B", "host C", "1", "2", "3", "4", "5", "6"}


def test_an_arrow_goes_around_a_host_that_is_in_its_way() -> None:
    _, tips = graph_of(solved("AB BC AC"))
    (between,) = [Bbox([tip[1:3], tip[3:5]]) for tip in tips if tip.text == "host B"]
    points = [tip[1:3] for tip in tips if tip.text.startswith("3: ")]
    assert not any(between.contains(*point) for point in points)


@pytest.mark.parametrize("path", GRAPHS, ids=lambda path: path.stem)
def test_no_text_of_a_graph_lies_on_another_or_outside(path: Path) -> None:
    axes, _ = graph_of(solve(read_flows(path), bandwidth=1e9, is_recorded=True), 2.8, 1.8)
    found = extents(axes)
    for (one, first), (other, second) in combinations(found, 2):
        assert Bbox.intersection(first.padded(-1), second.padded(-1)) is None, f"{one} on {other}"
    for text, box in found:
        assert axes.figure.bbox.padded(1).count_contains(box.corners()) == 4, text


@pytest.mark.parametrize("count", [7, 25, 60])
def test_arrows_hosts_and_texts_stay_on_the_sheet(count: int) -> None:
    for solution in (crowd(count, 9), solved("AB " * count)):
        axes, tips = graph_of(solution)
        (left, right), (bottom, top) = axes.get_xlim(), axes.get_ylim()
        for tip in tips:
            assert left <= tip.x <= right, tip.text
            assert bottom <= tip.y <= top, tip.text
        for text, box in extents(axes):
            assert axes.figure.bbox.padded(1).count_contains(box.corners()) == 4, text


def test_labels_have_the_first_penalty_and_bytes_only_if_they_differ() -> None:
    for size, expected in (
        (2**20, ["1: ×2", "2: ×2"]),
        ([2**20, 2**10], ["1: 1 MiB ×2", "2: 1 KiB ×2"]),
    ):
        assert labels(graph_of(solved("AC BC", size, "maxmin"))[0]) == expected


def test_sources_have_colours_where_there_are_enough() -> None:
    few, _ = graph_of(solved("AB AC BC"))
    colours = [patch.get_edgecolor() for patch in few.patches if isinstance(patch, FancyArrowPatch)]
    assert colours[0] == colours[1] != colours[2]
    many, _ = graph_of(crowd(60, 12))
    arrows = [patch for patch in many.patches if isinstance(patch, FancyArrowPatch)]
    assert len({arrow.get_edgecolor() for arrow in arrows}) == 1


def test_a_full_link_has_the_strongest_shade_and_an_idle_one_none() -> None:
    found = messages(solved("AB " * 61, 2**20, "maxmin"))
    under_way, *links = (drawn(panel) for panel in host_load(found, WIDTH))
    assert {tip.text.split(": ")[1] for tip in under_way[1]} == {"61 messages on average"}
    for (axes, tips), busy in zip(links, "AB", strict=True):  # A sends, B receives
        (mesh,) = [one for one in axes.collections if isinstance(one, QuadMesh)]
        shares = dict(zip("AB", mesh.get_array(), strict=True))
        for host, row in shares.items():
            assert np.allclose(row, 100.0 * (host == busy))
        assert mesh.get_clim() == (0, 100)
        assert {tip.text.split(",")[0] for tip in tips if "100 %" in tip.text} == {busy}


def test_cells_of_the_load_lie_where_their_hosts_are_named() -> None:
    for panel in host_load(messages(crowd(200, 10)), WIDTH)[1:]:
        axes, tips = drawn(panel)
        texts = (label.get_text() for label in axes.get_yticklabels())
        rows = dict(zip(axes.get_yticks(), texts, strict=True))
        assert {tip.text.split(",")[0] for tip in tips} == {str(host) for host in range(10)}
        for tip in tips:
            assert rows[(tip.y + tip.top) / 2] == tip.text.split(",")[0]


@pytest.mark.parametrize(
    ("count", "hosts"), [(1, 2), (2, 3), (8, 5), (40, 12), (61, 10), (1000, 16)]
)
def test_a_picture_has_what_the_number_of_messages_allows(
    count: int, hosts: int, tmp_path: Path
) -> None:
    drawing = flow_drawing(crowd(count, hosts), "a title", "a note")
    axes = [drawn(panel)[0] for panel in drawing.panels]
    kinds = {type(artist) for one in axes for artist in (*one.patches, *one.collections)}
    assert (FancyArrowPatch in kinds) == (FancyBboxPatch in kinds) == (count <= MOST_EDGES)
    assert (BARS in names(axes[-1])) == (count <= MOST_MESSAGES)
    assert (QuadMesh in kinds) == (count > MOST_MESSAGES)
    assert ("is not drawn" in drawing.remark) == (count > MOST_EDGES)
    assert drawing.remark.startswith("a note.")
    write_picture(drawing, tmp_path / "x.svg")
    text = "".join(ElementTree.parse(tmp_path / "x.svg").getroot().itertext())
    assert "a title" in text
    assert "a note." in text


def test_the_graph_of_a_few_messages_is_beside_its_chart() -> None:
    few, many = (flow_drawing(crowd(count, 8), "") for count in (6, 30))
    assert (few.columns, many.columns) == (2, 1)
    assert sum(panel.width for panel in few.panels) == many.panels[1].width


def test_too_many_hosts_are_said_to_be() -> None:
    drawing = flow_drawing(crowd(149, 31), "")
    assert "The graph of 31 hosts is not drawn" in drawing.remark
    assert [panel.title for panel in drawing.panels][1:] == ["Sending", "Receiving"]


@pytest.mark.parametrize("suffix", SUFFIXES)
@pytest.mark.parametrize("count", [2, 70])
def test_names_from_data_stay_text(suffix: str, count: int, tmp_path: Path) -> None:
    flows = {"src": [HOSTILE, "a"] * count, "dst": ["b", HOSTILE] * count, "bytes": [8, 8] * count}
    path = tmp_path / f"x{suffix}"
    drawing = flow_drawing(solve(flows, bandwidth=1.0, is_recorded=True), HOSTILE, HOSTILE)
    write_picture(drawing, path)
    assert path.stat().st_size > 1000
    if suffix == ".svg":
        root = ElementTree.parse(path).getroot()
        assert not [one for one in root.iter() if one.tag.endswith("script")]
        assert HOSTILE in [one.text for one in root.iter()]
    elif suffix == ".html":
        text = path.read_text("utf-8")
        assert "<script>alert" not in text
        assert "</title><script" not in text


def test_domains_are_left_out_where_names_differ_without() -> None:
    flows = {"src": ["n1.x.org", "n2.x.org"], "dst": ["n3.x.org"] * 2, "bytes": [8, 8]}
    axes, tips = graph_of(solve(flows, bandwidth=1.0, is_recorded=True))
    assert "n1" in [text.get_text() for text in axes.texts]
    assert "host n1.x.org" in [tip.text for tip in tips]
    flows["src"][1] = "n1.y.org"
    axes, _ = graph_of(solve(flows, bandwidth=1.0, is_recorded=True))
    assert "n1" not in [text.get_text() for text in axes.texts]


def test_messages_that_wait_or_move_nothing_are_drawn() -> None:
    solution = solved("AB CB", [0, 2**20], start=[0, 1e-3], latency=[1e-3, 1e-3])
    axes, _ = chart(solution)
    (waits,) = [
        one for one in axes.collections
        if isinstance(one, LineCollection) and one.get_label() == "latency"
    ]  # fmt: skip
    ends = [[x for x, _ in path.vertices] for path in waits.get_paths()]
    assert ends == [pytest.approx([0, 1e-3]), pytest.approx([1e-3, 2e-3])]
    assert len(bars(axes)) == 1
    arrows = [p for p in graph_of(solution)[0].patches if isinstance(p, FancyArrowPatch)]
    assert len(arrows) == 2
    nothing = flow_drawing(solved("AB", 0), "")
    assert [len(drawn(panel)[1]) > 0 for panel in nothing.panels] == [True, True]


def test_what_cannot_be_drawn_is_refused() -> None:
    flows = {"src": [0], "dst": [1], "bytes": [8]}
    with pytest.raises(InvalidInputError, match="no rates over time"):
        flow_drawing(solve(flows, bandwidth=1.0), "")
    with pytest.raises(InvalidInputError, match="measured ends"):
        flow_drawing(solve(flows, bandwidth=1.0, is_recorded=True), "", measured=[1.0, 2.0])
