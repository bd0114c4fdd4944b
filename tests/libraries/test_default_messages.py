"""What MPICH is said to run by itself sends what it does: message by message, as scheduled."""

import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from contend.measure.mpi import MPI
from contend.schedules import algorithms
from contend.schedules.libraries import LIBRARIES, Default, library_of
from contend.tune.choose.rules import Rule
from contend.tune.exports import FORMATS, Request
from contend.tune.exports.formats.mpich import VARIABLE
from support.decisions import decided, rule
from support.mpis import any_mpi, launch_settings, library_with_trees

pytestmark = [pytest.mark.mpi, pytest.mark.timeout(300)]
mpi = any_mpi

MPICH = LIBRARIES.get("mpich")
TO_ONE = ("bcast", "reduce", "allreduce", "gather", "scatter")
TO_ALL = ("alltoall", "alltoallv", "allgather", "reduce_scatter", "reduce_scatter_block")
SIZES = (4, 8, 64, 256, 1024, 2048, 4096, 8192, 32768, 65536, 131072, 524288, 2**20)
MOST = 2**24  # bytes that all ranks send in a call
ELEMENT = 4  # bytes, of what is reduced
COUNTS = (2, 4, 6, 8, 9, 12, 16)
ALL_COUNTS = [n for n in range(2, 33) if n not in COUNTS]
NO_NODES = {"MPIR_CVAR_NOLOCAL": "1"}
UNLIKE = -1  # bytes of a message that is not in one piece
# Schedules of other operations that send the same.
SAME = {("reduce_scatter_block", name): ("reduce_scatter", name)
        for name in ("recursive_halving", "pairwise")}  # fmt: skip
SAME |= {("alltoallv", "scattered"): ("alltoallv", "direct")}
Sent = list[list[tuple[int, int]]]  # of each rank the destinations and bytes, in order


def grid(n: int) -> list[tuple[str, int]]:
    calls = [(name, m) for name in TO_ONE for m in SIZES if n * m <= MOST]
    calls += [(name, m) for name in TO_ALL for m in SIZES if n * n * m <= MOST]
    return [*calls, ("barrier", 0)]


def sent(text: str, n: int) -> dict[tuple[str, int], Sent]:
    """By operation and bytes, as the program prints it."""
    calls: dict[tuple[str, int], Sent] = {}
    for line in text.splitlines():
        name, m, src, *messages = line.split()
        pairs = [tuple(map(int, message.split(":"))) for message in messages]
        calls.setdefault((name, int(m)), [[] for _ in range(n)])[int(src)] = pairs  # type: ignore
    return calls


def scheduled(default: Default, n: int, m: int) -> Sent:
    """The messages of the schedule that sends what an algorithm does."""
    assert default.algorithm is not None, default.why
    operation, name = default.algorithm.operation, default.algorithm.name
    same = SAME.get((operation, name))
    operation, catalogue = same or (operation, default.algorithm.equivalent(n, default.options))
    assert catalogue is not None, (operation, name)
    blocks = np.full((n, n), m) - np.diag([m] * n) if operation == "alltoallv" else m
    schedule = algorithms(operation).get(catalogue).build(n, blocks, with_blocks=False)
    messages: Sent = [[] for _ in range(n)]
    for row in np.flatnonzero(schedule.is_send):
        dst = int(schedule.rank[schedule.partner[row]])
        messages[schedule.rank[row]].append((dst, int(schedule.bytes[row])))
    return messages


def shape(messages: Sent) -> list[list[int]]:
    """What ranks send, whichever rank does: a schedule may number them otherwise.

    Without sizes where a message is not in one piece.
    """
    has_bytes = all(size != UNLIKE for row in messages for _, size in row)
    return sorted(sorted(size if has_bytes else 1 for _, size in row) for row in messages)


def total(messages: Sent) -> list[list[int]]:
    """What all ranks send: a binomial tree can be hung up in several ways."""
    return [sorted(size for row in messages for _, size in row)]


def counted(messages: Sent) -> list[list[int]]:
    """How many each rank sends: pieces of a message can be rounded in several ways."""
    return sorted([len(row)] for row in messages)


def in_order(messages: Sent) -> list[list[int]]:
    """Where to, for in an all-to-all each sends the same to each."""
    return [[dst for dst, _ in row] for row in messages]


COMPARED = {
    ("bcast", "binomial"): total,
    ("bcast", "scatter_ring_allgather"): counted,
    ("bcast", "scatter_recursive_doubling_allgather"): counted,
    ("alltoall", "pairwise"): in_order,
}


def is_as(messages: Sent, default: Default, n: int, m: int) -> bool:
    """Whether they are the messages of the schedule, and of no pairwise exchange unless it is one.

    Where messages are not in one piece, their number is compared.
    """
    assert default.algorithm is not None, default.why
    key = default.algorithm.operation, default.algorithm.name
    compared = COMPARED.get(key, shape)
    schedule = scheduled(default, n, m)
    if shape(messages) != shape(schedule) and compared is shape:
        schedule = [[(dst, UNLIKE) for dst, _ in row] for row in schedule]
    if key == ("alltoall", "scattered") and n > 2:
        pairwise = MPICH.algorithm("alltoall", "pairwise", (5,))
        if in_order(messages) == in_order(scheduled(Default(pairwise), n, m)):
            return False
    return compared(messages) == compared(schedule)


def launched(
    mpi: MPI, compiled: Any, n: int, calls: list[tuple[str, int]], variables: dict[str, str],
    monkeypatch: pytest.MonkeyPatch,
) -> dict[tuple[str, int], Sent]:  # fmt: skip
    """The messages of each call, where the library is one that sends by UCX."""
    if library_of(mpi.title)[0].name != "mpich":
        pytest.skip(f"{mpi.title} does not send by UCX")
    source = Path(__file__).with_name("messages.c")
    program = compiled(mpi.mpicc, "-rdynamic", source, "-ldl")
    for name, value in (launch_settings(mpi, n) | variables).items():
        monkeypatch.setenv(name, value)
    words = [*mpi.launcher, "-n", str(n), program, *(f"{name}:{m}" for name, m in calls)]
    done = subprocess.run(words, capture_output=True, text=True, check=True, timeout=250)
    messages = sent(done.stdout, n)
    if not any(map(any, messages.values())):
        pytest.skip(f"{mpi.title} does not send by UCX")
    assert messages.keys() == set(calls)
    return messages


@pytest.mark.parametrize(
    "n", [*COUNTS, *(pytest.param(n, marks=pytest.mark.full) for n in ALL_COUNTS)]
)
def test_each_call_sends_what_the_schedule_of_the_table_does(
    mpi: MPI, compiled: Any, n: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    library, version = library_of(mpi.title)
    wrong = {}
    messages = launched(mpi, compiled, n, grid(n), NO_NODES, monkeypatch)
    for (operation, m), rows in messages.items():
        element = ELEMENT if "reduce" in operation else 1
        default = library.default(operation, n, m, version, ppn=1, element=element)
        if not is_as(rows, default, n, m):
            wrong[operation, m] = str(default), rows
    assert not wrong


@pytest.mark.parametrize("n", [6, 8, 12, 16])
def test_one_rank_of_each_node_sends_to_another_where_a_call_has_parts(
    mpi: MPI, compiled: Any, n: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of two nodes, as the library is told: the even ranks, and the odd ones."""
    library, version = library_of(mpi.title)
    calls = [(name, m) for name in ("bcast", "reduce", "allreduce") for m in SIZES]
    variables = {"MPIR_CVAR_NUM_CLIQUES": "2"}
    messages = launched(mpi, compiled, n, [*calls, ("barrier", 0)], variables, monkeypatch)
    parts = {
        call: str(library.default(call[0], n, call[1], version, ppn=n // 2, element=ELEMENT))
        for call in messages
    }
    assert {name for name in parts.values() if name.startswith("composition_")}
    for call, rows in messages.items():
        senders = sum(any((dst - src) % 2 for dst, _ in row) for src, row in enumerate(rows))
        assert (senders <= 2) == parts[call].startswith("composition_"), (call, parts[call], rows)


ALL_LEFT = (rule("bcast", "default"), rule("alltoall", "default", n=4, n_to=9, m=8, m_to=99))
DEPARTS = (rule("alltoall", "pairwise", n=2, m=0), rule("bcast", "binomial", n=2, m=0))


def test_a_file_that_departs_nowhere_changes_no_message(
    mpi: MPI, compiled: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whom each rank sends what, in order, with the file and without; one that departs does."""
    n, (library, version) = 6, library_of(mpi.title)
    form = FORMATS.get("mpich")
    own = str(library_with_trees(mpi))

    def messages(*rules: Rule) -> dict[tuple[str, int], Sent]:
        path, variables = tmp_path / "rules.json", {}
        if rules:
            made = decided(*rules, library=library.name)
            export = form.write(Request(made, version, library_rules=own))
            path.write_text(export.text)
            variables = form.settings(str(path), version) | export.settings
        monkeypatch.delenv(VARIABLE, raising=False)
        return launched(mpi, compiled, n, grid(n), variables | NO_NODES, monkeypatch)

    without = messages()
    assert messages(*ALL_LEFT) == without
    assert messages(*DEPARTS) != without
