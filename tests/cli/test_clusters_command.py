"""contend list groups: what a file declares, and which group a host is in."""

import pytest

from contend.alltoall.clusters.file import read_groups
from contend.alltoall.clusters.plan import plan_of, read_plan
from contend.base.records import RecordStore
from contend.samples.messages import MessageSample
from support.clusters import flat, measured

FILE = """[[levels]]
name = "cluster"
groups = [{ name = "red", hosts = ["red*"] }, { name = "blue", subnet = "10.1.0.0/16" }]
"""


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "clusters.toml"
    path.write_text(FILE)
    return path


def test_levels_and_groups_are_shown(contend, path):
    contend("list", "groups", path).prints("red*", "10.1.0.0/16", "hand")


def test_the_group_of_each_host_is_said(contend, path):
    shown = contend("list", "groups", path, "--hosts", "red1,10.1.2.3", "--json").json
    assert shown["hosts"] == {"red1": {"cluster": "red"}, "10.1.2.3": {"cluster": "blue"}}


def test_a_host_in_no_group_is_an_error(contend, path):
    contend("list", "groups", path, "--hosts", "10.2.2.3").fails(
        "'10.2.2.3' (10.2.2.3) is in no group of level 'cluster'"
    )


@pytest.mark.mpi
def test_the_number_of_hosts_is_needed_where_there_is_no_lab(contend, tmp_path):
    contend("measure", "hosts", "-o", tmp_path / "c.toml").fails(
        "the number of hosts is not known", "give it with -n"
    )
    assert not (tmp_path / "c.toml").exists()


@pytest.mark.mpi
def test_a_size_that_is_not_asked_for_may_lack_rounds(contend, tmp_path, monkeypatch):
    site = tmp_path / "site.plan"
    monkeypatch.setenv("CONTEND_SITE", str(site))
    path, pairs = tmp_path / "c.toml", tmp_path / "c.pairs.jsonl"
    long = measured(flat([3, 3]), 0.05, 1, m=65536)
    with RecordStore(MessageSample, pairs) as store:
        store.extend([*measured(flat([3, 3]), 0.05, 1), long[0]])  # stopped after a round of 64 KiB
    before = pairs.read_bytes()
    outcome = contend("measure", "hosts", "-n", "6", "-m", "8", "-o", path)
    assert outcome.code == 0, outcome.err
    assert [group.hosts for group in read_groups(path).levels[0].groups] == [
        ("h0", "h1", "h2"), ("h3", "h4", "h5")
    ]  # fmt: skip
    assert pairs.read_bytes() == before
    assert plan_of(read_groups(path)) == read_plan(site)
    assert f"read them in {site}" in outcome.err.replace("\n", " ")
    site.unlink()
    monkeypatch.setenv("CONTEND_LAB", str(tmp_path))  # whose plan is written with it
    assert contend("measure", "hosts", "-n", "6", "-m", "8", "-o", path).code == 0
    assert not site.exists()


def test_a_wrong_file_is_told_before_anything_is_measured(contend, tmp_path):
    path = tmp_path / "c.toml"
    path.write_text("[[levels]]\nname = 'cluster'\n")
    contend("measure", "hosts", "-o", path).fails("levels.0.groups is missing")
    assert list(tmp_path.iterdir()) == [path]
