"""contend measure collectives with an algorithm: what it shows, what it keeps, what it refuses."""

import json

import pytest

from contend.measure.execution import executable, sizes_of
from contend.samples import Provenance, Sample, SampleStore, read_samples
from contend.schedules import algorithms
from contend.schedules.groups import given, parse_groups

pytestmark = pytest.mark.mpi
QUICK = ("--launches", "1", "--repeat", "time=0.05", "--repeat", "min=3")


def test_points_are_shown_and_kept_and_not_measured_again(contend, tmp_path):
    path = tmp_path / "samples.jsonl"
    command = ("measure", "collectives", "bcast", "segmented_chain", "-n", "2,3",
               "-m", "1KiB,10000", "--with", "segment=4KiB", "-o", str(path), *QUICK)  # fmt: skip
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
    command = ("measure", "collectives", "bcast", "segmented_chain", "-n", "2", "-m", "64", *QUICK,
               "-o", str(tmp_path / "samples.jsonl"))  # fmt: skip
    assert contend(*command, "--segment", "16").code == 0
    contend(*command, "--segment", "32").fails("name another samples file")


HALVES, TURNS = "0-3/4-7", "0,2,4,6/1,3,5,7"  # as many groups, and as large


def run_in(groups, parameters=None):
    """A sample of LG on the groups, as measure collectives keeps it, or with other parameters."""
    lg = algorithms("alltoall").get("lg").grouped(given(parse_groups(groups)))
    ran = executable(lg, 8, sizes_of(lg, 8, [64]))
    return Sample(
        experiment="alltoall", algorithm="lg", n=8, processes_per_node=8, m=64, times_s=(1e-3,),
        parameters=parameters or dict(ran.parameters), provenance=Provenance(source="test"),
    )  # fmt: skip


@pytest.mark.parametrize(
    "held",
    [
        run_in(HALVES),
        run_in(TURNS, {"groups": 2, "smallest_group": 4, "largest_group": 4}),  # of any groups
    ],
)
def test_samples_of_other_groups_are_not_taken_for_those_asked_for(contend, held, tmp_path):
    path = tmp_path / "samples.jsonl"
    with SampleStore(path) as store:
        store.append(held)
    words = ("measure", "collectives", "alltoall", "lg", "-n", "8", "-m", "64", "-o", path, *QUICK)
    contend(*words, "--with", f"groups={TURNS}").fails(
        "name another samples file for other options, other groups"
    )
    assert read_samples(path) == [held]


def test_samples_of_the_same_groups_are_not_measured_again(contend, tmp_path):
    path, held = tmp_path / "samples.jsonl", run_in(TURNS)
    with SampleStore(path) as store:
        store.append(held)
    words = ("measure", "collectives", "alltoall", "lg", "-n", "8", "-m", "64", "-o", path, *QUICK)
    outcome = contend(*words, "--with", f"groups={TURNS}")
    assert outcome.code == 0, outcome.err
    assert read_samples(path) == [held]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("bcast", "nothing", "-n", "2", "-m", "1"), "'nothing'"),
        (("everything", "ring", "-n", "2", "-m", "1"), "no collective operation"),
        (("alltoall", "pairwise", "-n", "3", "-m", "1"), "power-of-two"),
        (("bcast", "binomial", "-n", "1", "-m", "1"), "n = 1"),
        (("bcast", "binomial", "-n", "2"), "give -m"),
        (("bcast", "binomial", "-n", "2", "-m", "1", "--segment", "4"), "no option 'segment'"),
        (
            ("bcast", "binomial", "-n", "2", "-m", "1", "--with", "root=2"),
            "rank 2 cannot be the root",
        ),
    ],
)
def test_what_cannot_be_is_refused(contend, arguments, message):
    contend("measure", "collectives", *arguments).fails(message)
