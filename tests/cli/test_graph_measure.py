"""contend measure messages on processes of this host: what it keeps, continues and refuses."""

import json
import os
import signal
import subprocess
import sys
import time

import pytest

from contend.samples.messages import MessageSample
from contend.simulate.graphs.measurements import read_graphs
from contend.simulate.graphs.reader import PUBLISHED

pytestmark = pytest.mark.mpi
QUICK = ("-m", "20kB", "--launches", "2", "--repeat", "max=2", "--repeat", "warmup=0")
FAN = '{"fan": [["hub", "x"], ["hub", "y"]], "chain": [["x", "y"], ["y", "z"]]}'


@pytest.fixture
def graphs(tmp_path):
    path = tmp_path / "graphs.json"
    path.write_text(FAN)
    return path


def test_graphs_of_a_file_are_kept_and_not_measured_again(contend, graphs, tmp_path):
    path = tmp_path / "measured.jsonl"
    command = ("measure", "messages", graphs, "-o", path, *QUICK, "--steps", "0")
    shown = contend(*command, "--json").json
    assert sorted(row["graph"] for row in shown["graphs"]) == ["chain", "fan"]
    assert shown["new"] == 4
    samples = read_graphs(path)
    assert {(sample.graph, sample.m, sample.launch) for sample in samples} == {
        (name, 20_000, launch) for name in ("fan", "chain") for launch in (0, 1)
    }
    for sample in samples:
        assert sample.edges == {"fan": ((0, 1), (0, 2)), "chain": ((0, 1), (1, 2))}[sample.graph]
        assert len(sample.times_s) == 2
        assert len(sample.alone_s) == 2
        assert sample.times.min() > 0
        assert sample.start == "window"
        assert sample.processes_per_node is None
        assert sample.provenance.hosts
    outcome = contend(*command)
    assert "0 new in" in outcome.out
    assert len(read_graphs(path)) == 4


def test_a_campaign_that_is_killed_goes_on(contend, tmp_path):
    path = tmp_path / "measured.jsonl"
    words = ("measure", "messages", "--published", "-o", str(path), *QUICK, "--steps", "0")
    with subprocess.Popen([sys.executable, "-m", "contend", *words]) as first:
        deadline = time.monotonic() + 60
        while not path.exists() or path.read_bytes().count(b"\n") < 2:
            assert time.monotonic() < deadline
            time.sleep(0.01)
        os.kill(first.pid, signal.SIGKILL)
    kept = path.read_bytes().count(b"\n")
    assert kept < 2 * len(PUBLISHED)
    shown = contend(*words, "--json").json
    assert shown["new"] == 2 * len(PUBLISHED) - kept
    samples = read_graphs(path)
    assert len({sample.point for sample in samples}) == len(samples) == 2 * len(PUBLISHED)


def test_random_graphs_come_with_their_later_steps_in_all_launches(contend, tmp_path):
    path = tmp_path / "measured.jsonl"
    words = ("--random", "6", "--random", "edges=3-4", "--random", "nodes=4", "--steps", "3")
    assert contend("measure", "messages", *words, "-o", path, *QUICK).code == 0
    samples = read_graphs(path)
    steps = {sample.graph for sample in samples if sample.graph.startswith("step ")}
    assert 1 <= len(steps) <= 3  # processes on two cores end one after the other
    assert {(sample.graph, sample.m, sample.launch) for sample in samples} == {
        (name, 20_000, launch)
        for name in [*(f"random-{number}" for number in range(1, 7)), *steps]
        for launch in (0, 1)
    }


def test_another_graph_of_the_same_name_is_refused(contend, graphs, tmp_path):
    path = tmp_path / "measured.jsonl"
    assert contend("measure", "messages", graphs, "-o", path, *QUICK, "--steps", "0").code == 0
    graphs.write_text('{"fan": [["x", "hub"], ["y", "hub"]]}')
    contend("measure", "messages", graphs, "-o", path, *QUICK).fails(
        "holds a graph fan with other edges"
    )


def test_a_file_of_another_placement_is_refused(contend, graphs, tmp_path):
    path = tmp_path / "measured.jsonl"
    assert contend("measure", "messages", graphs, "-o", path, *QUICK, "--steps", "0").code == 0
    contend("measure", "messages", graphs, "-o", path, *QUICK, "--ppn", "2").fails(
        "one processes per node, not 2"
    )


def test_a_samples_file_is_no_file_of_graphs(contend, graphs, samples_file):
    contend("measure", "messages", graphs, "-o", samples_file(), *QUICK).fails("is a samples file")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ((), "no graph to measure"),
        (("none.csv",), "there is no file none.csv"),
        (("--random", "3", "--random", "edges=x"), "'x' is not a number"),
        (("--random", "3", "--random", "edges=1"), "of 1 edges"),
        (
            ("--random", "3", "--random", "edges=9", "--random", "nodes=3"),
            "9 messages among 3 nodes",
        ),
        (("--published", "-m", "much"), "much"),
        (("--published", "-m", "0"), "messages of 0 bytes"),
    ],
)
def test_what_cannot_be_is_refused(contend, tmp_path, words, message):
    contend("measure", "messages", *words, "-o", tmp_path / "measured.jsonl").fails(message)
    assert not (tmp_path / "measured.jsonl").exists()


def test_what_is_written_is_read_again_as_it_was(contend, graphs, tmp_path):
    path = tmp_path / "measured.jsonl"
    assert contend("measure", "messages", graphs, "-o", path, *QUICK, "--steps", "0").code == 0
    lines = path.read_text().splitlines()
    samples = read_graphs(path)
    assert [json.loads(line) for line in lines] == [sample.to_json() for sample in samples]
    assert all(isinstance(sample, MessageSample) for sample in samples)
