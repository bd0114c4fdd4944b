"""contend measure hosts on emulated networks: the clusters of each lab, and one of a switch."""

import pytest

from contend.alltoall.clusters.file import read_groups
from contend.alltoall.clusters.matching import assign
from contend.base.records import RecordStore
from contend.measure.lab.session import why_impossible
from contend.measure.lab.specification import read_lab
from contend.samples.messages import MessageSample

pytestmark = [
    pytest.mark.mpi,
    pytest.mark.timeout(400),
    pytest.mark.skipif(why_impossible() is not None, reason=f"no lab here: {why_impossible()}"),
]
SEVERAL = ["three-clusters"]  # the other profiles with several clusters take twice as long


def clusters_of(lab):
    return {
        frozenset(host.name for host in lab.hosts if host.cluster == cluster.name)
        for cluster in lab.clusters
    }


def late_in(path):
    """Samples that a busy machine disturbed."""
    with RecordStore(MessageSample, path) as store:
        return sum(sample.is_flagged for sample in store.existing())


@pytest.mark.parametrize("name", SEVERAL)
def test_the_clusters_of_a_lab_are_found(contend, name, tmp_path):
    path, lab = tmp_path / "clusters.toml", read_lab(name)
    samples = tmp_path / "pairs.jsonl"
    few = ("-m", "8", "--repeat", "max=8", "-s", samples)
    outcome = contend("measure", "hosts", "--on", f"lab:{name}", "-o", path, *few, "--json")
    assert outcome.code == 0, outcome.err
    hosts = [host.name for host in lab.hosts]
    levels = assign(read_groups(path), hosts).levels
    groups = [
        {frozenset(hosts[member] for member in members) for members in level.members}
        for level in levels
    ]
    if groups != [clusters_of(lab)] and (late := late_in(samples)):
        pytest.skip(f"{late} of the rounds were late: this machine is busy")
    assert groups == [clusters_of(lab)]
    relations = outcome.json["relations"]
    inside = max(one["latency"] for one in relations if one["first"] == one["second"])
    delay = min(backbone.delay for backbone in lab.backbones)
    assert all(one["latency"] > inside for one in relations if one["first"] != one["second"])
    assert min(one["latency"] for one in relations if one["first"] != one["second"]) > delay


def test_one_switch_is_one_group_and_measuring_goes_on_where_it_stopped(contend, tmp_path):
    path, samples = tmp_path / "clusters.toml", tmp_path / "pairs.jsonl"
    words = ("measure", "hosts", "--on", "lab:fast-ethernet", "-n", "6", "-o", path,
             "-s", samples)  # fmt: skip
    contend(*words).prints("one group: no link is slower than others")
    assert read_groups(path).levels == ()
    lines = samples.read_bytes().splitlines(keepends=True)
    samples.write_bytes(b"".join(lines[:-1]))
    assert contend(*words).code == 0
    again = samples.read_bytes().splitlines(keepends=True)
    kept = len(lines) - 1
    assert len(lines) == 10  # 5 rounds of 2 sizes
    assert again[:kept] == lines[:kept]
    with RecordStore(MessageSample, samples) as store:
        found = store.existing()
    assert len(again) == len(lines) + sum(sample.is_flagged for sample in found[:kept])
    assert len({sample.point for sample in found}) == 10
    assert {sample.provenance.lab for sample in found} == {"fast-ethernet"}


def test_a_file_of_other_hosts_is_refused(contend, tmp_path):
    lab = tmp_path / "three.toml"
    lab.write_text(
        '[[clusters]]\nname = "node"\nhosts = 3\nrate = "50Mbit/s"\nbuffer = "128KiB"\n'
        'latency = "1ms"\n'
    )
    words = ("measure", "hosts", "--on", lab, "-o", tmp_path / "c.toml")
    assert contend(*words).code == 0
    contend(*words, "-n", "2").fails("holds messages of 3 processes, not 2")
