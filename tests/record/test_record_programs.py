"""Threads, Fortran and clocks that differ."""

import shutil
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from contend.measure.build import preloaded_library
from contend.programs.traces.kinds import ANY_SOURCE, OpKind
from contend.programs.traces.matching import match
from contend.programs.traces.recording.files import read_rank, read_title
from contend.programs.traces.summary import is_part

pytestmark = [pytest.mark.mpi, pytest.mark.timeout(120)]

SKEWED = Path(__file__).parents[1] / "mpi" / "skewed_clock.c"


# Whether their calls overlap is up to the machine.
@pytest.mark.filterwarnings("ignore:.*threads call MPI at once")
def test_messages_of_many_threads_are_all_there(record):
    done = record("threads.c", ranks=2, buffer=2048)
    assert done.code == 0, done.err
    if "alone" in done.out:
        pytest.skip("this MPI was built without MPI_THREAD_MULTIPLE")
    trace = done.trace
    found = match(trace)
    assert found.sends.size == 2 * 4 * 200
    assert found.lost_sends.size == found.lost_receives.size == 0
    assert Counter(trace.tag[found.sends].tolist()) == dict.fromkeys(range(4), 400)
    waited = sum(trace.list_of(row).size for row in np.flatnonzero(trace.kind == OpKind.WAIT))
    assert waited == 2 * found.sends.size


def test_no_rank_leaves_init_before_all_have_found_their_clocks(record):
    """What the recorder does at the beginning is in no rank's time, nor waited for by another."""
    done = record("ring.c", 2, "finalize", ranks=5)
    assert done.code == 0, done.err
    title = read_title(done.folder)
    files = [read_rank(done.folder, rank, title) for rank in range(5)]
    clocks = [file.records[file.is_kind("clock")]["start"][0] for file in files]
    left = [file.records[file.is_kind("Init")]["end"][0] for file in files]
    assert min(left) >= max(clocks)
    begun = [file.records[file.is_kind("Init")]["start"][0] for file in files]
    assert all(start < clock for start, clock in zip(begun, clocks, strict=True))
    assert done.trace.connected.tolist() == [1, 2, 4, 13]  # 0-1, 0-2, 0-4, 2-3


def test_receives_from_anybody_end_and_are_known_as_left_open(record):
    done = record("anybody.c", 20, ranks=3, buffer=2048)
    assert done.code == 0, done.err
    trace = done.trace
    found = match(trace)
    assert found.sends.size == 20 * 3 * 3 * 2
    assert found.lost_sends.size == found.lost_receives.size == 0
    receives = trace.kind == OpKind.RECEIVE
    assert (trace.asked[receives] == ANY_SOURCE).all()
    assert not trace.asked[~receives].any()
    assert (trace.peer[receives] >= 0).all()


@pytest.mark.parametrize("buffer", [None, 512])
def test_a_wait_for_more_than_a_buffer_holds_is_whole(record, buffer):
    done = record("many.c", ranks=1, buffer=buffer)
    assert (done.code, done.out) == (0, "right\n"), done.err
    trace = done.trace
    waits = np.flatnonzero(trace.kind == OpKind.WAIT)
    waited = np.concatenate([trace.list_of(row) for row in waits])
    assert waited.size == np.unique(waited).size == 6000
    assert (waits.size > 1) == (buffer is not None)
    assert match(trace).sends.size == 3000
    assert len(trace.communicators[int(trace.comm[waits[0] - 1])]) == 1


def fortran_wrapper(mpi):
    """The Fortran wrapper beside the one of C."""
    path = Path(mpi.mpicc)
    names = (path.name.replace("mpicc", name) for name in ("mpifort", "mpif90"))
    return next(
        (str(path.with_name(name)) for name in names if path.with_name(name).exists()), None
    )


def test_both_bindings_of_fortran_are_recorded(record, mpi):
    wrapper = fortran_wrapper(mpi)
    if wrapper is None or shutil.which("gfortran") is None:
        pytest.skip("no Fortran here")
    done = record("fortran.f90", ranks=4, compiler=wrapper)
    assert done.code == 0, done.err
    assert "".join(done.out.split()) == "right" * 4
    trace = done.trace
    calls = Counter(trace.calls[call] for call in trace.call[~is_part(trace)])
    each = ("MPI_Init", "MPI_Irecv", "MPI_Isend", "MPI_Waitall", "MPI_Comm_split", "MPI_Allreduce",
            "MPI_Comm_free", "MPI_Bcast", "MPI_Finalize")  # fmt: skip
    assert {name: calls[name] for name in each} == dict.fromkeys(each, 4)
    found = match(trace)
    assert sorted(trace.bytes[found.receives].tolist()) == [12] * 4 + [20] * 4
    assert found.lost_receives.size == 0


def test_clocks_that_differ_are_made_one(record, mpi, compiled, tmp_path):
    """Every rank ends a barrier after the last has come, by the common clock."""
    clock = compiled(mpi.mpicc, "-shared", "-fPIC", SKEWED)
    script = tmp_path / "with_clock"
    script.write_text(
        "#!/bin/sh\nrank=${OMPI_COMM_WORLD_RANK:-$PMI_RANK}\n"
        f'export SKEW_OFFSET=$((rank * 7)) LD_PRELOAD="{preloaded_library(mpi)}:{clock}"\n'
        'exec "$@"\n'
    )
    script.chmod(0o755)
    done = record("ring.c", 50, "finalize", ranks=3, wrapper=(str(script),))
    assert done.code == 0, done.err
    offsets = [
        float(known["bytes"][0]) / 1e9
        for rank in range(3)
        for file in [read_rank(done.folder, rank, read_title(done.folder))]
        for known in [file.records[file.is_kind("clock")]]
    ]
    assert offsets == pytest.approx([0, -7, -14], abs=1e-3)
    trace = done.trace
    barrier = np.flatnonzero(trace.kind == OpKind.BARRIER)
    assert trace.start[barrier].max() <= trace.end[barrier].min() + 50e-6
