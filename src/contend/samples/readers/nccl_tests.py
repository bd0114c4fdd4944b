"""nccl-tests and rccl-tests: text tables of all_reduce_perf and the other collectives.

Source: github.com/NVIDIA/nccl-tests, src/common.cu and doc/PERFORMANCE.md; rccl-tests prints alike.

Layout: lines `#  Rank  0 Group  0 Pid  855 on node1 device  0 [0xa4] ...`, a rank each (older
versions without the group), a line of columns `#  size  count  type  redop  root  time  algbw
busbw #wrong  time  algbw  busbw #wrong` (out of place, then in place), a line of units, and a row
per size. Versions before 2.11 have `error` for `#wrong` and neither `redop` nor `root` where the
collective has none; the all-to-all leaves `redop` blank. Which collective it was stands in newer
versions alone (`# Collective test starting: all_reduce_perf`), else in the command that the log of
a launcher begins with. Outputs may follow each other in one file.

One value is a mean over iterations, in microseconds, as rank 0 has it. Out-of-place times are read;
in-place ones where `where` is `place=in`.

m: `size` is the larger of the buffers of a rank, so that m, a block, is the n-th part of it for
all-gather, reduce-scatter, all-to-all, gather and scatter. A size that does not split is left out
with a warning. Processes per node are the most ranks of one host.
alltoallv_perf sends more to ranks that are further off, as NCCL_TESTS_ALLTOALLV_SPREAD or a matrix
says, which the text does not tell: m is the mean, and the condition counts=uneven.

Conditions: datatype other than float, reduction other than sum, root other than 0, in place, calls
in one group (-m), CUDA graphs (-G), blocking (-z).

A deviation in the column `error` is wrong above what the tests themselves allow for the datatype.

Restrictions: sendrecv_perf and hypercube_perf, ranks in several groups, and rows with wrong values
are left out with a warning.
"""

import re
from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from itertools import pairwise

from contend.base.errors import InvalidInputError
from contend.samples.reader import ReadOptions
from contend.samples.readers._log import PER_SECOND, About, Fields, Head, LogReader
from contend.samples.readers._scanner import Table, decimals
from contend.samples.readers._text import Line, agree
from contend.samples.setting import NATIVE, split_setting

EXPERIMENTS = {
    "all_gather": "allgather", "all_reduce": "allreduce", "alltoall": "alltoall",
    "alltoallv": "alltoallv", "broadcast": "bcast", "gather": "gather", "reduce": "reduce",
    "reduce_scatter": "reduce_scatter", "scatter": "scatter",
}  # fmt: skip
BY_BLOCK = {"allgather", "alltoall", "gather", "reduce_scatter", "scatter"}
UNEVEN = "alltoallv"  # has no blocks of one size
REDUCTIONS = {"allreduce", "reduce", "reduce_scatter"}
MOST_ERROR = {"half": 5e-2, "bfloat16": 5e-2, "float": 1e-5, "double": 1e-12}  # of a reduction
PLACES = {"out": 0, "in": 1}  # which half of the columns
_RANK = re.compile(
    r"#\s*Rank\s+(\d+)(?:\s+Group\s+(?P<group>\d+))?\s+Pid\s+\d+\s+on\s+(?P<host>\S+)"
)
_RUN = re.compile(r"#\s*nThread\s+\d")
_USUAL = {"aggregated": "1", "graph": "0"}  # in the line of the run, and how it is without
_GIVEN = {"aggregated": re.compile(r"agg iters: (\d+)"), "graph": re.compile(r"graph: (\d+)")}
_BLOCKING = re.compile(r"#\s*Blocking Enabled")
_LIBRARY = re.compile(r"\b(?P<name>[nr]ccl)-library=(?P<code>\d{4,6})\b")
_NAMED = re.compile(r"# Collective test (?P<when>starting|concluded): (?P<test>\w+)_perf")
_COMMAND = re.compile(r"(?:^|[\s/])(?P<test>[a-z_]+)_perf(?:_mpi)?(?=\s+-|\s*$)")
_UNIT = re.compile(r"\(([mnu]?s)\)")
_HOSTS = " "  # between the hosts of the ranks


class NcclTestsReader(LogReader):
    name = "nccl_tests"
    title = "nccl-tests and rccl-tests: tables of the collectives"
    mark = re.compile(
        r"#\s*(?:nThread\s+\d|Collective test starting|(?:size|bytes)\s+(?:count|N)\s+type\s)"
    )
    columns = re.compile(r"#\s*(?:size|bytes)\s+(?:count|N)\s+type\s")
    has_fixed_decimals = False
    lacks = "has no table of nccl-tests"
    remedy = "name its whole output"

    def fits(self, words: Sequence[str], names: Sequence[str]) -> bool:
        """Whether size, count, type, operation and root stand before as many numbers as are due."""
        return "time" in names and _of_row(words, names) is not None

    def goes_on(self, words: Sequence[str], last: Sequence[str], names: Sequence[str]) -> bool:
        """Whether the size grows, or type, operation or root are others."""
        return words[2 : len(words) - len(names) + names.index("time")] != last[
            2 : len(last) - len(names) + names.index("time")
        ] or super().goes_on(words, last, names)

    def head(self, table: Table, above: Head) -> Head:
        head: Head = {}
        for line in table.before:
            named = _NAMED.match(line.text)
            if named and named["when"] == "concluded":
                continue
            if match := named or (None if line.text[:1] == "#" else _COMMAND.search(line.text)):
                head = {"library": head.get("library", ""), "test": match["test"]}
            elif _RUN.match(line.text):
                head = {key: value for key, value in head.items() if key in ("test", "library")}
                head |= {"run": str(line.number), **_given(line.text)}
            elif _BLOCKING.match(line.text):
                head["blocking"] = "yes"
            elif match := _LIBRARY.search(line.text):
                head["library"] = library_text(match["name"], int(match["code"]))
            elif match := _RANK.match(line.text):
                head["hosts"] = f"{head.get('hosts', '')}{_HOSTS}{match['host']}"
                if match["group"] not in (None, "0"):
                    head["group"] = match["group"]
        for line in table.after:
            named = _NAMED.match(line.text)
            if named and named["when"] == "concluded":
                head.setdefault("test", named["test"])
            elif match := _UNIT.search(line.text):
                head.setdefault("unit", match[1])
            elif _RUN.match(line.text):
                break
        return head

    def run(self, table: Table, head: Head) -> Hashable:
        """The line of settings that each run begins with."""
        return head.get("run", table.title.number)

    def about(self, table: Table, head: Head, options: ReadOptions) -> About:
        title, test = table.title, head.get("test")
        place = place_of(options)
        if test is not None and test not in EXPERIMENTS:
            raise title.error(f"{test}_perf has no place in contend", "others are read")
        if "group" in head:
            raise title.error("several groups ran at once", "run without NCCL_TESTS_SPLIT")
        if head.get("unit", "us") not in PER_SECOND or "time" not in table.names:
            raise title.error(f"no time in {' '.join(table.names)}", "restore the columns")
        hosts = head.get("hosts", "").split()
        experiment = agree(
            EXPERIMENTS[test] if test else None, options.experiment, "experiment", title.where
        )
        fields = {
            "experiment": experiment,
            **setting_fields(options.algorithm),
            "n": agree(len(hosts) or None, options.n, "n", title.where),
            "processes_per_node": options.processes_per_node
            or max(Counter(hosts).values(), default=0)
            or None,
            "statistic": "mean",
            "provenance": {
                "source": f"{self.name}: {title.path.name}",
                "mpi_library": head.get("library") or None,
            },
        }
        element = 1 if experiment in BY_BLOCK else 0
        return About(fields, element, place, head.get("unit", "us"), head)

    def row(self, line: Line, names: Sequence[str], about: About) -> Fields:
        cells, halves = _cells(line, names)
        if about.place >= len(halves):
            raise line.error("the table has no times in place", "leave --where out")
        half = halves[about.place]
        _check_values(line, half, cells.get("type", ""))
        duration = line.duration(half["time"], "time")
        if duration == 0:
            raise line.error("the time is 0", "it is shorter than nccl-tests prints")
        size = line.whole(cells.get("size", cells.get("bytes", "")), "size")
        return {
            "m": size // about.fields["n"] if is_uneven(about.fields) else about.m(line, size),
            "times_s": (duration / PER_SECOND[about.unit],),
            "conditions": _conditions(cells, about) or None,
        }


def _check_values(line: Line, half: Mapping[str, str], datatype: str) -> None:
    """Raise an error where values are wrong; they were not looked at where there is no number."""
    name = "error" if "error" in half else "#wrong"
    word, most = half.get(name, "0"), MOST_ERROR.get(datatype, 0.0) if name == "error" else 0.0
    is_marked = word.endswith("*") or word.lstrip("+-") in ("nan", "inf")
    if is_marked or (decimals(word) is not None and float(word) > most):
        problem = f"{word} values are wrong" if name == "#wrong" else f"values are wrong by {word}"
        raise line.error(problem, "mend the library; such times are void")


def _of_row(words: Sequence[str], names: Sequence[str]) -> dict[str, str] | None:
    """The words before the times by their columns; None where they are others than due."""
    due = names[: names.index("time")]
    cells_given = words[: len(words) - (len(names) - len(due))]
    if len(cells_given) != len(due):  # an all-to-all has a blank operation
        due = [name for name in due if name not in ("redop", "op")]
    if len(cells_given) != len(due):
        return None
    cells = dict(zip(due, cells_given, strict=True))
    is_right = all(
        (re.fullmatch(r"-?\d+", word) is not None) == (name not in ("type", "redop", "op"))
        for name, word in cells.items()
    )
    return cells if is_right else None


def _cells(line: Line, names: Sequence[str]) -> tuple[dict[str, str], list[dict[str, str]]]:
    """The words before the times, and those of each half, by their columns."""
    words = line.text.split()
    cells = _of_row(words, names) or {}
    first = names.index("time")
    starts = [index for index, name in enumerate(names) if name == "time"] + [len(names)]
    offset = len(words) - len(names)
    halves = [
        dict(zip(names[begin:end], words[begin + offset : end + offset], strict=True))
        for begin, end in pairwise(starts)
        if begin >= first
    ]
    return cells, halves


def _conditions(cells: dict[str, str], about: About) -> dict[str, str]:
    experiment = about.fields["experiment"]
    call = {
        "datatype": cells["type"], "root": cells.get("root", "0"),
        "reduction": cells.get("redop", cells.get("op", "sum")),
    }  # fmt: skip
    of_run = {key: about.head[key] for key in (*_USUAL, "blocking") if key in about.head}
    counts = {"counts": "uneven"} if is_uneven(about.fields) else {}
    return conditions_of(experiment, call, is_in_place=about.place == 1) | of_run | counts


def conditions_of(experiment: str, call: Mapping[str, str], *, is_in_place: bool) -> dict[str, str]:
    """Return what departs from the default of datatype, reduction, root and place."""
    conditions = {}
    if call["datatype"] != "float":
        conditions["datatype"] = call["datatype"]
    if experiment in REDUCTIONS and call["reduction"] not in ("sum", "none"):
        conditions["reduction"] = call["reduction"]
    if call["root"] not in ("0", "-1"):
        conditions["root"] = call["root"]
    if is_in_place:
        conditions["in_place"] = "yes"
    return conditions


def _given(text: str) -> dict[str, str]:
    """What the line of a run says that departs from its default."""
    fields = {key: match[1] for key, each in _GIVEN.items() if (match := each.search(text))}
    return {key: value for key, value in fields.items() if value != _USUAL[key]}


def is_uneven(fields: Mapping[str, object]) -> bool:
    return fields["experiment"] == UNEVEN


def setting_fields(setting: str | None) -> dict[str, object]:
    """Algorithm and options of a setting such as "nccl:tree_ll128,channels=8"; native of none."""
    algorithm, options = split_setting(setting or NATIVE)
    return {"algorithm": algorithm, "parameters": options or None}


def library_text(name: str, code: int) -> str:
    """Return the library and its version, of the number that it gives itself.

    >>> library_text("nccl", 22803), library_text("nccl", 2804)
    ('NCCL 2.28.3', 'NCCL 2.8.4')
    """
    major, rest = divmod(code, 10_000 if code >= 10_000 else 1000)
    return f"{name.upper()} {major}.{rest // 100}.{rest % 100}"


def place_of(options: ReadOptions) -> int:
    where = dict(options.where)
    word = where.pop("place", "out")
    if where or word not in PLACES:
        raise InvalidInputError(
            f"nccl-tests has no rows to choose by {dict(options.where)}",
            "give --where place=out or --where place=in",
        )
    return PLACES[word]
