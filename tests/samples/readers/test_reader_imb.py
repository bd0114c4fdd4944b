"""IMB: tables of its versions and options."""

import pytest
from cases import asked, check, gives, read, refused

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
COLUMNS = "       #bytes #repetitions  t_min[usec]  t_max[usec]  t_avg[usec]"
KINDS = """#
# MPI_Datatype                   :   MPI_BYTE
# MPI_Datatype for reductions    :   MPI_FLOAT
# MPI_Op                         :   MPI_SUM
"""
# As versions before 2019 print it: six words a line.
COMMAND = """# ./IMB-MPI1 -npmin 4 -msglog 0:4 Bcast
#            -root_shift on -sync off Alltoall
#            -off_cache 16
"""
GROUPS = "# ( 2 groups of 2 processes each running simultaneous )"


def alltoall(n, *times, name="Alltoall"):
    rows = "".join(
        f"{64 * 4**i:13d} {1000:12d} {t / 2:12.2f} {t:12.2f} {t * 0.75:12.2f}\n"
        for i, t in enumerate(times)
    )
    line = "#" + 64 * "-"
    return f"\n{line}\n# Benchmarking {name}\n# #processes = {n}\n{line}\n{COLUMNS}\n{rows}"


def of_version(version, *times, n=128, name="Reduce_scatter"):
    return HEADER.replace("2021.3", version) + alltoall(n, *times, name=name)


A4, A8 = alltoall(4, 10.0), alltoall(8, 20.0)
NO_PROCESSES = A4.replace("# #processes = 4\n", "")
SCATTER = alltoall(4, 10.0, name="Reduce_scatter")
MULTI = f"""
#----------------------------------------------------------------
# Benchmarking Multi-PingPong
{GROUPS}
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
        Group{COLUMNS}

            0            0         1000         1.79         2.09         1.96

            0            8         1000        10.00        20.00        15.00
"""
SINGLE = MULTI[MULTI.index("# Benchmarking Alltoall") :]
OLD_DOUBLE = HEADER.replace("2021.3", "2018") + "# MPI_Datatype for reductions : MPI_DOUBLE\n"
CASES = {
    "a collective is the mean of its slowest rank": gives(
        HEADER + alltoall(4, 10.0, 40.0) + alltoall(8, 30.0), "where us",
        ("alltoall/native n=4 m=64 launch 0", 10.0), ("alltoall/native n=4 m=256 launch 0", 40.0),
        ("alltoall/native n=8 m=64 launch 0", 30.0),
    ),
    "a pingpong that names no processes is of two": gives(
        PINGPONG.replace("# #processes = 2\n", ""), "n", 2, 2
    ),
    "a file without a header": gives(
        PINGPONG, "provenance.date provenance.kernel provenance.command", *[(None, None, ())] * 2
    ),
    "repeated tables of the same processes are launches": gives(
        HEADER + A4 + A8 + "\nsrun: done\n" + HEADER + A4 + A8, "n launch algorithm",
        (4, 0, "bruck"), (8, 0, "bruck"), (4, 1, "bruck"), (8, 1, "bruck"), algorithm="bruck",
    ),
    "a benchmark without a place": gives(
        "\n" + alltoall(2, 9.0, name="Sendrecv") + A4, "experiment", "alltoall",
        warned="line 4: Sendrecv has no place",
    ),
    "groups at once": gives(
        alltoall(2, 9.0).replace("# #processes = 2", GROUPS) + PINGPONG, "m", 0, 1024,
        warned="several groups",
    ),
    "a size out of memory": gives(
        A4 + '     256  out-of-mem.; needed X=   9.5 GB; use flag "-mem X"\n', "m", 64,
        warned="line 8: IMB did not run this size .out-of-mem",
    ),
    "a time shorter than what is printed": gives(
        A4 + "     256  1000  0.00  0.00  0.00\n", "m", 64,
        warned=r"line 8: t_max\[usec\] is 0,.* shorter than IMB prints",
    ),
    "a row after its table ended": gives(
        PINGPONG + "\n 64 1000 2.00 4.00\n", "m", 0, 1024, warned="line 11: .*outside a table"
    ),
    "a table without rows": refused(alltoall(4), "line 3: no row"),
    "a table without its columns": refused(
        A4.replace("t_max", "t_top"), r"line 7: .* not #bytes and t_max\[usec\]"
    ),
    "a table without its processes": asked(NO_PROCESSES, "line 3 does not say n"),
    "n from the options": gives(NO_PROCESSES, "n", 4, n=4),
    "a single process": refused(alltoall(1, 10.0), "line 3: Alltoall of a single process"),
    "a single process refuses no other": gives(
        alltoall(1, 0.1) + A4, "n", 4, warned="line 3: Alltoall of a single process"
    ),
    "a date of another form": refused("# Date : today\n" + PINGPONG, "has the date 'today'"),
    "a file without tables": refused(HEADER, "no table of"),
    **{
        f"before 2019 a reduce-scatter is of the whole vector, {version}": gives(
            # of 1024 B; 256 B are 64 floats for 128 ranks
            of_version(version, 10.0, 20.0, 40.0), "m", 8,
            warned=r"(64|256) bytes have no 128 equal blocks",
        )
        for version in ("2018", "2018 Update 1", "2017", "4.1", "3.2.4")
    },
    "but not one of blocks": gives(
        of_version("2018", 10.0, n=4, name="Reduce_scatter_block"), "m", 64
    ),
    # 64 bytes are a float for each of 16 ranks, and half a double.
    "blocks of a vector are whole elements of the datatype": gives(
        OLD_DOUBLE + alltoall(16, 10.0, 20.0, name="Reduce_scatter"), "m", 16,
        warned=r"line \d+: 64 bytes have no 16 equal blocks",
    ),
    **{
        f"from 2019 on a reduce-scatter is of blocks, {version}": gives(
            of_version(version, 10.0), "m", 64
        )
        for version in ("2019", "2019 Update 6", "2021.11")
    },
    "a reduce-scatter without a header": gives(SCATTER, "m", 64, warned="taken as of 2019"),
    **{
        f"the suite format {name}": gives(f"#    {name}, MPI-1 part\n{SCATTER}", "m", 16)
        for name in ("Intel (R) MPI Benchmark Suite V3.2.3", "PALLAS MPI Benchmark Suite V2.2")
    },
    "a row with defects": gives(
        f"""
# Benchmarking Alltoall
# #processes = 4
{COLUMNS}      defects
            1         1000        10.00        20.00        15.00         0.00
            2         1000        11.00        21.00        16.00         7.00
""", "m us", (1, 20.0), warned="line 6: defects are 7.00",
    ),
    "a row of another group": gives(
        SINGLE.replace(" 0            8", " 1            8"), "m", 0,
        warned="line 8: several groups ran at once",
    ),
    **{
        f"a title without a table says nothing of the next: {line}": gives(
            f"# Benchmarking Bcast\n{line}\n{NO_PROCESSES}", "experiment n", ("alltoall", 4),
            warned="line 1: ", n=4,
        )
        for line in ("# #processes = 8", GROUPS)
    },
    "a run has the header of its own": gives(
        HEADER.replace("-npmin 4", "-sync off") + "# MPI_Datatype : MPI_INT\n" + A4
        + "#    Intel(R) MPI Benchmarks 2021.3, MPI-1 part\n" + alltoall(4, 11.0),
        "conditions provenance.command provenance.date",
        ({"datatype": "MPI_INT", "sync": "off"},
         ("./IMB-MPI1", "-sync", "off", "PingPong", "Alltoall"), "2023-02-03T10:11:12"),
        (None, (), None),
    ),
    "three times of a pingpong give the average, and n is of the collectives": gives(
        f"# Benchmarking PingPong\n# #processes = 2\n{COLUMNS}   Mbytes/sec\n"
        "            8         1000         1.40         1.60         1.50         5.00\n",
        "n m us", (2, 8, 1.5), n=8,
    ),
    "a command of several lines": gives(
        HEADER.replace("# ./IMB-MPI1 -npmin 4 PingPong Alltoall\n", COMMAND)
        + alltoall(4, 10.0, name="Bcast"), "conditions",
        {"root": "rotating", "sync": "off", "cache": "off"},
    ),
    "processes in parentheses, as before version 3": gives(
        A4.replace("#processes = 4", "( #processes = 4 )") + A8, "n", 4, 8
    ),
    "defects that are no number": gives(
        (A4 + A8).replace("t_avg[usec]", "t_avg[usec]  defects", 1)
        .replace("        7.50", "        7.50  ****", 1), "n", 8, warned="defects is '\\*{4}'",
    ),
    "a pingpong of several pairs": gives(
        PINGPONG.replace("= 2", "= 4") + PINGPONG, "m", 0, 1024, warned="several pairs at once"
    ),
    "a barrier is of the slowest rank": gives(
        "# Benchmarking Barrier\n# #processes = 8\n #repetitions  t_min[usec]  t_max[usec]  "
        "t_avg[usec]\n         1000         1.00         2.00         1.50\n",
        "where us", ("barrier/native n=8 m=0 launch 0", 2.0),
    ),
    "a second table of one run is no launch": gives(
        HEADER + A4 + A4, "launch", 0, warned="this run has a row of 64 bytes already"
    ),
    "without a header it is": gives(A4 + A4, "launch", 0, 1),
    **{
        f"{name} with {new} for {old}": gives(
            (HEADER + KINDS).replace(old, new) + alltoall(4, 10.0, name=name), "conditions", told
        )
        for name, old, new, told in (
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
        )
    },
    **{
        f"{unit} of {name}": gives(text.replace("usec", unit), "us", *expected)
        for unit, scale in (("sec", 1e6), ("msec", 1e3), ("nsec", 1e-3))
        for name, text, expected in (
            ("a pingpong", PINGPONG, (1.5 * scale, round(2.25 * scale, 6))),
            ("a collective", alltoall(4, 1.5), (1.5 * scale,)),
        )
    },
}  # fmt: skip
BAD_ROWS = {
    "ten": ("10.00", "not a number"),
    "-10.00": ("10.00", "no duration"),
    "": ("1000", "4 columns"),
    " 6.4 ": (" 64 ", "not a whole number"),
}
for bad, (good, problem) in BAD_ROWS.items():  # left out, and an error where it is the only one
    warned = f"line 7: .*{problem}"
    CASES[f"{bad!r} alone"] = refused(A4.replace(good, bad), warned)
    beside = alltoall(4, 10.0, 40.0).replace(good, bad, 1)
    CASES[f"{bad!r} beside a good row"] = gives(beside, "m", 256, warned=warned)


@pytest.mark.parametrize("claim", CASES)
def test_what_is_read(tmp_path, claim):
    check("imb", tmp_path, CASES[claim])


def test_pingpong_is_half_a_round_trip_and_the_header_becomes_provenance(tmp_path):
    first, second = read("imb", tmp_path, HEADER + PINGPONG, processes_per_node=1)
    assert first.where == "pingpong/half_round_trip n=2 m=0 launch 0"
    assert (second.m, second.times_s, second.statistic) == (1024, (2.25e-6,), "mean")
    assert (first.processes_per_node, first.start) == (1, "unknown")
    provenance = first.provenance
    assert (provenance.source, provenance.date) == ("imb: run.txt", "2023-02-03T10:11:12")
    assert (provenance.cpu, provenance.kernel) == ("riscv64", "Linux 6.1.0 #7 SMP")
    assert provenance.mpi_standard == "4.0"
    assert provenance.command == ("./IMB-MPI1", "-npmin", "4", "PingPong", "Alltoall")


def test_of_a_run_in_groups_the_table_of_a_single_group_is_read(tmp_path):
    with pytest.warns(UserWarning) as caught:
        samples = read("imb", tmp_path, MULTI)
    assert [(s.n, s.m, round(s.times_s[0] * 1e6, 6)) for s in samples] == [(4, 0, 2.09), (4, 8, 20)]
    assert ["Multi-PingPong" in str(w.message) for w in caught] == [True]
