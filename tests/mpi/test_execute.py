"""Schedules run over real MPI: what arrives is right, and what is wrong is said."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from contend.errors import LaunchError, MissingToolError
from contend.measure.command import LaunchOptions, command_line, settings
from contend.measure.execution import executable, program_of
from contend.measure.launch import run
from contend.measure.mpi import MPI, find_mpi
from contend.schedules import COLLECTIVES, Algorithm, Kind, Schedule, algorithms
from contend.schedules.messages import Messages, one_block
from contend.schedules.programfile import Executable, write_programs
from contend.schedules.ragged import ints

pytestmark = [pytest.mark.mpi, pytest.mark.timeout(120)]

ALL = [one for collective in COLLECTIVES for one in algorithms(collective).all()]
QUICK = LaunchOptions(
    max_seconds=0.02, min_repetitions=2, max_repetitions=3, precision=0.5, warmup=1, timeout=20
)
VALUES = {"segment": 800, "degree": 3, "window": 2}
SIZES = (0, 1, 5003, 100_003)  # of 5 and 6 ranks no multiple
Lines = list[dict[str, Any]]
Execute = Callable[[Executable], Lines]


@pytest.fixture(scope="module")
def mpi() -> MPI:
    try:
        return find_mpi()
    except MissingToolError as error:
        pytest.skip(str(error))


@pytest.fixture(scope="module")
def execute(mpi: MPI) -> Execute:
    """A function that runs schedules at all their sizes; the lines of their points."""

    def of(what: Executable) -> Lines:
        with program_of(mpi, what) as program:
            command = command_line(mpi, program, what.ranks, list(what.schedules), QUICK)
            variables = settings(mpi, what.ranks, QUICK)
            lines = list(run(command, variables, QUICK.timeout, QUICK.timeout))
        return [line for line in lines if line["kind"] == "point"]

    return of


def sizes_for(algorithm: Algorithm, n: int) -> Mapping[int, Any]:
    """What each size stands for: itself, or sizes around it for each pair of ranks."""
    if algorithm.collective != "alltoallv":
        return {m: m for m in SIZES}
    order = np.random.default_rng(1)
    return {m: order.integers(0, m + 1, (n, n)) for m in SIZES}


def compiled(algorithm: Algorithm, n: int, root: int = 0) -> Executable:
    options = {name: VALUES[name] for name in algorithm.options}
    return executable(algorithm, n, sizes_for(algorithm, n), root, **options)


@pytest.mark.parametrize("algorithm", ALL, ids=lambda one: f"{one.collective}-{one.name}")
def test_every_algorithm_delivers(algorithm: Algorithm, execute: Execute) -> None:
    n = next(n for n in (5, 6, 4) if algorithm.restriction(n) is None)
    root = n - 2 if algorithm.defines.has_root else 0
    points = execute(compiled(algorithm, n, root))
    assert [point["m"] for point in points] == list(SIZES)
    assert {(p["experiment"], p["algorithm"]) for p in points} == {
        (algorithm.collective, algorithm.name)
    }
    options = {name: VALUES[name] for name in algorithm.options}
    assert (points[0].get("parameters") or {}) == options | ({"root": root} if root else {})


@pytest.mark.parametrize("n", [1, 2])
@pytest.mark.parametrize("collective", COLLECTIVES)
def test_one_and_two_ranks(collective: str, n: int, execute: Execute) -> None:
    assert len(execute(compiled(algorithms(collective).all()[0], n))) == len(SIZES)


def redirected(schedule: Schedule, old: int, new: int) -> Schedule:
    """The schedule with another block in place of one, in all messages."""
    assert schedule.blocks is not None
    return replace(schedule, blocks=np.where(schedule.blocks == old, new, schedule.blocks))


def without_message(schedule: Schedule, send: int) -> Schedule:
    """The schedule of a direct exchange without one message."""
    keep = ~np.isin(np.arange(schedule.kind.size), [send, schedule.partner[send]])
    assert schedule.blocks is not None
    columns = {name: getattr(schedule, name)[keep] for name in ("kind", "rank", "peer", "bytes")}
    return replace(
        schedule,
        **columns,
        requires_offsets=schedule.requires_offsets[: keep.sum() + 1],
        block_offsets=np.arange(keep.sum() + 1),
        blocks=schedule.blocks[keep],
    )


BROKEN: dict[str, Callable[[], tuple[str, Schedule, str]]] = {
    "swapped": lambda: (
        "alltoall",
        redirected(algorithms("alltoall").get("rotated").build(3, 100), 1, 2),
        "rank 1: alltoall/broken m=100, block 1: byte 0 of 100",
    ),
    "missing": lambda: (
        "alltoall",
        without_message(algorithms("alltoall").get("rotated").build(3, 100), 0),
        "rank 1: alltoall/broken m=100, block 1: byte 0 of 100",
    ),
    "not combined": lambda: (
        "reduce",
        replace(
            (schedule := algorithms("reduce").get("flat").build(3, 100)),
            kind=np.minimum(schedule.kind, Kind.RECEIVE),
        ),
        "rank 0: reduce/broken m=100, block 0: byte 0 of 100",
    ),
}


@pytest.mark.parametrize("how", BROKEN)
def test_a_broken_schedule_is_told(how: str, execute: Execute) -> None:
    collective, schedule, message = BROKEN[how]()
    with pytest.raises(LaunchError, match="wrong data on") as caught:
        execute(Executable(COLLECTIVES[collective], "broken", {100: schedule}))
    assert message in caught.value.message


def test_an_exchange_of_one_block_both_ways_does_not_block(execute: Execute) -> None:
    """Both ranks send the block that they receive: its place is in use until the send is over."""
    ranks, m = ints([0, 1]), 1_000_000
    block = one_block(ranks * 0, 1)
    schedule = Messages(2, ranks, ranks[::-1], ranks * 0, block, ints([m]), combines=True)
    what = Executable(COLLECTIVES["allreduce"], "exchange", {m: schedule.schedule()})
    assert len(execute(what)) == 1


def files(tmp_path: Path) -> Iterator[tuple[bytes, str]]:
    path = tmp_path / "whole"
    write_programs(path, compiled(algorithms("bcast").get("chain"), 2))
    whole = path.read_bytes()
    yield b"", "is no compiled schedule"
    yield b"x" + whole[1:], "is no compiled schedule"
    yield whole[:8] + b"\2" + whole[9:], "has another version"
    yield whole[:-20], "is damaged"
    yield whole[:-20] + bytes([whole[-20] ^ 1]) + whole[-19:], "is damaged"


def test_a_damaged_file_is_refused(mpi: MPI, tmp_path: Path) -> None:
    for content, message in files(tmp_path):
        with program_of(mpi, compiled(algorithms("bcast").get("chain"), 2)) as program:
            Path(program.arguments[0]).write_bytes(content)
            command = command_line(mpi, program, 2, SIZES[::-1], QUICK)
            with pytest.raises(LaunchError) as caught:
                list(run(command, settings(mpi, 2, QUICK), QUICK.timeout, QUICK.timeout))
        assert message in caught.value.message
