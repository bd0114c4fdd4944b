"""Logs of several tables and other text: each row is a sample, or a warning names it.

Every row has a time of its own, so that a sample tells which row it is.
"""

import re
import warnings
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from contend.base.errors import ContendError
from contend.samples.reader import ReadOptions, recognise
from contend.samples.readers._text import SkippedWarning

N = 4
SIZES = (8, 64, 4096)
NOISE = (
    "", "srun: error: n17: task 3: Exited with exit code 137",
    "slurmstepd: error: *** JOB 4711 ON n17 CANCELLED AT 2026-01-05T10:00:00 ***",
    "[1767607200.123456] [n17:4711 :0]     ucp_context.c:1234 UCX  WARN  device mlx5_0 not found",
    "libfabric:4711:1767607200::core:core:ofi_hook_install():1234<warn> hook",
    "[n17:4711:0:4711] Caught signal 11 (Segmentation fault: address not mapped)",
    "==== backtrace (tid:   4711) ====", "me@login:~/bench$ make",
    "Mon 05 Jan 2026 10:00:00 AM UTC", "2026-01-05 10:00:00 node n17 is up", "10:00:00 started",
    "12 tasks done", "--", "real\t0m1.500s", "Loading openmpi/5.0.11",
    "mpirun noticed that process rank 3 with PID 4711 on node n17 exited on signal 9 (Killed).",
)  # fmt: skip
PREFIXES = {
    "none": lambda number: "",
    "srun -l": lambda number: "0: ",
    "srun -l, padded": lambda number: "  0: ",
    "--tag-output": lambda number: "[1,0]<stdout>:",
    "prterun --tag-output": lambda number: "[prterun-n17-4711@1,0]<stdout>: ",
    "mpiexec -l": lambda number: "[0] ",
    "host": lambda number: "n17: ",
    "quoted": lambda number: "> ",
    "indented": lambda number: "    ",
    "time": lambda number: f"[10:{number // 60 % 60:02d}:{number % 60:02d}] ",
    "date": lambda number: f"2026-01-05T10:{number // 60 % 60:02d}:{number % 60:02d}.123Z ",
    "day": lambda number: f"Jan {5 + number % 9:2d} 10:00:{number % 60:02d} n17 job[4711]: ",
    "tag and time": lambda number: f"[Mon Jan  5 10:00:{number % 60:02d} 2026][1,0]<stdout>: ",
    "seconds since 1970": lambda number: f"{1767607200 + number // 2} ",
    "numbered": lambda number: f"{number:6d}\t",
    "file": lambda number: "run-1.out:",
    "coloured": lambda number: "\x1b[32m",
}


@dataclass
class Block:
    """Lines of a table; `rows` tells by the number of a line the row's point and time, or None."""

    lines: list[str]
    rows: dict[int, tuple[str, str, int, int, float] | None] = field(default_factory=dict)


def osu(times, title, name, setting, kinds=""):
    block = Block([f"+ mpirun -np {N} ./osu_x -f", f"# OSU {title} Test v7.3"])
    block.lines += [kinds] if kinds else []
    block.lines.append("# Size       Avg Latency(us)")
    n = 2 if name == "pingpong" else N
    for size in SIZES:
        value = next(times)
        block.rows[len(block.lines)] = (name, setting, n, size, value / 100)
        block.lines.append(f"{size:<10d}{value / 100:18.2f}")
    return block


def imb(times, name, n, extra=""):
    columns = "       #bytes #repetitions  t_min[usec]  t_max[usec]  t_avg[usec]"
    block = Block(["#-----", f"# Benchmarking {name}", f"# #processes = {n}", extra or "#-----"])
    block.lines.append(columns)
    is_known = name in ("Alltoall", "Bcast") and n > 1
    for size in SIZES:
        value = next(times)
        point = (name.lower(), "native", n, size, value / 100)
        block.rows[len(block.lines)] = point if is_known else None
        block.lines.append(f"{size:13d} {1000:12d} {0.01:12.2f} {value / 100:12.2f} {0.02:12.2f}")
    return block


def nccl(times, datatype, is_old):
    block = Block(
        [
            "# Collective test starting: all_reduce_perf",
            "# nThread 1 nGpus 1 minBytes 8 maxBytes 4096 step: 8(factor)",
            *(
                f"#  Rank {rank:2d} Pid 471{rank} on n17 device {rank} [0x8] GPU"
                for rank in range(N)
            ),
            "#       size  count  type  redop  "
            + ("" if is_old else "root  ")
            + "time  algbw  busbw  #wrong  time  algbw  busbw  #wrong",
            "#        (B)    (elements)                (us)  (GB/s)  (GB/s)",
        ]
    )
    setting = "native" if datatype == "float" else f"native@datatype={datatype}"
    for size in SIZES:
        value = next(times)
        block.rows[len(block.lines)] = ("allreduce", setting, N, size, value / 100)
        root = "" if is_old else "-1"
        block.lines.append(
            f"{size:12d} {size // 4:12d} {datatype:>8s} sum {root} {value / 100:.2f} 0.01 0.01 0 "
            "0.01 0.01 0.01 0"
        )
    return block


def reprompi(times):
    block = Block(
        ["#@datatype_size_bytes=1", f"#@nprocs={N}", "   test   nrep   count   runtime_sec"]
    )
    for size in SIZES:
        value = next(times)
        block.rows[len(block.lines)] = ("gather", "native", N, size, value / 100)
        block.lines.append(f"  MPI_Gather   0   {size}   {value / 1e8:.10f}")
    return block


def foreign(times, heading, sizes=(16, 8192)):
    block = Block([*heading.split("\n")])
    for size in sizes:
        block.rows[len(block.lines)] = None
        block.lines.append(f"{size:<10d}{next(times) / 100:18.2f}")
    return block


ALLTOALL = "All-to-All Personalized Exchange Latency"
CHAR, INT = "# Datatype: MPI_CHAR.", "# Datatype: MPI_INT."
BLOCKS = {
    "alltoall": lambda t: osu(t, f"MPI {ALLTOALL}", "alltoall", "native", CHAR),
    "cuda": lambda t: osu(t, f"MPI-CUDA {ALLTOALL}", "alltoall", "native@memory=cuda"),
    "allreduce": lambda t: osu(
        t, "MPI Allreduce Latency", "allreduce", "native@datatype=MPI_INT", INT
    ),
    "latency": lambda t: osu(t, "MPI Latency", "pingpong", "half_round_trip"),
    "imb": lambda t: imb(t, "Alltoall", N),
    "imb of 8": lambda t: imb(t, "Bcast", 8),
    "imb of 1": lambda t: imb(t, "Alltoall", 1),
    "imb without place": lambda t: imb(t, "Sendrecv", N),
    "imb in groups": lambda t: imb(
        t, "Multi-Alltoall", N, "# ( 2 groups of 2 processes each running simultaneous )"
    ),
    "nccl": lambda t: nccl(t, "float", is_old=False),
    "nccl of half": lambda t: nccl(t, "half", is_old=False),
    "nccl, old": lambda t: nccl(t, "float", is_old=True),
    "reprompi": reprompi,
    "bandwidth": lambda t: foreign(
        t, "# OSU MPI Bandwidth Test v7.3\n# Size      Bandwidth (MB/s)"
    ),
    "rows alone": lambda t: foreign(t, "", (2, 4)),
    "other": lambda t: foreign(t, "Threads       Time(ms)"),
    "other, commented": lambda t: foreign(t, "# size   time [usec] of our own program"),
}


@dataclass
class Log:
    """Text, the points that have to be read, and the lines that a warning has to name."""

    text: str = ""
    points: list[tuple[str, str, int, int, float]] = field(default_factory=list)
    rest: list[set[int]] = field(default_factory=list)  # a line, or that of its title


@st.composite
def logs(draw):
    """A log of some blocks in any order, with noise between them and amid their rows."""
    times, log, lines = count(1001), Log(), list(draw(st.lists(st.sampled_from(NOISE), max_size=3)))
    for name in draw(st.lists(st.sampled_from(sorted(BLOCKS)), min_size=1, max_size=5)):
        block = BLOCKS[name](times)
        title = len(lines) + (2 if name.startswith("imb") else 1)
        first, last = min(block.rows), max(block.rows)
        is_read = None not in block.rows.values()
        end = draw(st.sampled_from(["whole", "cut", "twice"])) if is_read else "whole"
        amid = draw(st.none() | st.integers(first + 1, last)) if is_read else None
        for index, whole in enumerate(block.lines):
            line = whole
            if index == amid:
                noise = draw(st.lists(st.sampled_from(NOISE), min_size=1, max_size=2))
                first_text = next((at for at, text in enumerate(noise, 1) if text), None)
                log.rest += (
                    [{len(lines) + first_text}]
                    if first_text and (index < last or end != "cut")
                    else []
                )
                lines += noise
            if index == last and end == "cut":
                start = len(whole) - len(whole.lstrip())
                line = whole[: draw(st.integers(start + 4, len(whole) - 1))].rstrip()
            lines.append(line)
            if index == last and end != "whole":
                lines += [line] if end == "twice" else []
                log.rest.append({len(lines)})
            if (point := block.rows.get(index)) and not (index == last and end == "cut"):
                log.points.append(point)
            elif index in block.rows:
                log.rest.append({title, len(lines)})
        lines += draw(st.lists(st.sampled_from(NOISE), min_size=1, max_size=3))
    if draw(st.booleans()):
        lines = ["```", *lines, "```"]
        log.rest = [{number + 1 for number in numbers} for numbers in log.rest]
    prefix, end = draw(st.sampled_from(sorted(PREFIXES))), draw(st.sampled_from(["\n", "\r\n"]))
    log.text = "".join(PREFIXES[prefix](n) + line + end for n, line in enumerate(lines, start=1))
    return log


def read(text):
    with TemporaryDirectory() as folder, warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        path = Path(folder) / "log.txt"
        path.write_text(text, newline="")
        samples = list(recognise(path).read(path, ReadOptions()))
    return samples, [str(each.message) for each in caught if each.category is SkippedWarning]


def named(messages):
    """Numbers of all lines that warnings name."""
    lines: set[int] = set()
    for message in messages:
        first = int(re.search(r" line (\d+)", message)[1])  # type: ignore[index]
        last = re.search(r"to line (\d+)\)", message)
        lines |= set(range(first, int(last[1]) + 1 if last else first + 1))
    return lines


@settings(max_examples=150, deadline=None, derandomize=True, database=None)
@given(logs())
def test_every_row_of_a_log_is_a_sample_or_named_by_a_warning(log):
    if not log.points:
        with pytest.raises(ContendError):
            read(log.text)
        return
    samples, messages = read(log.text)
    points = [
        (one.experiment, one.setting, one.n, one.m, round(one.times_s[0] * 1e6, 4))
        for one in samples
    ]
    assert sorted(points) == sorted(log.points)
    assert {len(one.times_s) for one in samples} == {1}
    assert len({one.point for one in samples}) == len(samples)
    lines = named(messages)
    assert [numbers for numbers in log.rest if not numbers & lines] == []


@pytest.mark.parametrize("line", ['"{}"', "'{}'", '        "{}",'])
def test_marks_of_quotation_around_each_line_are_taken_off(line):
    table = osu(count(1001), f"MPI {ALLTOALL}", "alltoall", "native")
    text = "".join(line.format(each) + "\n" for each in table.lines)
    samples, messages = read("TASK [run] ***\nok: [n1] => {\n" + text + "}\n")
    assert ([one.m for one in samples], messages) == (list(SIZES), [])


@pytest.mark.parametrize(
    ("text", "row"),
    [
        (
            f"$ srun -n 4 osu_alltoall\n# OSU MPI {ALLTOALL} v5.9\n# Size  Avg Latency(us)\n",
            "8  12.50",
        ),
        ("$ srun -n 4 osu_barrier\n# OSU MPI Barrier Latency Test\n# Avg Latency(us)\n", "12.50"),
        (
            "# Benchmarking Bcast\n# #processes = 4\n#bytes #repetitions t_min[usec] t_max[usec]\n",
            "8  1000  10.00  12.50",
        ),
    ],
)
def test_a_lone_row_that_was_cut_off_is_left_out(text, row):
    for end in ("", "\nsrun: error: n17: task 3: Killed\n"):
        assert len(read(text + row + end)[0]) == 1
        for lost in (1, 3):
            with pytest.raises(ContendError, match="the row was cut off"):
                read(text + row[:-lost] + end)


OTHER_RANKS = {
    "0: ": "3: ",
    "[1,0]<stdout>:": "[1,3]<stdout>:",
    "[1,0][n17:4711]<stdout>: ": "[1,3][n17:4714]<stdout>: ",
    "[Mon Jan  5 10:00:00 2026][1,0]<stdout>: ": "[Mon Jan  5 10:00:00 2026][1,3]<stdout>: ",
    "[0] ": "[3] ",
    "n17(0): ": "n17(3): ",
}


@pytest.mark.parametrize("label", OTHER_RANKS)
def test_lines_of_other_ranks_are_no_rows(label):
    table = osu(count(1001), f"MPI {ALLTOALL}", "alltoall", "native")
    lines = [label + line for line in table.lines]
    for place in range(len(lines), 0, -1):
        lines.insert(place, f"{OTHER_RANKS[label]}{10**place}      99.00")
    samples, messages = read("\n".join(lines) + "\n")
    assert [one.m for one in samples] == list(SIZES)
    assert messages == []


def test_tables_of_two_benchmarks_in_a_file_are_both_read():
    blocks = [BLOCKS[name](count(1001)) for name in ("imb", "nccl", "alltoall", "reprompi")]
    samples, _ = read("\n".join(line for block in blocks for line in block.lines) + "\n")
    assert [one.provenance.source.split(":")[0] for one in samples] == [
        name for name in ("imb", "nccl_tests", "osu", "reprompi") for _ in SIZES
    ]


def test_a_table_far_below_the_begin_is_recognised():
    noise = "\n".join(NOISE * 40)
    samples, _ = read(noise + "\n" + "\n".join(BLOCKS["imb"](count(1001)).lines) + "\n")
    assert len(noise) > 4000
    assert len(samples) == len(SIZES)
