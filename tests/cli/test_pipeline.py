"""From a samples file to predictions, by the commands."""

import json

import pytest

from conftest import exchange_time
from contend.network import Network


@pytest.fixture
def network_file(contend, samples_file, tmp_path):
    path = tmp_path / "network.json"
    outcome = contend("fit", samples_file(), "--at", 8, "-o", path)
    assert outcome.code == 0, outcome.err
    return path


def test_fit_finds_the_signature_and_says_it_in_words(contend, samples_file, tmp_path):
    outcome = contend("fit", samples_file(), "--at", 8, "-o", tmp_path / "n.json")
    signature = Network.load(tmp_path / "n.json").find("alltoall").forms["hockney_2007"].parameters
    assert float(signature["gamma"]) == pytest.approx(2, rel=0.03)
    assert float(signature["delta"]) == pytest.approx(4e-5, rel=0.05)
    assert float(signature["M"]) == 8192
    assert "With 8 processes exchanging at once, a byte costs" in " ".join(outcome.out.split())
    assert "contend validate" in outcome.err


def test_fit_prints_the_network_file_as_json(contend, samples_file, tmp_path):
    outcome = contend("fit", samples_file(), "-o", tmp_path / "n.json", "--json")
    assert outcome.json == json.loads((tmp_path / "n.json").read_text())


def test_validation_of_a_true_model_finds_errors_of_the_noise(
    contend, network_file, samples_file, tmp_path
):
    errors = contend("validate", network_file, tmp_path / "samples.jsonl", "--json").json
    form = errors["alltoall/native, 1 per node"]["hockney_2007"]
    assert form["n_seen"] == [4, 16]
    assert form["errors"][0]["regime"] == "all"
    assert form["errors"][0]["worst"] < 0.05
    recorded = Network.load(network_file).find("alltoall").validation["hockney_2007"]
    assert recorded.errors[0].worst == form["errors"][0]["worst"]


def test_validate_can_leave_the_network_file_alone(contend, network_file, tmp_path):
    before = network_file.read_text()
    contend("validate", network_file, tmp_path / "samples.jsonl", "--no-record")
    assert network_file.read_text() == before


def test_a_prediction_holds_the_truth_and_says_where_it_extrapolates(contend, network_file):
    (row,) = contend("predict", network_file, "-n", 8, "-m", "64KiB", "--json").json
    assert row["low"] <= exchange_time(8, 65536) <= row["high"]
    assert row["lower_bound"] < row["seconds"]
    assert row["extrapolates"] == ""
    (row,) = contend("predict", network_file, "-n", 500, "-m", "1GiB", "--json").json
    assert row["extrapolates"] == "n m"
    assert "extrapolates" in contend("predict", network_file, "-n", "500", "-m", "1GiB").out


def test_two_clusters_are_predicted_by_equation_6(contend, network_file):
    words = ["--second-network", network_file, "--second-processes", 12]
    backbone = ["--backbone-alpha", "5ms", "--backbone-beta", "1e-8"]
    arguments = ["predict", network_file, "-n", 8, "-m", 1024, "--json"]
    (row,) = contend(*arguments, *words, *backbone).json
    (large,) = contend("predict", network_file, "-n", 12, "-m", 1024, "--json").json
    expected = large["seconds"] + 2 * (5e-3 + 1e-8 * 1024 * 20)
    assert row["seconds"] == pytest.approx(expected, rel=1e-9)


def test_the_bound_of_a_list_of_messages_is_that_of_its_busiest_port(
    contend, network_file, tmp_path
):
    messages = tmp_path / "messages.csv"
    messages.write_text("src,dst,bytes\n0,1,1000\n0,2,1000\n1,2,500\n")
    bound = contend("bound", network_file, messages, "--json").json
    assert (bound["processes"], bound["messages"], bound["startups"]) == (3, 3, 2)
    assert bound["bytes"] == 2000
    hockney = Network.load(network_file).point_to_point.hockney
    assert bound["seconds"] == pytest.approx(2 * float(hockney.alpha) + 2000 * float(hockney.beta))


def test_the_report_is_written_with_its_figures(contend, network_file, tmp_path):
    folder = tmp_path / "report"
    samples = tmp_path / "samples.jsonl"
    outcome = contend("report", network_file, samples, "-o", folder, "--json")
    assert outcome.json == {"report": str(folder / "report.html")}
    assert {path.suffix for path in (folder / "figures").iterdir()} == {".png", ".svg"}


def test_import_recognises_a_csv_by_its_map(contend, tmp_path):
    csv = tmp_path / "times.csv"
    csv.write_text("size,procs,us\n64,4,10.5\n64,4,11.5\n1024,4,20\n")
    words = ["--map", "m=size", "--map", "n=procs", "--map", "time_us=us"]
    target = tmp_path / "samples.jsonl"
    what = ["--experiment", "alltoall", "--algorithm", "native", "--statistic", "mean"]
    outcome = contend("import", csv, "-o", target, *words, *what, "--json")
    assert outcome.json["new"] == 2
    first = json.loads(target.read_text().splitlines()[0])
    assert first["times_s"] == pytest.approx([1.05e-5, 1.15e-5])
    assert first["statistic"] == "mean"
