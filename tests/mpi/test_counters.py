"""Counters of an emulated network, load of the cores and waits for them, beside every point."""

import mmap
import os
import struct
import threading
from contextlib import contextmanager

import pytest

from contend.measure.build import build
from contend.measure.command import LaunchOptions, command_line, settings
from contend.measure.launch import run

pytestmark = pytest.mark.mpi

QUICK = LaunchOptions(
    max_seconds=2.0, min_repetitions=2000, max_repetitions=2000, precision=1e-9, timeout=30
)
SIZES = (64, 4096)
# So long that a counter grows meanwhile, also where ranks that wait actively have the processors.
LASTING = LaunchOptions(
    max_seconds=2.0, min_repetitions=100, max_repetitions=100, precision=1e-9, timeout=30
)
LONG = (2**20, 2**22)
UNBOUND = {  # Open MPI 4 and 5 else bind ranks to cores of their own
    "OMPI_MCA_hwloc_base_binding_policy": "none", "PRTE_MCA_hwloc_default_binding_policy": "none",
}  # fmt: skip
FIRST = {
    "frames": 5, "drops": 7, "late_le:1000": 2**40, "queue:a": 3, "peak:a": 900, "peak:b": 0,
    "bytes:host 1 \u2192 2": 2**63,
}  # fmt: skip


@pytest.fixture(scope="module")
def exchange(mpi):
    return build(mpi)["alltoall_rotated"]


def write(path, entries, magic=b"contend1"):
    """A counters file."""
    body = b"".join(struct.pack("=56sQ", name.encode(), value) for name, value in entries.items())
    path.write_bytes(struct.pack("=8sII", magic, len(entries), 0) + body)
    return path


def points(mpi, program, path, options=QUICK, sizes=SIZES, core=None):
    """The lines of a launch's points, of ranks that all have the same core if one is given."""
    command = command_line(mpi, program, 2, sizes, options)
    variables = settings(mpi, 2, options) | {"CONTEND_COUNTERS": str(path)}
    if core is not None:
        command = ["taskset", "--cpu-list", str(core), *command]
        variables |= UNBOUND
    limits = (options.start_timeout(mpi), options.point_timeout())
    return [line for line in run(command, variables, *limits) if line["kind"] == "point"]


@contextmanager
def counting(path, steps):
    """Meanwhile some counters grow by their steps, over and over."""
    places = {name: 16 + 64 * number + 56 for number, name in enumerate(FIRST)}
    is_over = threading.Event()
    with path.open("r+b") as file, mmap.mmap(file.fileno(), 0) as memory:

        def count():
            while not is_over.wait(1e-4):
                for name, step in steps.items():
                    (value,) = struct.unpack_from("=Q", memory, places[name])
                    struct.pack_into("=Q", memory, places[name], value + step)

        thread = threading.Thread(target=count)
        thread.start()
        try:
            yield
        finally:
            is_over.set()
            thread.join()


def epoch(path):
    return int(struct.unpack_from("=8sII", path.read_bytes())[2])


def test_what_grew_is_told_with_its_difference(mpi, exchange, tmp_path):
    path = write(tmp_path / "counters", FIRST)
    with counting(path, {"frames": 1, "queue:a": 5, "bytes:host 1 \u2192 2": 3}):
        found = [point["counters"] for point in points(mpi, exchange, path, LASTING, LONG)]
    assert len(found) == len(LONG)
    name = "bytes:host 1 \u2192 2".encode().decode("latin-1")
    for counters in found:
        assert counters.keys() == {"frames", "peak:a", name}
        assert 0 < counters["frames"] < 10**6
        assert counters[name] == pytest.approx(3 * counters["frames"], abs=3)
        assert counters["peak:a"] == 900


def test_where_messages_are_lost_both_modes_can_be_told(mpi, exchange, tmp_path):
    """A point without losses ends when its time is over, one with losses has ten repetitions."""
    path = write(tmp_path / "counters", FIRST)
    brief = LaunchOptions(max_seconds=1e-3, min_repetitions=5, precision=1e-9, timeout=30)
    (lossless,) = points(mpi, exchange, path, brief, (2**23,))
    with counting(path, {"drops": 1}):
        (lossy,) = points(mpi, exchange, path, brief, (2**23,))
    assert len(lossless["times_s"]) <= 5
    assert len(lossy["times_s"]) == 10
    assert lossy["stopped"] == "max_seconds"


def test_every_point_begins_an_epoch(mpi, exchange, tmp_path):
    path = write(tmp_path / "counters", FIRST)
    assert [p["counters"] for p in points(mpi, exchange, path)] == [{"peak:a": 900}] * len(SIZES)
    assert epoch(path) == len(SIZES)


@pytest.mark.parametrize("flaw", ["absent", "empty", "short", "magic", "name", "folder", "unnamed"])
def test_a_file_that_is_none_is_as_if_there_were_none(mpi, exchange, tmp_path, flaw):
    path = write(tmp_path / "counters", FIRST, b"contend0" if flaw == "magic" else b"contend1")
    whole = path.read_bytes()
    if flaw in ("absent", "folder"):
        path.unlink()
    if flaw == "folder":
        path.mkdir()
    if flaw in ("empty", "short", "name"):
        changed = {"empty": b"", "short": whole[:-1], "name": whole[:16] + b"x" * 56 + whole[72:]}
        path.write_bytes(changed[flaw])
    options = LaunchOptions(max_seconds=0.05, min_repetitions=5, timeout=30)
    found = points(mpi, exchange, "" if flaw == "unnamed" else path, options)
    assert len(found) == len(SIZES)
    assert not any("counters" in point for point in found)


def test_the_cores_are_busy_for_a_share_that_only_a_long_point_knows(mpi, exchange):
    long = LaunchOptions(max_seconds=1.0, max_repetitions=10**6, precision=1e-9, timeout=30)
    short = LaunchOptions(max_seconds=0.02, min_repetitions=5, max_repetitions=5, timeout=30)
    # a machine that stalls during the warm-up leaves little of the second
    lasting = [p for p in points(mpi, exchange, "", long, (2**22,)) if sum(p["times_s"]) > 0.11]
    assert lasting
    assert all(0 < point["cpu_busy"] <= 1 for point in lasting)
    assert None in [point["cpu_busy"] for point in points(mpi, exchange, "", short)]


def test_ranks_that_share_a_core_wait_for_it(mpi, exchange):
    options = LaunchOptions(max_seconds=0.5, max_repetitions=10**6, precision=1e-9, timeout=30)
    found = points(mpi, exchange, "", options, (2**20,), min(os.sched_getaffinity(0)))
    assert all(0.2 < point["cpu_wait"] <= 1 for point in found)
    found = points(mpi, exchange, "", options, (2**20,))
    assert all(0 <= point["cpu_wait"] <= 1 for point in found)
