"""From a samples file to predictions, by the commands."""

import json
import shlex

import pytest

from contend.models.network import Network
from contend.models.prediction.verdict import verdict
from contend.samples import SampleStore, read_samples
from support.synthesis import exchange_time


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


def test_validation_and_report_say_how_far_launches_lie_apart(
    contend, quick_reports, samples_file, tmp_path
):
    first, path = tmp_path / "first.jsonl", tmp_path / "samples.jsonl"
    samples_file(seed=2).rename(first)
    with SampleStore(samples_file()) as store:
        store.extend(one.model_copy(update={"launch": 1}) for one in read_samples(first))
    contend("fit", path, "--at", 8, "-o", tmp_path / "network.json")
    outcome = contend("validate", tmp_path / "network.json", path)
    assert "Launches differ too: at" in outcome.err
    errors = contend("validate", tmp_path / "network.json", path, "--json").json
    (known,) = errors.values()
    assert 0 < known["between_launches"]["median"] < 0.02  # of eleven repetitions with 1 % noise
    contend("report", tmp_path / "network.json", path, "-o", tmp_path / "report")
    assert "Launches differ too: at" in (tmp_path / "report" / "report.html").read_text()


def test_the_next_command_that_validate_names_works(
    contend, quick_reports, network_file, tmp_path, monkeypatch
):
    elsewhere = tmp_path / "else where"
    elsewhere.mkdir()
    moved = (tmp_path / "samples.jsonl").rename(elsewhere / "mine.jsonl")
    monkeypatch.chdir(elsewhere)
    outcome = contend("validate", network_file, moved)
    words = shlex.split(outcome.err.partition("next: contend ")[2])
    assert words == ["report", str(network_file), str(moved)]
    assert contend(*words).code == 0


def test_a_prediction_says_its_form_and_why(contend, samples_file, tmp_path):
    network_file = tmp_path / "network.json"
    contend("fit", samples_file(counts=(4, 8, 16, 32)), "-o", network_file)
    before = contend("predict", network_file, "-n", 8, "-m", "64KiB")
    assert "by growth" in before.err
    assert "no form was validated" in before.err
    checked = contend("validate", network_file, tmp_path / "samples.jsonl")
    chosen = verdict(Network.load(network_file).find("alltoall"))
    assert chosen.is_validated
    for outcome in (checked, contend("predict", network_file, "-n", 8, "-m", "64KiB")):
        assert chosen.reason in outcome.err
    (row,) = contend("predict", network_file, "-n", 8, "-m", "64KiB", "--json").json
    assert (row["form"], row["form_from"]) == (chosen.form, "validation")
    words = ("-n", 8, "-m", "64KiB", "--form", "clement", "--json")
    (row,) = contend("predict", network_file, *words).json
    assert (row["form"], row["form_from"]) == ("clement", "given")


def test_an_operation_that_was_not_fitted_is_sent_to_its_schedules(
    contend, quick_reports, samples_file, tmp_path
):
    samples = samples_file(experiments=("pingpong", "alltoall", "bcast"))
    network = tmp_path / "n.json"
    contend("fit", samples, "-o", network)
    words = ("predict", network, "bcast", "-n", 8, "-m", "1MiB")
    contend(*words).fails("--algorithm")
    assert contend("fit", samples, "--operation", "bcast", "-o", network).code == 0
    assert "bcast/native, 1 per node by growth" in contend(*words).err
    assert contend("report", network, samples, "-o", tmp_path / "report").code == 0


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
    words = ["--join", f"network={network_file},processes=12"]
    backbone = ["--join", "alpha=5ms,beta=1e-8"]
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
    bound = contend("predict", network_file, "--messages", messages, "--json").json
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
    what = ["--as", "experiment=alltoall,algorithm=native,statistic=mean"]
    outcome = contend("import", csv, "-o", target, *words, *what, "--json")
    assert outcome.json["new"] == 2
    first = json.loads(target.read_text().splitlines()[0])
    assert first["times_s"] == pytest.approx([1.05e-5, 1.15e-5])
    assert first["statistic"] == "mean"


def test_the_same_file_is_not_imported_twice(contend, tmp_path):
    csv, target = tmp_path / "times.csv", tmp_path / "samples.jsonl"
    csv.write_text("m,n,time\n64,4,1e-5\n1024,4,2e-5\n")
    words = ["import", csv, "-o", target, "--as", "experiment=alltoall,algorithm=native"]
    assert contend(*words, "--json").json["new"] == 2
    again = contend(*words, "--json")
    assert again.json["new"] == 0
    assert "2 samples were there already" in again.err
    assert "other figures" not in again.err
    csv.write_text("m,n,time\n64,4,1e-5\n1024,4,2e-5\n4096,4,3e-5\n")
    grown = contend(*words, "--json")
    assert grown.json["new"] == 3
    assert "named times.csv with other figures was imported before" in grown.err


def test_fewer_points_do_not_replace_a_validation_unasked(contend, network_file, tmp_path):
    samples = tmp_path / "samples.jsonl"
    contend("validate", network_file, samples)
    before = network_file.read_text()
    few = tmp_path / "few.jsonl"
    lines = [line for line in samples.read_text().splitlines() if '"n":16' in line]
    few.write_text("\n".join(lines) + "\n")
    outcome = contend("validate", network_file, few)
    assert outcome.code == 0
    assert "errors of more points, which were kept" in outcome.err
    assert network_file.read_text() == before


def test_samples_of_another_library_are_told_as_such(contend, samples_file, tmp_path):
    path = samples_file()

    def relabelled(library):
        records = [json.loads(line) for line in path.read_text().splitlines()]
        for record in records:
            record["provenance"]["mpi_library"] = library
        file = tmp_path / f"{library}.jsonl"
        file.write_text("".join(json.dumps(record) + "\n" for record in records))
        return file

    ours, theirs = relabelled("Ours"), relabelled("Theirs")
    network = tmp_path / "n.json"
    contend("fit", ours, "--at", 8, "-o", network)
    outcome = contend("validate", network, theirs)
    assert "the samples are of the MPI library Theirs, the network of Ours" in outcome.err
    mixed = tmp_path / "mixed.jsonl"
    mixed.write_text(ours.read_text() + theirs.read_text())
    assert "mixed_libraries" in contend("fit", mixed, "--at", 8, "-o", network).err


def test_single_messages_alone_make_a_network_without_operations(contend, samples_file, tmp_path):
    path, network = samples_file(experiments=("pingpong",)), tmp_path / "n.json"
    outcome = contend("fit", path, "-o", network)
    assert outcome.code == 0
    assert "no_operation" in outcome.err
    assert Network.load(network).operations == ()
    assert contend("fit", path, "--operation", "alltoall", "-o", network).code == 1


def test_an_operation_without_samples_is_not_shown_as_validated(contend, samples_file, tmp_path):
    path, network = samples_file(), tmp_path / "n.json"
    lines = path.read_text().splitlines()
    other = [line.replace('"algorithm":"native"', '"algorithm":"ring"') for line in lines]
    both = tmp_path / "both.jsonl"
    both.write_text("\n".join([*lines, *other]) + "\n")
    contend("fit", both, "--at", 8, "-o", network)
    contend("validate", network, both)
    outcome = contend("validate", network, path)
    assert "alltoall/ring, 1 per node: no sample to compare it with" in outcome.err
    assert "ring" not in outcome.out
