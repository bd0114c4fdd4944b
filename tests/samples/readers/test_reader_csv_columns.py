import gzip
import re
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from contend.errors import FileFormatError, InvalidInputError
from contend.samples import Sample
from contend.samples.reader import ReadOptions, recognise
from contend.samples.readers._text import AssumedWarning, SkippedWarning
from contend.samples.readers.csv_columns import CsvColumnsReader
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


def read(
    tmp_path: Path,
    text: str = TABLE,
    columns: Mapping[str, str] = COLUMNS,
    experiment: str | None = "alltoall",
    algorithm: str | None = "native",
    **options: object,
) -> list[Sample]:
    path = tmp_path / "t.csv"
    path.write_text(text)
    chosen = ReadOptions(experiment, algorithm, columns=columns, **options)  # type: ignore[arg-type]
    return list(CsvColumnsReader().read(path, chosen))


def test_rows_of_one_point_are_repetitions_and_launches_are_numbered(tmp_path: Path) -> None:
    samples = read(tmp_path, where={"kind": "a"}, processes_per_node=2)
    assert [s.where for s in samples] == [
        "alltoall/native n=4 m=64 launch 0",
        "alltoall/native n=4 m=64 launch 1",
        "alltoall/native n=8 m=64 launch 1",
    ]
    assert [s.times_s for s in samples] == [(12.5e-6, 10e-6), (20e-6,), (30e-6,)]
    assert {s.processes_per_node for s in samples} == {2}
    assert {s.statistic for s in samples} == {"repetition"}
    assert {s.provenance.source for s in samples} == {"csv_columns: t.csv"}


def test_experiment_and_algorithm_may_be_columns(tmp_path: Path) -> None:
    columns = COLUMNS | {"experiment": "kind", "algorithm": "who", "processes_per_node": "ranks"}
    samples = read(tmp_path, columns=columns, experiment=None, algorithm=None)
    assert [(s.experiment, s.algorithm, s.processes_per_node) for s in samples] == [
        ("a", "x", 4), ("a", "y", 4), ("b", "y", 4), ("a", "y", 8),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("key", "seconds"), [("time", 8.0), ("time_ms", 8e-3), ("time_us", 8e-6), ("time_ns", 8e-9)]
)
def test_the_key_of_the_time_says_its_unit(tmp_path: Path, key: str, seconds: float) -> None:
    (sample,) = read(tmp_path, "t,b\n8,64\n", {"m": "b", key: "t"}, n=2)
    assert sample.times_s == (seconds,)
    assert sample.launch == 0


def test_a_file_without_a_header_is_mapped_by_position(tmp_path: Path) -> None:
    samples = read(tmp_path, "4,64,2.5\n4,64,3.5\n", {"n": "0", "m": "1", "time": "2"})
    assert [(s.n, s.m, s.times_s) for s in samples] == [(4, 64, (2.5, 3.5))]


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_the_delimiter_is_that_of_the_first_line(tmp_path: Path, delimiter: str) -> None:
    samples = read(tmp_path, TABLE.replace(",", delimiter), where={"kind": "a"})
    assert [len(s.times_s) for s in samples] == [2, 1, 1]


def test_a_gzipped_file_is_read(tmp_path: Path) -> None:
    path = tmp_path / "t.csv.gz"
    path.write_bytes(gzip.compress(TABLE.encode()))
    options = ReadOptions("alltoall", "native", columns=COLUMNS, where={"kind": "a"})
    assert len(list(CsvColumnsReader().read(path, options))) == 3


def test_missing_columns_are_named_with_the_option_to_give(tmp_path: Path) -> None:
    with pytest.raises(InvalidInputError) as caught:
        read(tmp_path, columns={}, experiment=None)
    assert "job, kind, ranks, size, usec, who" in str(caught.value)
    assert "--map m=COLUMN" in caught.value.remedy
    assert "--map time=COLUMN, --map time_ms=COLUMN" in caught.value.remedy
    assert "--n or --map n=COLUMN" in caught.value.remedy
    assert "--experiment or --map experiment=COLUMN" in caught.value.remedy
    assert "--algorithm" not in caught.value.remedy


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ({"columns": COLUMNS | {"m": "length"}}, "0 columns 'length'; choose from job, kind"),
        ({"columns": COLUMNS | {"speed": "who"}}, "no field speed; map one of"),
        ({"columns": COLUMNS | {"time": "who"}}, "one of --map time=COLUMN"),
        ({"where": {"sort": "a"}}, "0 columns 'sort'; choose from job, kind"),
        ({"where": {"kind": "A"}}, "no row with kind 'A'.*the column holds a, b"),
        ({"n": 4}, "n is both a column and the option 4"),
    ],
)
def test_a_map_that_does_not_fit_is_an_error(
    tmp_path: Path, options: dict[str, object], problem: str
) -> None:
    with pytest.raises(InvalidInputError, match=problem):
        read(tmp_path, **options)  # type: ignore[arg-type]


def test_a_column_named_twice_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(InvalidInputError, match="2 columns 'size'"):
        read(tmp_path, TABLE.replace("who", "size"))


@pytest.mark.parametrize(
    ("good", "bad", "problem"),
    [
        ("b,4,64,99", "b,4,64,-99", "usec is '-99', not a number of 0 or more"),
        ("b,4,64,99", "b,4,64,nan", "usec is 'nan', not a number"),
        ("b,4,64,99", "b,4,64,inf", "usec is 'inf', not a number"),
        ("b,4,64,99", "b,4,64,", "usec is '', not a number"),
        ("b,4,64,99", "b,4,6.5,99", "size is '6.5', not a whole number of 0 or more"),
        ("b,4,64,99", "b,1,64,99", "ranks is '1', not a whole number of 2 or more"),
        ("b,4,64,99,y", "b,4,64,99,0", "who is '0', not a whole number of 1 or more"),
    ],
)
def test_a_bad_row_is_an_error_with_its_line(
    tmp_path: Path, good: str, bad: str, problem: str
) -> None:
    text = TABLE.replace("x\n", "2\n").replace("y\n", "2\n").replace(good.replace("y", "2"), bad)
    with pytest.raises(FileFormatError, match=f"line 6: {re.escape(problem)}"):
        read(tmp_path, text, COLUMNS | {"processes_per_node": "who"})


@pytest.mark.parametrize("bad", ["b,4,64", "b,4,64,99,5,y", "srun: error: n1: task 0: Killed"])
def test_a_line_of_another_length_is_left_out_with_its_number(tmp_path: Path, bad: str) -> None:
    with pytest.warns(SkippedWarning, match=r"1 lines are no rows of 6 columns \(line 6\)"):
        samples = read(tmp_path, TABLE.replace("b,4,64,99,y", bad))
    assert [s.times_s for s in samples] == [(12.5e-6, 10e-6), (20e-6,), (30e-6,)]


def test_a_row_that_the_end_of_the_file_cut_off_is_left_out(tmp_path: Path) -> None:
    text = "n,m,time_us\n4,64,10.25\n4,128,20.5"
    with pytest.warns(SkippedWarning, match=r"line 3"):
        assert [s.m for s in read(tmp_path, text, {})] == [64]
    assert [s.m for s in read(tmp_path, text + "0", {})] == [64, 128]
    assert [s.m for s in read(tmp_path, text + "\n", {})] == [64, 128]


@pytest.mark.parametrize(
    "text",
    [
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
    ],
)
def test_row_numbers_comments_and_labels_are_no_part_of_a_table(tmp_path: Path, text: str) -> None:
    path = tmp_path / "t.csv"
    path.write_text(text)
    assert recognise(path).name == "csv_columns"
    samples = read(tmp_path, text, {})
    assert [(s.n, s.m, s.times_s) for s in samples] == [
        (4, 1024, (12.5e-6,)), (4, 2048, (22.5e-6,)),
    ]  # fmt: skip


def test_lines_of_several_ranks_are_no_table(tmp_path: Path) -> None:
    for other in ("1: ", "[1] "):
        with pytest.raises(InvalidInputError, match="which of its columns are which: 0: m"):
            read(tmp_path, f"0: m,n,time_us\n0: 64,4,12.5\n{other}64,4,22.5\n", {})


def test_text_around_a_table_is_passed_over_with_a_warning(tmp_path: Path) -> None:
    text = "module loaded\nm,n,time_us\n1024,4,12.5\n2048,4,22.5\nreal 0m1.5s\n"
    with pytest.warns(SkippedWarning, match=r"2 lines .*\(line 1, 5\)"):
        assert [s.m for s in read(tmp_path, text, {})] == [1024, 2048]


def test_a_mapped_condition_makes_series_of_their_own(tmp_path: Path) -> None:
    text = "m,n,time_us,type\n64,4,12.5,int\n64,4,22.5,float\n64,4,32.5,\n"
    samples = read(tmp_path, text, {"datatype": "type"})
    assert [(s.setting, s.times_s) for s in samples] == [
        ("native@datatype=int", (12.5e-6,)), ("native@datatype=float", (22.5e-6,)),
        ("native", (32.5e-6,)),
    ]  # fmt: skip


@pytest.mark.parametrize("name", ["memory", "datatype", "reduction", "in_place", "root"])
def test_a_column_that_bears_the_name_of_a_condition_is_it_where_it_varies(
    tmp_path: Path, name: str
) -> None:
    text = f"m,n,time_us,{name},note\n64,4,12.5,1,0\n64,4,22.5,2,0\n"
    samples = read(tmp_path, text, {})
    assert [s.setting for s in samples] == [f"native@{name}=1", f"native@{name}=2"]
    assert [s.setting for s in read(tmp_path, text, {}, where={name: "2"})] == ["native"]


def test_repetitions_that_differ_in_a_word_are_told(tmp_path: Path) -> None:
    text = "m,n,time_us,library,node\n64,4,12.5,openmpi,n1\n64,4,22.5,mpich,n2\n"
    with pytest.warns(AssumedWarning, match=r"differ in library \(openmpi, mpich\)"):
        assert len(read(tmp_path, text, {})) == 1
    assert len(read(tmp_path, text, {"algorithm": "library"}, algorithm=None)) == 2


def test_a_line_of_names_again_is_no_row(tmp_path: Path) -> None:
    text = "m,n,time_us\n64,4,12.5\nm,n,time_us\n64,4,22.5\n"
    with pytest.warns(SkippedWarning, match=r"\(line 3\)"):
        assert [s.times_s for s in read(tmp_path, text, {})] == [(12.5e-6, 22.5e-6)]


def test_a_decimal_comma_is_read_where_it_can_be_nothing_else(tmp_path: Path) -> None:
    text = "m;n;time_us\n64;4;12,5\n128;4;1,125\n"
    for delimiter in ";\t":
        samples = read(tmp_path, text.replace(";", delimiter), {})
        assert [s.times_s for s in samples] == [(12.5e-6,), (1.125e-6,)]
    for old, new in (("12,5", "1,250"), ("12,5", "12.5"), ("1,125", "1.125")):
        bad = text.replace(old, new)
        with pytest.raises(FileFormatError, match=r"is '(1,[12]|12,5)"):
            read(tmp_path, bad, {})


def test_rows_are_kept_whose_column_is_the_whole_text(tmp_path: Path) -> None:
    for other in ("ab", "ba", "A"):
        samples = read(tmp_path, TABLE.replace(",b,", f",{other},"), where={"kind": "a"})
        assert sum(len(s.times_s) for s in samples) == 4


def test_a_bad_row_that_is_filtered_out_does_not_matter(tmp_path: Path) -> None:
    assert len(read(tmp_path, TABLE.replace("99", "lost"), where={"kind": "a"})) == 3


def test_a_point_that_took_no_time_is_an_error_with_its_line(tmp_path: Path) -> None:
    text = TABLE.replace(",30,", ",0,") + "j3,a,8,64,0,y\n"
    with pytest.raises(FileFormatError, match=r"line 7: .*every repetition took 0 s"):
        read(tmp_path, text, where={"kind": "a"})


@pytest.mark.parametrize("text", ["", "job,kind,ranks,size,usec\n"])
def test_a_file_without_rows_is_an_error(tmp_path: Path, text: str) -> None:
    with pytest.raises(FileFormatError, match=r"is empty|has no rows"):
        read(tmp_path, text)


def test_lassen_alltoall_is_a_grid_of_five_counts_and_sixteen_sizes(
    shared_data: Callable[[str], Path],
) -> None:
    path = shared_data("lassen_alltoall/alltoall.csv")
    samples = list(CsvColumnsReader().read(path, LASSEN))
    assert {s.n for s in samples} == {8, 16, 32, 64, 128}
    assert len({(s.n, s.m) for s in samples}) == 5 * 16
    assert len({s.point for s in samples}) == len(samples) == 3 * 5 * 16
    assert {s.processes_per_node for s in samples} == {4}
    assert all(len(s.times_s) == 1 for s in samples)
    assert (min(s.m for s in samples), max(s.m for s in samples)) == (4, 131072)


def test_fugaku_alltoall_is_read_in_nanoseconds_by_algorithm(
    shared_data: Callable[[str], Path],
) -> None:
    options = ReadOptions(
        columns={
            "m": "array_dim",
            "time_ns": "median_ns",
            "n": "nnodes_total",
            "experiment": "collective",
            "algorithm": "algo",
            "launch": "timestamp",
        },
        where={"collective": "ALLTOALL"},
    )
    path = shared_data("fugaku_collectives/collectives.csv.gz")
    samples = list(CsvColumnsReader().read(path, options))
    assert {s.n for s in samples} == {8, 64}
    assert {s.experiment for s in samples} == {"ALLTOALL"}
    assert all(1e-6 < s.median < 1 for s in samples)


def test_a_column_that_is_mapped_does_not_stand_for_its_own_name_too(tmp_path: Path) -> None:
    path = tmp_path / "times.csv"
    path.write_text("n,m,time\n2,64,1e-5\n")
    options = ReadOptions(experiment="alltoall", algorithm="native", columns={"m": "n"})
    with pytest.raises(InvalidInputError, match="map n=COLUMN"):
        list(CsvColumnsReader().read(path, options))


def test_columns_that_bear_the_names_of_fields_need_no_map(tmp_path: Path) -> None:
    path = tmp_path / "times.csv"
    path.write_text("n,m,time_us\n2,64,10\n4,64,30\n")
    options = ReadOptions(experiment="alltoall", algorithm="native")
    found = list(CsvColumnsReader().read(path, options))
    assert [(s.n, s.m, s.times_s) for s in found] == [(2, 64, (1e-5,)), (4, 64, (3e-5,))]


def test_an_option_or_a_map_goes_before_the_name_of_a_column(tmp_path: Path) -> None:
    text = "n,m,time,time_us\n2,64,1,10\n"
    for columns, seconds in (({"time_us": "time_us"}, 1e-5), ({"time": "time"}, 1.0)):
        (sample,) = read(tmp_path, text, columns, n=8, statistic="mean")
        assert (sample.n, sample.times_s, sample.statistic) == (8, (seconds,), "mean")


@pytest.mark.parametrize("head", ["size  usec", "# size   usec", "#size usec"])
def test_columns_may_be_between_blanks(tmp_path: Path, head: str) -> None:
    path = tmp_path / "t.txt"
    path.write_text(f"{head}\n\n   64   12.5\n 128\t 20\n")
    assert recognise(path).name == "csv_columns"
    samples = read(tmp_path, path.read_text(), {"m": "size", "time_us": "usec"}, n=4)
    assert [(s.m, s.times_s) for s in samples] == [(64, (12.5e-6,)), (128, (20e-6,))]


def test_a_bad_word_between_blanks_is_named_with_its_line(tmp_path: Path) -> None:
    with pytest.raises(FileFormatError, match="line 3: usec is 'lost'"):
        read(tmp_path, "size usec\n64 1\n 128  lost\n", {"m": "size", "time_us": "usec"}, n=4)


@pytest.mark.parametrize("text", ["64,12.5\n128,20\n", "64 12.5\n128 20\n"])
def test_a_file_without_names_is_recognised(tmp_path: Path, text: str) -> None:
    path = tmp_path / "t.csv"
    path.write_text(text)
    assert recognise(path).name == "csv_columns"
    samples = read(tmp_path, text, {"m": "0", "time_us": "1"}, n=4)
    assert [(s.m, s.times_s) for s in samples] == [(64, (12.5e-6,)), (128, (20e-6,))]
    with pytest.raises(InvalidInputError, match="no names, but 0 to 1 as their numbers"):
        read(tmp_path, text, {}, n=4)
