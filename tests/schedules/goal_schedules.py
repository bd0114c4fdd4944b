"""Schedules of texts of GOAL: without blocks, of the tag and the processor 0 alone."""

import numpy as np

from contend.schedules import Schedule
from contend.schedules.goal import parse_goal
from contend.schedules.ragged_rows import ints, offsets_of


def from_goal(text: str) -> Schedule:
    """The aggregated schedule of a text; a calc is a copy of as many bytes."""
    goal = parse_goal(text)
    assert not any(one.tag or one.cpu or one.begun for one in goal.operations)
    table = [(one.rank, one.kind, one.peer, one.bytes) for one in goal.operations]
    rank, kind, peer, size = ints(table).reshape(-1, 4).T
    order, rows = goal.by_rank()
    return Schedule(
        ranks=goal.ranks, kind=kind[order].astype(np.int8), rank=rank[order], peer=peer[order],
        bytes=size[order], requires_offsets=offsets_of(ints([len(row) for row in rows])),
        requires=ints([one for row in rows for one in row]), block_bytes=ints([]),
    )  # fmt: skip
