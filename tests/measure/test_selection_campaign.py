"""Algorithms forced on a real library: they are in effect, and those that fail are left out."""

import re
from dataclasses import replace
from pathlib import Path

import pytest

from contend.base.errors import LaunchError
from contend.base.records import RecordStore
from contend.measure.build import built_folder
from contend.measure.runner import Runner
from contend.measure.selection.campaign import ForcedCampaign
from contend.measure.selection.controls import Controls, InstalledLibrary
from contend.measure.selection.exclusions import LeftOut, path_beside
from contend.measure.selection.measure import ForcedDesign, measure_forced, plan_of
from contend.measure.selection.offer import Offer, Setting, plan_forced, settings_of
from contend.samples import SampleStore
from contend.samples.setting import NATIVE
from contend.schedules.libraries import library_of

pytestmark = pytest.mark.mpi
SOURCE = Path(__file__).parents[1] / "mpi" / "wrong_collectives.c"
BLOCK = 5000  # bytes, more than any message by which ranks start together


def measured(mpi, chosen, quick, path):
    with SampleStore(path) as store:
        return measure_forced(Runner(mpi, quick), plan_of(mpi, chosen), store)


def carried_out(mpi, offer, quick, path, sizes=(64,), n=3, launches=1):
    """A campaign of settings that no library has."""
    launches = plan_forced([offer], built_folder(mpi) / "forced", (n,), sizes, launches, seed=1)
    with SampleStore(path) as store, RecordStore(LeftOut, path_beside(path)) as failures:
        campaign = ForcedCampaign([offer], failures, Runner(mpi, quick), store)
        campaign.carry_out(launches)
    return campaign


def offer_of(controls):
    everything = {NATIVE: Controls({}, {}, {}, {})} | controls
    return Offer("bcast", "bcast", tuple(Setting(name) for name in everything), everything)


@pytest.mark.parametrize("operation", ["allgather", "barrier"])
def test_every_algorithm_is_measured_beside_the_default(any_mpi, operation, quick, tmp_path):
    chosen = ForcedDesign((operation,), (3,), (64,), launches=1)
    campaign = measured(any_mpi, chosen, quick, tmp_path / "samples.jsonl")
    planned = {one.name for one in campaign._offers[operation].settings if one.serves(3, 64)}
    failed = {one.setting for one in campaign.left_out}
    assert {one.setting for one in campaign.samples} == planned - failed
    assert NATIVE in planned - failed
    assert len(planned - failed) > 2
    for one in campaign.samples:
        there = {line.partition("=")[0] for line in one.provenance.environment}
        own = {s.name: s.variables for s in campaign._offers[operation].settings}[one.setting]
        assert own.keys() <= there
        assert one.provenance.mpi_library


def test_what_is_measured_for_rules_has_what_stands_beside_them(any_mpi, monkeypatch):
    library, _ = library_of(any_mpi.title)
    for name in library.alongside:
        monkeypatch.delenv(name, raising=False)
    chosen = ForcedDesign(("allgather",), (3,), (64,), launches=1)
    words = {f"{name}={value}" for name, value in library.alongside.items()}
    for one in plan_of(any_mpi, chosen, is_for_rules=True).launches:
        assert words <= set(one.program.before)
    for one in plan_of(any_mpi, chosen).launches:
        assert not words & set(one.program.before)


def test_segments_are_parameters_and_points_of_their_own(mpi, quick, tmp_path):
    chosen = ForcedDesign(("gather",), (2,), (16384,), (2048, 4096), launches=1)
    path = tmp_path / "samples.jsonl"
    campaign = measured(mpi, chosen, quick, path)
    segmented = [one for one in campaign.samples if one.parameters]
    if not segmented:
        pytest.skip(f"{mpi.title} has no gather with segments")
    assert {one.parameters["segment"] for one in segmented} == {2048, 4096}
    assert len({one.point for one in campaign.samples}) == len(campaign.samples)
    before = path.read_bytes()
    assert len(measured(mpi, chosen, quick, path).samples) == len(campaign.samples)
    assert path.read_bytes() == before  # all of it was there


def peers_of_long_messages(folder):
    """The bytes that rank 0 has sent in long messages, by peer, as Open MPI has counted them."""
    text = (folder / "sent.0.prof").read_text()
    found = {}
    for peer, counts in re.findall(r"^[EI]\t0\t(\d+)\t.*sent\t([\d,]+)$", text, re.MULTILINE):
        long_ones = {bin_: int(n) for bin_, n in enumerate(counts.split(",")) if bin_ > 12}
        if any(long_ones.values()):
            found[int(peer)] = max(bin_ for bin_, n in long_ones.items() if n)
    return found


@pytest.mark.parametrize(
    ("number", "peers"),
    [(1, {1: 13, 2: 13, 3: 13}), (3, {1: 14, 2: 14})],  # 2^(bin-1) bytes and more
)
def test_the_messages_are_those_of_the_algorithm(any_mpi, number, peers, quick, tmp_path):
    """A linear exchange sends a block to everybody, Bruck's two blocks at a time to two."""
    variables = {
        "OMPI_MCA_coll_tuned_use_dynamic_rules": "1",
        "OMPI_MCA_coll_tuned_alltoall_algorithm": str(number),
    }
    assert sent(any_mpi, "alltoall_native", variables, quick, tmp_path) == peers


@pytest.mark.parametrize(("radix", "peers"), [(2, {1, 2}), (3, {1, 2, 3})])
def test_a_fan_out_is_how_many_the_root_sends_to(any_mpi, radix, peers, quick, tmp_path):
    if any_mpi.family != "Open MPI":
        pytest.skip("only Open MPI has this tree")
    (setting,) = (
        one
        for one in settings_of(*library_of(any_mpi.title), "bcast", (), (2, 3))
        if one.name == f"openmpi:knomial,k={radix}"
    )
    assert setting.serves(4, BLOCK)
    assert sent(any_mpi, "bcast", setting.variables, quick, tmp_path).keys() == peers


def sent(mpi, experiment, variables, quick, folder):
    """Bytes that rank 0 of 4 sends in long messages, by peer, under variables; Open MPI only."""
    if mpi.family != "Open MPI":
        pytest.skip("Open MPI alone counts its messages")
    controls = InstalledLibrary(built_folder(mpi) / "forced").controls(variables)
    numbers = {str(to) for to in controls.written.values()}
    assert numbers >= set(variables.values()) - {"0", "1"} - set(controls.harmless.values())
    counting = {
        "OMPI_MCA_pml_monitoring_enable": "2",
        "OMPI_MCA_pml_monitoring_enable_output": "3",
        "OMPI_MCA_pml_monitoring_filename": str(folder / "sent"),
    }
    forced = Controls(controls.written, counting, controls.harmless, variables)
    operation = experiment.removesuffix("_native")
    offer = Offer(operation, experiment, (Setting("test:it"),), {"test:it": forced})
    campaign = carried_out(mpi, offer, quick, folder / "samples.jsonl", (BLOCK,), n=4)
    assert [one.algorithm for one in campaign.samples] == ["test:it"]
    return peers_of_long_messages(folder)


def test_a_number_that_is_no_algorithm_is_left_out_and_not_tried_again(any_mpi, quick, tmp_path):
    name = {
        "Open MPI": "coll_tuned_bcast_algorithm",
        "MPICH": "MPIR_CVAR_BCAST_INTRA_ALGORITHM",
    }.get(any_mpi.family)
    if name is None:
        pytest.skip("an algorithm of this library is not forced while it runs")
    offer = offer_of({"a:wrong": Controls({name: 99}, {}, {}, {}),
                      "a:right": Controls({name: 1}, {}, {}, {})})  # fmt: skip
    path = tmp_path / "samples.jsonl"
    campaign = carried_out(any_mpi, offer, quick, path, (64, 256), launches=2)
    assert [(one.setting, one.n) for one in campaign.left_out] == [("a:wrong", 3)]
    assert {(one.setting, one.m, one.launch) for one in campaign.samples} == {
        (setting, m, number) for setting in (NATIVE, "a:right") for m in (64, 256)
        for number in (0, 1)
    }  # fmt: skip
    before = path.read_bytes(), path_beside(path).read_bytes()
    again = carried_out(any_mpi, offer, quick, path, (64, 256), launches=2)
    assert (path.read_bytes(), path_beside(path).read_bytes()) == before
    assert [one.title for one in again.left_out] == [one.title for one in campaign.left_out]


@pytest.mark.parametrize(
    ("wrong", "reason"),
    [("received", "wrong data on rank"), ("hangs", "printed nothing for 2")],
)
def test_a_setting_that_gives_wrong_data_or_hangs_is_left_out(
    mpi, compiled, wrong, reason, quick, tmp_path
):
    library = compiled(mpi.mpicc, "-shared", "-fPIC", SOURCE)
    fixed = {"LD_PRELOAD": str(library), "WRONG": wrong}
    offer = offer_of({"a:wrong": Controls({}, fixed, {}, {})})
    options = replace(quick, patience=2.0)
    campaign = carried_out(mpi, offer, options, tmp_path / "samples.jsonl", (64, 4000), launches=2)
    (one,) = campaign.left_out
    assert (one.setting, one.m) == ("a:wrong", 4000)
    assert reason in one.reason
    right = {(s.m, s.launch) for s in campaign.samples if s.setting == NATIVE}
    assert right == {(64, 0), (64, 1), (4000, 0), (4000, 1)}


def test_what_fails_is_said_in_a_line(mpi, quick, tmp_path):
    offer = offer_of({"a:odd": Controls({"no_such_variable": 1}, {}, {}, {})})
    campaign = carried_out(mpi, offer, quick, tmp_path / "samples.jsonl")
    (one,) = campaign.left_out
    assert "a:odd: the library does not take 1 for no_such_variable" in one.reason
    assert "\n" not in one.title
    assert one.m == 64


def test_variables_under_which_the_library_does_not_start_leave_out_all_that_need_them(
    mpi, quick, tmp_path
):
    offer = offer_of({"a:b": Controls({}, {"LD_PRELOAD": "/nonexistent.so", "PATH": ""}, {}, {}),
                      "a:c": Controls({}, {}, {}, {})})  # fmt: skip
    campaign = carried_out(mpi, offer, quick, tmp_path / "samples.jsonl")
    assert {(one.setting, one.m) for one in campaign.left_out} <= {("a:b", None)}
    assert {NATIVE, "a:c"} <= {one.setting for one in campaign.samples}


def test_a_default_that_fails_is_an_error(mpi, quick, tmp_path):
    controls = {NATIVE: Controls({"no_such_variable": 1}, {}, {}, {})}
    offer = Offer("bcast", "bcast", (Setting(NATIVE),), controls)
    with pytest.raises(LaunchError, match="bcast/native m=64"):
        carried_out(mpi, offer, quick, tmp_path / "samples.jsonl")


def test_a_library_is_asked_what_it_takes(any_mpi):
    library = InstalledLibrary(built_folder(any_mpi) / "forced")
    assert any_mpi.version.split("-")[0] in library.version
    absent = {"OMPI_MCA_coll_absent_enable": "0"}  # of a component that is not there
    controls = library.controls({"NO_SUCH_VARIABLE": "1"} | absent)
    assert (controls.written, controls.fixed) == ({}, {"NO_SUCH_VARIABLE": "1"})
    assert controls.harmless == absent
    with pytest.raises(LaunchError, match="no parameter coll_tuned_bcast_absent"):
        library.controls({"OMPI_MCA_coll_tuned_bcast_absent": "1"})
