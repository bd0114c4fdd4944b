from pathlib import Path

import pytest

from contend.errors import FileFormatError, InvalidInputError
from contend.samples import Sample
from contend.samples.reader import ReadOptions
from contend.samples.readers._text import SkippedWarning
from contend.samples.readers.reprompi import ReprompiReader

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


def read(tmp_path: Path, text: str, **options: object) -> list[Sample]:
    path = tmp_path / "repro.txt"
    path.write_text(text)
    return list(ReprompiReader().read(path, ReadOptions(**options)))  # type: ignore[arg-type]


def test_rows_are_repetitions_of_each_size(tmp_path: Path) -> None:
    first, second = read(tmp_path, HEADER + RAW, processes_per_node=2)
    assert first.where == "alltoall/native@datatype=MPI_INT n=2 m=64 launch 0"
    assert first.times_s == (25e-6, 20e-6)
    assert (second.m, second.times_s) == (1024, (75e-6, 80e-6))
    assert (first.statistic, first.start, first.late_starts) == ("repetition", "barrier", 0)
    assert (first.processes_per_node, first.rank_times_s) == (2, None)


def test_the_header_and_trailer_become_provenance(tmp_path: Path) -> None:
    provenance = read(tmp_path, HEADER + RAW)[0].provenance
    assert provenance.source == "reprompi: repro.txt"
    assert provenance.date == "2024-03-05T06:07:08"
    assert provenance.command == ("./bin/mpibenchmark", "--nrep=2")


def test_the_slowest_process_is_taken_on_local_clocks(tmp_path: Path) -> None:
    (sample,) = read(tmp_path, HEADER + PER_PROCESS)
    assert (sample.experiment, sample.m) == ("bcast", 8)
    assert sample.rank_times_s == ((0.25, 0.5), (0.5, 0.125))
    assert sample.times_s == (0.5, 0.5)


def test_the_first_start_to_the_last_end_is_taken_on_a_global_clock(tmp_path: Path) -> None:
    (sample,) = read(tmp_path, HEADER.replace("sync=MPI_Barrier", "procsync=window") + WINDOW)
    assert sample.times_s == (1.0, 0.75)
    assert sample.rank_times_s == ((0.25, 1.0), (0.5, 0.75))
    assert (sample.start, sample.late_starts) == ("window", 1)


def test_marked_repetitions_are_kept_and_counted(tmp_path: Path) -> None:
    rows = "test nrep count errorcode runtime_sec\nMPI_Scan 0 1 0 0.5\nMPI_Scan 1 1 2 0.75\n"
    (sample,) = read(tmp_path, HEADER + rows)
    assert (sample.times_s, sample.late_starts) == ((0.5, 0.75), 1)


@pytest.mark.parametrize(
    ("missing", "statistic", "seconds"),
    [("none", "median", 30e-6), ("median", "mean", 40e-6), ("me", "minimum", 20e-6)],
)
def test_a_summary_gives_its_best_statistic(
    tmp_path: Path, missing: str, statistic: str, seconds: float
) -> None:
    text = SUMMARY.replace("mean_sec", "x_sec") if missing == "me" else SUMMARY
    text = text.replace("median_sec", "y_sec") if missing != "none" else text
    (sample,) = read(tmp_path, HEADER + text)
    assert (sample.experiment, sample.m) == ("scatter", 4)
    assert (sample.statistic, sample.times_s) == (statistic, (seconds,))


def test_a_summary_may_name_runtimes(tmp_path: Path) -> None:
    text = SUMMARY.replace("_sec", "_runtime_sec")
    (sample,) = read(tmp_path, HEADER + text)
    assert (sample.statistic, sample.times_s) == ("median", (30e-6,))


def test_a_row_that_lost_its_exponent_is_left_out(tmp_path: Path) -> None:
    rows = [f"MPI_Scan {row} 1 {row + 3}.250000e-06" for row in range(3)]
    for torn in (rows[2][:-4], rows[2][:-1]):
        text = "\n".join([HEADER + "test nrep count runtime_sec", *rows[:2], torn, ""])
        with pytest.warns(SkippedWarning, match="line 13: the row was cut off"):
            (sample,) = read(tmp_path, text)
        assert sample.times_s == (3.25e-6, 4.25e-6)


def test_a_summary_of_maxima_alone_is_an_error(tmp_path: Path) -> None:
    text = "test count total_nrep valid_nrep max_sec\nMPI_Scan 1 10 10 0.5\n"
    with pytest.raises(FileFormatError, match=r"line 11: no column of .* is a time"):
        read(tmp_path, HEADER + text)


def test_a_size_in_bytes_needs_no_datatype(tmp_path: Path) -> None:
    text = "#@nprocs=2\n" + RAW.replace("      count", "msize_bytes")
    assert [s.m for s in read(tmp_path, text)] == [16, 256]


def test_a_count_needs_the_datatype(tmp_path: Path) -> None:
    with pytest.raises(FileFormatError, match="line 3: count needs the size of an element"):
        read(tmp_path, "#@nprocs=2\n" + RAW)


def test_n_comes_from_the_options_where_the_header_is_missing(tmp_path: Path) -> None:
    text = HEADER.replace("#@nprocs=2\n", "") + RAW
    with pytest.raises(InvalidInputError, match="does not say n"):
        read(tmp_path, text)
    assert read(tmp_path, text, n=6)[0].n == 6


def test_runs_in_one_file_are_launches(tmp_path: Path) -> None:
    other = HEADER.replace("nprocs=2", "nprocs=4") + RAW
    samples = read(tmp_path, HEADER + RAW + HEADER + RAW + other)
    assert [(s.n, s.m, s.launch) for s in samples] == [
        (2, 64, 0), (2, 1024, 0), (2, 64, 1), (2, 1024, 1), (4, 64, 0), (4, 1024, 0),
    ]  # fmt: skip


def test_a_mock_up_is_an_algorithm_of_its_collective(tmp_path: Path) -> None:
    text = HEADER + RAW.replace("MPI_Alltoall", "GL_Bcast_as_ScatterAllgather")
    sample = read(tmp_path, text)[0]
    assert (sample.experiment, sample.algorithm) == ("bcast", "as_scatterallgather")


def test_a_call_that_is_no_collective_is_left_out_with_a_warning(tmp_path: Path) -> None:
    text = HEADER + RAW + HEADER + RAW.replace("MPI_Alltoall", "Sendrecv")
    with pytest.warns(SkippedWarning, match="Sendrecv is no collective"):
        assert len(read(tmp_path, text)) == 2


@pytest.mark.parametrize(
    ("good", "bad", "problem"),
    [
        ("0.0000200000", "soon", "not a number"),
        ("0.0000200000", "-0.00002", "no duration"),
        ("0.0000200000", "", "3 columns"),
        ("1           16", "1           1x", "count is '1x', not a number"),
    ],
)
def test_a_bad_row_is_left_out_with_its_line(
    tmp_path: Path, good: str, bad: str, problem: str
) -> None:
    with pytest.warns(SkippedWarning, match=f"line 12: .*{problem}"):
        samples = read(tmp_path, HEADER + RAW.replace(good, bad))
    assert [s.m for s in samples][-1] == 1024


def test_a_repetition_without_all_processes_is_left_out(tmp_path: Path) -> None:
    text = HEADER + "\n".join(PER_PROCESS.splitlines()[:-1]) + "\n"
    with pytest.warns(SkippedWarning, match="line 12: the repetition has rows of 1 of 2"):
        (sample,) = read(tmp_path, text)
    assert sample.rank_times_s == ((0.25, 0.5),)


def test_a_process_twice_in_a_repetition_is_left_out(tmp_path: Path) -> None:
    text = HEADER + PER_PROCESS.replace("1   MPI_Bcast      0", "0   MPI_Bcast      0")
    with pytest.warns(SkippedWarning, match=r"line 1[13]: (process 0 has|the repetition has rows)"):
        (sample,) = read(tmp_path, text)
    assert sample.rank_times_s == ((0.5, 0.125),)


def test_a_prompt_and_a_second_run_end_a_table(tmp_path: Path) -> None:
    head = "#@datatype_size_bytes=1\n#@nprocs=4\n"
    names = "              test       nrep        count    runtime_sec\n"
    runs = [f"     MPI_Allreduce  {i}  8   0.00000{us}\n" for us in (30, 40) for i in range(2)]
    text = "me@host:~$ ./mpibenchmark --nrep=2\n".join(
        head + names + "".join(rows) for rows in (runs[:2], runs[2:])
    )
    samples = read(tmp_path, text)
    assert [(s.launch, s.times_s) for s in samples] == [(0, (3e-6, 3e-6)), (1, (4e-6, 4e-6))]


@pytest.mark.parametrize(
    ("old", "new", "conditions"),
    [
        ("datatype=MPI_INT", "datatype=MPI_DOUBLE", {"datatype": "MPI_DOUBLE"}),
        ("datatype=MPI_INT", "datatype=MPI_BYTE", None),
        ("MPI_INT", "MPI_BYTE\n#@root_proc=1", {"root": "1"}),
        ("MPI_INT", "MPI_BYTE\n#@root_proc=0", None),
    ],
)
def test_settings_of_the_header_are_conditions(
    tmp_path: Path, old: str, new: str, conditions: dict[str, str] | None
) -> None:
    text = HEADER.replace(old, new) + RAW.replace("MPI_Alltoall", "MPI_Bcast")
    assert read(tmp_path, text)[0].conditions == conditions


def test_a_file_without_rows_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(FileFormatError, match="no row under"):
        read(tmp_path, HEADER)


def test_a_trailer_of_another_form_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(FileFormatError, match="has the date 'noon'"):
        read(tmp_path, HEADER + RAW.replace("Tue Mar  5 06:07:08 2024", "noon"))


def test_a_barrier_has_no_size(tmp_path: Path) -> None:
    samples = read(tmp_path, HEADER + RAW.replace("MPI_Alltoall", "MPI_Barrier"))
    assert [(s.experiment, s.m, len(s.times_s)) for s in samples] == [("barrier", 0, 4)]
