"""contend design: what it proposes, what it writes, what it refuses; and that it can be run."""

import json
import shlex

import pytest
import typer.main

from contend.cli.app import make_app
from contend.cli.result import show_parts
from contend.measure.probes.design import next_parts
from contend.measure.probes.file import read_plan
from contend.models.network import Network
from contend.models.prediction.verdict import verdict
from contend.samples import read_samples

SIZES = (64, 1024, 4096, 8192, 65536, 1048576)  # of samples_file


@pytest.fixture
def network_file(contend, samples_file, tmp_path):
    path = tmp_path / "network.json"
    assert contend("fit", samples_file(), "--at", 8, "-o", path).code == 0
    return path


def test_points_are_told_with_their_cost_and_the_intervals_before_and_after(contend, network_file):
    found = contend("design", network_file, "-n", "64", "-m", "64,8KiB,1MiB", "--json").json
    assert found["targets"] == {"n": [64], "m": [64, 8192, 1048576]}
    assert 1 <= len(found["points"]) <= 6
    spent = [row["spent"] for row in found["points"]]
    assert spent == sorted(spent) and spent[-1] == pytest.approx(found["seconds"])
    assert found["points"][0]["before"] == pytest.approx(found["before"])
    assert found["points"][-1]["after"] == pytest.approx(found["after"])
    assert found["after"] < found["before"]
    assert found["is_worth_it"] is True
    shown = contend("design", network_file, "-n", "64", "-m", "64,8KiB,1MiB")
    for said in found["said"]:
        assert said in shown.out
    assert "high/low before" in shown.out


def test_the_commands_that_it_names_are_ones_that_contend_accepts(contend, network_file, tmp_path):
    plan = tmp_path / "plan.json"
    found = contend("design", network_file, "-n", "64", "--at", "4,32,64", "--json").json
    assert found["commands"]
    group = typer.main.get_command(make_app())
    shown = contend("design", network_file, "-n", "64", "-o", plan).err
    assert f"next: contend measure --plan {plan}" in shown
    assert f"then: contend fit samples.jsonl --at 8 -o {network_file}" in shown
    for line in (*found["commands"], f"contend measure --plan {plan} -o samples.jsonl"):
        _, name, *arguments = shlex.split(line)
        group.commands[name].make_context(name, arguments)
    points = {(row["n"], row["m"]) for row in found["points"]}
    there = set()
    for line in found["commands"]:
        words = shlex.split(line)
        (n,), sizes = (words[words.index(flag) + 1].split(",") for flag in ("-n", "-m"))
        there |= {(int(n), int(m)) for m in sizes}
        assert words[words.index("-e") + 1] == "alltoall_native"
    assert there == points


def test_a_plan_in_a_file_holds_the_points_that_are_shown(contend, network_file, tmp_path):
    path = tmp_path / "plan.json"
    found = contend("design", network_file, "-n", "64", "-o", path, "--json").json
    plan = read_plan(path)
    assert [(one.n, one.m) for one in plan.points] == [
        (row["n"], row["m"]) for row in found["points"]
    ]
    assert plan.seconds == pytest.approx(found["seconds"])
    assert (plan.operation, plan.algorithm) == ("alltoall", "native")


def test_limits_hold(contend, network_file):
    words = ("design", network_file, "-n", "64,128", "--json")
    assert len(contend(*words, "--budget", "points=2").json["points"]) == 2
    assert contend(*words, "--budget", "2s").json["seconds"] <= 2.0
    wide = contend(*words, "--budget", "points=1").json["after"]
    width = round(0.9 * wide, 3)
    assert contend(*words, "--budget", f"width={width}").json["after"] <= width < wide
    at = contend(*words, "--at", "4,16").json
    assert {row["n"] for row in at["points"]} <= {4, 16}


def test_where_nothing_is_worth_it_no_plan_is_written(contend, network_file, tmp_path):
    path = tmp_path / "plan.json"
    outcome = contend("design", network_file, "-n", "8", "--at", "8", "-o", path)
    assert outcome.code == 0
    assert "every point that could be measured is known" in outcome.out
    assert f"{path} was not written" in outcome.err
    assert not path.exists()


def test_samples_tell_how_often_to_repeat(contend, network_file, tmp_path):
    outcome = contend("design", network_file, tmp_path / "samples.jsonl", "-n", "64", "--json")
    assert {row["repetitions"] for row in outcome.json["points"]} == {5}


def _multiply(values, name, times):
    """Multiply every number of a name in nested objects."""
    for key, value in values.items():
        if isinstance(value, dict):
            _multiply(value, name, times)
        elif key == name:
            values[key] = times * value


def test_another_form_that_predicts_is_named(contend, samples_file, tmp_path):
    network_file = tmp_path / "network.json"
    contend("fit", samples_file(counts=(4, 8, 16, 32)), "-o", network_file)
    contend("validate", network_file, tmp_path / "samples.jsonl")
    network = json.loads(network_file.read_text())
    (operation,) = network["operations"]
    _multiply(operation["validation"]["growth"], "median", 100)
    network_file.write_text(json.dumps(network))
    said = contend("design", network_file, "-n", "64").err
    form = verdict(Network.load(network_file).find("alltoall")).form
    assert form != "growth"
    assert f"these are intervals of growth; {form}, which validation chose" in said


def test_a_first_design_needs_no_file(contend, tmp_path):
    path = tmp_path / "plan.json"
    found = contend("design", "-n", "4..64", "--budget", "30s", "-o", path, "--json").json
    assert found["targets"]["n"] == [4, 8, 16, 32, 64]
    assert found["before"] is None
    assert found["seconds"] <= 30
    assert found["points"][0]["after"] is None
    assert len(read_plan(path).points) == len(found["points"]) >= 8
    slower = contend("design", "-n", "4..64", "--assume", "beta=10MB/s", "--json").json
    seconds, longer = (
        {(point["n"], point["m"]): point["seconds"] for point in design["points"]}
        for design in (found, slower)
    )
    shared = [point for point in seconds.keys() & longer.keys() if point[1] >= 2**20]
    assert shared
    assert all(longer[point] > 10 * seconds[point] for point in shared)
    shown = contend("design", "-n", "4..64")
    assert "A first design: " in shown.out
    assert "100 repetitions of every target would take" in shown.out
    assert "contend measure -e alltoall_native -n 4 " in shown.err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["NETWORK", "--operation", "bcast"], "no operations of network"),
        (["NETWORK", "-n", "1"], "n = 1"),
        (["NETWORK", "-n", ","], "holds no number of processes"),
        (["NETWORK", "-n", "64", "-m", "0"], "m = 0"),
        (["NETWORK", "-n", "64", "--at", "1"], "n = 1"),
        (["NETWORK", "-n", "64", "--budget", "0"], "a time of 0"),
        (["NETWORK", "-n", "64", "--budget", "width=0.5"], "a high/low of 0.5"),
        (["NETWORK", "-n", "64", "--assume", "alpha=1us"], "--assume with a network file"),
        (["NETWORK", "-n", "2-2000"], "3000 are the most"),
        (["SAMPLES", "-n", "64"], "is a samples file"),
        ([], "neither a network file nor -n"),
        (["-n", "4..64", "--budget", "1ms"], "the budget is 1 ms"),
        (["-n", "4..64", "--budget", "points=2"], "2 points for a first design"),
        (["-n", "4..64", "-m", "64,128"], "2 sizes for a first design"),
        (["-n", "4..64", "--operation", "bcast"], "which bcast is not"),
    ],
)
def test_a_mistake_is_told_with_its_remedy(contend, network_file, words, said):
    names = {"NETWORK": network_file, "SAMPLES": network_file.with_name("samples.jsonl")}
    outcome = contend("design", *(names.get(word, word) for word in words))
    outcome.fails(said)
    assert "what to do:" in outcome.err and "Traceback" not in outcome.err


def test_a_file_without_growth_is_to_be_fitted_again(contend, network_file):
    data = json.loads(network_file.read_text())
    for operation in data["operations"]:
        del operation["forms"]["growth"]
    network_file.write_text(json.dumps(data))
    contend("design", network_file, "-n", "64").fails(
        "no fit of growth", "fit its samples again: contend fit"
    )


def test_points_are_measured_in_as_many_launches_as_are_wanted(contend, network_file, tmp_path):
    words = ("design", network_file, "-n", "64", "--budget", "points=3", "--json")
    once, twice = (contend(*words, "--launches", count).json for count in (1, 2))
    assert twice["seconds"] == pytest.approx(2 * once["seconds"])
    assert all("--launches 2" in line for line in twice["commands"])
    path = tmp_path / "plan.json"
    contend(*words, "--launches", 2, "-o", path)
    assert read_plan(path).launches == 2
    assert (
        contend("design", "-n", "4..64", "--launches", 2, "--budget", "points=4", "--json").code
        == 0
    )


def test_a_study_tells_what_to_measure_next(contend, network_file, capsys):
    samples = network_file.with_name("samples.jsonl")
    show_parts(next_parts(Network.load(network_file), read_samples(samples), network_file, samples))
    said = " ".join(capsys.readouterr().err.split())
    found = contend("design", network_file, samples, "--json").json
    assert f"alltoall/native, 1 per node, next: {found['said'][0]}" in said
    assert found["targets"]["n"] == [32, 64]
    assert f"next: contend design {network_file} {samples}" in said


@pytest.mark.full
@pytest.mark.mpi
@pytest.mark.usefixtures("mpi")
def test_a_plan_is_measured_and_learnt_from_and_then_less_is_to_be_done(contend, tmp_path):
    first, second, samples, network = (
        tmp_path / name for name in ("1.json", "2.json", "samples.jsonl", "network.json")
    )
    sizes = ("-m", "64,1KiB,4KiB,64KiB")
    assert contend("design", "-n", "2..4", *sizes, "-o", first).code == 0
    planned = {(one.n, one.m) for one in read_plan(first).points}
    found = contend("measure", "--plan", first, "-o", samples, "--json").json
    assert found == {"samples": str(samples), "new": len(planned), "all": len(planned)}
    taken = read_samples(samples)
    assert {(one.n, one.m) for one in taken} == planned
    assert {len(one.times_s) for one in taken} == {5}
    assert len({one.provenance.date for one in taken}) <= len({n for n, _ in planned})
    kept = samples.read_text().splitlines(keepends=True)
    samples.write_text("".join(kept[:-2]))  # as where it was killed
    assert contend("measure", "--plan", first, "-o", samples, "--json").json["new"] == 2
    assert contend("measure", "--plan", first, "-o", samples, "--json").json["new"] == 0
    assert contend("fit", samples, "-o", network).code == 0
    target = ("-n", "6", *sizes)
    before = contend(
        "design", network, samples, *target, "--budget", "points=3", "-o", second, "--json"
    ).json
    assert contend("measure", "--plan", second, "-o", samples).code == 0
    assert contend("fit", samples, "-o", network).code == 0
    after = contend("design", network, *target, "--json").json
    done = {(row["n"], row["m"]) for row in before["points"]}
    assert not done & {(row["n"], row["m"]) for row in after["points"]}
    assert done <= {
        pair for one in Network.load(network).operations if one.measured
        for pair in zip(one.measured.n, one.measured.m, strict=True)
    }  # fmt: skip


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["-n", "4"], "--plan with what it says itself"),
        (["-m", "64"], "--plan with what it says itself"),
        (["--launches", "2"], "--plan with what it says itself"),
    ],
)
def test_a_plan_says_itself_what_is_measured(contend, network_file, tmp_path, words, said):
    plan = tmp_path / "plan.json"
    contend("design", network_file, "-n", "64", "-o", plan)
    contend("measure", "--plan", plan, *words, "-o", tmp_path / "new.jsonl").fails(said)


def test_a_file_that_is_no_plan_is_named(contend, network_file, tmp_path):
    for path, said in (
        (network_file, "is a network file, and a plan of measurements is due"),
        (tmp_path / "nowhere.json", "made by contend design -o"),
    ):
        contend("measure", "--plan", path, "-o", tmp_path / "new.jsonl").fails(said)
