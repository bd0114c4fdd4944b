"""Measured contention graphs from the command line: fitted, compared, shown, and used."""

import json
import shutil

import numpy as np
import pytest

from contend.models.network import Network
from contend.samples.lab import LabConditions
from support.graphs import SIZE, SMALL, launched, planted, random_graphs

TRUE = {"beta_e": 1.25, "beta_s": 0.8, "gamma": 1.6}


@pytest.fixture(scope="module")
def graphs_file(tmp_path_factory):
    rng = np.random.default_rng(2)
    samples = planted(random_graphs(12, rng, most_edges=5), "penalty3", TRUE, 0.01, 8, rng)
    path = tmp_path_factory.mktemp("measured") / "graphs.jsonl"
    path.write_text("".join(json.dumps(sample.to_json()) + "\n" for sample in samples))
    return path


@pytest.fixture
def network_file(contend, graphs_file, tmp_path):
    """The network fitted to the graphs, once for all tests."""
    path, known = tmp_path / "network.json", graphs_file.with_suffix(".network.json")
    if not known.exists():
        contend("fit", graphs_file, "-o", known).prints("penalty3")
    shutil.copy(known, path)
    return path


@pytest.fixture
def flows(tmp_path):
    path = tmp_path / "flows.csv"
    path.write_text(f"src,dst,bytes\na,b,{SIZE}\na,c,{SIZE}\n")
    return path


def test_a_fit_is_used_by_solve(contend, network_file, flows):
    for model in ("penalty3", "measured"):
        words = ("solve", flows, "--network", network_file, "--model", model, "--json")
        found = contend(*words).json
        assert found["model"] == model
        ends = [flow["end"] for flow in found["flows"]]
        assert ends == pytest.approx([1.6 * SIZE / 12.5e6] * 2, rel=0.02)
    outcome = contend("solve", flows, "--network", network_file, "--model", "measured")
    assert "1 of 1 steps have measured penalties" in outcome.err


def test_a_network_that_exists_keeps_what_it_knows(contend, graphs_file, samples_file, tmp_path):
    path = tmp_path / "network.json"
    contend("fit", samples_file(), "-o", path)
    before = Network.load(path)
    assert "added sharing; kept hockney" in contend("fit", graphs_file, "-o", path).err
    after = Network.load(path)
    assert after.operations == before.operations
    assert after.sharing is not None
    contend("fit", samples_file(), "-o", path)
    assert Network.load(path).sharing == after.sharing


def test_the_comparison_is_by_model_and_number_of_messages(contend, graphs_file, tmp_path):
    plot = tmp_path / "errors.svg"
    found = contend("validate", graphs_file, "--json", "--plot", plot).json
    assert "<svg" in plot.read_text()
    errors = {row["model"]: row["average"] for row in found["models"]}
    assert errors["penalty3"] < 0.02 < errors["maxmin"]
    assert {row["edges"] for row in found["edges"]} == {1, 2, 3, 4, 5}
    graphs = {row["graph"] for row in found["graphs"]}
    outcome = contend("validate", graphs_file, "--all")
    assert all(graph in outcome.out for graph in graphs)


def test_penalties_are_shown_with_their_intervals(contend, graphs_file, network_file):
    (out,) = [
        shape
        for shape in Network.load(network_file).sharing.measured
        if shape.edges == ((0, 1), (0, 2))
    ]
    assert out.penalties == pytest.approx([1.6, 1.6], rel=0.02)
    assert out.low[0] < 1.6 < out.high[0]
    outcome = contend("fit", graphs_file, "-o", network_file, "--penalties", "2")
    assert "fan-out-2" in outcome.out
    assert "larger shapes" in outcome.err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["solve", "FLOWS"], "no bandwidth and no network"),
        (["solve", "FLOWS", "--bandwidth", "1Gbit/s", "--model", "measured"], "give --network"),
        (["solve", "FLOWS", "--bandwidth", "1Gbit/s", "--network", "NETWORK"], "leave out one"),
        (["solve", "program.goal", "--bandwidth", "1Gbit/s"], "contend replay"),
        (["fit", "absent.jsonl"], "there is no file absent.jsonl"),
        (["compare", "GRAPHS", "--plot", "x.gif"], "use .svg, .png, .pdf, .html"),
    ],
)
def test_what_does_not_fit_together_is_refused(
    contend, graphs_file, network_file, flows, words, said
):
    paths = {"FLOWS": flows, "NETWORK": network_file, "GRAPHS": graphs_file}
    contend("graph", *(paths.get(word, word) for word in words)).fails(said, "what to do:")


def test_a_network_without_graphs_says_how_to_get_them(contend, samples_file, tmp_path, flows):
    path = tmp_path / "plain.json"
    contend("fit", samples_file(), "-o", path)
    outcome = contend("solve", flows, "--network", path)
    assert "contend fit" in outcome.err


LATE = LabConditions(
    frames=1000, bytes=1, drops=0, retransmissions=0, timeouts=0, lateness_mean_s=1.0,
    late_share=0.5, unread=0, queue_peak_bytes=0,
)  # fmt: skip


def written(path, samples):
    path.write_text("".join(json.dumps(sample.to_json()) + "\n" for sample in samples))
    return path


def test_flagged_samples_that_are_left_out_are_counted(contend, tmp_path):
    samples = planted(SMALL, "maxmin")
    flagged = samples[5].model_copy(update={"lab": LATE, "graph": "late"})
    path = written(tmp_path / "graphs.jsonl", [*samples, flagged])
    assert "1 of 13 samples are left out" in contend("validate", path).err
    found = contend("validate", path, "--json").json
    assert any("1 of 13 samples" in said for said in found["left_out"])


def test_a_parameter_that_no_graph_determines_is_shown_as_that(contend, tmp_path):
    graphs = {name: SMALL[name] for name in ("single", "fan-out-2", "fan-out-3")}
    samples = launched(graphs, "penalty3", TRUE, np.random.default_rng(1), spread=0.01)
    path = tmp_path / "network.json"
    found = contend("fit", written(tmp_path / "graphs.jsonl", samples), "-o", path)
    said = " ".join(found.out.replace("│", " ").split())
    assert "gamma 1.35 (not determined)" in said
    assert "in parentheses: 95 % over launches" in said
    penalty3 = Network.load(path).sharing.by_name("penalty3")
    assert set(penalty3.undetermined) == {"beta_e", "gamma"}
    assert penalty3.parameters["gamma"].low is None
    assert penalty3.parameters["beta_s"].bounds == "95 % over launches"


def test_models_that_are_off_by_more_than_half_are_called_unusable(contend, flows, tmp_path):
    chance = np.random.default_rng(4)
    samples = [
        sample.model_copy(
            update={
                "times_s": (tuple(sample.times[0] * chance.lognormal(0, 2, len(sample.edges))),)
            }
        )
        for sample in planted(random_graphs(12, chance), "maxmin")
    ]
    network = tmp_path / "network.json"
    outcome = contend("fit", written(tmp_path / "graphs.jsonl", samples), "-o", network)
    assert "is unusable here: off by" in " ".join(outcome.out.split())
    assert "sharing_unusable" in outcome.err
    solved = contend("solve", flows, "--network", network)
    assert "is unusable here" in solved.err
