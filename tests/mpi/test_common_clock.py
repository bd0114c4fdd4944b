"""One clock for all ranks: which ranks read the same, and which clocks serve no window."""

import ctypes
import shutil
import subprocess
from dataclasses import replace

import numpy as np
import pytest

from contend.measure.build import build
from contend.measure.command import LaunchOptions, command_line, settings
from contend.measure.launch import run
from contend.measure.messages import PROCESS, program_sending
from contend.samples.messages import Sent
from support.clocks import RANK, Clock, launch_here, with_clocks

pytestmark = pytest.mark.mpi
QUICK = LaunchOptions(max_seconds=0.2, min_repetitions=20, max_repetitions=20, timeout=30)


def by_rank(mpi, folder, clocks, start="auto"):
    options = LaunchOptions(**{**QUICK.__dict__, "start": start})
    return launch_here(mpi, folder, clocks, options)


def test_ranks_that_read_one_clock_need_no_synchronising(mpi, tmp_path):
    seen = by_rank(mpi, tmp_path, [Clock(), Clock(), Clock()])
    assert (seen.launch["clocks"], seen.launch["start"]) == (1, "window")
    assert (seen.point["start_skew_s"], seen.point["start_skew_bound_s"]) == (0.0, 0.0)


def test_one_kernel_is_no_proof_of_one_clock(mpi, tmp_path):
    """They are under one kernel and in one time namespace, and yet messages contradict."""
    seen = by_rank(mpi, tmp_path, [Clock(), Clock(3e-3), Clock(-2e-3, 50e-6)])
    assert (seen.launch["clocks"], seen.launch["start"]) == (3, "window")
    assert seen.launch["start_note"] == ""
    assert seen.true_skew < 1e-3
    assert seen.point["start_skew_s"] < 1e-3


def test_clocks_days_apart_are_synchronised(mpi, tmp_path):
    seen = by_rank(mpi, tmp_path, [Clock(), Clock(1e6)])
    assert seen.true_skew < 1e-3


def test_a_clock_that_drifts_within_a_launch_is_found(mpi, tmp_path):
    """At first the two agree: what begins as one clock is looked at again."""
    seen = by_rank(mpi, tmp_path, [Clock(), Clock(0.0, 0.05)], "window")
    assert seen.point["start_skew_s"] > 0


def test_clocks_that_jump_are_not_used(mpi, tmp_path):
    seen = by_rank(mpi, tmp_path, [Clock(), Clock(20e-3, jump=9e-3)])
    assert seen.launch["start"] == seen.point["start"] == "barrier"
    assert "could not be synchronised" in seen.launch["start_note"]
    assert seen.point["start_skew_s"] is None


def test_ends_of_messages_are_by_the_common_clock(mpi, tmp_path):
    """By their own clocks, one would end 50 ms before it begins, and one 50 ms too late."""
    clocks = [Clock(), Clock(-50e-3, 100e-6), Clock(50e-3)]
    fan = Sent("graph", ((0, 1), (0, 2)), "fan")
    with program_sending(mpi, [fan], 3, PROCESS) as program:
        watched = with_clocks(mpi, tmp_path, clocks, program)
        command = command_line(mpi, watched, 3, [1000], QUICK)
        lines = list(run(command, settings(mpi, 3, QUICK), QUICK.timeout, QUICK.timeout))
    middles = np.median(lines[1]["part_ends_s"], axis=0)
    assert 0 < middles.min() <= middles.max() < 25e-3
    assert lines[0]["clocks"] == 3


def test_ranks_in_two_time_namespaces_have_two_clocks(mpi, tmp_path):
    apart = ["unshare", "--time", "--monotonic", "500", "--fork"]
    if shutil.which(apart[0]) is None or subprocess.run([*apart, "true"], check=False).returncode:
        pytest.skip("no time namespaces are allowed here")
    program, script = build(mpi)["alltoall_native"], tmp_path / "apart"
    script.write_text(
        f'#!/bin/sh\ncase {RANK} in 1) exec {" ".join(apart)} "$@";; esac\nexec "$@"\n'
    )
    script.chmod(0o755)
    command = command_line(
        mpi, replace(program, path=script, arguments=(str(program.path),)), 3, [64], QUICK
    )
    lines = list(run(command, settings(mpi, 3, QUICK), QUICK.timeout, QUICK.timeout))
    assert (lines[0]["clocks"], lines[0]["start"]) == (2, "window")
    assert max(lines[1]["times_s"]) < 400


class Offset(ctypes.Structure):
    """As struct contend_offset."""

    _fields_ = [(name, ctypes.c_double) for name in ("at", "low", "high")]


class Offsets(ctypes.Structure):
    """As struct contend_offsets."""

    _fields_ = [("kept", Offset * 32), ("count", ctypes.c_size_t)]


class Model(ctypes.Structure):
    """As struct contend_clock_model."""

    _fields_ = [(name, ctypes.c_double) for name in ("at", "offset", "drift")]

    def __call__(self, reading):
        return float(reading + self.offset + self.drift * (reading - self.at))


@pytest.fixture(scope="module")
def drift(load_common):
    library = load_common("drift")
    library.contend_note_offset.argtypes = [ctypes.POINTER(Offsets), Offset]
    library.contend_note_offset.restype = None
    library.contend_fit_clock.argtypes = [ctypes.POINTER(Offsets)]
    library.contend_fit_clock.restype = Model
    library.contend_misfit.argtypes = [ctypes.POINTER(Offsets), ctypes.POINTER(Model)]
    library.contend_misfit.restype = ctypes.c_double
    library.contend_chain_clocks.argtypes = [ctypes.POINTER(Model), ctypes.POINTER(Model)]
    library.contend_chain_clocks.restype = Model
    return library


def fitted(drift, times, delayed, rng):
    """Model of a clock 7 s ahead and 80 millionths faster, from exchanges of 10 us each way."""
    offsets = Offsets()
    for time in times:
        true, late = 7.0 + 80e-6 * time, rng.exponential(delayed, 2)
        drift.contend_note_offset(
            offsets, Offset(time, true - 10e-6 - late[0], true + 10e-6 + late[1])
        )
    return drift.contend_fit_clock(offsets), offsets


def test_offset_and_drift_come_out_in_spite_of_delays(drift):
    rng = np.random.default_rng(1)
    errors = []
    for _ in range(100):
        model, _ = fitted(drift, np.linspace(0, 0.5, 10), 20e-6, rng)
        errors.append(model(1.0) - (1.0 + 7.0 + 80e-6))
    assert np.percentile(np.abs(errors), 90) < 25e-6
    assert abs(np.median(errors)) < 3e-6


def test_a_model_that_messages_contradict_says_by_how_much(drift):
    model, offsets = fitted(drift, np.linspace(0, 0.5, 10), 20e-6, np.random.default_rng(1))
    assert drift.contend_misfit(offsets, model) < 10e-6
    drift.contend_note_offset(offsets, Offset(0.6, 7.005 - 10e-6, 7.005 + 10e-6))
    assert 2e-3 < drift.contend_misfit(offsets, drift.contend_fit_clock(offsets)) < 5e-3


def test_a_first_look_alone_tells_no_drift(drift):
    model, _ = fitted(drift, [0.0, 1e-4], 20e-6, np.random.default_rng(1))
    assert abs(model.drift) < 5e-6


def test_old_offsets_are_forgotten_but_for_a_few(drift):
    rng = np.random.default_rng(1)
    assert fitted(drift, range(40), 1e-6, rng)[1].count == 21
    assert fitted(drift, range(0, 400, 10), 1e-6, rng)[1].count == 8
    assert fitted(drift, np.linspace(0, 1, 100), 1e-6, rng)[1].count == 32


def test_chained_models_are_one_after_the_other(drift):
    inner, outer = Model(3.0, 0.5, 1e-4), Model(9.0, -2.0, -3e-5)
    both = drift.contend_chain_clocks(outer, inner)
    for reading in (3.0, 50.0, 1000.0):
        assert both(reading) == pytest.approx(outer(inner(reading)), abs=1e-12)
