"""OSU Micro-Benchmarks: tables of its versions and options."""

import pytest
from cases import asked, check, gives, read, refused

LATENCY = """
# OSU MPI Latency Test v5.9
# Size          Latency (us)
0                       1.25
1024                    2.50
"""
ALLTOALL = """
# OSU MPI All-to-All Personalized Exchange Latency Test v7.3
# Datatype: MPI_CHAR.
# Size       Avg Latency(us)
1                      12.50
4096                   80.25
"""
FULL_BCAST = """
# OSU MPI Broadcast Latency Test v6.2
# Size       Avg Latency(us)   Min Latency(us)   Max Latency(us)  Iterations
8                       3.00              2.00              4.50        1000
"""
VALIDATED = """
# OSU MPI-CUDA Allgather Latency Test v7.5
# Datatype: MPI_CHAR.
# Size       Avg Latency(us)        Validation
16                      5.50              Pass
"""
SIZES = "# Size       Avg Latency(us)\n"
SCATTER = "# OSU MPI Reduce_scatter Latency Test v{}\n{}" + SIZES + "8    2.00\n32    3.00\n"
CHAR = "# Datatype: MPI_CHAR.\n"
MEMORY = "# OSU MPI{} All-to-All Personalized Exchange Latency Test v7.4\n" + CHAR + SIZES
BUFFERS = """# OSU MPI-CUDA Latency Test v7.4
# Send Buffer on {} and Receive Buffer on {}
# Size          Latency (us)
8   1.25
"""
DATATYPES = f"""# OSU MPI Allreduce Latency Test v7.2
# Datatype: MPI_INT.
{SIZES}8      2.00
1024   5.00
# Datatype: MPI_DOUBLE.
{SIZES}8      4.00
1024   7.00
"""
INT, DOUBLE = {"datatype": "MPI_INT"}, {"datatype": "MPI_DOUBLE"}
BARRIER = "# OSU MPI Barrier Latency Test v7.3\n# Avg Latency(us)\n             1.50\n"
OF_RANKS = "".join(f"+ mpirun -np {n} --bind-to core ./osu_alltoall -f\n{ALLTOALL}" for n in (4, 8))
MANAGED, IN_PLACE = {"memory": "managed"}, {"in_place": "yes"}
CASES = {
    "a collective takes n from the options": gives(
        ALLTOALL, "where processes_per_node us statistic",
        ("alltoall/native n=8 m=1 launch 0", 4, 12.5, "mean"),
        ("alltoall/native n=8 m=4096 launch 0", 4, 80.25, "mean"), n=8, processes_per_node=4,
    ),
    "without it is an error": asked(ALLTOALL, "line 2 does not say n; add it with -n"),
    "the average is taken where minimum and maximum stand beside it": gives(
        FULL_BCAST, "experiment m us", ("bcast", 8, 3.0), n=16
    ),
    "a forced algorithm is the user's word": gives(
        LATENCY + ALLTOALL, "algorithm", *["half_round_trip"] * 2, *["pairwise"] * 2, n=4,
        algorithm="pairwise",
    ),
    "outputs in one file are launches of each test": gives(
        "module: loading openmpi\n" + ALLTOALL + LATENCY + "\nmodule: loading\n" + ALLTOALL,
        "experiment launch", *[("alltoall", 0)] * 2, *[("pingpong", 0)] * 2,
        *[("alltoall", 1)] * 2, n=4,
    ),
    "a passed validation": gives(VALIDATED, "experiment us", ("allgather", 5.5), n=4),
    "a failed validation": refused(
        VALIDATED.replace("Pass", "Fail"), "line 5: validation failed", n=4
    ),
    **{
        title: refused(
            f"# OSU MPI {title}\n# Size      Bandwidth (MB/s)\n1    7.25\n",
            r"line 1: .* gives rates .* osu_latency",
        )
        for title in ("Bandwidth Test v7.4", "Multiple Bandwidth / Message Rate Test v5.6")
    },
    "a non-blocking collective": refused(
        "# OSU MPI Non-blocking Allgather Latency Test v7.0\n",
        "line 1: the test 'Non-blocking Allgather Latency'", n=4,
    ),
    **{
        f"a row with {bad} for {good}": gives(
            ALLTOALL.replace(good, bad), "m", 1, n=4, warned=f"line 6.*{problem}"
        )
        for good, bad, problem in (
            ("80.25", "fast", "'fast', not a number"), ("80.25", "-1.00", "no duration"),
            ("80.25", "nan", "not a number"), ("80.25", "80.25 9", "3 columns"),
            ("4096 ", "4k ", "not a whole number"), ("80.25", "0.00", "every repetition took 0 s"),
        )
    },
    "a row after its table ended": gives(
        ALLTOALL + "\n16 9.0\n", "m", 1, 4096, n=4, warned="line 8: .* a row outside a table"
    ),
    "a title without rows": refused(ALLTOALL.split("1  ", maxsplit=1)[0], "line 2: no row", n=4),
    "a file of something else": refused("hello\n", "no line '# OSU"),
    "a contradicting experiment": asked(
        ALLTOALL, "says experiment alltoall, --as experiment= says bcast", n=4, experiment="bcast"
    ),
    "a version with a suffix, and tail latencies": gives(
        ALLTOALL.replace("v7.3", "v7.0-site3").replace(
            "Latency(us)", "Latency(us)  P50 Tail Lat(us)  P95 Tail Lat(us) P99 Tail Lat(us)"
        ).replace(".50", ".50  12.40  13.10  13.90").replace(".25", ".25  80.40  90.10  99.90"),
        "experiment m us", ("alltoall", 1, 12.5), ("alltoall", 4096, 80.25), n=8,
    ),
    "tail latencies of a pingpong": gives(
        "# OSU MPI Latency Test v7.0-site3\n# Size Latency (us) P99 Tail Lat(us)\n8 1.5 2\n",
        "m us", (8, 1.5),
    ),
    # The whole vector is printed; before 7.2 it is of floats.
    "a reduce-scatter is of blocks of whole elements": gives(
        SCATTER.format("5.9", ""), "experiment m conditions", ("reduce_scatter", 4, None), n=8,
        warned="8 bytes have no 8 equal blocks",
    ),
    "and of bytes since": gives(
        SCATTER.format("7.4", CHAR), "m conditions", (1, None), (4, None), n=8
    ),
    "where no version says it": gives(
        SCATTER.format("7.3", "").replace("8    ", "4    "), "m", 4, n=8,
        warned="4 bytes have no 8 equal blocks",
    ),
    "memories are series of their own": gives(
        MEMORY.format("") + "8  10.00\n64  40.00\n\n"
        + MEMORY.format("-CUDA") + "8  20.00\n64  60.00\n",
        "setting m launch us", ("native", 8, 0, 10.0), ("native", 64, 0, 40.0),
        ("native@memory=cuda", 8, 0, 20.0), ("native@memory=cuda", 64, 0, 60.0), n=8,
    ),
    **{
        f"buffers of a pingpong on {source} and {target}": gives(
            BUFFERS.format(source, target), "conditions", memory
        )
        for source, target, memory in (
            ("HOST (H)", "HOST (H)", None),
            ("DEVICE (D)", "DEVICE (D)", {"memory": "cuda"}),
            ("HOST (H)", "DEVICE (D)", {"memory": "cuda H-D"}),
            ("MANAGED (M)", "MANAGED (M)", {"memory": "cuda M-M"}),
        )
    },
    "datatypes below a title are series of their own": gives(
        DATATYPES, "conditions m launch us", (INT, 8, 0, 2.0), (INT, 1024, 0, 5.0),
        (DOUBLE, 8, 0, 4.0), (DOUBLE, 1024, 0, 7.0), n=8,
    ),
    "the usual datatype of a version is no condition": gives(
        DATATYPES.replace("v7.2", "v7.5").split("# Datatype: MPI_DOUBLE")[0], "conditions",
        None, None, n=8,
    ),
    "the barrier has no size": gives(
        BARRIER, "where us", ("barrier/native n=8 m=0 launch 0", 1.5), n=8
    ),
    "the barrier with -f": gives(
        BARRIER.replace("(us)", "(us)   Min Latency(us)   Max Latency(us)  Iterations").replace(
            "1.50", "1.50  1.00  2.00  1000"
        ), "us", 1.5, n=8,
    ),
    "the command above a table tells its ranks": gives(
        OF_RANKS, "n launch", (4, 0), (4, 0), (8, 0), (8, 0)
    ),
    **{
        f"ranks on a node that {command} says": gives(
            f"+ {command} osu_alltoall -f\n{ALLTOALL}", "n processes_per_node", *[(16, each)] * 2
        )
        for command, each in (
            ("srun -N 4 --ntasks-per-node=4", 4),
            ("srun -n 16 -N 2 --ntasks-per-node=8", 8),
            ("srun -n 16 -N 4 --ntasks-per-node=8", None),  # at most so many
            ("mpiexec -n 16 -ppn 8", 8),
            ("mpirun -np 16 --map-by ppr:4:node -x A", 4),
            ("mpirun -np 16 --map-by ppr:32:node", 16),
            ("mpirun -np 16 -npernode 5", None),
            ("aprun -N 8 -n 16", 8),
        )
    },
    "runs of other placements are no launches of one": gives(
        "".join(f"+ mpiexec -n 16 -ppn {each} osu_alltoall\n{ALLTOALL}" for each in (4, 8)),
        "processes_per_node launch", (4, 0), (4, 0), (8, 0), (8, 0),
    ),
    "another placement than the option says": asked(
        f"+ mpiexec -n 16 -ppn 4 osu_alltoall\n{ALLTOALL}",
        "says processes_per_node 4, --ppn says 8", processes_per_node=8,
    ),
    "tables of other ranks than the options say": gives(
        OF_RANKS, "n", 8, 8, n=8, warned="says n 4, -n says 8"
    ),
    **{
        f"ranks that {command} says": gives(f"+ {command} osu_alltoall -f\n{ALLTOALL}", "n", 32, 32)
        for command in (
            "ibrun -n 32",
            "srun -N 4 --ntasks-per-node=8",
            "srun --ntasks-per-node 8 --nodes=4 -c 2",
            "flux run -N4 --tasks-per-node=8",
            "mpirun -n 2 hostname && mpirun -n 32",
            "mpirun -n 2 hostname; mpirun -n 32 env A=1",
        )
    },
    **{
        f"{command} does not say how many ranks": asked(
            f"+ {command} osu_alltoall -f\n{ALLTOALL}", "does not say n"
        )
        for command in (
            "srun -N 2-4 --ntasks-per-node=8",
            "srun -N 4",
            "aprun -N 8",
            "jsrun -n 4 -a 8",
            "mpirun -n 32 hostname;",
            "mpirun -n 4 osu_alltoall : -n 4",
        )
    },
    **{
        f"a root that {option} moves is a condition": gives(
            f"$ srun -n 16 osu_bcast {option} -f\n{FULL_BCAST}", "conditions", {"root": root}
        )
        for option, root in (("-k rotate", "rotating"), ("-k fixed:3", "3"))
    },
    "what the command alone tells is a condition": gives(
        "".join(
            f"+ srun -n 4 osu_alltoall {option}\n{ALLTOALL}"
            for option in ("-d managed -f", "--in-place -m 4", "--accelerator=managed -l", "-i 9")
        ),
        "conditions", *[MANAGED] * 2, *[IN_PLACE] * 2, *[MANAGED | IN_PLACE] * 2, None, None,
    ),
    "columns below a table of another title": gives(
        ALLTOALL + "$ grep -v OSU other.txt\n" + SIZES + "8388608   99.25\n", "m", 1, 4096, n=4,
        warned="line 9: 1 rows of no table",
    ),
    "a size that occurs twice in a run": gives(
        ALLTOALL + "4096   81.25\n", "m", 1, 4096, n=4,
        warned="line 7: this run has a row of 4096 bytes already",
    ),
    **{
        f"rows behind other text, from {size} bytes on": gives(
            f"{ALLTOALL}node3: link is up again\n{size}   81.25\n8192  160.5\n", "m", 1, 4096, n=4,
            warned="line 8: 2 rows",
        )
        for size in (2048, 4096)
    },
    "a derived datatype": gives(
        ALLTOALL.replace("Latency(us)", "Latency(us)     Transmit Size").replace(".25", ".25  9")
        + LATENCY, "m", 0, 1024, n=4, warned="a derived datatype",
    ),
}  # fmt: skip


@pytest.mark.parametrize("claim", CASES)
def test_what_is_read(tmp_path, claim):
    check("osu", tmp_path, CASES[claim])


def test_latency_is_half_a_round_trip_of_two_processes(tmp_path):
    first, second = read("osu", tmp_path, LATENCY)
    assert (first.experiment, first.algorithm, first.n) == ("pingpong", "half_round_trip", 2)
    assert (first.m, second.m) == (0, 1024)
    assert (first.times_s, second.times_s) == ((1.25e-6,), (2.5e-6,))
    assert (first.statistic, first.launch, first.start) == ("mean", 0, "unknown")
    assert first.provenance.source == "osu: run.txt"
    assert first.processes_per_node is None


def test_a_log_of_the_suite_is_read_where_contend_has_a_place(tmp_path):
    text = f"""
build one, osu_bw
# OSU MPI Bandwidth Test v5.9
# Size      Bandwidth (MB/s)
8                      10.00

build one, osu_ialltoall
# OSU MPI Non-blocking All-to-All Latency Test v5.9
# Overall = Coll. Init + Compute + MPI_Test + MPI_Wait

# Size           Overall(us)       Compute(us)    Pure Comm.(us)        Overlap(%)
8                       9.00              4.00              4.00              1.00

build one, osu_latency{LATENCY}"""
    with pytest.warns(UserWarning) as caught:
        samples = read("osu", tmp_path, text, n=8)
    assert [(s.experiment, s.m) for s in samples] == [("pingpong", 0), ("pingpong", 1024)]
    about = [str(warning.message) for warning in caught]
    assert ["'Bandwidth'" in text for text in about] == [True, False]
    assert ["Non-blocking" in text for text in about] == [False, True]
