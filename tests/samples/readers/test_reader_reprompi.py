"""ReproMPI: repetitions, processes and summaries."""

import pytest
from cases import asked, check, gives, read, refused

HEADER = """\
#Command-line arguments:  ./bin/mpibenchmark --nrep=2
#MPI calls:
#	MPI_Alltoall
#@operation=MPI_BOR
#@datatype=MPI_INT
#@datatype_size_bytes=4
#@nprocs=2
#@clocktype=local
#@sync=MPI_Barrier
"""
RAW = """\
      test       nrep        count    runtime_sec
MPI_Alltoall          0           16   0.0000250000
MPI_Alltoall          1           16   0.0000200000
MPI_Alltoall          0          256   0.0000750000
MPI_Alltoall          1          256   0.0000800000
# Benchmark started at Tue Mar  5 06:07:08 2024
# Execution time: 0s
"""
PER_PROCESS = """\
process    test       nrep        count loc_tstart_sec   loc_tend_sec
      0   MPI_Bcast      0            2   1.0000000000   1.2500000000
      0   MPI_Bcast      1            2   2.0000000000   2.5000000000
      1   MPI_Bcast      0            2   7.0000000000   7.5000000000
      1   MPI_Bcast      1            2   8.0000000000   8.1250000000
"""
WINDOW = """\
process test nrep count errorcode loc_tstart_sec loc_tend_sec gl_tstart_sec gl_tend_sec
      0 MPI_Bcast 0 2 0   1.0 1.25   1.0 1.25
      0 MPI_Bcast 1 2 0   2.0 2.50   2.0 2.50
      1 MPI_Bcast 0 2 0   7.0 7.50   1.5 2.00
      1 MPI_Bcast 1 2 1   8.0 8.25   2.5 2.75
"""
SUMMARY = """\
        test        count total_nrep valid_nrep       mean_sec     median_sec        min_sec
 MPI_Scatter            1         10          9   0.0000400000   0.0000300000   0.0000200000
"""
TORN = [f"MPI_Scan {row} 1 {row + 3}.250000e-06" for row in range(3)]
WITHOUT_N = HEADER.replace("#@nprocs=2\n", "") + RAW
RUNS = [
    "#@datatype_size_bytes=1\n#@nprocs=4\n   test  nrep  count    runtime_sec\n"
    + "".join(f"   MPI_Allreduce  {i}  8   0.00000{us}\n" for i in range(2))
    for us in (30, 40)
]
CASES = {
    "the slowest process on local clocks": gives(
        HEADER + PER_PROCESS, "experiment m rank_times_s times_s",
        ("bcast", 8, ((0.25, 0.5), (0.5, 0.125)), (0.5, 0.5)),
    ),
    "the first start to the last end on a global clock": gives(
        HEADER.replace("sync=MPI_Barrier", "procsync=window") + WINDOW,
        "times_s rank_times_s start late_starts",
        ((1.0, 0.75), ((0.25, 1.0), (0.5, 0.75)), "window", 1),
    ),
    "marked repetitions are kept and counted": gives(
        HEADER + "test nrep count errorcode runtime_sec\nMPI_Scan 0 1 0 0.5\nMPI_Scan 1 1 2 0.75\n",
        "times_s late_starts", ((0.5, 0.75), 1),
    ),
    **{
        f"a summary without {missing}": gives(
            HEADER + text, "experiment m statistic us", ("scatter", 4, statistic, us)
        )
        for missing, text, statistic, us in (
            ("nothing", SUMMARY, "median", 30.0),
            ("median", SUMMARY.replace("median_sec", "y_sec"), "mean", 40.0),
            ("median and mean", SUMMARY.replace("median_sec", "y_sec").replace("mean_sec", "x_sec"),
             "minimum", 20.0),
            ("runtime in its names", SUMMARY.replace("_sec", "_runtime_sec"), "median", 30.0),
            ("runtime in its names, nor median",
             SUMMARY.replace("median", "y").replace("_sec", "_runtime_sec"), "mean", 40.0),
        )
    },
    **{
        f"a row that lost {lost} characters of its exponent": gives(
            "\n".join([HEADER + "test nrep count runtime_sec", *TORN[:2], TORN[2][:-lost], ""]),
            "all_us", [3.25, 4.25], warned="line 13: the row was cut off",
        )
        for lost in (1, 4)
    },
    "a summary of maxima alone": refused(
        HEADER + "test count total_nrep valid_nrep max_sec\nMPI_Scan 1 10 10 0.5\n",
        r"line 11: no column of .* is a time",
    ),
    "a size in bytes needs no datatype": gives(
        "#@nprocs=2\n" + RAW.replace("      count", "msize_bytes"), "m", 16, 256
    ),
    "a count does": refused("#@nprocs=2\n" + RAW, "line 3: count needs the size of an element"),
    "a header without n": asked(WITHOUT_N, "does not say n"),
    "n from the options": gives(WITHOUT_N, "n", 6, 6, n=6),
    "runs in one file are launches": gives(
        HEADER + RAW + HEADER + RAW + HEADER.replace("nprocs=2", "nprocs=4") + RAW, "n m launch",
        (2, 64, 0), (2, 1024, 0), (2, 64, 1), (2, 1024, 1), (4, 64, 0), (4, 1024, 0),
    ),
    "a mock-up is an algorithm of its collective": gives(
        HEADER + RAW.replace("MPI_Alltoall", "GL_Bcast_as_ScatterAllgather"),
        "experiment algorithm", *[("bcast", "as_scatterallgather")] * 2,
    ),
    "a call that is no collective": gives(
        HEADER + RAW + HEADER + RAW.replace("MPI_Alltoall", "Sendrecv"), "m", 64, 1024,
        warned="Sendrecv is no collective",
    ),
    **{
        f"a row with {bad} for {good}": gives(
            HEADER + RAW.replace(good, bad), "m all_us", *rows, (1024, [75.0, 80.0]),
            warned=f"line 12: .*{problem}",
        )
        for good, bad, rows, problem in (
            ("0.0000200000", "soon", [(64, [25.0])], "not a number"),
            ("0.0000200000", "-0.00002", [], "no duration"),  # which spoils the sample
            ("0.0000200000", "", [(64, [25.0])], "3 columns"),
            ("1           16", "1           1x", [(64, [25.0])], "count is '1x', not a number"),
        )
    },
    "a repetition without all processes": gives(
        HEADER + "\n".join(PER_PROCESS.splitlines()[:-1]) + "\n", "rank_times_s",
        ((0.25, 0.5),), warned="line 12: the repetition has rows of 1 of 2",
    ),
    "a process twice in a repetition": gives(
        HEADER + PER_PROCESS.replace("1   MPI_Bcast      0", "0   MPI_Bcast      0"),
        "rank_times_s", ((0.5, 0.125),),
        warned=r"line 1[13]: (process 0 has|the repetition has rows)",
    ),
    "a prompt and a second run end a table": gives(
        "me@host:~$ ./mpibenchmark --nrep=2\n".join(RUNS), "launch all_us",
        (0, [3.0, 3.0]), (1, [4.0, 4.0]),
    ),
    **{
        f"a header with {new}": gives(
            HEADER.replace(old, new) + RAW.replace("MPI_Alltoall", "MPI_Bcast"), "conditions",
            told, told,
        )
        for old, new, told in (
            ("datatype=MPI_INT", "datatype=MPI_DOUBLE", {"datatype": "MPI_DOUBLE"}),
            ("datatype=MPI_INT", "datatype=MPI_BYTE", None),
            ("MPI_INT", "MPI_BYTE\n#@root_proc=1", {"root": "1"}),
            ("MPI_INT", "MPI_BYTE\n#@root_proc=0", None),
        )
    },
    "a file without rows": refused(HEADER, "no row under"),
    "a trailer of another form": refused(
        HEADER + RAW.replace("Tue Mar  5 06:07:08 2024", "noon"), "has the date 'noon'"
    ),
    "a barrier has no size": gives(
        HEADER + RAW.replace("MPI_Alltoall", "MPI_Barrier"), "experiment m all_us",
        ("barrier", 0, [25.0, 20.0, 75.0, 80.0]),
    ),
}  # fmt: skip


@pytest.mark.parametrize("claim", CASES)
def test_what_is_read(tmp_path, claim):
    check("reprompi", tmp_path, CASES[claim])


def test_rows_are_repetitions_of_each_size_with_their_provenance(tmp_path):
    first, second = read("reprompi", tmp_path, HEADER + RAW, processes_per_node=2)
    assert first.where == "alltoall/native@datatype=MPI_INT n=2 m=64 launch 0"
    assert first.times_s == (25e-6, 20e-6)
    assert (second.m, second.times_s) == (1024, (75e-6, 80e-6))
    assert (first.statistic, first.start, first.late_starts) == ("repetition", "barrier", 0)
    assert (first.processes_per_node, first.rank_times_s) == (2, None)
    assert first.provenance.source == "reprompi: run.txt"
    assert first.provenance.date == "2024-03-05T06:07:08"
    assert first.provenance.command == ("./bin/mpibenchmark", "--nrep=2")
