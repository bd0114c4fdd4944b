from pathlib import Path

import pytest

from contend.errors import FileFormatError, InvalidInputError
from contend.samples import Sample
from contend.samples.reader import ReadOptions
from contend.samples.readers._text import AssumedWarning, SkippedWarning
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


@pytest.mark.parametrize(("unit", "seconds"), [("sec", 1), ("msec", 1e-3), ("nsec", 1e-9)])
def test_the_columns_say_the_unit_of_a_time(tmp_path: Path, unit: str, seconds: float) -> None:
    for text in (PINGPONG, alltoall(4, 1.5)):
        found = read(tmp_path, text.replace("usec", unit))[0]
        assert found.times_s == (pytest.approx(1.5 * seconds),)


def test_a_pingpong_that_names_no_processes_is_of_two(tmp_path: Path) -> None:
    assert {s.n for s in read(tmp_path, PINGPONG.replace("# #processes = 2\n", ""))} == {2}


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
    ("row", "problem"),
    [
        (
            '256  out-of-mem.; needed X=   9.5 GB; use flag "-mem X"',
            "IMB did not run this size .out-of-mem",
        ),
        ("256  1000  0.00  0.00  0.00", r"t_max\[usec\] is 0,.* shorter than IMB prints"),
    ],
)
def test_a_size_without_a_time_is_left_out_with_a_warning(
    tmp_path: Path, row: str, problem: str
) -> None:
    with pytest.warns(SkippedWarning, match=f"line 8: {problem}"):
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
def test_a_bad_row_is_left_out_and_an_error_where_it_is_the_only_one(
    tmp_path: Path, good: str, bad: str, problem: str
) -> None:
    with pytest.raises(FileFormatError, match=f"line 7: .*{problem}"):
        read(tmp_path, alltoall(4, 10.0).replace(good, bad))
    with pytest.warns(SkippedWarning, match=f"line 7: .*{problem}"):
        samples = read(tmp_path, alltoall(4, 10.0, 40.0).replace(good, bad, 1))
    assert [s.m for s in samples] == [256]


def test_a_row_after_its_table_ended_is_left_out(tmp_path: Path) -> None:
    with pytest.warns(SkippedWarning, match="line 11: .*outside a table"):
        assert len(read(tmp_path, PINGPONG + "\n 64 1000 2.00 4.00\n")) == 2


def test_a_table_without_rows_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(FileFormatError, match="line 3: no row"):
        read(tmp_path, alltoall(4))


def test_a_table_without_its_columns_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(FileFormatError, match=r"line 7: .* not #bytes and t_max\[usec\]"):
        read(tmp_path, alltoall(4, 10.0).replace("t_max", "t_top"))


def test_a_table_without_its_processes_asks_for_n(tmp_path: Path) -> None:
    text = alltoall(4, 10.0).replace("# #processes = 4\n", "")
    with pytest.raises(InvalidInputError, match="line 3 does not say n"):
        read(tmp_path, text)
    assert read(tmp_path, text, n=4)[0].n == 4


def test_a_single_process_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(FileFormatError, match="line 3: Alltoall of a single process"):
        read(tmp_path, alltoall(1, 10.0))


def test_a_date_of_another_form_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(FileFormatError, match="has the date 'today'"):
        read(tmp_path, "# Date : today\n" + PINGPONG)


def test_a_file_without_tables_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(FileFormatError, match="no table of"):
        read(tmp_path, HEADER)


@pytest.mark.parametrize("version", ["2018", "2018 Update 1", "2017", "4.1", "3.2.4"])
def test_before_2019_a_reduce_scatter_is_of_the_whole_vector(tmp_path: Path, version: str) -> None:
    header = HEADER.replace("2021.3", version)
    text = header + alltoall(128, 10.0, 20.0, 40.0, name="Reduce_scatter")
    with pytest.warns(SkippedWarning, match=r"(64|256) bytes have no 128 equal blocks"):
        samples = read(tmp_path, text)
    assert [one.m for one in samples] == [8]  # of 1024 B; 256 B are 64 floats for 128 ranks
    block = alltoall(4, 10.0, name="Reduce_scatter_block")
    assert read(tmp_path, header + block)[0].m == 64


def test_blocks_of_a_vector_are_whole_elements_of_the_datatype(tmp_path: Path) -> None:
    """64 bytes are a float for each of 16 ranks, and half a double."""
    header = HEADER.replace("2021.3", "2018") + "# MPI_Datatype for reductions : MPI_DOUBLE\n"
    with pytest.warns(SkippedWarning, match=r"line \d+: 64 bytes have no 16 equal blocks"):
        samples = read(tmp_path, header + alltoall(16, 10.0, 20.0, name="Reduce_scatter"))
    assert [one.m for one in samples] == [16]


@pytest.mark.parametrize("version", ["2019", "2019 Update 6", "2021.11"])
def test_from_2019_on_a_reduce_scatter_is_of_blocks(tmp_path: Path, version: str) -> None:
    text = HEADER.replace("2021.3", version) + alltoall(128, 10.0, name="Reduce_scatter")
    assert [one.m for one in read(tmp_path, text)] == [64]


def test_without_a_header_the_version_of_a_reduce_scatter_is_assumed(tmp_path: Path) -> None:
    with pytest.warns(AssumedWarning, match="taken as of 2019"):
        assert read(tmp_path, alltoall(4, 10.0, name="Reduce_scatter"))[0].m == 64


@pytest.mark.parametrize(
    "name", ["Intel (R) MPI Benchmark Suite V3.2.3", "PALLAS MPI Benchmark Suite V2.2"]
)
def test_the_suite_format_of_old_headers_is_known(tmp_path: Path, name: str) -> None:
    header = f"#    {name}, MPI-1 part\n"
    text = header + alltoall(4, 10.0, name="Reduce_scatter")
    assert read(tmp_path, text)[0].m == 16


CHECKED = """
#----------------------------------------------------------------
# Benchmarking Alltoall
# #processes = 4
#----------------------------------------------------------------
       #bytes #repetitions  t_min[usec]  t_max[usec]  t_avg[usec]      defects
            1         1000        10.00        20.00        15.00         0.00
            2         1000        11.00        21.00        16.00         7.00
"""


def test_a_row_with_defects_is_left_out(tmp_path: Path) -> None:
    with pytest.warns(SkippedWarning, match=r"line 8: defects are 7.00"):
        samples = read(tmp_path, CHECKED)
    assert [(s.m, s.times_s) for s in samples] == [(1, (20e-6,))]


MULTI = """
#----------------------------------------------------------------
# Benchmarking Multi-PingPong
# ( 2 groups of 2 processes each running simultaneous )
# Group  0:     0    1
#
# Group  1:     2    3
#----------------------------------------------------------------
        Group       #bytes #repetitions      t[usec]   Mbytes/sec

            0            8         1000        10.00         0.80
            1            8         1000        11.00         0.70

            0           16         1000        12.00         1.30
            1           16         1000        13.00         1.20

#----------------------------------------------------------------
# Benchmarking Alltoall
# #processes = 4
#----------------------------------------------------------------
        Group       #bytes #repetitions  t_min[usec]  t_max[usec]  t_avg[usec]

            0            0         1000         1.79         2.09         1.96

            0            8         1000        10.00        20.00        15.00
"""


def test_of_a_run_in_groups_the_table_of_a_single_group_is_read(tmp_path: Path) -> None:
    with pytest.warns(SkippedWarning) as caught:
        samples = read(tmp_path, MULTI)
    assert [(s.n, s.m, s.times_s) for s in samples] == [
        (4, 0, (pytest.approx(2.09e-6),)), (4, 8, (20e-6,)),
    ]  # fmt: skip
    assert len([w for w in caught if "Multi-PingPong" in str(w.message)]) == 1
    assert not [w for w in caught if "outside a table" in str(w.message)]


def test_a_row_of_another_group_is_none_of_a_single_one(tmp_path: Path) -> None:
    text = MULTI[MULTI.index("# Benchmarking Alltoall") :].replace(
        " 0            8", " 1            8"
    )
    with pytest.warns(SkippedWarning, match="line 8: several groups ran at once"):
        assert [s.m for s in read(tmp_path, text)] == [0]


def test_a_title_without_a_table_says_nothing_of_the_next_one(tmp_path: Path) -> None:
    for line in ("# #processes = 8", "# ( 2 groups of 2 processes each running simultaneous )"):
        table = alltoall(4, 10.0).replace("# #processes = 4\n", "")
        with pytest.warns(SkippedWarning, match="line 1: "):
            found = read(tmp_path, f"# Benchmarking Bcast\n{line}\n{table}", n=4)
        assert [(s.experiment, s.n) for s in found] == [("alltoall", 4)]


def test_a_run_has_the_header_of_its_own(tmp_path: Path) -> None:
    told = HEADER.replace("-npmin 4", "-sync off") + "# MPI_Datatype : MPI_INT\n"
    bare = "#    Intel(R) MPI Benchmarks 2021.3, MPI-1 part\n"
    first, second = read(tmp_path, told + alltoall(4, 10.0) + bare + alltoall(4, 11.0))
    assert first.conditions == {"datatype": "MPI_INT", "sync": "off"}
    assert (second.conditions, second.provenance.command, second.provenance.date) == (
        None,
        (),
        None,
    )


def test_a_table_of_one_process_refuses_no_other(tmp_path: Path) -> None:
    with pytest.warns(SkippedWarning, match="line 3: Alltoall of a single process"):
        assert [s.n for s in read(tmp_path, alltoall(1, 0.1) + alltoall(4, 20.0))] == [4]


def test_three_times_of_a_pingpong_give_the_average(tmp_path: Path) -> None:
    table = """
# Benchmarking PingPong
# #processes = 2
       #bytes #repetitions  t_min[usec]  t_max[usec]  t_avg[usec]   Mbytes/sec
            8         1000         1.40         1.60         1.50         5.00
"""
    (sample,) = read(tmp_path, table, n=8)  # the option is of the collectives
    assert (sample.n, sample.m, sample.times_s) == (2, 8, (1.5e-6,))


def test_a_pingpong_of_several_pairs_is_left_out(tmp_path: Path) -> None:
    table = PINGPONG.replace("= 2", "= 4")
    with pytest.warns(SkippedWarning, match="several pairs at once"):
        assert len(read(tmp_path, table + PINGPONG)) == 2


def test_a_barrier_is_of_the_slowest_rank(tmp_path: Path) -> None:
    table = """
# Benchmarking Barrier
# #processes = 8
 #repetitions  t_min[usec]  t_max[usec]  t_avg[usec]
         1000         1.00         2.00         1.50
"""
    (sample,) = read(tmp_path, table)
    assert sample.where == "barrier/native n=8 m=0 launch 0"
    assert sample.times_s == (2e-6,)


def test_a_second_table_of_one_run_is_no_launch(tmp_path: Path) -> None:
    table = alltoall(4, 10.0)
    with pytest.warns(SkippedWarning, match="this run has a row of 64 bytes already"):
        assert [s.launch for s in read(tmp_path, HEADER + table + table)] == [0]
    assert [s.launch for s in read(tmp_path, table + table)] == [0, 1]


@pytest.mark.parametrize(
    ("name", "old", "new", "conditions"),
    [
        ("Alltoall", "MPI_BYTE", "MPI_DOUBLE", {"datatype": "MPI_DOUBLE"}),
        ("Alltoall", "MPI_SUM", "MPI_MAX", None),
        ("Allreduce", "MPI_BYTE", "MPI_DOUBLE", None),
        ("Allreduce", "MPI_FLOAT", "MPI_DOUBLE", {"datatype": "MPI_DOUBLE"}),
        ("Allreduce", "MPI_SUM", "MPI_MAX", {"reduction": "MPI_MAX"}),
        *(("Bcast", "-npmin 4", f"-root_shift {word}", {"root": "rotating"})
          for word in ("on", "1", "enable", "yes")),
        ("Alltoall", "-npmin 4", "-root_shift on", None),
        ("Alltoall", "-npmin 4", "-off_cache 4.0", {"cache": "off"}),
        ("Alltoall", "-npmin 4", "-off_cache -1", {"cache": "off"}),
        ("Alltoall", "-npmin 4", "-off_cache -1,0", None),
        ("Alltoall", "-npmin 4", "-contig_type resize", {"datatype": "resize"}),
        *(("Alltoall", "-npmin 4", f"-sync {word}", {"sync": "off"})
          for word in ("off", "0", "disable", "no")),
        ("Alltoall", "IMB-MPI1", "IMB-MPI1-GPU", {"memory": "device"}),
        ("Alltoall", "MPI-1 part", "MPI-1 part (GPU)", {"memory": "device"}),
        ("Alltoall", "IMB-MPI1", "IMB-MPI1-GPU -mem_alloc_type shared", {"memory": "shared"}),
        ("Alltoall", "IMB-MPI1", "IMB-MPI1-GPU -mem_alloc_type cpu", None),
    ],
)  # fmt: skip
def test_what_departs_from_the_default_is_a_condition(
    tmp_path: Path, name: str, old: str, new: str, conditions: dict[str, str] | None
) -> None:
    kinds = (
        "#\n# MPI_Datatype                   :   MPI_BYTE \n"
        "# MPI_Datatype for reductions    :   MPI_FLOAT \n"
        "# MPI_Op                         :   MPI_SUM  \n"
    )
    text = (HEADER + kinds).replace(old, new) + alltoall(4, 10.0, name=name)
    assert read(tmp_path, text)[0].conditions == conditions
