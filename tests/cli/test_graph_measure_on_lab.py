"""Contention graphs on a lab: the messages of a node share its link, strangers do not meet."""

import numpy as np
import pytest

from contend.measure.lab.session import why_impossible
from contend.simulate.graphs.measurements import read_graphs
from support.synthesis import LAB_OF_THREE

pytestmark = [
    pytest.mark.mpi,
    pytest.mark.skipif(why_impossible() is not None, reason=f"no lab here: {why_impossible()}"),
]
QUICK = ("-m", "100kB", "--launches", "1", "--steps", "0")


@pytest.fixture
def lab(tmp_path):
    """File of a lab of four hosts, close to each other, in slow motion."""
    path = tmp_path / "four.toml"
    text = LAB_OF_THREE.replace("hosts = 3", "hosts = 4").replace('"1ms"', '"50us"')
    path.write_text("time_dilation = 4\n" + text)
    return path


def ratios(sample):
    """Median end of each message over that of one alone."""
    return np.median(sample.times, axis=0) / np.median(sample.alone_s)


def require_in_time(samples):
    """Skip where ranks waited for cores, so that they did not send together."""
    late = sum(sample.is_flagged or sample.late_starts > 0 for sample in samples)
    if late:
        pytest.skip(f"{late} of {len(samples)} samples were late: this machine is busy")


def test_messages_that_leave_one_node_share_its_link_and_strangers_do_not(contend, lab, tmp_path):
    graphs, path = tmp_path / "graphs.json", tmp_path / "measured.jsonl"
    graphs.write_text('{"fan": [[0, 1], [0, 2], [0, 3]], "apart": [[0, 1], [2, 3]]}')
    outcome = contend("measure", "messages", graphs, "--on", lab, "-o", path, *QUICK)
    assert outcome.code == 0, outcome.err
    found = {sample.graph: sample for sample in read_graphs(path)}
    for sample in found.values():
        assert sample.provenance.lab == "four"
        assert sample.lab.frames > 0
        assert min(sample.alone_s) > 0.016  # 100 kB at 50 Mbit/s: of the network it stands for
    fan = ratios(found["fan"])
    if fan.max() <= 2.5:
        require_in_time(found.values())
    assert fan.max() > 2.5  # three messages over one link
    assert fan.max() > 1.5 * ratios(found["apart"]).max()


def test_several_processes_of_a_host_share_its_link(contend, lab, tmp_path):
    graphs, path = tmp_path / "graphs.csv", tmp_path / "measured.jsonl"
    graphs.write_text("src,dst\na,b\na,b\na,c\n")
    outcome = contend("measure", "messages", graphs, "--on", lab, "--ppn", "3", "-o", path, *QUICK)
    assert outcome.code == 0, outcome.err
    (sample,) = read_graphs(path)
    assert sample.processes_per_node == 3
    assert len(sample.provenance.hosts) == 3
    if ratios(sample).max() <= 2.5:
        require_in_time([sample])
    assert ratios(sample).max() > 2.5


def test_a_graph_of_more_nodes_than_hosts_is_refused(contend, lab, tmp_path):
    path = tmp_path / "measured.jsonl"
    contend("measure", "messages", "--published", "--on", lab, "-o", path, *QUICK).fails(
        "7 processes on the lab four of 4 hosts"
    )
