"""Grid'5000's point-to-point measurements: half round trips and overheads."""

import gzip

import numpy as np
import pytest
from cases import asked, check, gives, refused

from contend.samples.reader import READERS, ReadOptions, recognise

PINGPONG = """\
MPI_Send,1024,3.000000,1.000000e-06
MPI_Recv,1024,3.000000,5.000000e-06
MPI_Send,8,1.000000,0.500000e-06
MPI_Recv,8,1.000000,1.500000e-06
MPI_Send,1024,2.000000,2.000000e-06
MPI_Recv,1024,2.000000,6.000000e-06
"""
CASES = {
    "half the send and its reply is half a round trip, in the order of starts": gives(
        PINGPONG, "where all_us statistic processes_per_node provenance.source",
        ("pingpong/half_round_trip n=2 m=8 launch 0", [1.0], "repetition", 1,
         "platform_calibration: run.txt"),
        ("pingpong/half_round_trip n=2 m=1024 launch 0", [4.0, 3.0], "repetition", 1,
         "platform_calibration: run.txt"),
        processes_per_node=1,
    ),
    **{
        f"{operation} alone is an overhead of pLogP": gives(
            f"{operation},64,0.5,2e-6\n{operation},64,0.25,3e-6\n", "where all_us",
            (f"plogp/{algorithm} n=2 m=64 launch 0", [3.0, 2.0]),
        )
        for operation, algorithm in (
            ("MPI_Isend", "send_overhead"), ("MPI_Recv", "receive_overhead")
        )
    },
    **{
        operation: refused(f"{operation},1,0.5,2e-6\n", f"holds {operation}; name a PingPong")
        for operation in ("MPI_Iprobe", "MPI_Test", "MPI_Wtime")
    },
    **{
        f"{bad!r} for {good!r}": refused(PINGPONG.replace(good, bad), problem)
        for good, bad, problem in (
            ("MPI_Recv,8,", "MPI_Send,8,", "line 3: no MPI_Send followed by"),
            ("MPI_Recv,8,", "MPI_Recv,9,", "line 3: no MPI_Send followed by"),
            ("MPI_Recv,8,1.0", "MPI_Recv,8,1.5", "line 3: no MPI_Send followed by"),
            ("MPI_Recv,1024,2.000000,6.000000e-06\n", "", "line 5: no MPI_Send followed by"),
            ("0.500000e-06", "-0.5", "line 3: duration is '-0.5'"),
            ("0.500000e-06", "nan", "line 3: duration is 'nan'"),
            ("Recv,8,1.000000", "Recv,8,late", "line 4: start is 'late'"),
            ("MPI_Recv,8,", "MPI_Recv,8.5,", "line 4: bytes is '8.5'"),
            ("MPI_Recv,8,", "MPI_Recv,8,8,", "line 4: 5 fields where 4 are due"),
        )
    },
    "other columns": refused("MPI_Send,8\n", "line 1: 2 columns where"),
    **{
        f"the option {name}": asked(PINGPONG, r"leave --?.* out", **{name: value})
        for name, value in (("n", 4), ("experiment", "alltoall"), ("algorithm", "native"))
    },
}  # fmt: skip
KINDS = {
    "PingPong": ("pingpong", "half_round_trip"),
    "Isend": ("plogp", "send_overhead"),
    "Recv": ("plogp", "receive_overhead"),
}


@pytest.mark.parametrize("claim", CASES)
def test_what_is_read(tmp_path, claim):
    check("platform_calibration", tmp_path, CASES[claim])


def test_a_packed_file_is_read(tmp_path):
    path = tmp_path / "run.csv.gz"
    path.write_bytes(gzip.compress(PINGPONG.encode()))
    assert len(list(READERS.get("platform_calibration").read(path, ReadOptions()))) == 2


@pytest.mark.parametrize(
    "files", ["taurus/taurus-2016-06-09--1", "stampede/testplatform", "graphene_eth/graphene_eth"]
)
@pytest.mark.parametrize("part", KINDS)
def test_the_files_of_three_clusters_are_recognised_and_read(shared_data, files, part):
    path = shared_data(f"grid5000_pointtopoint/{files}_{part}.csv.gz")
    reader = recognise(path)
    assert reader.name == "platform_calibration"
    samples = list(reader.read(path, ReadOptions()))
    sizes = [s.m for s in samples]
    assert {(s.experiment, s.algorithm, s.n) for s in samples} == {(*KINDS[part], 2)}
    assert len(sizes) == 490
    assert sizes == sorted(set(sizes))


def test_half_a_round_trip_on_ethernet_approaches_its_rate(shared_data):
    path = shared_data("grid5000_pointtopoint/graphene_eth/graphene_eth_PingPong.csv.gz")
    samples = list(READERS.get("platform_calibration").read(path, ReadOptions()))
    rates = np.array([s.m / s.median for s in samples if s.m > 500_000])
    assert (rates < 125e6).all()  # 1 Gbit/s
    assert (rates > 0.75 * 125e6).all()
