"""Schedules run over real MPI: what arrives is right, and what is wrong is said."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import Any
from zlib import crc32

import numpy as np
import psutil
import pytest

from contend.base.errors import LaunchError
from contend.measure.build import source_folder
from contend.measure.calls import CallCampaign
from contend.measure.command import LaunchOptions, command_line, settings
from contend.measure.execution import executable, program_of, run_schedules
from contend.measure.launch import run
from contend.measure.runner import Runner
from contend.samples import SampleStore
from contend.schedules import (
    COLLECTIVES,
    Algorithm,
    Kind,
    Schedule,
    algorithms,
    choosable,
    programfile,
)
from contend.schedules import program as compiler
from contend.schedules.groups import groups_text, halves
from contend.schedules.messages import Messages, one_block
from contend.schedules.program import Do, RankProgram, Slot, compile_ranks
from contend.schedules.programfile import Executable, write_programs
from contend.schedules.ragged_rows import ints

pytestmark = pytest.mark.mpi

ALL = [one for collective in COLLECTIVES for one in choosable(collective, halves)]
QUICK = LaunchOptions(
    max_seconds=0.02, min_repetitions=2, max_repetitions=3, precision=0.5, warmup=1, timeout=20
)
VALUES = {"segment": 800, "degree": 3, "window": 2, "leaders": 2}
SIZES = (0, 1, 5003, 100_003)  # of 5 and 6 ranks no multiple
Lines = list[dict[str, Any]]
Execute = Callable[..., Lines]  # of an executable and options


@pytest.fixture(scope="module")
def execute(mpi):
    """A function that runs schedules at all their sizes; the lines of their points."""

    def of(what, options=QUICK):
        with program_of(mpi, what) as program:
            command = command_line(mpi, program, what.ranks, list(what.schedules), options)
            variables = settings(mpi, what.ranks, options)
            lines = list(run(command, variables, options.timeout, options.timeout))
        return [line for line in lines if line["kind"] == "point"]

    return of


def sizes_for(algorithm, n):
    """What each size stands for: itself, or sizes around it for each pair of ranks."""
    if algorithm.collective != "alltoallv":
        return {m: m for m in SIZES}
    order = np.random.default_rng(1)
    return {m: order.integers(0, m + 1, (n, n)) for m in SIZES}


def compiled(algorithm, n, root=0):
    options = {name: VALUES[name] for name in algorithm.options}
    return executable(algorithm, n, sizes_for(algorithm, n), root, **options)


def ranks_for(algorithm):
    """A number of ranks that it takes, odd if possible."""
    return next(n for n in (5, 6, 4) if algorithm.restriction(n) is None)


Part = tuple[Algorithm, Executable]


def of_all_algorithms():
    """Every algorithm, with a root that is not the first rank, and those for one and two ranks."""
    for algorithm in ALL:
        n = ranks_for(algorithm)
        yield algorithm, compiled(algorithm, n, n - 2 if algorithm.defines.has_root else 0)
    for collective in COLLECTIVES:
        for n in (1, 2):
            algorithm = algorithms(collective).all()[0]
            yield algorithm, compiled(algorithm, n)


@pytest.fixture(scope="module")
def parts():
    """What is launched together: the parts of each n, those that reduce and those that do not."""
    packs: dict[tuple[int, bool], list[Part]] = {}
    for algorithm, what in of_all_algorithms():
        packs.setdefault((what.ranks, what.collective.reduces), []).append((algorithm, what))
    return packs


PACKS = [
    (1, False),
    (2, False),
    (4, False),
    (5, False),
    (6, False),
    (1, True),
    (2, True),
    (5, True),
]


def test_every_algorithm_is_in_a_pack(parts):
    assert sorted(parts) == sorted(PACKS)


@pytest.mark.parametrize(("n", "reduces"), PACKS)
def test_every_algorithm_delivers(n, reduces, parts, execute, monkeypatch):
    """All of one n in one launch: each at each size is a point of it, its number among them all."""
    packed = [
        (what, schedule) for _, what in parts[n, reduces] for schedule in what.schedules.values()
    ]
    origin = {id(schedule): what for what, schedule in packed}

    def compile_each(schedule, *_):
        what = origin[id(schedule)]
        return compile_ranks(schedule, what.collective, what.root)

    monkeypatch.setattr(programfile, "compile_ranks", compile_each)
    schedules = {number: schedule for number, (_, schedule) in enumerate(packed)}
    points = execute(Executable(packed[0][0].collective, "all", schedules))
    assert [point["m"] for point in points] == list(schedules)


def test_a_point_says_what_was_run(execute):
    names = [("reduce", "binary"), ("alltoall", "lg")]  # one with a root, one with groups
    for algorithm in (one for one in ALL if (one.collective, one.name) in names):
        n = ranks_for(algorithm)
        what = compiled(algorithm, n, n - 2 if algorithm.defines.has_root else 0)
        for point in execute(what):
            assert point["experiment"] == algorithm.collective
            assert point["algorithm"] == algorithm.name
            assert (point.get("parameters") or {}) == what.parameters


def test_parameters_are_options_root_and_groups(parts):
    for algorithm, what in chain(*parts.values()):
        n = what.ranks
        options = {name: VALUES[name] for name in algorithm.options}
        options |= {"root": n - 2} if algorithm.defines.has_root and n > 2 else {}
        if algorithm.needs_groups:
            options |= {"groups": 2, "smallest_group": n // 2, "largest_group": n - n // 2}
            options |= {"groups_sum": crc32(groups_text(halves(n)).encode())}
        assert what.parameters == options, algorithm.name


def redirected(schedule, old, new):
    """The schedule with another block in place of one, in all messages."""
    assert schedule.blocks is not None
    return replace(schedule, blocks=np.where(schedule.blocks == old, new, schedule.blocks))


def without_message(schedule, send):
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
def test_a_broken_schedule_is_told(how, execute):
    collective, schedule, message = BROKEN[how]()
    with pytest.raises(LaunchError, match="wrong data on") as caught:
        execute(Executable(COLLECTIVES[collective], "broken", {100: schedule}))
    assert message in caught.value.message


def test_what_the_timed_repetitions_leave_is_checked_too(execute, monkeypatch):
    """A sum over its own input is right once, and not when it is run again."""
    monkeypatch.setattr(compiler, "_IN_PLACE", ("allreduce",))
    schedule = algorithms("allreduce").get("recursive_doubling").build(2, 100)
    what = Executable(COLLECTIVES["allreduce"], "broken", {100: schedule})
    once = replace(QUICK, warmup=0, min_repetitions=1, max_repetitions=1)
    assert len(execute(what, once)) == 1
    with pytest.raises(LaunchError, match="wrong data on rank 0: allreduce/broken m=100, block 0"):
        execute(what, replace(once, min_repetitions=2, max_repetitions=2))


def without_first_send(programs):
    """The programs with a message that is awaited and never sent, where they are of 100 bytes."""
    sender = next(one for one in programs if any(s.kind == Kind.SEND for s in one.slots))
    slot = next(i for i, s in enumerate(sender.slots) if s.kind == Kind.SEND)
    if sender.slots[slot].bytes == 100:
        sender.instructions.remove((Do.BEGIN, slot))
    return programs


def test_a_message_that_is_never_sent_ends_with_the_schedule_the_point_and_no_process(
    mpi, tmp_path, monkeypatch
):
    monkeypatch.setattr(
        programfile, "compile_ranks", lambda *what: without_first_send(compile_ranks(*what))
    )
    what = executable(algorithms("alltoall").get("ring"), 3, {10: 10, 100: 100})
    options = replace(QUICK, timeout=3)
    with SampleStore(tmp_path / "samples.jsonl") as store:
        with pytest.raises(
            LaunchError, match=r"at alltoall/ring m=100: .* printed nothing"
        ) as caught:
            run_schedules(CallCampaign(Runner(mpi, options), store), [what], 1)
        assert [sample.m for sample in store.existing()] == [10]
    assert "execute with n=3, launch 0" in caught.value.message
    assert "awaited and never sent" in caught.value.remedy
    assert not [one for one in psutil.process_iter(["cmdline"]) if "alltoall-ring" in str(one.info)]


def test_an_exchange_of_one_block_both_ways_does_not_block(execute):
    """Both ranks send the block that they receive: its place is in use until the send is over."""
    ranks, m = ints([0, 1]), 1_000_000
    block = one_block(ranks * 0, 1)
    schedule = Messages(2, ranks, ranks[::-1], ranks * 0, block, ints([m]), combines=True)
    what = Executable(COLLECTIVES["allreduce"], "exchange", {m: schedule.schedule()})
    assert len(execute(what)) == 1


def files(tmp_path):
    path = tmp_path / "whole"
    write_programs(path, compiled(algorithms("bcast").get("chain"), 2))
    whole = path.read_bytes()
    yield b"", "is no compiled schedule"
    yield b"x" + whole[1:], "is no compiled schedule"
    yield whole[:8] + b"\2" + whole[9:], "has another version"
    yield whole[:-20], "is damaged"
    yield whole[:-20] + bytes([whole[-20] ^ 1]) + whole[-19:], "is damaged"


def combine_first(kind):
    """What adds, to memory that has no place for it, what a slot of another kind received."""

    def change(program):
        slot = next(i for i, slot in enumerate(program.slots) if slot.kind == kind)
        program.instructions.append((Do.COMBINE, slot))

    return change


def copy_often(program):
    """Makes a copy of the memory several times over, longer than it, and combines with that."""
    room = program.input_bytes + program.output_bytes + program.scratch_bytes
    slot = Slot(Kind.COPY, 0, 0, 4 * room, extents=[(0, 0, room)] * 4)
    program.slots.append(slot)
    program.instructions.append((Do.COMBINE, len(program.slots) - 1))


def begin_twice(program):
    """Begins a receive anew while it is under way."""
    slot = next(i for i, slot in enumerate(program.slots) if slot.kind == Kind.RECEIVE)
    program.instructions.insert(0, (Do.BEGIN, slot))


def never_wait(program):
    """Leaves what has been begun under way at the end."""
    program.instructions[:] = [one for one in program.instructions if one[0] == Do.BEGIN]


def overflow(program):
    """Has extents whose lengths add up to more than a word holds."""
    program.scratch_bytes = 2**56
    program.slots.append(Slot(Kind.COPY, 0, 0, -(2**63), extents=[(0, 0, 2**56)] * 128))


UNSOUND: dict[str, Callable[[RankProgram], None]] = {
    "combines what was received elsewhere": combine_first(Kind.RECEIVE),
    "combines what was sent": combine_first(Kind.SEND),
    "combines a copy": copy_often,
    "begins twice": begin_twice,
    "never waits": never_wait,
    "overflows": overflow,
}


@pytest.mark.parametrize("how", UNSOUND)
def test_a_program_that_would_leave_its_memory_is_refused(how, execute, monkeypatch):
    """The file is whole, its sum is right: what it says is not believed for that."""

    def compile_and_change(*what):
        programs = compile_ranks(*what)
        for program in programs:
            UNSOUND[how](program)
        return programs

    monkeypatch.setattr(programfile, "compile_ranks", compile_and_change)
    with pytest.raises(LaunchError, match="is damaged"):
        execute(executable(algorithms("alltoall").get("rotated"), 2, {100: 100}))


@pytest.fixture(scope="module")
def sanitised(mpi, tmp_path_factory):
    """The executor, which stops where it does what C does not define."""
    folder = tmp_path_factory.mktemp("sanitised")
    flags = "-g -fsanitize=address,undefined -fno-sanitize-recover=all"
    command = ["make", "-j2", "-C", str(source_folder()), f"MPICC={mpi.mpicc}", f"BUILD={folder}"]
    command += [f"CFLAGS={flags}", str(folder / "execute")]
    if subprocess.run(command, capture_output=True, check=False, timeout=100).returncode:
        pytest.skip("the compiler of this MPI has no sanitizers")
    return folder / "execute"


@pytest.mark.full
def test_a_copy_onto_itself_is_defined(mpi, sanitised, monkeypatch):
    def with_overlap(*what):
        programs = compile_ranks(*what)
        for program in programs:  # in scratch, which nothing else uses
            at = program.input_bytes + program.output_bytes + program.scratch_bytes
            program.scratch_bytes += 4096
            extents = [(at, at + 1, 4000), (at + 2, at, 4000), (at, at, 64)]
            program.slots.append(Slot(Kind.COPY, 0, 0, 8064, extents=extents))
            program.instructions.append((Do.BEGIN, len(program.slots) - 1))
        return programs

    monkeypatch.setattr(programfile, "compile_ranks", with_overlap)
    with program_of(mpi, executable(algorithms("allreduce").get("ring"), 2, {800: 800})) as program:
        command = command_line(mpi, replace(program, path=sanitised), 2, [800], QUICK)
        variables = settings(mpi, 2, QUICK) | {"ASAN_OPTIONS": "detect_leaks=0"}
        lines = list(run(command, variables, QUICK.timeout, QUICK.timeout))
    assert [line["m"] for line in lines if line["kind"] == "point"] == [800]


def test_a_damaged_file_is_refused(mpi, tmp_path):
    for content, message in files(tmp_path):
        with program_of(mpi, compiled(algorithms("bcast").get("chain"), 2)) as program:
            Path(program.arguments[0]).write_bytes(content)
            command = command_line(mpi, program, 2, SIZES[::-1], QUICK)
            with pytest.raises(LaunchError) as caught:
                list(run(command, settings(mpi, 2, QUICK), QUICK.timeout, QUICK.timeout))
        assert message in caught.value.message
