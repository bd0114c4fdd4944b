"""Schedules in the binary form of GOAL.

Source: what txt2bin of LogGOPSim writes and LogGOPSim reads: src/LogGOPSim/Parser.hpp, 2023. Not
run here: read there.
Idea: numbers are little-endian, without padding. A cookie of 8 B, the number of ranks, the highest
cpu and nic (4, 1, 1 B), and per rank where its block begins and ends (2 * 8 B), from the cookie's
end. A block is the numbers of operations and of those that require nothing (4 B each), the latter
(4 B each), a row of 39 B per operation, and the operations that the rows name as waiting for them.
A rank or a tag of 2^32 - 1 is any.
Restrictions: those of the text, contend.schedules.goal. Files of LogGOPSim 2 have longer rows.
"""

import numpy as np
from numpy.typing import NDArray

from contend.base.errors import FileFormatError
from contend.base.units import MOST_BYTES
from contend.schedules.goal import ANY, Goal, GoalOperation
from contend.schedules.ragged_rows import ints
from contend.schedules.schedule import Kind

COOKIE = (4223).to_bytes(8, "little")
HEAD = np.dtype([("ranks", "<u4"), ("cpu", "u1"), ("nic", "u1")])
# `done` operations wait for the end of this one, `begun` for its begin: how many, and from where on
# in the list after the rows.
ROW = np.dtype(
    [("requires", "<u4"), ("kind", "u1"), ("peer", "<u4"), ("bytes", "<u8"), ("tag", "<u4"),
     ("cpu", "u1"), ("nic", "u1"),
     ("done", "<u4"), ("done_from", "<u4"), ("begun", "<u4"), ("begun_from", "<u4")]
)  # fmt: skip
KINDS = {1: Kind.SEND, 2: Kind.RECEIVE, 3: Kind.COPY}
_ANY = 2**32 - 1
_AGAIN = "write it again by txt2bin of LogGOPSim, or name the text it was made from"


def parse_goal_binary(data: bytes) -> Goal:
    """Return what a file holds; operations have no lines, and numbers as labels.

    Raises FileFormatError for what is cut off, contradicts itself, or is not modelled: it names
    rank and operation.
    """
    body = memoryview(data)[len(COOKIE) :]
    if data[: len(COOKIE)] != COOKIE or len(body) < HEAD.itemsize:
        raise _wrong("the file has no head of a binary schedule")
    ranks = int(np.frombuffer(body, HEAD, 1)["ranks"][0])
    first = HEAD.itemsize + 16 * ranks
    if len(body) < first:
        raise _wrong(f"the file ends before the places of its {ranks} ranks")
    places = np.frombuffer(body, "<u8", 2 * ranks, HEAD.itemsize).reshape(ranks, 2).tolist()
    goal = Goal(ranks, [], {})
    for rank, (begin, end) in enumerate(places):
        if not first <= begin <= end <= len(body):
            raise _wrong(f"the block of rank {rank} lies at {begin} to {end} of {len(body)} B")
        _add_block(goal, rank, body[begin:end])
        first = end
    if first < len(body):
        raise _wrong(f"{len(body) - first} B come after the last rank")
    return goal


def _add_block(goal: Goal, rank: int, block: memoryview) -> None:
    rows, waiting = _parts(rank, block)
    _check(goal, rank, rows)
    place = len(goal.operations)
    for number, row in enumerate(rows.tolist()):
        _, kind, peer, size, tag, cpu, *_ = row
        goal.labels[rank, str(number)] = place + number
        goal.operations.append(
            GoalOperation(
                rank,
                KINDS[kind],
                rank if KINDS[kind] == Kind.COPY else ANY if peer == _ANY else peer,
                size,
                ANY if tag == _ANY else tag,
                ANY,
                cpu,
            )
        )
    for name, lists in (("done", "requires"), ("begun", "begun")):
        count = rows[name].astype(np.int64)
        required = np.repeat(np.arange(rows.size), count)
        within = np.arange(required.size) - np.repeat(np.cumsum(count) - count, count)
        at = np.repeat(rows[f"{name}_from"].astype(np.int64), count) + within
        for dependent, label in zip(waiting[at].tolist(), required.tolist(), strict=True):
            getattr(goal.operations[place + dependent], lists).append((ANY, str(label)))


def _parts(rank: int, block: memoryview) -> tuple[NDArray[np.void], NDArray[np.uint32]]:
    """Return the rows of a rank, and the operations that they name."""
    if len(block) < 8:
        raise _wrong(f"the block of rank {rank} is cut off")
    count, free = np.frombuffer(block, "<u4", 2).tolist()
    begin = 8 + 4 * free
    end = begin + ROW.itemsize * count
    if free > count or len(block) < end:
        raise _wrong(f"rank {rank} has {count} operations in {len(block)} B")
    rows = np.frombuffer(block, ROW, count, begin)
    named = int(rows["done"].astype(np.int64).sum() + rows["begun"].astype(np.int64).sum())
    if len(block) != end + 4 * named:
        raise _wrong(
            f"rank {rank} has {count} operations that name {named} others in {len(block)} B",
        )
    waiting = np.frombuffer(block, "<u4", named, end)
    for name in ("done", "begun"):
        some = rows[rows[name] > 0]
        if (some[f"{name}_from"].astype(np.int64) + some[name] > named).any():
            raise _wrong(f"an operation of rank {rank} names more than its {named} others")
    asked = ints(np.frombuffer(block, "<u4", free, 8).tolist())
    if (
        not (waiting < count).all()
        or (np.bincount(waiting, minlength=count) != rows["requires"]).any()
    ):
        raise _wrong(f"what operations of rank {rank} require and who names them differ")
    if not np.array_equal(asked, np.flatnonzero(rows["requires"] == 0)):
        raise _wrong(f"rank {rank} lists {free} operations as free that are others")
    return rows, waiting


def _check(goal: Goal, rank: int, rows: NDArray[np.void]) -> None:
    """Raise for the first operation that the text could not have, or that is not modelled."""
    is_calc = rows["kind"] == 3
    is_any = (rows["peer"] == _ANY) | (rows["tag"] == _ANY)
    for is_wrong, problem in (
        (~np.isin(rows["kind"], list(KINDS)), "of another kind than send, recv and calc"),
        (rows["nic"] != 0, "of another nic than 0, which is not modelled"),
        (is_any & (rows["kind"] == 1), "a send to any rank, or of any tag"),
        (rows["bytes"] > MOST_BYTES, f"of more than {MOST_BYTES}"),
        (~is_calc & (rows["peer"] != _ANY) & (rows["peer"] >= goal.ranks),
         f"with a rank beyond the {goal.ranks} of the file"),
    ):  # fmt: skip
        if is_wrong.any():
            number = int(np.flatnonzero(is_wrong)[0])
            raise _wrong(f"operation {number} of rank {rank} is {problem}")


def _wrong(problem: str) -> FileFormatError:
    return FileFormatError(f"binary GOAL: {problem}", _AGAIN)
