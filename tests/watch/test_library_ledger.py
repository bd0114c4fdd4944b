"""The ledger of collective calls without MPI, beside plain counts in Python."""

import json
import random
import subprocess
from bisect import bisect_left
from collections import Counter, defaultdict
from fractions import Fraction
from pathlib import Path

import pytest

from support.processes import completed

HERE = Path(__file__).parent
SOURCES = HERE.parents[1] / "mpi" / "interpose" / "watch"
NAMES = ("ledger.c", "sketch.c", "sums.c", "line.c", "append.c")
RATIO = Fraction(105, 95)
LAST_BIN = 303
LIMITS = [int(RATIO**i) for i in range(LAST_BIN + 1)]
OPERATIONS = ("bcast", "allreduce", "barrier")
SIZES = (128, 448, 448)  # rows, groups of bins and samples of the library


@pytest.fixture(scope="module")
def core(compiled):
    """A function that runs the test's program with some words and lines of input."""
    flags = ("-std=c11", "-O1", "-Wall", "-Werror", "-D_GNU_SOURCE", f"-I{SOURCES}")
    checks = ("-fsanitize=address,undefined", "-fno-sanitize-recover")
    program = compiled("cc", *flags, *checks, HERE / "core.c", *(SOURCES / one for one in NAMES))

    def run(*words, lines=()):
        done = subprocess.run(
            [program, *map(str, words)], input="\n".join(map(str, lines)) + "\n",
            capture_output=True, text=True, timeout=60, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        return done.stdout

    run.program = program
    return run


def exact_bin(ns):
    """The least i with ns <= g^i, in whole numbers."""
    return min(bisect_left(LIMITS, ns), LAST_BIN)


def call(operation, n, size, ns, m=0, comm=0, ordinal=0, begin=0):
    """A line of input."""
    return f"{OPERATIONS.index(operation)} {n} {size} {ns} {m} {comm:x} {ordinal} {begin}"


def test_a_bin_is_the_least_power_that_is_not_shorter(core):
    draw = random.Random(1)
    durations = [0, 1, 2, 3, 2**53 - 1, 2**53 + 1, 2**62, 2**63 - 1]
    durations += [limit + by for limit in LIMITS for by in (-1, 0, 1)]
    durations += [2**power + by for power in range(1, 62) for by in (-1, 0, 1)]
    durations += [int(10 ** draw.uniform(0, 14)) for _ in range(5000)]
    found = list(map(int, core("bins", lines=durations).split()))
    assert found == [exact_bin(ns) for ns in durations]


def test_random_calls_add_up_as_in_a_plain_count(core):
    draw = random.Random(2)
    keys = [(operation, n, 2**k) for operation in OPERATIONS for n in (2, 7) for k in range(20)]
    calls, spent, bins = Counter(), Counter(), defaultdict(Counter)
    lines = []
    for _ in range(20000):
        key = keys[min(int(draw.expovariate(0.05)), len(keys) - 1)]
        ns = int(draw.lognormvariate(9, 0.2))
        lines.append(call(*key, ns, m=key[2] - 1))
        calls[key] += 1
        spent[key] += ns
        bins[key][exact_bin(ns)] += 1
    found = json.loads(core("ledger", *SIZES, lines=lines))
    rows = {(row["operation"], row["n"], row["size"]): row for row in found["calls"]}
    assert found["not_kept"] == 0
    assert {key: row["calls"] for key, row in rows.items()} == calls
    assert {key: row["bytes"] for key, row in rows.items()} == {
        key: count * (key[2] - 1) for key, count in calls.items()
    }
    for key, row in rows.items():
        assert row["seconds"] == pytest.approx(spent[key] * 1e-9, rel=1e-8)
        assert dict(row["bins"]) == bins[key]


def test_calls_of_more_keys_than_there_are_rows_are_counted(core):
    lines = [call("bcast", n, 8, 1000) for n in range(2, 302) for _ in range(3)]
    found = json.loads(core("ledger", *SIZES, lines=lines))
    assert len(found["calls"]) == SIZES[0]
    assert [row["n"] for row in found["calls"]] == list(range(2, 2 + SIZES[0]))
    assert found["not_kept"] == 3 * (300 - SIZES[0])


def test_where_bins_have_no_room_the_lowest_collapse_and_none_is_lost(core):
    draw = random.Random(3)
    spans = {n: (1 + 30 * (n == 2), 12) for n in range(2, 10)}
    made = defaultdict(list)
    for _ in range(8000):
        n = draw.choice(list(spans))
        made[n].append(int(10 ** draw.uniform(0, spans[n][1])))
    lines = [call("bcast", n, 8, ns) for n in made for ns in made[n]]
    draw.shuffle(lines)
    found = json.loads(core("ledger", 8, 40, 8, lines=lines))
    assert len(found["calls"]) == len(made)
    groups = 0
    for row in found["calls"]:
        truth = Counter(map(exact_bin, made[row["n"]]))
        bins = dict(row["bins"])
        assert sum(bins.values()) == row["calls"] == len(made[row["n"]])
        lowest = min(bins)
        assert lowest % 8 == 0
        assert bins[lowest] == sum(count for at, count in truth.items() if at <= lowest)
        assert {at: bins[at] for at in bins if at > lowest} == {
            at: count for at, count in truth.items() if at > lowest
        }
        groups += len({at // 8 for at in bins})
    assert groups == 40


def drawn(found):
    """The calls that a line keeps, by communicator and ordinal."""
    return {(sample[1], sample[2]): sample for row in found["calls"] for sample in row["samples"]}


def test_samples_of_a_rank_with_more_calls_are_among_those_of_one_with_fewer(core):
    shared = [call("bcast", 4, 8, 10, 7, 0xABC, i, 100 * i) for i in range(300)]
    others = [call("bcast", 4, 8, 10, 7, 0xDEF, i, 100 * i) for i in range(5000)]
    few = drawn(json.loads(core("ledger", *SIZES, lines=shared)))
    many = drawn(json.loads(core("ledger", *SIZES, lines=[*others, *shared])))
    both = {key for key in many if key[0].endswith("abc")}
    assert 4 <= len(few) <= 16
    assert 4 <= len(many) <= 16
    assert both <= set(few)
    assert all(
        sample == [7, comm, ordinal, 100 * ordinal, 100 * ordinal + 10]
        for (comm, ordinal), sample in few.items()
    )


def test_samples_share_their_room_among_all_rows(core):
    lines = [call("bcast", n, 8, 10, 8, n, i, i) for i in range(200) for n in range(2, 102)]
    found = json.loads(core("ledger", *SIZES, lines=lines))
    counts = [len(row["samples"]) for row in found["calls"]]
    assert sum(counts) <= SIZES[2]
    assert max(counts) <= 16
    assert sum(1 for count in counts if count > 0) > 80


def test_calls_of_a_loop_are_not_drawn_at_the_same_place_of_it(core):
    lines = [call(OPERATIONS[i % 2], 4, 8, 10, 8, 5, i, i) for i in range(4000)]
    found = json.loads(core("ledger", *SIZES, lines=lines))
    assert all(len(row["samples"]) >= 4 for row in found["calls"])


def test_samples_are_matched_over_the_ranks(core):
    lateness = {0: 300, 1: 900, 2: 0}  # the first to come is the last to be added
    lines = []
    for rank, late in lateness.items():
        if rank:
            lines.append("rank")
        for i in range(8):
            begin = 10_000 * i + late
            end = 10_000 * i + 1500 + 10 * rank
            lines.append(call("allreduce", 3, 64, end - begin, 60 + rank, 0xF, i, begin))
        lines.append(call("bcast", 3, 64, 5, 1, 0xE, 1 + rank, 5))  # a call that is of no other
    found = json.loads(core("ranks", *SIZES, lines=lines))
    reduced, cast = found["calls"]
    assert "rank" not in found
    assert reduced["calls"] == 24
    assert len(reduced["samples"]) == 8
    for sample in reduced["samples"]:
        assert sample == pytest.approx([61, 3, 900e-9, 620e-9, 500e-9])
    assert (cast["calls"], cast["samples"]) == (3, [])


def test_ranks_with_different_sizes_of_a_call_are_matched_in_the_row_of_the_largest(core):
    lines = [call("bcast", 2, 8, 10, 8, 3, 0, 0), "rank", call("bcast", 2, 64, 10, 60, 3, 0, 4)]
    small, large = json.loads(core("ranks", *SIZES, lines=lines))["calls"]
    assert (small["samples"], large["samples"]) == ([], [[34, 2, 4e-9, 10e-9, 2e-9]])


def test_all_is_within_64_kib(core):
    assert int(core("bytes", *SIZES)) <= 60 * 1024


def is_whole(line):
    """Whether a line is as it was written."""
    words = line.split(" ")
    return len(words) == 3 and words[2] == "a" * (int(words[1]) * 7919 % 50000)


def lines_of(path):
    """The numbers of the lines of a file, each checked to be whole, by who wrote them."""
    text = path.read_text()
    assert text.endswith("\n")
    found = defaultdict(list)
    for line in text.splitlines():
        assert is_whole(line)
        who, number, _ = line.split(" ")
        found[who].append(int(number))
    return found


def test_two_processes_that_append_at_once_leave_whole_lines(core, tmp_path):
    path = tmp_path / "site.jsonl"
    both = [
        subprocess.Popen([core.program, "append", path, name, "400"], stdout=subprocess.PIPE)
        for name in ("one", "other")
    ]
    assert [one.wait(60) for one in both] == [0, 0]
    for one in both:
        one.stdout.close()
    assert lines_of(path) == {name: list(range(400)) for name in ("one", "other")}


def test_a_killed_process_tears_its_last_line_alone(core, tmp_path):
    for at in range(10):
        path = tmp_path / f"{at}.jsonl"
        one = subprocess.Popen([core.program, "append", path, "one", "100000"])
        while not path.exists() or path.stat().st_size < (1 + at) << 16:
            assert one.poll() is None
        one.kill()
        one.wait(10)
        core("append", path, "other", 3)
        text = path.read_text()
        *first, last = (line for line in text.splitlines() if not line.startswith("other"))
        assert all(map(is_whole, first))
        assert [int(line.split(" ")[1]) for line in first] == list(range(len(first)))
        assert last.startswith("one "[: len(last)])
        others = text.splitlines()[-3:]
        assert all(map(is_whole, others))
        assert [line[:7] for line in others] == ["other 0", "other 1", "other 2"]


def test_a_torn_line_is_ended_before_the_next(core, tmp_path):
    path = tmp_path / "site.jsonl"
    path.write_text('{"format": "cont')
    core("append", path, "one", 2)
    torn, *rest = path.read_text().splitlines()
    assert torn == '{"format": "cont'
    assert [line.split()[:2] for line in rest] == [["one", "0"], ["one", "1"]]


def test_of_a_line_that_does_not_fit_nothing_is_left(core, tmp_path):
    path = tmp_path / "site.jsonl"
    limited = ["sh", "-c", 'ulimit -f 16; trap "" XFSZ; exec "$@"', "sh", core.program]
    done = completed([*limited, "append", path, "one", "1000"], timeout=60)
    assert done.returncode == 4, done.stderr
    assert len(lines_of(path)["one"]) > 0
