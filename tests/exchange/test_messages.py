"""The library sends the messages of the schedules of the catalogue, and no others."""

import json
import re
from collections import Counter
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from groupings import groupings, in_order, interleaved, numbered

from contend.alltoall.clusters.plan import OPTIONS, PORTFOLIO
from contend.measure.build import source_folder
from contend.measure.mpi import installed
from contend.schedules import algorithms
from contend.schedules.algorithm import Call
from contend.schedules.group_algorithms import Relayed
from contend.schedules.groups import given
from support.processes import completed

pytestmark = [pytest.mark.mpi, pytest.mark.timeout(120)]

CHUNK, BYTES = 40, 100  # three chunks, the last one short
Message = tuple[int, int, int, frozenset[tuple[int, int, int]]]  # src, dst, bytes, (i, j, chunk)
UNORDERED = ("lg_pipelined", "spaced")  # a rank waits before it sends, which steps do not say
WANTED = [(name, 0) for name in ("lg", "lg_balanced", "node_aware", *UNORDERED)] + [
    ("leaders", leaders) for leaders in (0, 1, 2, 3)
]


@pytest.fixture(scope="session")
def planner(compiled):
    """The program that prints itineraries, with the sources of the library."""
    folder = source_folder() / "interpose"
    wrappers = installed()
    if not wrappers:
        pytest.skip("no MPI library is installed")
    sources = [
        *(folder / "exchange").rglob("*.c"),
        folder / "offsets.c",
        folder / "operations.c",
        folder / "communicators.c",
    ]
    sources.append(Path(__file__).parent / "itinerary.c")
    paths = (f"-I{folder / 'exchange'}",)
    flags = ("-std=c11", "-O1", "-D_GNU_SOURCE", *paths, "-pthread")
    checked = ("-fsanitize=signed-integer-overflow", "-fsanitize-undefined-trap-on-error")
    return compiled(wrappers[0].mpicc, *flags, *checked, *sources, "-ldl", "-lm")


def asked(planner, lines):
    """The words of each message, by line asked."""
    done = completed([planner], input="\n".join(lines) + "\n")
    assert done.returncode == 0, done.stderr
    parts = done.stdout.split("end\n")[:-1]
    return [[line.split() for line in part.splitlines()] for part in parts]


def line_of(name, leaders, groups, chunk=CHUNK, size=BYTES):
    return f"{name} {leaders} {chunk} {size} {','.join(map(str, groups))}"


def said(words, way):
    """Messages of the library; `way` is out or in."""
    return [
        (int(src), int(dst), int(size), frozenset(
            (*map(int, pair.split(":")), int(chunk)) for pair in blocks.split(",")))
        for direction, _, src, dst, chunk, size, blocks in words if direction == way
    ]  # fmt: skip


def scheduled(name, leaders, groups, chunk=CHUNK, size=BYTES):
    """Messages of the catalogue, in the order of their steps."""
    n = len(groups)
    algorithm = algorithms("alltoall").get(name).grouped(given(groups))
    options = {"leaders": leaders} if leaders else {}
    call = Call(n=n, m=size, segment=chunk, groups=groups, **options)
    made = algorithm.messages(call)
    offsets, blocks = made.carries.rows()
    sizes, chunks = made.bytes, made.block_bytes.size // (n * n)
    for index in np.argsort(made.step, kind="stable"):
        ids = blocks[offsets[index] : offsets[index + 1]]
        pieces = zip(ids // n // chunks, ids % n, ids // n % chunks, strict=True)
        yield (
            int(made.src[index]), int(made.dst[index]), int(sizes[index]),
            frozenset((int(i), int(j), int(chunk)) for i, j, chunk in pieces),
        )  # fmt: skip


def test_messages_are_those_of_the_catalogue(planner):
    cases = [
        (name, leaders, groups)
        for groups in groupings()
        for name, leaders in WANTED
        if not algorithms("alltoall").get(name).grouped(given(groups)).restriction(len(groups))
    ]
    assert {name for name, _, _ in cases} == {name for name, _ in WANTED}
    for case, words in zip(cases, asked(planner, [line_of(*case) for case in cases]), strict=True):
        wanted = list(scheduled(*case))
        sent = said(words, "out")
        assert Counter(sent) == Counter(wanted), case
        assert Counter(said(words, "in")) == Counter(wanted), case
        if case[0] not in UNORDERED:
            for rank in range(len(case[2])):
                assert by_rank(sent, rank) == by_rank(wanted, rank), case


def test_messages_of_the_largest_blocks_are_those_of_the_catalogue(planner):
    """Their bytes are beyond what an int can say; an overflow ends the program."""
    largest, chunk = 2**31 - 1, 2**30
    cases = [
        (name, leaders, numbered(groups), chunk, largest)
        for groups in (in_order(4, 4), interleaved(2, 3, 2), interleaved(5, 2))
        for name, leaders in WANTED
        if not algorithms("alltoall").get(name).grouped(given(groups)).restriction(len(groups))
    ]
    for case, words in zip(cases, asked(planner, [line_of(*case) for case in cases]), strict=True):
        wanted = Counter(scheduled(*case))
        is_packed = algorithms("alltoall").get(case[0]).is_packed
        assert max(size for _, _, size, _ in wanted) > (largest if is_packed else chunk - 1)
        assert Counter(said(words, "out")) == Counter(said(words, "in")) == wanted, case


def by_rank(messages, rank):
    """To whom a rank sends, in order."""
    return [dst for src, dst, *_ in messages if src == rank]


def test_the_portfolio_is_one_in_both_languages_and_in_the_catalogue():
    table = (source_folder() / "interpose" / "exchange" / "algorithms.def").read_text()
    assert tuple(re.findall(r"^ALGORITHM\((\w+)\)$", table, re.MULTILINE)) == PORTFOLIO
    known = {one.name: one for one in algorithms("alltoall").all()}
    assert set(PORTFOLIO) - {"native"} <= set(known)
    relayed = {name for name in PORTFOLIO if isinstance(known.get(name), Relayed)}
    assert relayed == {name for name, _ in WANTED}
    spelled = {"segment": "chunk"}
    options = {spelled.get(o, o) for name in PORTFOLIO[1:] for o in known[name].options}
    assert options == set(OPTIONS)


@pytest.mark.parametrize("sign", [1, -1], ids=["alltoall", "alltoallw"])
def test_calls_send_the_messages_of_the_catalogue(preloaded, tmp_path, sign):
    """As they are handed to MPI, sizes included; what is cut is in three chunks.

    With a window those between groups are synchronous where a rank has more than fit into it.
    """
    groups, cases = (0, 1, 1, 0, 1, 1), list(product(PORTFOLIO[1:], ("2", "all")))
    sizes = [CHUNK * 2 + 2 * index for index in range(1, len(cases) + 1)]
    chosen = [
        f"choose node {size} {name} chunk={CHUNK} leaders=2 window={window}\n"
        for size, (name, window) in zip(sizes, cases, strict=True)
    ]
    plan = tmp_path / "plan"
    plan.write_text("contend-exchange 1\n" + "".join(chosen))
    letters = ",".join("ab"[group] for group in groups)
    asked = [sign * size for size in sizes]
    done = preloaded("messages", letters, *asked, ranks=len(groups), plan=plan, check=0)
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    for (name, window), size, line in zip(cases, sizes, lines, strict=True):
        algorithm = algorithms("alltoall").get(name)
        is_windowed = window != "all" and (
            algorithm.is_packed or algorithm.is_answered or algorithm.is_spaced
        )
        if algorithm.needs_groups:
            algorithm = algorithm.grouped(given(groups))
        made = algorithm.messages(Call(n=6, m=size, segment=CHUNK, leaders=2, groups=groups))
        order = np.argsort(made.step, kind="stable")
        columns = (made.src, made.dst, made.bytes)
        wanted = list(zip(*(column[order].tolist() for column in columns), strict=True))
        sent = [tuple(message[:3]) for message in json.loads(line)]
        assert Counter(sent) == Counter(wanted), (name, window)
        far = Counter(src for src, dst, _ in sent if groups[src] != groups[dst])
        for src, dst, _, is_synchronous, *_ in json.loads(line):
            is_held = is_windowed and groups[src] != groups[dst] and far[src] > int(window)
            assert is_synchronous == is_held, (name, window)
        if name == "paced":
            assert crossing(sent, groups) == crossing(wanted, groups)
        if name == "spaced":
            for rank in range(len(groups)):
                assert by_rank(sent, rank) == by_rank(wanted, rank)


@pytest.mark.parametrize("letters", ["a,a,b,b,b,b", "b,a,b,b,a,b"])
def test_turns_that_fill_the_link_are_under_way_at_once_in_any_order_of_the_ranks(
    preloaded, tmp_path, letters
):
    """Bytes that fill it, headers counted, over those of the larger group; without a link one."""
    link = "link cluster latency_s {} bandwidth 1e6 buffer 8000 timeout_s 0.2\n"
    level = "contend-exchange 1\nlevel cluster\ngroup a host a*\ngroup b host b*\n"
    sizes, in_flight = (1, 256, 1024, 4096), 2 * 0.001 * 1e6 + 8000
    windows = [max(1, min(int(in_flight / (4 * (m + 50 + 100 * -(-m // 1448)))), 5)) for m in sizes]
    assert windows == [5, 5, 2, 1]
    n, plan = len(letters.split(",")), tmp_path / "plan"
    for known, expected in ((link.format(0.001), windows), ("", [1] * len(sizes))):
        plan.write_text(level + known + "choose cluster 0 throttled_pairwise\n")
        done = preloaded("messages", letters, *sizes, ranks=n, plan=plan, check=0)
        assert done.returncode == 0, done.stderr
        for m, window, line in zip(sizes, expected, done.stdout.splitlines(), strict=True):
            call = Call(n=n, m=m, window=window)
            made = algorithms("alltoall").get("throttled_pairwise").messages(call)
            sent = json.loads(line)
            order = np.argsort(made.step, kind="stable")
            wanted = list(zip(made.src[order].tolist(), made.dst[order].tolist(), strict=True))
            for rank in range(n):
                assert by_rank(sent, rank) == by_rank(wanted, rank)
                waited = [one[5] for one in sent if one[0] == rank]
                assert waited == [2 * max(turn - window, 0) for turn in range(1, n)]


def crossing(messages, groups):
    """Those between groups by source, of each in their order."""
    found = [message for message in messages if groups[message[0]] != groups[message[1]]]
    return sorted(found, key=lambda message: message[0])
