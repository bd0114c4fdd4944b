"""nccl-tests: tables as its versions print them."""

import re

import pytest
from cases import asked, check, gives, refused

from contend.samples.reader import recognise

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


def starting(test):
    return f"# Collective test starting: {test}_perf\n{TITLE}{RANKS}{TABLE}"


ALLREDUCE = starting("all_reduce")
APART = ALLREDUCE.replace("Rank  7 Group  0", "Rank  7 Group  1")
CONCLUDED = "# Collective test concluded: alltoall_perf"
SERIES = ("alltoall", "native", 8, 4)
HALVES = "\n     ".join((*_ROWS, *(row.replace("float", "half") for row in _ROWS)))
CASES = {
    "each size is a sample of the ranks that the header lists": gives(
        ALLREDUCE, "point us statistic",
        (("allreduce", "native", 8, 4, 1048576, 0), 857.6, "mean"),
        (("allreduce", "native", 8, 4, 2097152, 0), 1445.2, "mean"),
    ),
    "times in place where they are asked for": gives(
        ALLREDUCE, "us conditions", (819.6, {"in_place": "yes"}), (1441.9, {"in_place": "yes"}),
        where={"place": "in"},
    ),
    "times beside": asked(ALLREDUCE, "place=in", where={"place": "beside"}),
    "the collective of the command": gives(
        "$ mpirun -np 8 ./build/alltoall_perf -b 1M -e 2M\n" + TITLE + RANKS + TABLE,
        "series", SERIES, SERIES,
    ),
    "the collective at the end": gives(
        TITLE + RANKS + TABLE + CONCLUDED + "\n", "series", SERIES, SERIES
    ),
    "ranks without groups": gives(
        TITLE + RANKS.replace("Group  0 ", "") + TABLE + CONCLUDED, "series", SERIES, SERIES
    ),
    "no collective": asked(TITLE + RANKS + TABLE, "--as experiment="),
    "no ranks": asked(TITLE + TABLE, "add it with -n", experiment="allreduce"),
    "n from the options": gives(
        TITLE + TABLE, "n processes_per_node", (16, None), (16, None), experiment="allreduce", n=16
    ),
    "further tables are launches, and other tests left out": gives(
        ALLREDUCE + starting("sendrecv") + ALLREDUCE, "launch", 0, 0, 1, 1,
        warned="sendrecv_perf has no place",
    ),
    "groups at once": refused(APART, "several groups"),
    "groups at once, and a test": gives(
        APART + starting("alltoall"), "experiment", "alltoall", "alltoall", warned="several groups"
    ),
    **{
        f"a row with {new} for {old}": gives(
            ALLREDUCE.replace(old, new), "m", 2097152, warned=warned
        )
        for old, new, warned in (
            ("857.6", "fast", "line 17: time is 'fast'"),
            ("156.51  156.51      0", "156.51  156.51      3", "line 17: 3 values are wrong"),
            ("163.76  163.76      0", "163.76      0", "columns where size, count"),
            ("857.6", "-1", "which no duration can be"),
        )
    },
    **{
        f"{test} with {new} for {old}": gives(
            starting(test).replace(old, new), "conditions", told, told
        )
        for test, old, new, told in (
            ("all_reduce", "float  sum", "half  sum", {"datatype": "half"}),
            ("all_reduce", "float  sum", "float  max", {"reduction": "max"}),
            ("broadcast", "float  sum  -1", "float  none  3", {"root": "3"}),
            ("broadcast", "float  sum  -1", "float  none  0", None),
        )
    },
    "an all-to-all of several counts has their mean, and says so": gives(
        starting("alltoallv"), "experiment m conditions",
        ("alltoallv", 131072, {"counts": "uneven"}), ("alltoallv", 262144, {"counts": "uneven"}),
    ),
    "a sum of several counts that does not split": gives(
        starting("alltoallv").replace("1048576 262144", "1048500 262125"), "m", 131062, 262144,
    ),
    "what a run is told beside": gives(
        ALLREDUCE.replace("step: 2", "step: 2(factor) agg iters: 4 validation: 1 graph: 8")
        .replace("# Using", "# Blocking Enabled: wait\n# Using"), "setting",
        *["native@aggregated=4,blocking=yes,graph=8"] * 2,
    ),
    "what a run is told that is the default": gives(
        ALLREDUCE.replace("step: 2", "agg iters: 1 validation: 1 graph: 0"),
        "conditions", None, None,
    ),
    "an algorithm with options": gives(
        ALLREDUCE, "algorithm parameters setting",
        *[("nccl:tree_ll128", {"channels": 8}, "nccl:tree_ll128,channels=8")] * 2,
        algorithm="nccl:tree_ll128,channels=8",
    ),
    "the library of newer versions": gives(
        "# nccl-tests version 2.17.8 nccl-headers=22403 nccl-library=22803\n" + ALLREDUCE,
        "provenance.mpi_library", *["NCCL 2.28.3"] * 2,
    ),
    "several types of one run are series of their own": gives(
        ALLREDUCE.replace("\n     ".join(_ROWS), HALVES), "setting launch",
        *[("native", 0)] * 2, *[("native@datatype=half", 0)] * 2,
    ),
}  # fmt: skip
# Tables before 2.11 lack columns.
_OLD = "time   algbw   busbw  error"
_NUMBERS = "25.00    0.04    0.04  1e-07    26.00    0.04    0.04  1e-07"
for operation, columns, words, m in (
    ("allreduce", "redop ", "sum", 1024), ("reduce_scatter", "redop ", "sum", 512),
    ("reduce", "redop root", "sum  0", 1024), ("bcast", "root ", "0", 1024),
    ("allgather", "", "", 512), ("alltoall", "redop", "", 512),
):  # fmt: skip
    old = f"""{TITLE}{"".join(RANKS.splitlines(keepends=True)[:2])}
#       size         count    type   {columns}     {_OLD}     {_OLD}
#        (B)    (elements)                     (us)  (GB/s)  (GB/s)            (us)  (GB/s)  (GB/s)
        1024           256   float   {words}    {_NUMBERS}
        2048           512   float   {words}    {_NUMBERS.replace("25.00", "27.00")}
"""
    CASES[f"old, {operation}"] = gives(
        old, "m us conditions", (m, 25.0, None), (2 * m, 27.0, None), experiment=operation
    )
    CASES[f"old, in place, {operation}"] = gives(
        old, "us", 26.0, 26.0, experiment=operation, where={"place": "in"}
    )
    for cut in (" 0.04  1e-07", " 26.00    0.04    0.04  1e-07"):
        torn = old.removesuffix("\n").removesuffix(cut) + "\n"
        CASES[f"old, without{cut}, {operation}"] = gives(
            torn, "m", m, experiment=operation, warned="line 10"
        )
# A deviation that is too large for its datatype.
for datatype, good, bad in (
    ("float", "1e-07", "5e+00"), ("half", "1e-02", "1e-01"), ("int32", "0e+00", "1e+00"),
    ("float", "N/A", "nan"), ("float", "0e+00", "9e-06*"),
):  # fmt: skip
    half = "time algbw busbw error"
    rows = "".join(
        f"{size} {size // 4} {datatype} sum {size}.0 0.04 0.04 {error} 26.00 0.04 0.04 0e+00\n"
        for size, error in ((1024, good), (2048, bad))
    )
    CASES[f"{bad} of {datatype}"] = gives(
        f"{TITLE}{RANKS}# size count type redop {half} {half}\n{rows}", "m", 1024,
        experiment="allreduce", warned=f"values are wrong by {re.escape(bad)}",
    )  # fmt: skip


@pytest.mark.parametrize("claim", CASES)
def test_what_is_read(tmp_path, claim):
    check("nccl_tests", tmp_path, CASES[claim])
    assert recognise(tmp_path / "run.txt").name == "nccl_tests"
