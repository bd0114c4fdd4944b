"""What a printed size means, by benchmark, version and operation.

IMB: bytes that the calls of IMB-MPI1 had on 4 ranks, counted by an interposer of the MPI calls, for
1024 bytes printed; 2018 is the same source built with -DIMB2018. OSU, nccl-tests and ReproMPI: by
the counts that their sources pass on.
"""

import pytest

from contend.samples.reader import ReadOptions, recognise

N, PRINTED = 4, 1024
BLOCK, PART = PRINTED, PRINTED // N
IMB = {  # bytes of a rank's block, or of the message
    "2021.11": {
        "Allgather": 1024, "Allgatherv": 1024, "Allreduce": 1024, "Alltoall": 1024,
        "Alltoallv": 1024, "Bcast": 1024, "Gatherv": 1024, "Reduce": 1024, "Reduce_scatter": 1024,
        "Reduce_scatter_block": 1024, "Scatter": 1024, "Scatterv": 1024,
    },
    "2018": {
        "Allgather": 1024, "Alltoall": 1024, "Bcast": 1024, "Reduce": 1024, "Reduce_scatter": 256,
        "Reduce_scatter_block": 1024,
    },
}  # fmt: skip
OSU = {
    "All-to-All Personalized Exchange": BLOCK, "All-to-Allv Personalized Exchange": BLOCK,
    "Allgather": BLOCK, "Allgatherv": BLOCK, "Gather": BLOCK, "Gatherv": BLOCK, "Scatter": BLOCK,
    "Scatterv": BLOCK, "Broadcast": PRINTED, "Reduce": PRINTED, "Allreduce": PRINTED,
    "Reduce_scatter": PART, "Reduce_scatter_block": PART,
}  # fmt: skip
NCCL = {
    "all_gather": PART, "reduce_scatter": PART, "alltoall": PART, "gather": PART, "scatter": PART,
    "all_reduce": PRINTED, "reduce": PRINTED, "broadcast": PRINTED,
}  # fmt: skip


def m_of(tmp_path, text, **options):
    path = tmp_path / "log.txt"
    path.write_text(text)
    (sample,) = recognise(path).read(path, ReadOptions(**options))  # type: ignore[arg-type]
    return sample.m


@pytest.mark.parametrize(
    ("version", "operation"), [(version, name) for version, names in IMB.items() for name in names]
)
def test_of_imb(tmp_path, version, operation):
    text = f"""\
#----------------------------------------------------------------
#    Intel(R) MPI Benchmarks {version}, MPI-1 part
#----------------------------------------------------------------
# Date                  : Sat Nov 28 23:38:23 2026
#
# MPI_Datatype                   :   MPI_BYTE{" "}
# MPI_Datatype for reductions    :   MPI_FLOAT{" "}
# MPI_Op                         :   MPI_SUM {" "}

#----------------------------------------------------------------
# Benchmarking {operation}{" "}
# #processes = {N}{" "}
#----------------------------------------------------------------
       #bytes #repetitions  t_min[usec]  t_max[usec]  t_avg[usec]
         {PRINTED}            2        27.18     19329.47      4860.80
"""
    assert m_of(tmp_path, text) == IMB[version][operation]


@pytest.mark.parametrize("version", ["3.8", "5.9", "6.2", "7.4", "7.5"])
@pytest.mark.parametrize("operation", OSU)
def test_of_osu(tmp_path, version, operation):
    kind = "MPI_INT" if version == "7.5" and "educe" in operation else "MPI_CHAR"
    line = f"# Datatype: {kind}.\n" if version >= "7.2" else ""
    text = (
        f"# OSU MPI {operation} Latency Test v{version}\n{line}"
        f"# Size       Avg Latency(us)\n{PRINTED}                    12.50\n"
    )
    assert m_of(tmp_path, text, n=N) == OSU[operation]


@pytest.mark.parametrize("operation", NCCL)
def test_of_nccl_tests(tmp_path, operation):
    text = (
        f"# Collective test starting: {operation}_perf\n"
        "#  size  count  type  redop  root  time  algbw  busbw #wrong  time  algbw  busbw #wrong\n"
        f"{PRINTED}  256  float  none  -1  25.00  0.04  0.04  0  26.00  0.04  0.04  0\n"
    )
    assert m_of(tmp_path, text, n=N) == NCCL[operation]


@pytest.mark.parametrize("operation", ["Alltoall", "Allgather", "Bcast", "Reduce_scatter", "Scan"])
def test_of_reprompi(tmp_path, operation):
    text = (
        f"#@datatype_size_bytes=4\n#@nprocs={N}\n test nrep count runtime_sec\n"
        f"MPI_{operation} 0 256 0.0000250000\n"
    )
    assert m_of(tmp_path, text) == PRINTED
