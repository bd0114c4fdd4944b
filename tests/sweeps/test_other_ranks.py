"""Programs on other numbers of ranks: patterns, and recorded programs whose pattern is known."""

import numpy as np
import pytest

from contend.base.errors import InvalidInputError
from contend.programs.replay import Line, replay
from contend.programs.sweeps.patterns import COLLECTIVES, pattern_of, sides
from contend.programs.sweeps.scaling import scaled
from contend.programs.traces.builder import TraceBuilder
from contend.programs.traces.kinds import OpKind

NET = Line(latency=0.0, bandwidth=1e9)


@pytest.mark.parametrize("ranks", [1, 2, 3, 6, 12, 27])
@pytest.mark.parametrize(
    ("name", "dimensions"), [("ring", 1), ("stencil-2d", 2), ("stencil-3d", 3)]
)
def test_a_stencil_sends_two_messages_for_each_side_longer_than_one(name, dimensions, ranks):
    found = replay(pattern_of(f"pattern:{name}:1000:3").trace(ranks), NET)
    long_sides = sum(side > 1 for side in sides(ranks, dimensions))
    assert found.messages == 3 * ranks * 2 * long_sides
    assert found.unreceived == 0


def test_a_stencil_takes_what_its_ports_have_to_carry():
    """Four messages of 1 MB by each port, twice, after computation."""
    found = replay(pattern_of("pattern:stencil-2d:1MB:2:1ms").trace(16), NET)
    assert found.seconds == pytest.approx(2 * (4e-3 + 1e-3))


@pytest.mark.parametrize(("steps", "ranks"), [(1, 999_999_999), (999_999_999, 4)])
def test_a_pattern_beyond_all_memory_is_refused_at_once(steps, ranks):
    with pytest.raises(InvalidInputError, match=f"{steps} steps on {ranks} ranks is too large"):
        pattern_of(f"pattern:stencil-2d:1MB:{steps}").trace(ranks)


@pytest.mark.parametrize("ranks", range(1, 40))
def test_sides_of_a_grid_are_as_equal_as_can_be(ranks):
    longest, shortest = sides(ranks, 2)
    assert longest * shortest == ranks
    assert all(ranks % side for side in range(shortest + 1, int(ranks**0.5) + 1))


@pytest.mark.parametrize("name", COLLECTIVES)
def test_every_collective_pattern_runs_on_any_number_of_ranks(name):
    for ranks in (1, 3, 8):
        assert replay(pattern_of(f"pattern:{name}:1KiB").trace(ranks), NET).unreceived == 0


@pytest.mark.parametrize(
    "word", ["pattern:torus:1KiB", "pattern:ring", "pattern:ring:1KiB:x", "pattern:ring:1:1:1s:1"]
)
def test_other_patterns_are_refused(word):
    with pytest.raises(InvalidInputError, match="pattern"):
        pattern_of(word)


def program(ranks=4, **others):
    """A call of every kind that moves data, with computation that differs by rank."""
    builder = TraceBuilder(ranks)
    for rank in range(ranks):
        me = builder.rank(rank)
        for kind in (OpKind.ALLTOALL, OpKind.ALLGATHER, OpKind.BCAST, OpKind.ALLREDUCE):
            me.compute(1.0 + rank)
            me.add(kind, kind.name.lower(), peer=0, bytes=1200)
        me.compute(1.0)
        me.add(OpKind.REDUCE_SCATTER, "reduce_scatter", bytes=1200, list=[1200] * ranks)
        me.add(OpKind.ALLTOALLV, "alltoallv", list=[1200] * ranks, request=0)
        me.add(OpKind.WAIT, "wait", list=[0])
        me.compute(0.5)
    return builder.trace()


def bytes_of(trace):
    """Bytes of each operation of the last rank, by name; those of lists as their sum."""
    found = {}
    for op in range(int(trace.first[-2]), int(trace.first[-1])):
        if trace.kind[op] >= OpKind.BARRIER:
            listed = trace.list_of(op)
            name = trace.calls[trace.call[op]]
            found[name] = int(listed.sum() if listed.size else trace.bytes[op])
    return found


def test_weak_scaling_leaves_a_rank_what_it_holds():
    before, after = program(4), scaled(program(4), 16, "weak")
    assert after.ranks == 16
    assert bytes_of(after) == bytes_of(before) | {"alltoall": 300}
    assert (
        after.seconds.reshape(16, -1)[:, 0].tolist()
        == [1.0] * 4 + [2.0] * 4 + [3.0] * 4 + [4.0] * 4
    )


def test_strong_scaling_leaves_all_what_they_hold():
    after = scaled(program(4), 8, "strong")
    assert bytes_of(after) == {
        "alltoall": 300, "allgather": 600, "bcast": 1200, "allreduce": 1200,
        "reduce_scatter": 4800, "alltoallv": 2400,
    }  # fmt: skip
    assert after.seconds.sum() == pytest.approx(program(4).seconds.sum())
    for name, ranks in (("alltoall", 2), ("allgather", 1)):  # sums over pairs, and over ranks
        assert bytes_of(after)[name] * 8**ranks == bytes_of(program(4))[name] * 4**ranks


@pytest.mark.parametrize("scaling", ["weak", "strong"])
@pytest.mark.parametrize("ranks", [1, 2, 3, 7, 16])
def test_a_scaled_program_runs_and_scaling_by_one_changes_nothing(ranks, scaling):
    assert replay(scaled(program(4), ranks, scaling), NET).unreceived == 0
    same = program(4)
    assert scaled(same, 4, scaling) is same


def test_a_scaled_program_is_the_one_that_other_ranks_would_have_written():
    """With equal computation and sizes that stay."""
    pattern = pattern_of("pattern:allgather:1KiB:5:1ms")
    three, six = pattern.trace(3), pattern.trace(6)
    after = scaled(three, 6, "weak")
    for name in ("kind", "peer", "bytes", "seconds", "first", "comm", "request"):
        assert np.array_equal(getattr(after, name), getattr(six, name)), name


def refused(change):
    builder = TraceBuilder(4)
    for rank in range(4):
        builder.rank(rank).add(OpKind.BARRIER, "barrier")
    change(builder)
    with pytest.raises(InvalidInputError, match="is not known") as error:
        scaled(builder.trace(), 8, "weak")
    return str(error.value)


def each(ranks, *words, **columns):
    def change(builder):
        for rank in range(ranks):
            given = {name: value(rank) if callable(value) else value
                     for name, value in columns.items()}  # fmt: skip
            builder.rank(rank).add(*words, **given)

    return change


def test_what_is_not_known_of_other_ranks_is_refused_with_its_place():
    ring = each(4, OpKind.SEND, "send", peer=lambda rank: (rank + 1) % 4, bytes=8)
    assert "rank 0, send, operation 2 of the rank is a message" in refused(ring)
    assert "has the root 3" in refused(each(4, OpKind.BCAST, "bcast", peer=3, bytes=8))
    assert "operations" in refused(each(3, OpKind.BARRIER, "barrier"))
    uneven = each(4, OpKind.ALLREDUCE, "allreduce", bytes=lambda rank: 8 + rank)
    assert "rank 1, allreduce" in refused(uneven)
    lists = each(4, OpKind.ALLTOALLV, "alltoallv", list=lambda rank: [rank, 1, 1, 1])
    assert "sizes that differ" in refused(lists)
    others = each(4, OpKind.ALLGATHERV, "allgatherv", list=[1, 2, 3, 4])
    assert "sizes that differ" in refused(others)

    def parts(builder):
        comm = builder.communicator([0, 1])
        for rank in range(4):
            builder.rank(rank).add(OpKind.BARRIER, "barrier", comm=comm if rank < 2 else 0)

    assert "some ranks only" in refused(parts)

    def copies(builder):
        comm = builder.communicator([0, 1, 2, 3])
        for rank in range(4):
            builder.rank(rank).add(OpKind.BARRIER, "barrier", comm=comm)

    assert "another communicator of all ranks" in refused(copies)
