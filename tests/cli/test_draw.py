"""contend draw: pictures of schedules."""

from pathlib import Path

import pytest

from support import networks
from support.pictures import content

PICTURES = Path(__file__).parents[2] / "docs" / "pictures"


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("binomial", ["bcast", "binomial"]),
        ("segmented_chain", ["bcast", "segmented_chain", "-m", "128KiB"]),
        ("bruck", ["alltoall", "bruck", "-m", "1KiB"]),
    ],
)
def test_the_pictures_of_the_documents_are_those_of_the_command(contend, tmp_path, name, words):
    drawn = tmp_path / f"{name}.svg"
    contend("draw", *words, "-n", 16, "-o", drawn)
    assert content(drawn) == content(PICTURES / f"{name}.svg")


def test_a_picture_says_whose_parameters_it_shows(contend, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    outcome = contend("draw", "bcast", "segmented_chain", "-n", 16, "-m", "128KiB")
    assert outcome.out == "picture: bcast-segmented_chain.svg\n"
    text = (tmp_path / "bcast-segmented_chain.svg").read_text()
    assert "broadcast, segmented chain: 16 ranks, 128 KiB" in text
    assert "segment 16 KiB; " in text
    assert "of a typical Fast Ethernet" in text
    network = networks.write(tmp_path / "n.json", networks.plogp(latency=1e-3))
    contend("draw", "bcast", "flat", "--network", network, "-o", "flat.svg")
    assert "with L = 1 ms and g(64 KiB) = 5.26 ms of test" in (tmp_path / "flat.svg").read_text()


def test_json_has_the_predicted_time_of_the_schedule(contend, tmp_path):
    network = networks.write(tmp_path / "n.json", networks.plogp())
    words = ["--network", network, "-o", tmp_path / "p.html", "--json"]
    shown = contend("draw", "alltoallv", "direct", "-n", 6, "-m", 1024, *words).json
    assert shown["messages"] == 30
    algorithm = ["--algorithm", "direct", "-n", 6, "-m", 1024, "--json"]
    (row,) = contend("predict", network, "alltoallv", *algorithm).json
    assert shown["seconds"] == pytest.approx(row["seconds"])
    assert (tmp_path / "p.html").read_text().startswith("<!DOCTYPE html>")


@pytest.mark.parametrize("words", [["bcast", "binomial"], ["alltoall", "bruck", "-n", 24]])
def test_a_picture_may_be_one_of_pixels(contend, tmp_path, words):
    path = tmp_path / "drawn.png"
    assert contend("draw", *words, "-o", path).code == 0
    assert path.read_bytes().startswith(b"\x89PNG")
    assert len(path.read_bytes()) > 10_000
    crowd = contend("draw", "alltoall", "rotated", "-n", 80, "-o", path)
    assert "cannot be distinguished" in crowd.err


def test_an_algorithm_added_as_one_file_is_drawn(contend, tmp_path, dummy):
    path = tmp_path / "dummy.svg"
    assert contend("draw", "barrier", "dummy", "-n", 4, "-o", path).code == 0
    assert "everybody" in path.read_text()


@pytest.mark.parametrize(
    ("words", "named"),
    [
        (["broadcast", "flat"], ["'broadcast'", "bcast, scatter"]),
        (["bcast", "magic"], ["'magic'", "segmented_chain"]),
        (["bcast", "flat", "-o", "flat.gif"], [".gif", ".svg, .png, .pdf, .html"]),
        (["bcast", "flat", "--segment", "1KiB"], ["no option 'segment'"]),
        (["allgather", "recursive_doubling", "-n", 12], ["power-of-two", "try 'bruck'"]),
        (["bcast", "flat", "--with", "root=16"], ["rank 16"]),
        (["bcast", "flat", "-o", "nowhere/flat.svg"], ["nowhere/flat.svg"]),
    ],
)
def test_mistakes_name_what_there_is(contend, tmp_path, monkeypatch, words, named):
    monkeypatch.chdir(tmp_path)
    contend("draw", *words).fails(*named)
