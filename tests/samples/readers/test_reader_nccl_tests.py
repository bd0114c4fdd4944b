"""nccl-tests: tables as its versions print them."""

import re
from pathlib import Path

import pytest

from contend.errors import FileFormatError, InvalidInputError
from contend.samples.reader import READERS, ReadOptions, recognise
from contend.samples.readers._text import SkippedWarning

RANKS = "".join(
    f"#  Rank {rank:2d} Group  0 Pid  85{rank} on  node{rank // 4} device  {rank % 4} [0xa4] A100\n"
    for rank in range(8)
)
_TIMES = "time   algbw   busbw #wrong"
_ROWS = (
    "1048576 262144  float  sum  -1   857.6  156.51  156.51      0    819.6  163.76  163.76      0",
    "2097152 524288  float  sum  -1  1445.2  185.74  185.74      0   1441.9  186.17  186.17      0",
)
TABLE = f"""\
#
#                                                   out-of-place               in-place
#       size         count      type   redop    root     {_TIMES}     {_TIMES}
#        (B)    (elements)                               (us)  (GB/s)  (GB/s)
     {_ROWS[0]}
     {_ROWS[1]}
# Out of bounds values : 0 OK
# Avg bus bandwidth    : 179.465
"""
TITLE = "# nThread 1 nGpus 1 minBytes 1048576 maxBytes 2097152 step: 2\n#\n# Using devices\n"


def starting(test: str) -> str:
    return f"# Collective test starting: {test}_perf\n{TITLE}{RANKS}{TABLE}"


def read(tmp_path: Path, text: str, **options: object) -> list:
    path = tmp_path / "out.txt"
    path.write_text(text)
    assert recognise(path).name == "nccl_tests"
    return list(READERS.get("nccl_tests").read(path, ReadOptions(**options)))


def test_each_size_is_a_sample_of_the_ranks_that_the_header_lists(tmp_path: Path) -> None:
    found = read(tmp_path, starting("all_reduce"))
    assert [one.point for one in found] == [
        ("allreduce", "native", 8, 4, 1048576, 0), ("allreduce", "native", 8, 4, 2097152, 0),
    ]  # fmt: skip
    assert [one.times_s for one in found] == [(857.6e-6,), (pytest.approx(1445.2e-6),)]
    assert {one.statistic for one in found} == {"mean"}


def test_times_in_place_are_read_where_they_are_asked_for(tmp_path: Path) -> None:
    found = read(tmp_path, starting("all_reduce"), where={"place": "in"})
    assert found[0].times_s == (819.6e-6,)
    assert found[0].conditions == {"in_place": "yes"}
    with pytest.raises(InvalidInputError, match="place=in"):
        read(tmp_path, starting("all_reduce"), where={"place": "beside"})


@pytest.mark.parametrize(
    ("test", "m"),
    [("all_reduce", 1 << 20), ("broadcast", 1 << 20), ("reduce", 1 << 20), ("alltoall", 1 << 17),
     ("all_gather", 1 << 17), ("reduce_scatter", 1 << 17), ("gather", 1 << 17)],
)  # fmt: skip
def test_m_is_a_block_where_the_buffer_holds_one_of_each_rank(
    tmp_path: Path, test: str, m: int
) -> None:
    assert read(tmp_path, starting(test))[0].m == m


@pytest.mark.parametrize(
    "text",
    [
        "$ mpirun -np 8 ./build/alltoall_perf -b 1M -e 2M\n" + TITLE + RANKS + TABLE,
        TITLE + RANKS + TABLE + "# Collective test concluded: alltoall_perf\n",
        TITLE
        + RANKS.replace("Group  0 ", "")
        + TABLE
        + "# Collective test concluded: alltoall_perf",
    ],
)
def test_the_collective_is_told_by_the_command_or_at_the_end(tmp_path: Path, text: str) -> None:
    assert {one.series for one in read(tmp_path, text)} == {("alltoall", "native", 8, 4)}


def test_what_no_line_says_is_asked_for(tmp_path: Path) -> None:
    with pytest.raises(InvalidInputError, match="--experiment"):
        read(tmp_path, TITLE + RANKS + TABLE)
    with pytest.raises(InvalidInputError, match="add it with --n"):
        read(tmp_path, TITLE + TABLE, experiment="allreduce")
    (first, _) = read(tmp_path, TITLE + TABLE, experiment="allreduce", n=16)
    assert (first.n, first.processes_per_node) == (16, None)


def test_further_tables_are_launches_and_other_tests_are_left_out(tmp_path: Path) -> None:
    text = starting("all_reduce") + starting("sendrecv") + starting("all_reduce")
    with pytest.warns(SkippedWarning, match="sendrecv_perf has no place"):
        assert [one.launch for one in read(tmp_path, text)] == [0, 0, 1, 1]


def test_groups_that_ran_at_once_are_left_out(tmp_path: Path) -> None:
    text = starting("all_reduce").replace("Rank  7 Group  0", "Rank  7 Group  1")
    with pytest.raises(FileFormatError, match="several groups"):
        read(tmp_path, text)
    with pytest.warns(SkippedWarning, match="several groups"):
        assert len(read(tmp_path, text + starting("alltoall"))) == 2


@pytest.mark.parametrize(
    ("old", "new", "named"),
    [
        ("857.6", "fast", "line 17: time is 'fast'"),
        ("156.51  156.51      0", "156.51  156.51      3", "line 17: 3 values are wrong"),
        ("163.76  163.76      0", "163.76      0", "columns where size, count"),
        ("857.6", "-1", "which no duration can be"),
    ],
)
def test_a_bad_row_is_left_out_and_named(tmp_path: Path, old: str, new: str, named: str) -> None:
    with pytest.warns(SkippedWarning, match=named):
        assert len(read(tmp_path, starting("all_reduce").replace(old, new))) == 1


_OLD = "time   algbw   busbw  error"
_NUMBERS = "25.00    0.04    0.04  1e-07    26.00    0.04    0.04  1e-07"


@pytest.mark.parametrize(
    ("experiment", "names", "words", "m"),
    [
        ("allreduce", "redop ", "sum", 1024),
        ("reduce_scatter", "redop ", "sum", 512),
        ("reduce", "redop root", "sum  0", 1024),
        ("bcast", "root ", "0", 1024),
        ("allgather", "", "", 512),
        ("alltoall", "redop", "", 512),
    ],
)
def test_tables_before_2_11_lack_columns(
    tmp_path: Path, experiment: str, names: str, words: str, m: int
) -> None:
    two = "\n".join(RANKS.splitlines()[:2])
    text = f"""{TITLE}{two}
#       size         count    type   {names}     {_OLD}     {_OLD}
#        (B)    (elements)                     (us)  (GB/s)  (GB/s)            (us)  (GB/s)  (GB/s)
        1024           256   float   {words}    {_NUMBERS}
        2048           512   float   {words}    {_NUMBERS.replace("25.00", "27.00")}
"""
    found = read(tmp_path, text, experiment=experiment)
    assert [(one.m, one.times_s[0] * 1e6) for one in found] == [(m, 25.0), (2 * m, 27.0)]
    assert {one.conditions for one in found} == {None}
    in_place = read(tmp_path, text, experiment=experiment, where={"place": "in"})
    assert [one.times_s for one in in_place] == [(26e-6,)] * 2
    for cut in (" 0.04  1e-07", " 26.00    0.04    0.04  1e-07"):
        with pytest.warns(SkippedWarning, match="line 9"):
            torn = text.removesuffix("\n").removesuffix(cut) + "\n"
            assert len(read(tmp_path, torn, experiment=experiment)) == 1


@pytest.mark.parametrize(
    ("test", "old", "new", "conditions"),
    [
        ("all_reduce", "float  sum", "half  sum", {"datatype": "half"}),
        ("all_reduce", "float  sum", "float  max", {"reduction": "max"}),
        ("broadcast", "float  sum  -1", "float  none  3", {"root": "3"}),
        ("broadcast", "float  sum  -1", "float  none  0", None),
    ],
)
def test_type_operation_and_root_are_conditions(
    tmp_path: Path, test: str, old: str, new: str, conditions: dict[str, str] | None
) -> None:
    found = read(tmp_path, starting(test).replace(old, new))
    assert {tuple((one.conditions or {}).items()) for one in found} == {
        tuple((conditions or {}).items())
    }


def test_several_types_of_one_run_are_series_of_their_own(tmp_path: Path) -> None:
    rows = "\n     ".join((*_ROWS, *(row.replace("float", "half") for row in _ROWS)))
    found = read(tmp_path, starting("all_reduce").replace("\n     ".join(_ROWS), rows))
    assert [(one.setting, one.launch) for one in found] == [
        ("native", 0), ("native", 0), ("native@datatype=half", 0), ("native@datatype=half", 0),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("datatype", "good", "bad"),
    [
        ("float", "1e-07", "5e+00"), ("half", "1e-02", "1e-01"), ("int32", "0e+00", "1e+00"),
        ("float", "N/A", "nan"), ("float", "0e+00", "9e-06*"),
    ],
)  # fmt: skip
def test_a_deviation_that_is_too_large_is_left_out(
    tmp_path: Path, datatype: str, good: str, bad: str
) -> None:
    half = "time algbw busbw error"
    rows = "".join(
        f"{size} {size // 4} {datatype} sum {size}.0 0.04 0.04 {error} 26.00 0.04 0.04 0e+00\n"
        for size, error in ((1024, good), (2048, bad))
    )
    text = f"{TITLE}{RANKS}# size count type redop {half} {half}\n{rows}"
    with pytest.warns(SkippedWarning, match=f"values are wrong by {re.escape(bad)}"):
        assert [one.m for one in read(tmp_path, text, experiment="allreduce")] == [1024]
