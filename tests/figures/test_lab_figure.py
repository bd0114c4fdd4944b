"""The drawing of a lab: everything is there, nothing lies on anything else."""

from itertools import combinations
from typing import Any

import numpy as np
import pytest
from matplotlib.collections import LineCollection
from matplotlib.transforms import Bbox

from contend.measure.lab import Lab, profiles
from contend.measure.lab.specification import Backbone, Cluster
from contend.measure.lab.utilisation import Utilisation
from contend.report.figures.figure import Findings
from contend.report.figures.lab import lab_drawing, lab_picture
from contend.samples import Provenance
from support.pictures import drawn, only
from support.synthesis import sample


def mesh(*hosts: int, name: str = "mesh") -> Lab:
    """Clusters of so many hosts, each joined to each other, with the longest labels."""
    clusters = tuple(
        Cluster(name=letter, hosts=count, rate=None, buffer=None, latency=1e-4)
        for letter, count in zip("abcdef", hosts, strict=False)
    )
    backbones = tuple(
        Backbone(between=(a.name, b.name), rate=None, delay=1e-2, buffer=None)
        for a, b in combinations(clusters, 2)
    )
    return Lab(name=name, clusters=clusters, backbones=backbones)


LABS = {
    **profiles(),
    "two hosts": mesh(2),
    "a hundred": mesh(100),
    "small": mesh(1, 1, 1, 1),
    "unequal": mesh(8, 12, 1, 19),
    "three": mesh(1, 20, 10),
}
every_lab = pytest.mark.parametrize("lab", LABS.values(), ids=LABS.keys())


def axes_of(lab: Lab) -> Any:
    axes, _ = drawn(only(lab_drawing(lab)))
    axes.figure.draw_without_rendering()
    return axes


def count(axes: Any, kind: str) -> int:
    return len(axes.findobj(lambda artist: artist.get_gid() == kind))


@every_lab
def test_no_text_lies_on_another(lab: Lab) -> None:
    found = [(text.get_text(), text.get_window_extent()) for text in axes_of(lab).texts]
    for (one, first), (other, second) in combinations(found, 2):
        assert Bbox.intersection(first.padded(-1), second.padded(-1)) is None, f"{one} on {other}"


@every_lab
def test_no_text_and_no_box_leaves_the_picture(lab: Lab) -> None:
    axes = axes_of(lab)
    for artist in (*axes.texts, *axes.patches):
        corners = artist.get_window_extent().corners()
        assert axes.figure.bbox.count_contains(corners) == 4, artist


@every_lab
def test_texts_on_boxes_are_within_them(lab: Lab) -> None:
    axes = axes_of(lab)
    boxes = [patch.get_window_extent() for patch in axes.patches if patch.get_gid() == "host"]
    numbers = [text for text in axes.texts if text.get_text().isdigit()]
    assert len(numbers) == len(boxes)
    for text, box in zip(numbers, boxes, strict=True):
        assert box.count_contains(text.get_window_extent().corners()) == 4


@every_lab
def test_backbones_run_below_the_clusters(lab: Lab) -> None:
    axes = axes_of(lab)
    lowest = min(patch.get_bbox().y0 for patch in axes.patches if patch.get_gid() == "cluster")
    levels = {line.get_ydata()[1] for line in axes.lines}
    assert len(levels) == len(lab.backbones)
    assert all(level < lowest for level in levels)


@every_lab
def test_every_host_has_its_box_and_its_wire_and_every_backbone_its_line(lab: Lab) -> None:
    axes = axes_of(lab)
    wires = [one for one in axes.collections if isinstance(one, LineCollection)]
    assert count(axes, "host") == sum(len(one.get_paths()) for one in wires) == len(lab.hosts)
    assert count(axes, "cluster") == count(axes, "switch") == len(lab.clusters)
    assert count(axes, "backbone") == len(lab.backbones)


@every_lab
def test_wires_reach_from_their_hosts_to_the_switch(lab: Lab) -> None:
    axes = axes_of(lab)
    boxes = {
        kind: [Bbox.from_bounds(*patch.get_bbox().bounds).padded(0.1)
               for patch in axes.patches if patch.get_gid() == kind]
        for kind in ("host", "switch")
    }  # fmt: skip
    paths = [path for one in axes.collections for path in one.get_paths()]
    for host, path in zip(boxes["host"], paths, strict=True):
        assert host.contains(*path.vertices[0])
        assert any(switch.contains(*path.vertices[-1]) for switch in boxes["switch"])
        assert not any(
            other.padded(-0.2).contains(*path.vertices[-2]) for other in boxes["host"]
            if other is not host
        )  # fmt: skip


def test_a_pointer_reads_hosts_switches_and_backbones() -> None:
    lab = LABS["two-clusters-uneven"]
    _, tips = drawn(only(lab_drawing(lab)))
    said = [tip.text for tip in tips]
    assert len(said) == len(lab.hosts) + len(lab.clusters) + len(lab.backbones)
    assert {f"host {host.name}" for host in lab.hosts} <= set(said)
    assert any(text.startswith("small – ") and "5 ms one way" in text for text in said)


def test_rates_latencies_and_buffers_are_written() -> None:
    said = {text.get_text() for text in axes_of(LABS["two-clusters-uneven"]).texts}
    assert {"small", "5 hosts, 50 Mbit/s\n50 µs host to host\n128 KiB per port"} <= said
    assert "100 Mbit/s, 5 ms one way\n128 KiB buffer" in said


def test_slow_motion_is_said() -> None:
    assert "everything takes 20 times as long" in lab_drawing(LABS["gigabit-dilated"]).remark
    assert not lab_drawing(LABS["three"]).remark


def test_many_clusters_are_drawn_too() -> None:
    assert count(axes_of(mesh(3, 3, 3, 3, 3, 3)), "cluster") == 6


def test_the_report_has_the_lab_of_its_samples() -> None:
    lab = LABS["three"]
    links = len(lab.links())
    runs = [Utilisation(lab, np.arange(2.0), np.zeros((1, links)))]
    own, other = (
        sample(provenance=Provenance(source="contend", lab=name, time_dilation=1.0))
        for name in (lab.name, "another")
    )
    (found,) = lab_picture(Findings(None, [own], runs))  # type: ignore[arg-type]
    assert found.title == f"The emulated network {lab.name}"
    assert not list(lab_picture(Findings(None, [other], runs)))  # type: ignore[arg-type]
