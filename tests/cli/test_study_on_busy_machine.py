"""A study always ends in a report: where the machine is busy, and where launches are lost."""

import pytest

from contend.measure.mpi import MPI
from contend.models.network import Network
from contend.samples import quality, read_samples
from support.emulation import Emulation, replace_launches

pytestmark = pytest.mark.usefixtures("quick_reports")
WORDS = (
    "study", "--on", "lab:fast-ethernet", "-n", "4,6,8", "--at", "4", "--launches", "1", "-m",
    "4KiB,16KiB,64KiB,256KiB", "--no-library-algorithms", "--verbose",
)  # fmt: skip


@pytest.fixture
def study(contend, monkeypatch, tmp_path):
    """Run `contend study` where `is_late` says what is disturbed, `is_lost` where launches die."""
    mpich = MPI("mpicc", ("mpiexec",), "MPICH", "5.0")
    monkeypatch.setattr("contend.api.studies.find_mpi", lambda *_: mpich)

    def run(is_late, *more, is_lost=lambda _: False):
        emulation = Emulation(is_late, is_lost)
        replace_launches(monkeypatch, emulation)
        return contend(*WORDS, "-o", tmp_path, *more), emulation

    return run


def test_a_study_that_is_never_disturbed_has_no_doubt_about_it(study, tmp_path):
    outcome, emulation = study(lambda *_: False)
    assert outcome.code == 0, outcome.err
    assert "expected to take about 1 minute;" in outcome.err
    assert "measured again, up to 2 times; 15 minutes at most" in outcome.err
    assert set(emulation.dilations) == {4.0}
    network = Network.load(tmp_path / "network.json")
    assert not {"points_missing", "slowed"} & {w.kind for w in network.warnings}


def test_empty_messages_that_were_always_disturbed_do_not_end_a_study_in_an_error(study, tmp_path):
    outcome, _ = study(lambda number, dilation, data: data["m"] == 0)
    assert outcome.code == 0, outcome.err
    assert "pLogP needs the size 0; the method 'one_way' was taken instead" in outcome.err
    assert "8 points" not in outcome.err
    assert "given up, since the machine was busy: plogp/receive_overhead n=2 0 B" in outcome.err
    assert (tmp_path / "report.html").is_file()


def test_n_that_was_always_disturbed_does_not_either(study, tmp_path):
    outcome, _ = study(lambda number, dilation, data: data["n"] == 4)
    assert outcome.code == 0, outcome.err
    network = Network.load(tmp_path / "network.json")
    assert [op.forms["hockney_2007"].n_fitted for op in network.operations] == [(8,), (8,)]
    assert "another_n" in outcome.err


def test_a_machine_that_is_too_busy_is_tried_with_a_slower_lab(study, tmp_path):
    outcome, emulation = study(lambda number, dilation, data: dilation < 16)
    assert outcome.code == 0, outcome.err
    assert "trying again with a lab 2 times slower" in outcome.err
    assert "trying again with a lab 4 times slower" in outcome.err
    assert set(emulation.dilations) == {4.0, 8.0, 16.0}
    for name, dilation in (("samples", 4), ("samples-2-times-slower", 8)):
        samples = read_samples(tmp_path / f"{name}.jsonl")
        assert {sample.provenance.time_dilation for sample in samples} == {dilation}
        assert len(samples) == 12
    used = read_samples(tmp_path / "samples-4-times-slower.jsonl")
    assert not any(sample.is_flagged for sample in used)
    network = Network.load(tmp_path / "network.json")
    assert network.origin.samples == "samples-4-times-slower.jsonl"
    assert "slowed" in {warning.kind for warning in network.warnings}
    again, nothing = study(lambda *_: True)
    assert (again.code, nothing.points) == (0, [])


def test_a_machine_that_is_always_too_busy_ends_in_a_report_that_says_so(study, tmp_path):
    outcome, _ = study(lambda *_: True)
    assert outcome.code == 0, outcome.err
    assert "points were given up, since the machine was busy" in outcome.err
    assert "could not keep up" in (tmp_path / "report.html").read_text()
    later, _ = study(lambda *_: False)
    assert later.code == 0
    samples = read_samples(tmp_path / "samples-4-times-slower.jsonl")
    assert not any(sample.is_flagged for sample in quality.standing(samples))
    assert len(Network.load(tmp_path / "network.json").operations) == 2


def test_a_study_is_made_smaller_for_the_time_it_has(study, tmp_path):
    outcome, emulation = study(lambda *_: False, "--max-minutes", "1.2")
    assert outcome.code == 0, outcome.err
    assert "left out, so that the run ends within 1.2 minutes: " in outcome.err
    sizes = {data["m"] for data in emulation.points if data["experiment"] == "alltoall"}
    assert {4096, 16384, 65536, 262144} <= sizes
    assert 131072 not in sizes


def test_without_any_time_there_is_no_dead_end(study, tmp_path):
    outcome, _ = study(lambda *_: False, "--max-minutes", "0.1")
    assert outcome.code == 0, outcome.err


def test_a_point_at_which_ranks_always_die_is_left_out(study, tmp_path):
    def dies(data):
        return (data["experiment"], data["n"], data["m"]) == ("alltoall", 8, 65536)

    outcome, emulation = study(lambda *_: False, is_lost=dies)
    assert outcome.code == 0, outcome.err
    assert "2 points were given up, since launches were lost there (" in outcome.err
    assert "ended with status 139): alltoall/native n=8 64 KiB" in outcome.err
    assert "a rank" not in outcome.err
    assert emulation.losses == 4  # of both algorithms, and once more of each
    samples = read_samples(tmp_path / "samples.jsonl")
    assert {sample.m for sample in samples if sample.n == 8} == {
        sample.m for sample in samples if sample.n == 4
    } - {65536}
    assert len(Network.load(tmp_path / "network.json").operations) == 2


def test_what_was_lost_once_is_measured_after_all(study, tmp_path):
    lost = iter([True])
    outcome, _ = study(
        lambda *_: False, is_lost=lambda data: data["experiment"] == "plogp" and next(lost, False)
    )
    assert outcome.code == 0, outcome.err
    assert "given up" not in outcome.err


def test_n_at_which_nothing_starts_leaves_the_others(study, tmp_path):
    outcome, emulation = study(lambda *_: False, is_lost=lambda data: data["n"] == 8)
    assert outcome.code == 0, outcome.err
    assert emulation.losses == 8  # two of each launch, each tried twice
    assert Network.load(tmp_path / "network.json").operations[0].forms


def test_where_everything_dies_a_study_ends_at_once_with_the_reason(study):
    outcome, emulation = study(lambda *_: False, is_lost=lambda _: True)
    assert outcome.code == 1
    assert "ended with status 139" in outcome.err
    assert emulation.losses == 1


def test_where_everything_dies_later_what_is_there_is_reported(study, tmp_path):
    measured = []
    outcome, emulation = study(
        lambda *_: False, is_lost=lambda data: len(measured) > 30 or measured.append(data)
    )
    assert outcome.code == 0, outcome.err
    assert emulation.losses <= 8
    assert (tmp_path / "report.html").is_file()
