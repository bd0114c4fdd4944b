"""Measured links to a network file, and that to a plan."""

import json

import pytest

from contend.alltoall.clusters.plan import parse_plan
from contend.base.records import RecordStore
from contend.models.network import Network
from contend.samples.messages import MessageSample
from support.links import Truth, measured

GROUPS = """[[levels]]
name = "cluster"
groups = [{ name = "a", hosts = ["a*"] }, { name = "b", hosts = ["b*"] }]
"""


@pytest.fixture
def groups(tmp_path):
    path = tmp_path / "clusters.toml"
    path.write_text(GROUPS)
    return path


@pytest.fixture
def links_file(tmp_path):
    path = tmp_path / "links.jsonl"
    with RecordStore(MessageSample, path) as store:
        store.extend(measured(Truth(buffer=24576.0), launches=2, spread=0.02))
    return path


@pytest.fixture
def network_file(contend, links_file, tmp_path):
    path = tmp_path / "network.json"
    assert contend("fit", links_file, "-o", path).code == 0
    return path


def test_fit_takes_measured_links_and_shows_them_with_bounds(contend, links_file, tmp_path):
    path = tmp_path / "network.json"
    outcome = contend("fit", links_file, "-o", path)
    assert outcome.code == 0, outcome.err
    assert "a > b" in outcome.out and "inside a group" in outcome.out and " to " in outcome.out
    assert "next: contend alltoall plan" in outcome.err
    (found,) = Network.load(path).links
    assert found.buffer is not None
    again = contend("fit", links_file, "-o", path, "--json")
    assert "replaced links (cluster)" in again.err
    assert again.json["links"][0]["name"] == "cluster"


def test_links_stand_beside_what_else_is_known(contend, links_file, samples_file, tmp_path):
    path = tmp_path / "network.json"
    assert contend("fit", samples_file(), "-o", path).code == 0
    outcome = contend("fit", links_file, "-o", path)
    assert "added links (cluster)" in outcome.err and "kept hockney (all)" in outcome.err
    found = Network.load(path)
    assert found.operations and found.links
    assert {origin.samples for origin in found.all_origins} == {"samples.jsonl", "links.jsonl"}


def test_what_does_not_belong_to_links_is_refused(
    contend, links_file, groups, tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    contend("fit", links_file, "--at", "4").fails("holds measured links")
    contend("measure", "links", "-o", tmp_path / "l.jsonl").fails("no groups to measure between")
    outcome = contend("measure", "links", "-n", "4,8", "--groups", groups)
    outcome.fails("2 numbers of processes")
    for words, said in {
        ("-n", ","): "',' holds no number of processes",
        ("-n", "0"): "n = 0",
        ("-m", ","): "',' holds no message size",
        ("--most", "8KiB"): "give --most 16KiB or more",
    }.items():
        contend("measure", "links", "--groups", groups, *words).fails(said)
    assert {*tmp_path.iterdir()} == {groups, links_file}


def test_a_plan_is_written_and_told(contend, network_file, groups, tmp_path):
    path = tmp_path / "plan"
    words = ("alltoall", "plan", network_file, "--groups", groups, "-o", path)
    outcome = contend(*words, "-m", "64,1KiB,4KiB")
    outcome.prints("level cluster, 8 + 8 ranks", "with a loss")
    assert f"CONTEND_EXCHANGE_PLAN={path}" in outcome.err.replace(" ", "")
    made = parse_plan(path.read_text())
    assert made.links[0].level == "cluster"
    assert made.choices
    said = contend(*words, "-n", "20", "--json").json
    (level,) = said["levels"]
    assert level["groups"] == [10, 10]
    assert [one["m"] for one in level["choices"]][-1] == 2**20
    for one in level["choices"]:
        assert one["seconds"] >= one["bound"]
        assert one["seconds"] <= one["native"]["seconds"]


def test_a_plan_of_groups_alone_leaves_the_choice_to_the_first_calls(contend, groups, tmp_path):
    path = tmp_path / "plan"
    outcome = contend("alltoall", "plan", "--groups", groups, "-o", path)
    assert outcome.code == 0, outcome.err
    made = parse_plan(path.read_text())
    assert [level.name for level in made.levels] == ["cluster"]
    assert not made.links and not made.choices
    assert f"CONTEND_EXCHANGE_PLAN={path}" in outcome.err.replace(" ", "")
    for words in ((), ("--groups", groups, "-n", "8"), ("--hosts", "a1,b1")):
        contend("alltoall", "plan", *words, "-o", tmp_path / "none").fails("without a network file")
    assert not (tmp_path / "none").exists()


def test_a_plan_without_a_place_is_the_sites(contend, groups, tmp_path, monkeypatch):
    words = ("alltoall", "plan", "--groups", groups)
    contend(*words).fails("CONTEND_SITE names no file", "-o")
    site = tmp_path / "site.plan"
    monkeypatch.setenv("CONTEND_SITE", str(site))
    outcome = contend(*words)
    assert outcome.code == 0, outcome.err
    assert [level.name for level in parse_plan(site.read_text()).levels] == ["cluster"]
    assert "contend alltoall run and the exchange library read it" in outcome.err


def test_hosts_of_the_job_are_placed_by_the_file(contend, network_file, groups, tmp_path):
    words = ("alltoall", "plan", network_file, "--groups", groups, "-o", tmp_path / "plan")
    said = contend(*words, "--hosts", "a1,b1,b2", "-m", "64", "--json").json
    assert said["levels"][0]["groups"] == [1, 2]
    contend(*words, "--hosts", "a1,c1").fails("'c1' is in no group")
    contend(*words, "--hosts", "a1,a2").fails("all ranks are in one group")


def test_a_network_without_links_gives_no_plan(contend, samples_file, groups, tmp_path):
    path = tmp_path / "network.json"
    assert contend("fit", samples_file(), "-o", path).code == 0
    contend("alltoall", "plan", path, "--groups", groups, "-o", tmp_path / "plan").fails(
        "no links of the levels cluster, node"
    )
    assert not (tmp_path / "plan").exists()


def test_a_broken_line_of_links_is_named(contend, links_file, tmp_path):
    lines = links_file.read_text().splitlines()
    data = json.loads(lines[0])
    lines[0] = json.dumps(data | {"edges": [[0, 0]]})
    links_file.write_text("\n".join(lines) + "\n")
    contend("fit", links_file, "-o", tmp_path / "network.json").fails(
        "line 1", "an edge from 0 to 0"
    )
