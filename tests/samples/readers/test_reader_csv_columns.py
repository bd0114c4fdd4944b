"""Tables of any program, by the names or numbers of their columns."""

import gzip
import re

import pytest
from cases import asked, check, gives, refused

from contend.base.errors import InvalidInputError
from contend.samples.reader import READERS, ReadOptions, recognise
from support.synthesis import LASSEN

TABLE = """\
job,kind,ranks,size,usec,who
j7,a,4,64,12.5,x
j7,a,4,64,10,x
j3,a,4,64,20,y

j3,b,4,64,99,y
j3,a,8,64,30,y
"""
COLUMNS = {"m": "size", "time_us": "usec", "n": "ranks", "launch": "job"}
NATIVE = {"experiment": "alltoall", "algorithm": "native"}
OF_KIND = {"columns": COLUMNS, "where": {"kind": "a"}} | NATIVE
OF_TABLE = {"columns": COLUMNS} | NATIVE
TWO = {"columns": {"m": "size", "time_us": "usec"}, "n": 4} | NATIVE
THREE = [[12.5, 10.0], [20.0], [30.0]]
PLAIN = [  # the same two rows
    ",m,n,time_us\n0,1024,4,12.5\n1,2048,4,22.5\n",
    '"","m","n","time_us"\n"1",1024,4,12.5\n"2",2048,4,22.5\n',
    '"m","n","time_us"\n"1",1024,4,12.5\n"2",2048,4,22.5\n',
    "m,n,time_us,\n1024,4,12.5,\n2048,4,22.5,\n",
    "m , n , time_us\n1024 , 4 , 12.5\n2048 , 4 , 22.5\n",
    ";m;n;time_us\n0;1024;4;12.5\n1;2048;4;22.5\n",
    "# measured on a cluster\n# on a Monday, by two\nm,n,time_us\n1024,4,12.5\n2048,4,22.5\n",
    "% measured\n\n// twice\nm,n,time_us\n# host a\n1024,4,12.5\n# host b\n2048,4,22.5\n",
    "# measured on a cluster\n#\n# m n time_us\n1024 4 12.5\n2048 4 22.5\n",
    "# measured\n#m,n,time_us\n1024,4,12.5\n2048,4,22.5\n",
    "```\nm,n,time_us\n1024,4,12.5\n2048,4,22.5\n```\n",
    "    m,n,time_us\n    1024,4,12.5\n    2048,4,22.5\n",
    "0: m,n,time_us\n0: 1024,4,12.5\n0: 2048,4,22.5\n",
    "> m n time_us\r\n> 1024 4 12.5\r\n> 2048 4 22.5\r\n",
]
TYPED = "m,n,time_us,type\n64,4,12.5,int\n64,4,22.5,float\n64,4,32.5,\n"
CONDITION = "m,n,time_us,{},note\n64,4,12.5,1,0\n64,4,22.5,2,0\n"
LIBRARIES = "m,n,time_us,library,node\n64,4,12.5,openmpi,n1\n64,4,22.5,mpich,n2\n"
COMMAS = "m;n;time_us\n64;4;12,5\n128;4;1,125\n"
CUT = "n,m,time_us\n4,64,10.25\n4,128,20.5"
TWICE = "n,m,time,time_us\n2,64,1,10\n"
BAD_ROWS = [
    ("b,4,64,99", "b,4,64,-99", "usec is '-99', not a number of 0 or more"),
    ("b,4,64,99", "b,4,64,nan", "usec is 'nan', not a number"),
    ("b,4,64,99", "b,4,64,inf", "usec is 'inf', not a number"),
    ("b,4,64,99", "b,4,64,", "usec is '', not a number"),
    ("b,4,64,99", "b,4,6.5,99", "size is '6.5', not a whole number of 0 or more"),
    ("b,4,64,99", "b,1,64,99", "ranks is '1', not a whole number of 2 or more"),
    ("b,4,64,99,2", "b,4,64,99,0", "who is '0', not a whole number of 1 or more"),
]
NUMBERED = TABLE.replace("x\n", "2\n").replace("y\n", "2\n")
CASES = {
    "rows of one point are repetitions, and launches are numbered": gives(
        TABLE, "where all_us processes_per_node statistic provenance.source",
        *[(f"alltoall/native n={n} m=64 launch {launch}", us, 2, "repetition",
           "csv_columns: run.txt")
          for n, launch, us in zip((4, 4, 8), (0, 1, 1), THREE, strict=True)],
        **OF_KIND, processes_per_node=2,
    ),
    "experiment and algorithm may be columns": gives(
        TABLE, "experiment algorithm processes_per_node",
        ("a", "x", 4), ("a", "y", 4), ("b", "y", 4), ("a", "y", 8),
        columns=COLUMNS
        | {"experiment": "kind", "algorithm": "who", "processes_per_node": "ranks"},
    ),
    **{
        f"{key} says its unit": gives(
            "t,b\n8,64\n", "us launch", (us, 0), columns={"m": "b", key: "t"}, n=2, **NATIVE
        )
        for key, us in (("time", 8e6), ("time_ms", 8e3), ("time_us", 8.0), ("time_ns", 8e-3))
    },
    "a file without a header is mapped by position": gives(
        "4,64,2.5\n4,64,3.5\n", "n m times_s", (4, 64, (2.5, 3.5)),
        columns={"n": "0", "m": "1", "time": "2"}, **NATIVE,
    ),
    **{
        f"between {delimiter!r}": gives(
            TABLE.replace(",", delimiter), "all_us", *THREE, **OF_KIND
        )
        for delimiter in ",;\t"
    },
    **{
        f"a map that does not fit: {problem}": asked(TABLE, problem, **(OF_TABLE | options))
        for options, problem in (
            ({"columns": COLUMNS | {"m": "length"}}, "no column 'length'; choose from job, kind"),
            ({"columns": COLUMNS | {"speed": "who"}}, "'speed' is no name of contend; write"),
            ({"columns": COLUMNS | {"who": "n"}}, "first, then .* --map n=who; names"),
            ({"columns": {**COLUMNS, "time": "all_us"}}, "is no time in s, as --map time=all_us"),
            *(
                ({"columns": {**COLUMNS, "time_ms": each}}, f"is no time_ms .*--map {key}={each}")
                for each, key in (
                    ("usec_per_call", "time_us"), ("us/op", "time_us"), ("lat_seconds", "time"),
                    ("t_s", "time"), ("nanoseconds", "time_ns"),
                )
            ),
            ({"columns": {**COLUMNS, "m": "size_KiB"}}, "'size_KiB' is no m in bytes, but in KiB"),
            ({"columns": {**COLUMNS, "m": "Size (MB)"}}, "'Size .MB.' is no m in bytes, but in MB"),
            ({"columns": {**COLUMNS, "m": "Mbits"}}, "'Mbits' is no m in bytes, but in Mbits"),
            ({"columns": {**COLUMNS, "m": "Size (B)"}}, "no column 'Size .B.'"),
            ({"columns": COLUMNS | {"time": "who"}}, "one of --map time=COLUMN"),
            ({"where": {"sort": "a"}}, "no column 'sort'; choose from job, kind"),
            ({"where": {"kind": "A"}}, "no row with kind 'A'.*the column holds a, b"),
            ({"n": 4}, "n is both a column and the option 4"),
        )
    },
    "sizes with a unit": gives(
        "m,n,time_us\n64,4,1\n1KiB,4,2\n1.5 MiB,4,3\n", "m", 64, 1024, 1572864, **NATIVE
    ),
    "sizes with a unit of 1000 or 1024": refused(
        "m,n,time_us\n64K,4,1\n", "line 2: m is '64K', not .*or a size like 64KiB", **NATIVE
    ),
    "a column named twice": asked(TABLE.replace("who", "size"), "2 columns 'size'", **OF_TABLE),
    **{
        f"a bad row: {bad}": refused(
            NUMBERED.replace(good, bad), f"line 6: {re.escape(problem)}",
            **OF_TABLE | {"columns": COLUMNS | {"processes_per_node": "who"}},
        )
        for good, bad, problem in BAD_ROWS
    },
    **{
        f"a line of another length: {bad}": gives(
            TABLE.replace("b,4,64,99,y", bad), "all_us", *THREE, **OF_TABLE,
            warned=r"1 lines are no rows of 6 columns \(line 6\)",
        )
        for bad in ("b,4,64", "b,4,64,99,5,y", "srun: error: n1: task 0: Killed")
    },
    "a row that the end of the file cut off": gives(CUT, "m", 64, warned=r"line 3", **NATIVE),
    "the same with a digit more": gives(CUT + "0", "m", 64, 128, **NATIVE),
    "the same with an end": gives(CUT + "\n", "m", 64, 128, **NATIVE),
    **{
        f"lines of rank 0 and of {other}": asked(
            f"0: m,n,time_us\n0: 64,4,12.5\n{other}64,4,22.5\n",
            "which of its columns are which: 0: m", **NATIVE,
        )
        for other in ("1: ", "[1] ")
    },
    "text around a table": gives(
        "module loaded\nm,n,time_us\n1024,4,12.5\n2048,4,22.5\nreal 0m1.5s\n", "m", 1024, 2048,
        warned=r"2 lines .*\(line 1, 5\)", **NATIVE,
    ),
    "a mapped condition makes series of their own": gives(
        TYPED, "setting us", ("native@datatype=int", 12.5), ("native@datatype=float", 22.5),
        ("native", 32.5), columns={"datatype": "type"}, **NATIVE,
    ),
    **{
        f"a column named {name} is a condition where it varies": gives(
            CONDITION.format(name), "setting", f"native@{name}=1", f"native@{name}=2", **NATIVE
        )
        for name in ("memory", "datatype", "reduction", "in_place", "root")
    },
    "and none where it does not": gives(
        CONDITION.format("memory"), "setting", "native", where={"memory": "2"}, **NATIVE
    ),
    "repetitions that differ in a word are told": gives(
        LIBRARIES, "m", 64, warned=r"differ in library \(openmpi, mpich\)", **NATIVE
    ),
    **{
        f"and that differ in the number of {name}": gives(
            f"m,n,time_us,{name}\n64,4,1,1\n64,4,2,2\n", "all_us", [1.0, 2.0],
            warned=rf"differ in {name} \(1, 2\)", **NATIVE,
        )
        for name in ("threads", "ppn", "nodes", "rank", "window_size")
    },
    **{
        f"but not in that of the {name}": gives(
            f"m,n,time_us,{name}\n64,4,1,1\n64,4,2,2\n", "all_us", [1.0, 2.0], **NATIVE
        )
        for name in ("iteration", "run", "index")
    },
    "unless the word is mapped": gives(
        LIBRARIES, "algorithm", "openmpi", "mpich", columns={"algorithm": "library"},
        experiment="alltoall",
    ),
    "a line of names again": gives(
        "m,n,time_us\n64,4,12.5\nm,n,time_us\n64,4,22.5\n", "all_us", [12.5, 22.5],
        warned=r"\(line 3\)", **NATIVE,
    ),
    **{
        f"decimal commas between {delimiter!r}": gives(
            COMMAS.replace(";", delimiter), "us", 12.5, 1.125, **NATIVE
        )
        for delimiter in ";\t"
    },
    **{
        f"a decimal comma that may be another, {new}": refused(
            COMMAS.replace(old, new), r"is '(1,[12]|12,5)", **NATIVE
        )
        for old, new in (("12,5", "1,250"), ("12,5", "12.5"), ("1,125", "1.125"))
    },
    **{
        f"rows are kept whose column is the whole text, not {other}": gives(
            TABLE.replace(",b,", f",{other},"), "all_us", *THREE, **OF_KIND
        )
        for other in ("ab", "ba", "A")
    },
    "a bad row that is filtered out": gives(
        TABLE.replace("99", "lost"), "all_us", *THREE, **OF_KIND
    ),
    "a point that took no time": refused(
        TABLE.replace(",30,", ",0,") + "j3,a,8,64,0,y\n",
        r"line 7: .*every repetition took 0 s", **OF_KIND,
    ),
    "an empty file": refused("", "is empty", **OF_TABLE),
    "a file without rows": refused("job,kind,ranks,size,usec\n", "has no rows", **OF_TABLE),
    "a mapped column does not stand for its own name too": asked(
        "n,m,time\n2,64,1e-5\n", "map n=COLUMN", columns={"m": "n"}, **NATIVE
    ),
    "columns that bear the names of fields need no map": gives(
        "n,m,time_us\n2,64,10\n4,64,30\n", "n m us", (2, 64, 10.0), (4, 64, 30.0), **NATIVE
    ),
    **{
        f"options and a map of {name} go before names": gives(
            TWICE, "n us statistic", (8, us, "mean"), columns={name: name}, n=8,
            statistic="mean", **NATIVE,
        )
        for name, us in (("time_us", 10.0), ("time", 1e6))
    },
    "a bad word between blanks": refused(
        "size usec\n64 1\n 128  lost\n", "line 3: usec is 'lost'", **TWO
    ),
    "numbers without names": asked(
        "64,12.5\n128,20\n", "no names, but 0 to 1 as their numbers", n=4, **NATIVE
    ),
}  # fmt: skip
RECOGNISED = {text: gives(text, "n m us", (4, 1024, 12.5), (4, 2048, 22.5), **NATIVE)
              for text in PLAIN}  # fmt: skip
BLANKS = "{}\n\n   64   12.5\n 128\t 20\n"
for names in ("size  usec", "# size   usec", "#size usec"):
    RECOGNISED[names] = gives(BLANKS.format(names), "m us", (64, 12.5), (128, 20.0), **TWO)
for text in ("64,12.5\n128,20\n", "64 12.5\n128 20\n"):
    by_number = TWO | {"columns": {"m": "0", "time_us": "1"}}
    RECOGNISED[text] = gives(text, "m us", (64, 12.5), (128, 20.0), **by_number)


@pytest.mark.parametrize("claim", CASES)
def test_what_is_read(tmp_path, claim):
    check("csv_columns", tmp_path, CASES[claim])


@pytest.mark.parametrize("claim", RECOGNISED)
def test_row_numbers_comments_labels_and_blanks_are_no_part_of_a_table(tmp_path, claim):
    check("csv_columns", tmp_path, RECOGNISED[claim])
    assert recognise(tmp_path / "run.txt").name == "csv_columns"


def test_a_gzipped_file_is_read(tmp_path):
    path = tmp_path / "t.csv.gz"
    path.write_bytes(gzip.compress(TABLE.encode()))
    assert len(list(READERS.get("csv_columns").read(path, ReadOptions(**OF_KIND)))) == 3


def test_missing_columns_are_named_with_the_option_to_give(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text(TABLE)
    with pytest.raises(InvalidInputError) as caught:
        list(READERS.get("csv_columns").read(path, ReadOptions(algorithm="native")))
    assert "job, kind, ranks, size, usec, who" in str(caught.value)
    assert "--map m=COLUMN" in caught.value.remedy
    assert "--map time=COLUMN, --map time_ms=COLUMN" in caught.value.remedy
    assert "-n or --map n=COLUMN" in caught.value.remedy
    assert "--as experiment= or --map experiment=COLUMN" in caught.value.remedy
    assert "algorithm=" not in caught.value.remedy


def test_lassen_alltoall_is_a_grid_of_five_counts_and_sixteen_sizes(shared_data):
    path = shared_data("lassen_alltoall/alltoall.csv")
    samples = list(READERS.get("csv_columns").read(path, LASSEN))
    assert {s.n for s in samples} == {8, 16, 32, 64, 128}
    assert len({(s.n, s.m) for s in samples}) == 5 * 16
    assert len({s.point for s in samples}) == len(samples) == 3 * 5 * 16
    assert {s.processes_per_node for s in samples} == {4}
    assert all(len(s.times_s) == 1 for s in samples)
    assert (min(s.m for s in samples), max(s.m for s in samples)) == (4, 131072)


def test_an_operation_may_have_the_name_of_its_call(tmp_path):
    path = tmp_path / "mine.csv"
    path.write_text("call,ranks,bytes,us\nMPI_Alltoall,4,64,12\nMPI_Reduce_scatter,4,64,10\n")
    columns = {"experiment": "call", "n": "ranks", "m": "bytes", "time_us": "us"}
    found = list(
        READERS.get("csv_columns").read(path, ReadOptions(columns=columns, algorithm="native"))
    )
    assert [one.experiment for one in found] == ["alltoall", "reduce_scatter"]
