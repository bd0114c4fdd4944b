from pathlib import Path

import pytest

from contend.errors import FileFormatError, InvalidInputError
from contend.samples import Sample
from contend.samples.reader import ReadOptions
from contend.samples.readers._text import SkippedWarning
from contend.samples.readers.osu import OsuReader

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


def read(tmp_path: Path, text: str, **options: object) -> list[Sample]:
    path = tmp_path / "osu.out"
    path.write_text(text)
    return list(OsuReader().read(path, ReadOptions(**options)))  # type: ignore[arg-type]


def test_latency_is_half_a_round_trip_of_two_processes(tmp_path: Path) -> None:
    first, second = read(tmp_path, LATENCY)
    assert (first.experiment, first.algorithm, first.n) == ("pingpong", "half_round_trip", 2)
    assert (first.m, second.m) == (0, 1024)
    assert (first.times_s, second.times_s) == ((1.25e-6,), (2.5e-6,))
    assert (first.statistic, first.launch, first.start) == ("mean", 0, "unknown")
    assert first.provenance.source == "osu: osu.out"
    assert first.processes_per_node is None


def test_a_collective_takes_n_from_the_options(tmp_path: Path) -> None:
    samples = read(tmp_path, ALLTOALL, n=8, processes_per_node=4)
    assert [s.where for s in samples] == [
        "alltoall/native n=8 m=1 launch 0",
        "alltoall/native n=8 m=4096 launch 0",
    ]
    assert [s.processes_per_node for s in samples] == [4, 4]
    assert samples[1].times_s == (80.25e-6,)
    assert samples[1].statistic == "mean"


def test_a_collective_without_n_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(InvalidInputError, match="line 2 does not say n; add it with --n"):
        read(tmp_path, ALLTOALL)


def test_the_average_is_taken_where_minimum_and_maximum_stand_beside_it(tmp_path: Path) -> None:
    (sample,) = read(tmp_path, FULL_BCAST, n=16)
    assert (sample.experiment, sample.m, sample.times_s) == ("bcast", 8, (3e-6,))


def test_a_forced_algorithm_is_the_users_word(tmp_path: Path) -> None:
    samples = read(tmp_path, LATENCY + ALLTOALL, n=4, algorithm="pairwise")
    assert [s.algorithm for s in samples] == ["half_round_trip"] * 2 + ["pairwise"] * 2


def test_outputs_in_one_file_are_launches_of_each_test(tmp_path: Path) -> None:
    noise = "module: loading openmpi\n"
    samples = read(tmp_path, noise + ALLTOALL + LATENCY + "\n" + noise + ALLTOALL, n=4)
    assert [(s.experiment, s.launch) for s in samples] == [
        ("alltoall", 0), ("alltoall", 0), ("pingpong", 0), ("pingpong", 0),
        ("alltoall", 1), ("alltoall", 1),
    ]  # fmt: skip


def test_a_passed_validation_is_read_and_a_failed_one_is_an_error(tmp_path: Path) -> None:
    (sample,) = read(tmp_path, VALIDATED, n=4)
    assert (sample.experiment, sample.times_s) == ("allgather", (5.5e-6,))
    with pytest.raises(FileFormatError, match="line 5: validation failed"):
        read(tmp_path, VALIDATED.replace("Pass", "Fail"), n=4)


@pytest.mark.parametrize(
    "title", ["OSU MPI Bandwidth Test v7.4", "OSU MPI Multiple Bandwidth / Message Rate Test v5.6"]
)
def test_bandwidth_is_refused(tmp_path: Path, title: str) -> None:
    with pytest.raises(FileFormatError, match=r"line 1: .* gives rates .* osu_latency"):
        read(tmp_path, f"# {title}\n# Size      Bandwidth (MB/s)\n1    7.25\n")


def test_a_non_blocking_collective_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FileFormatError, match="line 1: the test 'Non-blocking Allgather Latency'"):
        read(tmp_path, "# OSU MPI Non-blocking Allgather Latency Test v7.0\n", n=4)


@pytest.mark.parametrize(
    ("good", "bad", "problem"),
    [
        ("80.25", "fast", "'fast', not a number"),
        ("80.25", "-1.00", "no duration"),
        ("80.25", "nan", "not a number"),
        ("80.25", "80.25 9", "3 columns"),
        ("4096 ", "4k ", "not a whole number"),
        ("80.25", "0.00", "every repetition took 0 s"),
    ],
)
def test_a_bad_row_is_left_out_with_its_line(
    tmp_path: Path, good: str, bad: str, problem: str
) -> None:
    with pytest.warns(SkippedWarning, match=f"line 6.*{problem}"):
        samples = read(tmp_path, ALLTOALL.replace(good, bad), n=4)
    assert [s.m for s in samples] == [1]


def test_a_row_after_its_table_ended_is_left_out(tmp_path: Path) -> None:
    with pytest.warns(SkippedWarning, match="line 8: .* a row outside a table"):
        assert len(read(tmp_path, ALLTOALL + "\n16 9.0\n", n=4)) == 2


def test_a_title_without_rows_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(FileFormatError, match="line 2: no row"):
        read(tmp_path, ALLTOALL.split("1  ", maxsplit=1)[0], n=4)


def test_a_file_of_something_else_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(FileFormatError, match="no line '# OSU"):
        read(tmp_path, "hello\n")


def test_a_contradicting_experiment_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(
        InvalidInputError, match="says experiment alltoall, --experiment says bcast"
    ):
        read(tmp_path, ALLTOALL, n=4, experiment="bcast")


WITH_TAIL = """
# OSU MPI All-to-All Personalized Exchange Latency Test v7.0-site3
# Datatype: MPI_CHAR.
# Size       Avg Latency(us)  P50 Tail Lat(us)  P95 Tail Lat(us) P99 Tail Lat(us)
1                      12.50             12.40             13.10            13.90
"""


def test_a_version_with_a_suffix_and_tail_latencies_are_read(tmp_path: Path) -> None:
    (sample,) = read(tmp_path, WITH_TAIL, n=8)
    assert (sample.experiment, sample.m, sample.times_s) == ("alltoall", 1, (12.5e-6,))
    (sample,) = read(
        tmp_path,
        "# OSU MPI Latency Test v7.0-site3\n# Size Latency (us) P99 Tail Lat(us)\n8 1.5 2\n",
    )
    assert (sample.m, sample.times_s) == (8, (1.5e-6,))


def test_a_reduce_scatter_is_of_blocks_where_the_whole_vector_is_printed(tmp_path: Path) -> None:
    text = """
# OSU MPI Reduce_scatter Latency Test v7.3
# Size       Avg Latency(us)
4                       2.00
4096                   80.25
"""
    with pytest.warns(SkippedWarning, match="4 bytes have no 8 equal blocks"):
        (sample,) = read(tmp_path, text, n=8)
    assert (sample.experiment, sample.m) == ("reduce_scatter", 512)


def test_blocks_are_of_whole_elements(tmp_path: Path) -> None:
    head = "# OSU MPI Reduce_scatter Latency Test v{}\n{}# Size       Avg Latency(us)\n"
    rows = "8    2.00\n32    3.00\n"
    with pytest.warns(SkippedWarning, match="8 bytes have no 8 equal blocks"):
        (sample,) = read(tmp_path, head.format("5.9", "") + rows, n=8)  # floats
    assert (sample.m, sample.conditions) == (4, None)
    samples = read(tmp_path, head.format("7.4", "# Datatype: MPI_CHAR.\n") + rows, n=8)
    assert [(s.m, s.conditions) for s in samples] == [(1, None), (4, None)]


BOTH_MEMORIES = """
# OSU MPI All-to-All Personalized Exchange Latency Test v7.4
# Datatype: MPI_CHAR.
# Size       Avg Latency(us)
8                      10.00
1048576               400.00

# OSU MPI-CUDA All-to-All Personalized Exchange Latency Test v7.4
# Datatype: MPI_CHAR.
# Size       Avg Latency(us)
8                      20.00
1048576               600.00
"""


def test_memories_are_series_of_their_own(tmp_path: Path) -> None:
    samples = read(tmp_path, BOTH_MEMORIES, n=8)
    assert [(s.setting, s.m, s.launch, s.times_s[0] * 1e6) for s in samples] == [
        ("native", 8, 0, 10.0), ("native", 1048576, 0, 400.0),
        ("native@memory=cuda", 8, 0, 20.0), ("native@memory=cuda", 1048576, 0, 600.0),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("buffers", "memory"),
    [
        (("HOST (H)", "HOST (H)"), None),
        (("DEVICE (D)", "DEVICE (D)"), {"memory": "cuda"}),
        (("HOST (H)", "DEVICE (D)"), {"memory": "cuda H-D"}),
        (("MANAGED (M)", "MANAGED (M)"), {"memory": "cuda M-M"}),
    ],
)
def test_buffers_of_a_pingpong_tell_the_memory(
    tmp_path: Path, buffers: tuple[str, str], memory: dict[str, str] | None
) -> None:
    text = "# OSU MPI-CUDA Latency Test v7.4\n# Send Buffer on {} and Receive Buffer on {}\n"
    rows = "# Size          Latency (us)\n8   1.25\n"
    assert read(tmp_path, text.format(*buffers) + rows)[0].conditions == memory


def test_datatypes_below_a_title_are_series_of_their_own(tmp_path: Path) -> None:
    text = """# OSU MPI Allreduce Latency Test v7.2
# Datatype: MPI_INT.
# Size       Avg Latency(us)
8                       2.00
1024                    5.00
# Datatype: MPI_DOUBLE.
# Size       Avg Latency(us)
8                       4.00
1024                    7.00
"""
    samples = read(tmp_path, text, n=8)
    assert [(s.conditions, s.m, s.launch, s.times_s[0] * 1e6) for s in samples] == [
        ({"datatype": "MPI_INT"}, 8, 0, 2.0), ({"datatype": "MPI_INT"}, 1024, 0, 5.0),
        ({"datatype": "MPI_DOUBLE"}, 8, 0, 4.0), ({"datatype": "MPI_DOUBLE"}, 1024, 0, 7.0),
    ]  # fmt: skip
    usual = text.replace("v7.2", "v7.5").split("# Datatype: MPI_DOUBLE")[0]
    assert {s.conditions for s in read(tmp_path, usual, n=8)} == {None}


def test_the_barrier_has_no_size(tmp_path: Path) -> None:
    text = "# OSU MPI Barrier Latency Test v7.3\n# Avg Latency(us)\n             1.50\n"
    (sample,) = read(tmp_path, text, n=8)
    assert (sample.where, sample.times_s) == ("barrier/native n=8 m=0 launch 0", (1.5e-6,))
    full = text.replace("(us)", "(us)   Min Latency(us)   Max Latency(us)  Iterations").replace(
        "1.50", "1.50  1.00  2.00  1000"
    )
    assert read(tmp_path, full, n=8)[0].times_s == (1.5e-6,)


def test_a_log_of_the_suite_is_read_where_contend_has_a_place(tmp_path: Path) -> None:
    text = """
build one, osu_bw
# OSU MPI Bandwidth Test v5.9
# Size      Bandwidth (MB/s)
8                      10.00

build one, osu_latency
# OSU MPI Latency Test v5.9
# Size          Latency (us)
8                       1.00

build one, osu_ialltoall
# OSU MPI Non-blocking All-to-All Latency Test v5.9
# Overall = Coll. Init + Compute + MPI_Test + MPI_Wait

# Size           Overall(us)       Compute(us)    Pure Comm.(us)        Overlap(%)
8                       9.00              4.00              4.00              1.00

build one, osu_alltoall
# OSU MPI All-to-All Personalized Exchange Latency Test v5.9
# Size       Avg Latency(us)
8                       3.00
"""
    with pytest.warns(SkippedWarning) as caught:
        samples = read(tmp_path, text, n=8)
    assert [(s.experiment, s.times_s) for s in samples] == [
        ("pingpong", (1e-6,)), ("alltoall", (3e-6,)),
    ]  # fmt: skip
    about = [str(warning.message) for warning in caught]
    assert ["'Bandwidth'" in text for text in about] == [True, False]
    assert ["Non-blocking" in text for text in about] == [False, True]


def test_the_command_above_a_table_tells_its_ranks(tmp_path: Path) -> None:
    text = "".join(f"+ mpirun -np {n} --bind-to core ./osu_alltoall -f\n{ALLTOALL}" for n in (4, 8))
    assert [(s.n, s.launch) for s in read(tmp_path, text)] == [(4, 0), (4, 0), (8, 0), (8, 0)]
    with pytest.warns(SkippedWarning, match="says n 4, --n says 8"):
        assert [s.n for s in read(tmp_path, text, n=8)] == [8, 8]


def test_a_root_that_the_command_moves_is_a_condition(tmp_path: Path) -> None:
    for option, root in (("-k rotate", "rotating"), ("-k fixed:3", "3")):
        text = f"$ srun -n 16 osu_bcast {option} -f\n{FULL_BCAST}"
        assert read(tmp_path, text)[0].conditions == {"root": root}


def test_what_the_command_alone_tells_is_a_condition(tmp_path: Path) -> None:
    text = "".join(
        f"+ srun -n 4 osu_alltoall {option}\n{ALLTOALL}"
        for option in ("-d managed -f", "--in-place -m 4:8", "--accelerator=managed -l", "-i 10")
    )
    told = [one.conditions for one in read(tmp_path, text)][::2]
    managed, in_place = {"memory": "managed"}, {"in_place": "yes"}
    assert told == [managed, in_place, managed | in_place, None]


def test_columns_below_a_table_of_another_title_are_of_no_table(tmp_path: Path) -> None:
    text = ALLTOALL + "$ grep -v OSU other.txt\n# Size       Avg Latency(us)\n8388608   99.25\n"
    with pytest.warns(SkippedWarning, match="line 9: 1 rows of no table"):
        assert 8388608 not in [one.m for one in read(tmp_path, text, n=4)]


def test_a_size_that_occurs_twice_in_a_run_is_left_out(tmp_path: Path) -> None:
    with pytest.warns(SkippedWarning, match="line 7: this run has a row of 4096 bytes already"):
        assert len(read(tmp_path, ALLTOALL + "4096   81.25\n", n=4)) == 2


@pytest.mark.parametrize("size", [2048, 4096])
def test_rows_go_on_behind_other_text_at_a_larger_size_alone(tmp_path: Path, size: int) -> None:
    text = f"{ALLTOALL}node3: link is up again\n{size}   81.25\n8192  160.5\n"
    with pytest.warns(SkippedWarning, match="line 8: 2 rows"):
        assert [each.m for each in read(tmp_path, text, n=4)] == [1, 4096]


def test_a_derived_datatype_is_left_out(tmp_path: Path) -> None:
    text = ALLTOALL.replace("Latency(us)", "Latency(us)     Transmit Size").replace(".25", ".25  9")
    with pytest.warns(SkippedWarning, match="a derived datatype"):
        assert len(read(tmp_path, text + LATENCY, n=4)) == 2
