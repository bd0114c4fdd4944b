"""The drawing of a lab: everything is there, nothing lies on anything else."""

from itertools import combinations
from xml.etree import ElementTree

import pytest

from contend.lab import Lab, profiles
from contend.lab.arrangement import LETTER, Box, label_boxes, place
from contend.lab.picture import picture
from contend.lab.specification import Backbone, Cluster

SVG = "{http://www.w3.org/2000/svg}"


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


def texts(lab: Lab) -> list[tuple[str, Box]]:
    """Each text with the room that it takes at most."""
    found = []
    for part in ElementTree.fromstring(picture(lab)).iter(f"{SVG}text"):
        text, kind = part.text or "", part.get("class", "").split()
        width = LETTER * len(text)
        x, y = float(part.get("x", "nan")), float(part.get("y", "nan"))
        centred = {"middle", "number", "on-switch"} & set(kind)
        left = x - width if "end" in kind else x - width / 2 if centred else x
        found.append((text, Box(left, y - 10, width, 13)))
    return found


@pytest.mark.parametrize("lab", LABS.values(), ids=LABS.keys())
def test_no_text_lies_on_another(lab: Lab) -> None:
    for (one, first), (other, second) in combinations(texts(lab), 2):
        assert not first.overlaps(second), f"{one} on {other}"


@pytest.mark.parametrize("lab", LABS.values(), ids=LABS.keys())
def test_no_text_leaves_the_picture(lab: Lab) -> None:
    root = ElementTree.fromstring(picture(lab))
    left, top, width, height = map(float, root.get("viewBox", "").split())
    for _, box in texts(lab):
        assert left <= box.x and box.right <= left + width
        assert top <= box.y and box.bottom <= top + height


@pytest.mark.parametrize("lab", LABS.values(), ids=LABS.keys())
def test_labels_of_backbones_lie_beside_the_clusters(lab: Lab) -> None:
    placed = place(lab.clusters)
    labels = [box for _, box in label_boxes(lab.backbones, placed)]
    assert len(labels) == len(lab.backbones)
    for box, cluster in ((box, cluster) for box in labels for cluster in placed.values()):
        assert not box.overlaps(cluster.box)


@pytest.mark.parametrize("lab", LABS.values(), ids=LABS.keys())
def test_every_host_has_its_box_and_its_wire_and_every_backbone_its_line(lab: Lab) -> None:
    root = ElementTree.fromstring(picture(lab))
    kinds = [part.get("class") for part in root.iter()]
    assert kinds.count("host") == kinds.count("wire") == len(lab.hosts)
    assert kinds.count("cluster") == kinds.count("switch") == len(lab.clusters)
    assert kinds.count("backbone") == len(lab.backbones)


def test_rates_latencies_and_buffers_are_written() -> None:
    said = {text for text, _ in texts(LABS["two-clusters-uneven"])}
    assert {"small", "5 hosts", "50 Mbit/s", "50 µs host to host", "128 KiB"} <= said
    assert {"100 Mbit/s", "5 ms one way", "128 KiB buffer"} <= said


def test_slow_motion_is_said() -> None:
    assert "everything takes 20 times as long" in picture(LABS["gigabit-dilated"])
    assert "slow motion" not in picture(LABS["three"])


def test_a_name_cannot_become_markup() -> None:
    drawn = picture(mesh(2, name="<script>x</script>"))
    assert "<script" not in drawn
    ElementTree.fromstring(drawn)


def test_many_clusters_are_drawn_too() -> None:
    assert picture(mesh(3, 3, 3, 3, 3, 3)).count('class="cluster"') == 6
