"""contend validate --schedules: several files, both tables, JSON, what was left out."""

import json

import pytest

from contend.cli.result import show
from contend.measure.campaigns.schedules import times_of_schedule
from contend.samples import LabConditions
from contend.schedules import algorithms
from support import networks
from support.synthesis import sample, save

PLOGP = networks.plogp()
LATE = LabConditions.from_counters({"frames": 1, "late_ns": 10**9})
FACTORS = {"binomial": 4.0, "flat": 1.0, "chain": 1.0}


@pytest.fixture
def network(tmp_path):
    return networks.write(tmp_path / "network.json", PLOGP)


def planted(algorithm, **fields):
    """A broadcast of 8 ranks that takes `FACTORS` times what is predicted."""
    times = algorithms("bcast").get(algorithm).seconds(PLOGP, 8, [1024, 65536])
    return [
        sample(
            m, 8, [time * FACTORS[algorithm]] * 6, experiment="bcast", algorithm=algorithm, **fields
        )
        for m, time in zip((1024, 65536), times, strict=True)
    ]


@pytest.fixture
def files(tmp_path):
    return [save(planted(name), tmp_path / f"{name}.jsonl") for name in FACTORS]


def test_both_tables_are_shown_for_several_files(contend, network, files):
    outcome = contend("validate", "--schedules", network, *files)
    lines = outcome.out.splitlines()
    (binomial,) = [line.split() for line in lines if line.split()[:2] == ["bcast", "binomial"]]
    assert " ".join(binomial[2:]) == "2 −75 % 75 % – 75 %"  # 90 % of two is not known
    assert [line.split()[1] for line in lines if "predicted  " in line] == ["predicted"]
    assert any("always flat" in line for line in lines)
    assert "where another algorithm was faster" in outcome.out


def test_json_has_points_errors_regret_and_rules(contend, network, files):
    found = contend("validate", "--schedules", network, *files, "--json").json
    assert len(found["points"]) == 6
    assert {row["algorithm"]: round(row["bias"], 6) for row in found["errors"]} == {
        "binomial": -0.75, "chain": 0.0, "flat": 0.0
    }  # fmt: skip
    assert [row["algorithm"] for row in found["regret"]] == ["binomial", "binomial"]
    assert {row["best_algorithm"] for row in found["regret"]} == {"flat"}
    assert found["regret"][0]["options"] == {}
    assert found["rules"][0]["rule"] == "predicted"


def test_the_utilisation_beside_a_samples_file_is_not_read(contend, network, files, tmp_path):
    (tmp_path / "flat.utilisation.jsonl").write_text('{"no": "sample"}\n')
    given = sorted(tmp_path.glob("*.jsonl"))
    assert len(given) == len(files) + 1
    assert len(contend("validate", "--schedules", network, *given, "--json").json["points"]) == 6


def test_what_is_left_out_is_said(contend, network, tmp_path):
    native = sample(1024, 8, [1.0], experiment="bcast")
    path = save([native, *planted("flat")], tmp_path / "s.jsonl")
    outcome = contend("validate", "--schedules", network, path)
    assert "1 samples are of no algorithm of the catalogue" in outcome.err
    assert "no choice to judge" in outcome.err


def test_mistakes_name_what_there_is(contend, network, tmp_path, files):
    path = save([sample(1024, 8, [1.0], experiment="bcast")], tmp_path / "native.jsonl")
    contend("validate", "--schedules", network, path).fails(
        "no sample of a schedule among bcast/native"
    )
    contend("validate", "--schedules", network, *files, "--operation", "scatter").fails(
        "the file holds bcast/binomial"
    )
    bare = networks.write(tmp_path / "bare.json", None)
    assert "holds no pLogP parameters" in contend("validate", "--schedules", bare, *files).err


def test_samples_of_a_late_lab_are_left_out_with_number_and_reason(contend, network, tmp_path):
    late = planted("flat", launch=1, lab=LATE)
    path = save([*planted("flat"), *planted("chain"), *late], tmp_path / "s.jsonl")
    outcome = contend("validate", "--schedules", network, path, "--json")
    assert outcome.json["left_out"] == {"late": 2, "of_no_algorithm": 0}
    assert "2 of 6 samples were left out: the emulated network could not keep up" in outcome.err
    assert "frames were 1 s late on average, more than" in outcome.err
    assert {row["launches"] for row in outcome.json["points"]} == {1}
    assert (
        "left out" not in contend("validate", "--schedules", network, path, "--include-flagged").err
    )


def test_a_run_on_a_late_lab_says_so_beside_its_data(capsys):
    samples = [*planted("flat"), *planted("flat", launch=1, lab=LATE)]
    show(times_of_schedule(samples, "flat"), as_json=False)
    streams = capsys.readouterr()
    assert "all data right; 2 of 4 samples late" in streams.out
    assert "the emulated network could not keep up (frames were" in " ".join(streams.err.split())
    show(times_of_schedule(samples, "flat"), as_json=True)
    rows = json.loads(capsys.readouterr().out)
    assert [(row["launches"], row["late"]) for row in rows] == [(2, 1), (2, 1)]
    show(times_of_schedule(samples[:2], "flat"), as_json=False)
    assert "late" not in capsys.readouterr().out
