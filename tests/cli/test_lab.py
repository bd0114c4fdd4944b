"""The commands of `contend lab` that need no network."""

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

from contend.measure.lab import Lab, profiles

STARTS = {".svg": b"<?xml ", ".png": b"\x89PNG", ".pdf": b"%PDF", ".html": b"<!DOCTYPE html>"}


def test_every_profile_is_listed_with_what_it_stands_for(contend):
    outcome = contend("list", "labs")
    assert outcome.code == 0
    for name, lab in profiles().items():
        assert name in outcome.out
        assert lab.description.split(":")[0] in outcome.out


def test_profiles_as_json_are_labs(contend):
    listed = contend("list", "labs", "--json").json
    assert [Lab.model_validate(lab) for lab in listed] == list(profiles().values())


def test_a_lab_is_listed_by_its_name_with_the_file_to_start_from(contend, tmp_path):
    outcome = contend("list", "labs", "two-clusters")
    assert "three-clusters" not in outcome.out
    start = next(word for word in outcome.out.split() if word.endswith("two-clusters.toml"))
    copy = tmp_path / "mine.toml"
    copy.write_text(Path(start).read_text().replace("hosts = 8", "hosts = 3"))
    outcome = contend("list", "labs", copy)
    assert "3 + 3" in outcome.out
    copy.write_text("clusters = 3\n")
    contend("list", "labs", copy).fails("contend list labs NAME")


def test_what_is_listed_together_takes_no_name(contend):
    contend("list", "readers", "osu").fails("contend list readers")


def test_a_profile_is_drawn(contend, tmp_path):
    path = tmp_path / "two.svg"
    assert contend("draw", "lab:two-clusters", "-o", path, "--json").json == {"picture": str(path)}
    assert ElementTree.parse(path).getroot().tag.endswith("svg")


def test_a_drawing_is_named_after_the_lab(contend, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert contend("draw", "lab:three-clusters").code == 0
    assert (tmp_path / "three-clusters.svg").is_file()


def test_an_unknown_lab_is_refused_with_those_there_are(contend):
    contend("draw", "lab:nowhere").fails("fast-ethernet")


@pytest.mark.parametrize("suffix", [".svg", ".png", ".pdf", ".html"])
def test_a_drawing_is_of_the_kind_that_its_name_says(contend, tmp_path, suffix):
    path = tmp_path / f"lab{suffix}"
    assert contend("draw", "lab:two-clusters", "-o", path).out == f"picture: {path}\n"
    assert path.read_bytes().startswith(STARTS[suffix])


@pytest.mark.parametrize(
    ("name", "named"), [("nowhere/x.svg", "cannot write"), ("x.gif", ".svg, .png, .pdf, .html")]
)
def test_a_drawing_that_cannot_be_written_is_an_error(contend, tmp_path, name, named):
    contend("draw", "lab:fast-ethernet", "-o", tmp_path / name).fails(named)


def test_help_shows_an_example(contend):
    outcome = contend("lab", "-h")
    assert outcome.code == 0
    assert "Example: contend lab two-clusters" in " ".join(outcome.out.split())


def test_links_are_written_as_a_topology(contend, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    found = contend("draw", "lab:two-clusters", "-o", "links.json", "--json").json
    assert found == {"topology": "links.json"}
    written = json.loads((tmp_path / "links.json").read_text())
    assert written["schema"] == "contend.topology"
    # The lab is slowed down four times, its kernel is not.
    assert written["graph"]["tcp"] == {"minimum_timeout": 0.2, "queue_time": 1 / 4096}
    old = contend("lab", "links", "two-clusters")
    assert "'contend lab links' is now 'contend draw lab:NETWORK" in old.err
    assert (tmp_path / "two-clusters.links.json").read_bytes() == Path("links.json").read_bytes()
