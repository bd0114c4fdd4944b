"""Pictures of contention graphs show every message and every byte, and nothing else."""

import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from io import BytesIO

import numpy as np
import pytest

from contend.draw import drawing, figure, page, svg
from contend.draw.gantt import gantt
from contend.draw.graph import graph
from contend.draw.heat import heat
from contend.draw.layout import places
from contend.draw.load import load
from contend.draw.messages import messages
from contend.draw.scene import Box, Curve, Group, Polygon, Shape, Text
from contend.draw.style import LEVELS
from contend.errors import InvalidInputError
from contend.flows.engine import Solution, solve

SVG = "{http://www.w3.org/2000/svg}"
HOSTILE = "</title><script>alert(1)</script>&\"'$x^2$"
WIDTH = 500.0
MODELS = ["maxmin", "equal_share", "infiniband", "infiniband-residual", "penalty3"]


def solved(edges: str, size: object = 20 * 2**20, model: str = "infiniband-residual", **columns):
    flows = {"src": [e[0] for e in edges.split()], "dst": [e[1] for e in edges.split()]}
    flows["bytes"] = np.broadcast_to(size, len(flows["src"])).tolist()
    return solve(flows | columns, model, bandwidth=1.96e9, is_recorded=True)


def crowd(count: int, hosts: int, model: str = "maxmin") -> Solution:
    rng = np.random.default_rng(count)
    src = rng.integers(hosts, size=count)
    flows = {
        "src": src,
        "dst": (src + rng.integers(1, hosts, size=count)) % hosts,
        "bytes": rng.uniform(1e5, 1e6, count),
        "start": rng.uniform(0, 1e-3, count),
        "latency": np.full(count, 1e-5),
    }
    return solve(flows, model, bandwidth=1e9, is_recorded=True)


def every(shapes: tuple[Shape, ...], kind: type) -> Iterator:
    for shape in shapes:
        if isinstance(shape, Group):
            yield from every(shape.shapes, kind)
        elif isinstance(shape, kind):
            yield shape


def bars(solution: Solution) -> Iterator[tuple[int, Box, str]]:
    """Message, bar and what is said of it."""
    for shape in gantt(messages(solution), WIDTH).shapes:
        if isinstance(shape, Group):
            for box in every(shape.shapes, Box):
                if box.kind in ("bar", "thin-bar"):
                    yield int(shape.said.split(":")[0]) - 1, box, shape.said


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("count", [2, 9, 40])
def test_the_area_of_the_bars_of_a_message_is_its_bytes(model: str, count: int) -> None:
    solution = crowd(count, 6, model)
    part = gantt(messages(solution), WIDTH)
    bands = [box for box in every(part.shapes, Box) if box.kind == "track"]
    area = np.zeros(count)
    for flow, box, _ in bars(solution):
        area[flow] += box.width * box.height
    pixels_per_second = bands[0].width / (solution.end[0] - solution.flows.start[0] - 1e-5)
    moved = area / pixels_per_second / bands[0].height * 1e9
    assert moved == pytest.approx(solution.flows.bytes)


def test_bars_say_rate_penalty_and_bytes_of_their_step() -> None:
    said = [text for _, _, text in bars(solved("SX SY CX DX EY"))]
    assert len(said) == 3 + 3 + 2 + 2 + 1
    assert said[0] == (
        "1: S → X, step 1, 0 s to 13.4 ms: 392 MB/s (3.136 Gbit/s), penalty 5, 5 MiB moved"
    )
    assert said[-1].endswith("penalty 1.25, 20 MiB moved")


def test_a_rate_that_outlasts_a_step_names_all_its_steps() -> None:
    said = [text for _, _, text in bars(solved("AB CD", [2**20, 2**21]))]
    assert "step 1, " in said[0]
    assert "steps 1 to 2, " in said[1]


def test_bars_end_where_the_message_does_and_measured_ends_are_marked_there() -> None:
    solution = solved("AB AC")
    part = gantt(messages(solution, solution.end / 2), WIDTH)
    marks = [polygon for polygon in every(part.shapes, Polygon) if polygon.kind == "mark"]
    bands = [box for box in every(part.shapes, Box) if box.kind == "track"]
    for mark, band in zip(marks, bands, strict=True):
        middle = sum(corner[0] for corner in mark.corners) / 4
        assert middle == pytest.approx(band.x + band.width / 2)
    ends = [text.text for text in every(part.shapes, Text) if text.kind == "end"]
    assert ends == ["21.4 ms, +100.0 %"] * 2


def test_every_message_is_an_arrow_and_parallel_ones_are_apart() -> None:
    part = graph(messages(solved("AB AB AB BA BA AC")), 400, 300)
    curves = list(every(part.shapes, Curve))
    assert len(curves) == 6
    assert len({curve.control for curve in curves[:5]}) == 5
    labels = [text.text for text in every(part.shapes, Text) if text.kind == "label"]
    assert [label.split(":")[0] for label in labels] == ["1", "2", "3", "4", "5", "6"]


def test_labels_have_the_first_penalty_and_bytes_only_if_they_differ() -> None:
    for size, expected in (
        (2**20, ["1: ×2", "2: ×2"]),
        ([2**20, 2**10], ["1: 1 MiB ×2", "2: 1 KiB ×2"]),
    ):
        part = graph(messages(solved("AC BC", size, "maxmin")), 400, 300)
        assert [text.text for text in every(part.shapes, Text) if text.kind == "label"] == expected


@pytest.mark.parametrize("hosts", [2, 3, 12, 30])
@pytest.mark.parametrize("count", [1, 5, 60, 150])
def test_hosts_are_on_the_sheet_and_no_two_in_one_place(hosts: int, count: int) -> None:
    flows = crowd(count, hosts).flows
    at = places(list(zip(flows.src.tolist(), flows.dst.tolist(), strict=True)), 400, 300)
    assert at.keys() == set(flows.src.tolist()) | set(flows.dst.tolist())
    points = np.array(list(at.values()))
    assert (points >= -1e-6).all()
    assert (points <= [400 + 1e-6, 300 + 1e-6]).all()
    apart = np.linalg.norm(points[:, None] - points, axis=2) + 1e9 * np.eye(len(points))
    assert apart.min() > 10


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("rows", [64, 3])
def test_the_load_of_hosts_adds_up_to_the_bytes_they_send_and_receive(
    model: str, rows: int
) -> None:
    solution = crowd(200, 10, model)
    found = load(messages(solution), 50, rows)
    seconds = np.diff(found.edges)
    for rates, ends in ((found.sent, solution.flows.src), (found.received, solution.flows.dst)):
        moved = (rates * seconds).sum(axis=1)
        for hosts, own in zip(found.hosts, moved, strict=True):
            expected = solution.flows.bytes[np.isin(ends, hosts)].sum()
            assert own * len(hosts) == pytest.approx(expected, rel=1e-5)
    assert (found.under_way * seconds).sum() == pytest.approx(solution.seconds.sum(), rel=1e-5)


def test_a_full_link_has_the_strongest_shade_and_an_idle_one_none() -> None:
    edges = "AB " * 61
    part = heat(messages(solved(edges, 2**20, "maxmin")), WIDTH)
    levels = [box.kind for box in every(part.shapes, Box) if box.kind.startswith("level-")]
    assert set(levels) == {f"level-{LEVELS}"}  # A sends, B receives: the other two ports are idle
    assert len(levels) == 2


@pytest.mark.parametrize(
    ("count", "hosts"), [(1, 2), (2, 3), (8, 5), (40, 12), (61, 10), (1000, 16)]
)
def test_a_picture_is_well_formed_whatever_the_number_of_messages(count: int, hosts: int) -> None:
    solution = crowd(count, hosts)
    made = drawing(solution, "a title", "a note")
    root = ET.fromstring(svg(made))
    kinds = {element.get("class", "").split(" ")[0] for element in root.iter()}
    assert ("edge" in kinds) == (count <= 150)
    assert bool({"bar", "thin-bar"} & kinds) == (count <= 60)
    assert ("level-1" in kinds) == (count > 60)
    for _, part in made.parts:
        for box in every(part.shapes, Box):
            assert 0 <= box.x <= box.x + box.width <= part.width + 1e-6
    assert ("is not drawn" in svg(made)) == (count > 150)


def test_too_many_hosts_are_said_to_be() -> None:
    assert "The graph of 31 hosts is not drawn" in svg(drawing(crowd(149, 31), ""))


def test_names_cannot_become_markup() -> None:
    flows = {"src": [HOSTILE, "a"], "dst": ["b", HOSTILE], "bytes": [8, 8]}
    solution = solve(flows, bandwidth=1.0, is_recorded=True)
    made = drawing(solution, HOSTILE, HOSTILE)
    root = ET.fromstring(svg(made))
    assert not list(root.iter(f"{SVG}script"))
    assert root.findtext(f"{SVG}title") == HOSTILE
    text = page(solution, HOSTILE, HOSTILE)
    assert text.count("<script>") == 1
    assert "<script>alert" not in text
    with BytesIO() as file:
        figure(made).savefig(file, format="png")
        assert file.getvalue().startswith(b"\x89PNG")


def test_the_page_asks_nothing_of_any_other_place() -> None:
    text = page(solved("AB AC"), "graph")
    outside = text.replace("http://www.w3.org/2000/svg", "")
    assert not re.search(r"url\(|@import|https?:|//[a-z]+\.", outside)
    assert len(re.findall("<svg ", text)) == 2  # for a wide and for a narrow window


def test_domains_are_left_out_where_names_differ_without() -> None:
    flows = {"src": ["n1.x.org", "n2.x.org"], "dst": ["n3.x.org"] * 2, "bytes": [8, 8]}
    text = svg(drawing(solve(flows, bandwidth=1.0, is_recorded=True), ""))
    assert ">n1</text>" in text
    assert "host n1.x.org" in text
    flows["src"][1] = "n1.y.org"
    text = svg(drawing(solve(flows, bandwidth=1.0, is_recorded=True), ""))
    assert ">n1</text>" not in text


def test_messages_that_wait_or_move_nothing_are_drawn() -> None:
    solution = solved("AB CB", [0, 2**20], start=[0, 1e-3], latency=[1e-3, 1e-3])
    root = ET.fromstring(svg(drawing(solution, "")))
    kinds = [element.get("class", "").split(" ")[0] for element in root.iter()]
    assert kinds.count("wait") == 2
    assert kinds.count("edge") == 2
    assert kinds.count("bar") == 1
    nothing = solved("AB", 0)
    assert ET.fromstring(svg(drawing(nothing, ""))).tag == f"{SVG}svg"


def test_what_cannot_be_drawn_is_refused() -> None:
    flows = {"src": [0], "dst": [1], "bytes": [8]}
    with pytest.raises(InvalidInputError, match="no rates over time"):
        drawing(solve(flows, bandwidth=1.0), "")
    with pytest.raises(InvalidInputError, match="measured ends"):
        drawing(solve(flows, bandwidth=1.0, is_recorded=True), "", measured=[1.0, 2.0])
