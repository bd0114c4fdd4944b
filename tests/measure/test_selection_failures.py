"""Whose fault a failed launch is, by launches that are simulated."""

from pathlib import Path

import pytest

from contend.base.errors import LaunchError
from contend.base.records import RecordStore
from contend.measure.command import LaunchOptions
from contend.measure.mpi import MPI
from contend.measure.runner import Runner
from contend.measure.selection.campaign import ForcedCampaign, reason
from contend.measure.selection.controls import Controls
from contend.measure.selection.exclusions import LeftOut, path_beside
from contend.measure.selection.offer import Offer, Setting, plan_forced
from contend.samples import Provenance, Sample, SampleStore
from contend.samples.setting import NATIVE

NAMES = (NATIVE, "a:one", "a:two", "a:bad")
SIZES = (64, 1024)
MPICH = MPI("mpicc", ("mpiexec",), "MPICH", "5.0")


def sample_of(launch, setting, m):
    return Sample(
        experiment="bcast", algorithm=setting, n=launch.n, m=m, launch=launch.number,
        times_s=(1e-5,), start="window", provenance=Provenance(source="contend"),
    )  # fmt: skip


def simulated(monkeypatch, tmp_path, ends, launches=6):
    """A campaign whose launches end where `ends` of what was and what is to be measured says."""

    def samples_of(campaign, launch):
        campaign._has_begun = True
        order = [(one, m) for m in launch.sizes for one in launch.program.algorithms]
        for before, (setting, m) in zip([None, *order], [*order, (None, None)], strict=True):
            if ends(before and before[0], setting):
                raise LaunchError(f"forced with n=3, launch 0, at bcast/{setting} m={m}: it died")
            if setting:
                yield sample_of(launch, setting, m)

    monkeypatch.setattr(ForcedCampaign, "_samples_of", samples_of)
    nothing = {name: Controls({}, {}, {}, {}) for name in NAMES}
    offer = Offer("bcast", "bcast", tuple(map(Setting, NAMES)), nothing)
    path = tmp_path / "samples.jsonl"
    plan = plan_forced([offer], Path("forced"), (3,), SIZES, launches, seed=1)
    with SampleStore(path) as store, RecordStore(LeftOut, path_beside(path)) as failures:
        campaign = ForcedCampaign([offer], failures, Runner(MPICH, LaunchOptions()), store)
        campaign.carry_out(plan)
    return campaign


def measured(campaign, setting):
    return {(one.m, one.launch) for one in campaign.samples if one.setting == setting}


def everything(launches=6):
    return {(m, number) for m in SIZES for number in range(launches)}


def test_what_dies_is_left_out_and_everything_else_is_measured(monkeypatch, tmp_path):
    campaign = simulated(monkeypatch, tmp_path, lambda before, now: now == "a:bad")
    assert [one.setting for one in campaign.left_out] == ["a:bad"]
    assert campaign.left_out[0].reason == "it died"
    for name in NAMES[:3]:
        assert measured(campaign, name) == everything()
    assert not measured(campaign, "a:bad")


def test_a_default_that_fails_behind_one_setting_is_not_the_one_that_fails(monkeypatch, tmp_path):
    campaign = simulated(
        monkeypatch, tmp_path, lambda before, now: (before, now) == ("a:bad", NATIVE)
    )
    (one,) = campaign.left_out
    assert (one.setting, one.reason) == ("a:bad", "the default fails behind it: it died")
    for name in NAMES[:3]:
        assert measured(campaign, name) == everything()


def test_a_default_that_always_fails_ends_the_campaign(monkeypatch, tmp_path):
    with pytest.raises(LaunchError, match="it died"):
        simulated(monkeypatch, tmp_path, lambda before, now: now == NATIVE)


def test_where_everything_fails_no_setting_is_blamed_for_it(monkeypatch, tmp_path):
    with pytest.raises(LaunchError, match="it died"):
        simulated(monkeypatch, tmp_path, lambda before, now: True)
    assert not path_beside(tmp_path / "samples.jsonl").exists()


def test_a_launch_that_fails_at_its_end_loses_nothing(monkeypatch, tmp_path):
    campaign = simulated(monkeypatch, tmp_path, lambda before, now: now is None)
    assert campaign.left_out == []
    assert campaign.loss == "it died"
    for name in NAMES:
        assert measured(campaign, name) == everything()


@pytest.mark.parametrize(
    ("message", "said"),
    [
        (
            "forced with n=4, launch 1, at barrier/mpich:smp m=0: the launch ended with status 1:\n"
            "  contend: contend: bench/barrier.c:14: MPI_Barrier(point->comm) failed with code "
            "7: Other MPI error, error stack:\n  internal_Barrier(84)",
            "the launch ended with status 1: MPI_Barrier: Other MPI error",
        ),
        ("forced with n=2, launch 0: the launch said nothing", "the launch said nothing"),
        ("x" * 300, "x" * 160 + "..."),
    ],
)
def test_how_it_failed_is_one_short_line(message, said):
    assert reason(message) == said
