"""contend measure links on an emulated network: its backbone, and going on where it stopped."""

import pytest

from contend.alltoall.clusters.file import parse_groups
from contend.measure.lab.session import why_impossible
from contend.models.network import Network
from contend.samples.messages import OF_LINKS, read_messages
from support.synthesis import lab_of_two_clusters

pytestmark = [
    pytest.mark.mpi,
    pytest.mark.timeout(400),
    pytest.mark.skipif(why_impossible() is not None, reason=f"no lab here: {why_impossible()}"),
]
# Hosts are so much faster than the backbone that each of them alone fills it.
LAB = f"""
time_dilation = 2
minimum_rto = "100ms"
{lab_of_two_clusters(2, 2, delay="4ms", buffer="32KiB")}
"""
GROUPS = """[[levels]]
name = "cluster"
groups = [{ name = "left", hosts = ["left*"] }, { name = "right", hosts = ["right*"] }]
"""
QUICK = ("--launches", "1", "-m", "8,8KiB", "--most", "128KiB", "--repeat", "max=6",
         "--repeat", "time=0.3")  # fmt: skip


def test_the_backbone_of_a_lab_is_found(contend, tmp_path):
    lab, groups = tmp_path / "four.toml", tmp_path / "clusters.toml"
    lab.write_text(LAB)
    groups.write_text(GROUPS)
    assert parse_groups(GROUPS, "test").levels
    path, network = tmp_path / "links.jsonl", tmp_path / "network.json"
    words = ("measure", "links", "--groups", groups, "--on", lab, "-o", path, *QUICK)
    outcome = contend(*words)
    assert outcome.code == 0, outcome.err
    before = read_messages(path, OF_LINKS)
    assert {one.provenance.lab for one in before} == {"four"}
    assert {one.experiment for one in before} == {"pingpong", "train", "burst"}
    again = contend(*words, "--json")
    assert again.code == 0, again.err
    held = {one.point for one in before if not one.is_flagged}
    new = {one.point for one in read_messages(path, OF_LINKS)[len(before) :]}
    assert not new & held
    way = slice(0, 4)  # level, experiment and groups; other bursts of a late one may lose now
    assert {point[way] for point in new} <= {one.point[way] for one in before if one.is_flagged}
    outcome = contend("fit", path, "-o", network, "--include-flagged")
    assert outcome.code == 0, outcome.err
    (found,) = Network.load(network).links
    assert 4e-3 < float(found.latency) < 8e-3  # of the network that the lab stands for
    assert float(found.inside_latency) < 0.5 * float(found.latency)
    assert 1e6 < float(found.bandwidth) < 2.6e6  # 2.5e6, and nothing faster
    assert float(found.inside_bandwidth) > 1.3 * float(found.bandwidth)
