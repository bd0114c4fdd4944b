from pathlib import Path

import pytest

from contend.errors import FileFormatError, InvalidInputError
from contend.samples import Sample
from contend.samples.reader import ReadOptions
from contend.samples.readers._text import SkippedWarning
from contend.samples.readers.imb import ImbReader

HEADER = """\
#----------------------------------------------------------------
#    Intel(R) MPI Benchmarks 2021.3, MPI-1 part
#----------------------------------------------------------------
# Date                  : Fri Feb  3 10:11:12 2023
# Machine               : riscv64
# System                : Linux
# Release               : 6.1.0
# Version               : #7 SMP
# MPI Version           : 4.0
# MPI Thread Environment: MPI_THREAD_SINGLE


# Calling sequence was:

# ./IMB-MPI1 -npmin 4 PingPong Alltoall

# Minimum message length in bytes:   0
"""
PINGPONG = """
#---------------------------------------------------
# Benchmarking PingPong
# #processes = 2
# ( 6 additional processes waiting in MPI_Barrier)
#---------------------------------------------------
       #bytes #repetitions      t[usec]   Mbytes/sec
            0         1000         1.50         0.00
         1024         1000         2.25       455.11
"""


def alltoall(n: int, *times: float, name: str = "Alltoall") -> str:
    rows = "".join(
        f"{64 * 4**i:13d} {1000:12d} {t / 2:12.2f} {t:12.2f} {t * 0.75:12.2f}\n"
        for i, t in enumerate(times)
    )
    return f"""
#----------------------------------------------------------------
# Benchmarking {name}
# #processes = {n}
#----------------------------------------------------------------
       #bytes #repetitions  t_min[usec]  t_max[usec]  t_avg[usec]
{rows}"""


def read(tmp_path: Path, text: str, **options: object) -> list[Sample]:
    path = tmp_path / "imb.out"
    path.write_text(text)
    return list(ImbReader().read(path, ReadOptions(**options)))  # type: ignore[arg-type]


def test_pingpong_is_half_a_round_trip(tmp_path: Path) -> None:
    first, second = read(tmp_path, HEADER + PINGPONG, processes_per_node=1)
    assert first.where == "pingpong/half_round_trip n=2 m=0 launch 0"
    assert (second.m, second.times_s, second.statistic) == (1024, (2.25e-6,), "mean")
    assert (first.processes_per_node, first.start) == (1, "unknown")


def test_a_collective_is_the_mean_of_its_slowest_rank(tmp_path: Path) -> None:
    samples = read(tmp_path, HEADER + alltoall(4, 10.0, 40.0) + alltoall(8, 30.0))
    assert [s.where for s in samples] == [
        "alltoall/native n=4 m=64 launch 0",
        "alltoall/native n=4 m=256 launch 0",
        "alltoall/native n=8 m=64 launch 0",
    ]
    assert [s.times_s for s in samples] == [(10e-6,), (40e-6,), (30e-6,)]


def test_the_header_becomes_provenance(tmp_path: Path) -> None:
    provenance = read(tmp_path, HEADER + PINGPONG)[0].provenance
    assert provenance.source == "imb: imb.out"
    assert provenance.date == "2023-02-03T10:11:12"
    assert provenance.cpu == "riscv64"
    assert provenance.kernel == "Linux 6.1.0 #7 SMP"
    assert provenance.mpi_standard == "4.0"
    assert provenance.command == ("./IMB-MPI1", "-npmin", "4", "PingPong", "Alltoall")


def test_a_file_without_a_header_is_read(tmp_path: Path) -> None:
    provenance = read(tmp_path, PINGPONG)[0].provenance
    assert (provenance.date, provenance.kernel, provenance.command) == (None, None, ())


def test_repeated_tables_of_the_same_processes_are_launches(tmp_path: Path) -> None:
    text = alltoall(4, 10.0) + alltoall(8, 20.0)
    samples = read(tmp_path, HEADER + text + "\nsrun: done\n" + HEADER + text, algorithm="bruck")
    assert [(s.n, s.launch, s.algorithm) for s in samples] == [
        (4, 0, "bruck"), (8, 0, "bruck"), (4, 1, "bruck"), (8, 1, "bruck"),
    ]  # fmt: skip


def test_a_benchmark_without_a_place_is_left_out_with_a_warning(tmp_path: Path) -> None:
    with pytest.warns(SkippedWarning, match="line 4: Sendrecv has no place"):
        samples = read(tmp_path, "\n" + alltoall(2, 9.0, name="Sendrecv") + alltoall(4, 10.0))
    assert [s.experiment for s in samples] == ["alltoall"]


def test_groups_at_once_are_left_out_with_a_warning(tmp_path: Path) -> None:
    groups = alltoall(2, 9.0).replace(
        "# #processes = 2", "# ( 2 groups of 2 processes each running simultaneous )"
    )
    with pytest.warns(SkippedWarning, match="several groups"):
        assert len(read(tmp_path, groups + PINGPONG)) == 2


@pytest.mark.parametrize(
    "row",
    ['256  out-of-mem.; needed X=   9.5 GB; use flag "-mem X"', "256  1000  0.00  0.00  0.00"],
)
def test_a_size_without_a_time_is_left_out_with_a_warning(tmp_path: Path, row: str) -> None:
    with pytest.warns(SkippedWarning, match="line 8: "):
        samples = read(tmp_path, alltoall(4, 10.0) + f"     {row}\n")
    assert [s.m for s in samples] == [64]


@pytest.mark.parametrize(
    ("good", "bad", "problem"),
    [
        ("10.00", "ten", "not a number"),
        ("10.00", "-10.00", "no duration"),
        ("1000", "", "4 columns"),
        (" 64 ", " 6.4 ", "not a whole number"),
    ],
)
def test_a_bad_row_is_an_error_with_its_line(
    tmp_path: Path, good: str, bad: str, problem: str
) -> None:
    with pytest.raises(FileFormatError, match=f"line 7: .*{problem}"):
        read(tmp_path, alltoall(4, 10.0).replace(good, bad))


def test_a_row_after_its_table_ended_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(FileFormatError, match="line 11: a row outside a table"):
        read(tmp_path, PINGPONG + "\n 64 1000 2.00 4.00\n")


def test_a_table_without_rows_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(FileFormatError, match="line 3: no row"):
        read(tmp_path, alltoall(4))


def test_a_table_without_its_columns_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(FileFormatError, match=r"line 3: .* not #bytes and t_max\[usec\]"):
        read(tmp_path, alltoall(4, 10.0).replace("t_max", "t_top"))


def test_a_table_without_its_processes_asks_for_n(tmp_path: Path) -> None:
    text = alltoall(4, 10.0).replace("# #processes = 4\n", "")
    with pytest.raises(InvalidInputError, match="line 3 does not say n"):
        read(tmp_path, text)
    assert read(tmp_path, text, n=4)[0].n == 4


def test_a_single_process_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(FileFormatError, match="line 7: n: "):
        read(tmp_path, alltoall(1, 10.0))


def test_a_date_of_another_form_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(FileFormatError, match="has the date 'today'"):
        read(tmp_path, "# Date : today\n" + PINGPONG)


def test_a_file_without_tables_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(FileFormatError, match="no table of"):
        read(tmp_path, HEADER)


def test_a_reduce_scatter_is_of_blocks_where_the_whole_vector_is_printed(tmp_path: Path) -> None:
    text = HEADER + alltoall(128, 10.0, 20.0, 40.0, name="Reduce_scatter")
    with pytest.warns(SkippedWarning, match="64 bytes have no 128 equal blocks"):
        samples = read(tmp_path, text)
    assert [one.m for one in samples] == [2, 8]
