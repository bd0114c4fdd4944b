"""contend run-schedule: what it shows, what it keeps, what it refuses."""

import json

import pytest

from contend.samples import read_samples

pytestmark = pytest.mark.mpi
QUICK = ("--launches", "1", "--max-seconds", "0.05", "--min-repetitions", "3")


def test_points_are_shown_and_kept_and_not_measured_again(contend, tmp_path):
    path = tmp_path / "samples.jsonl"
    command = ("run-schedule", "bcast", "segmented_chain", "-n", "2,3", "-m", "1KiB,10000",
               "--segment", "4KiB", "-o", str(path), *QUICK)  # fmt: skip
    shown = json.loads(contend(*command, "--json").out)
    assert [(row["n"], row["m"]) for row in shown] == [(2, 1024), (2, 10000), (3, 1024), (3, 10000)]
    samples = read_samples(path)
    assert {(*sample.series[:3], sample.m, sample.launch) for sample in samples} == {
        ("bcast", "segmented_chain", n, m, 0) for n in (2, 3) for m in (1024, 10000)
    }
    assert all(sample.parameters == {"segment": 4096} for sample in samples)
    outcome = contend(*command)
    assert "all data right" in outcome.out
    assert len(read_samples(path)) == len(samples)


def test_a_file_of_another_segment_is_refused(contend, tmp_path):
    command = ("run-schedule", "bcast", "segmented_chain", "-n", "2", "-m", "64", *QUICK,
               "-o", str(tmp_path / "samples.jsonl"))  # fmt: skip
    assert contend(*command, "--segment", "16").code == 0
    outcome = contend(*command, "--segment", "32")
    assert outcome.code == 1
    assert "name another samples file" in outcome.err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("bcast", "nothing", "-n", "2", "-m", "1"), "'nothing'"),
        (("everything", "ring", "-n", "2", "-m", "1"), "no collective operation"),
        (("alltoall", "pairwise", "-n", "3", "-m", "1"), "power-of-two"),
        (("bcast", "binomial", "-n", "1", "-m", "1"), "n = 1"),
        (("bcast", "binomial", "-n", "2"), "give -m"),
        (("bcast", "binomial", "-n", "2", "-m", "1", "--segment", "4"), "no option 'segment'"),
        (("bcast", "binomial", "-n", "2", "-m", "1", "--root", "2"), "rank 2 cannot be the root"),
    ],
)
def test_what_cannot_be_is_refused(contend, arguments, message):
    outcome = contend("run-schedule", *arguments)
    assert outcome.code == 1
    assert message in outcome.err
