"""contend draw: pictures of contention graphs."""

import xml.etree.ElementTree as ET
from pathlib import Path

import numpy as np
import pytest

from contend.models.network import Network
from contend.simulate.graphs.fit import fit_sharing
from support import networks
from support.graphs import BANDWIDTH, SMALL, planted
from support.pictures import content

ROOT = Path(__file__).parents[2]
WORDS = ["--model", "infiniband-residual", "--bandwidth", "1.95886GB/s"]


@pytest.fixture
def flows(tmp_path):
    path = tmp_path / "flows.csv"
    path.write_text("src,dst,bytes\nS,X,20MiB\nS,Y,20MiB\nC,X,20MiB\n")
    return path


@pytest.mark.parametrize("name", ["graph-3", "graph-a", "graph-b"])
def test_the_pictures_of_the_documents_are_those_of_the_command(contend, tmp_path, name):
    drawn = tmp_path / "drawn.svg"
    contend("draw", ROOT / "examples" / "graphs" / f"{name}.csv", *WORDS, "-o", drawn)
    assert content(drawn) == content(ROOT / "docs" / "pictures" / f"{name}.svg")


@pytest.mark.parametrize(
    ("suffix", "start"),
    [(".svg", b"<?xml "), (".png", b"\x89PNG"), (".pdf", b"%PDF"), (".html", b"<!DOCTYPE html>")],
)
def test_every_format_is_written(contend, tmp_path, flows, suffix, start):
    path = tmp_path / f"picture{suffix}"
    outcome = contend("draw", flows, *WORDS, "-o", path)
    assert outcome.out == f"picture: {path}\n"
    assert path.read_bytes().startswith(start)


def test_without_a_name_the_picture_is_beside_the_flows(contend, flows):
    found = contend("draw", flows, *WORDS, "--json").json
    assert found["picture"] == str(flows.with_suffix(".svg"))
    assert found["messages"] == 3
    solved = contend("solve", flows, *WORDS, "--json").json
    assert found["seconds"] == max(flow["end"] for flow in solved["flows"])
    root = ET.parse(found["picture"]).getroot()
    texts = ["".join(one.itertext()) for one in root.iter("{http://www.w3.org/2000/svg}text")]
    assert "flows" in texts
    (note,) = [text for text in texts if text.startswith("3 messages of 20 MiB")]
    assert "20 MiB, the last one ends at 26.8 ms; infiniband-residual, 15.67 Gbit/s alone" in note


def test_letters_that_no_font_has_are_no_reason_to_fail(contend, tmp_path):
    path = tmp_path / "flows.csv"
    path.write_text("src,dst,bytes\n漢字,$x^2$,8\n", encoding="utf-8")
    outcome = contend("draw", path, "--bandwidth", "8bit/s", "-o", tmp_path / "p.png")
    assert (outcome.code, outcome.err) == (0, "")


@pytest.mark.parametrize(
    ("words", "named"),
    [
        (["-o", "flows.gif"], [".gif", ".svg, .png, .pdf, .html"]),
        (["-o", "nowhere/flows.svg"], ["nowhere/flows.svg"]),
        (["-o", "nowhere/flows.png"], ["nowhere/flows.png"]),
    ],
)
def test_mistakes_name_what_there_is(contend, monkeypatch, flows, words, named):
    monkeypatch.chdir(flows.parent)
    contend("draw", flows, *WORDS, *words).fails(*named)


def test_too_many_messages_are_refused_before_they_are_solved(contend, flows):
    flows.write_text("src,dst,bytes\n" + "a,b,8\n" * 5001)
    contend("draw", flows, "--bandwidth", "8bit/s").fails("5001 messages")


def test_a_network_file_has_a_model_and_a_bandwidth_of_its_own(contend, tmp_path, flows):
    source = tmp_path / "graphs.jsonl"
    source.write_text("planted")
    graphs = planted(SMALL, "maxmin", repetitions=3)
    sharing = fit_sharing(graphs, source, np.random.default_rng(1), folds=2)
    network = tmp_path / "network.json"
    Network(name="planted", sharing=sharing, origin=sharing.origin).save(network)
    words = ("draw", flows, "--network", network)
    found = contend(*words, "--json").json
    assert found["model"] == sharing.model
    assert found["seconds"] == pytest.approx(2 * 20 * 2**20 / BANDWIDTH, rel=0.01)
    assert "100 Mbit/s alone" in Path(found["picture"]).read_text()
    contend(*words, "--bandwidth", "8bit/s").fails("a bandwidth and a network")


def test_a_network_without_sharing_models_is_refused(contend, tmp_path, flows):
    network = networks.write(tmp_path / "n.json", networks.plogp())
    contend("draw", flows, "--network", network).fails("does not say how messages share")
    assert "give --bandwidth or --network" in contend("draw", flows).err
