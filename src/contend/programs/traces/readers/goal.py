"""GOAL: a schedule of sends, receives and computation with what each requires.

Source: Hoefler, Siebert, Lumsdaine, "Group Operation Assembly Language", ICPP 2009; the text is
read by contend.schedules.goal, its binary form by contend.schedules.goal_binary.
Idea: operations of a rank wait for those that they require alone, or for the begin of those that
they irequire. `calc` is nanoseconds, as in LogGOPSim.
Restrictions: those of `contend.schedules.goal`.
"""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from contend.base.errors import ContendError, FileFormatError
from contend.base.textfile import begins_with, read_text, read_unpacked
from contend.programs.traces.kinds import ANY, ANY_SOURCE, ANY_TAG, COMPUTE, NONE, OpKind
from contend.programs.traces.reader import TraceReader
from contend.programs.traces.trace import Narrow, Trace
from contend.schedules.goal import Goal, GoalOperation, parse_goal
from contend.schedules.goal_binary import COOKIE, parse_goal_binary
from contend.schedules.matching import closed
from contend.schedules.ragged_rows import ints, offsets_of
from contend.schedules.schedule import Kind

_KINDS = {Kind.SEND: OpKind.SEND, Kind.RECEIVE: OpKind.RECEIVE, Kind.COPY: OpKind.TIME}
_CALLS = {OpKind.SEND: 0, OpKind.RECEIVE: 1, OpKind.TIME: 2}
_NANOSECOND = 1e-9


class GoalReader(TraceReader):
    name = "goal"
    title = "GOAL schedule, as of LogGOPSim"

    def recognises(self, path: Path) -> bool:
        if not path.is_file():
            return False
        return path.name.removesuffix(".gz").endswith(".goal") or begins_with(path, COOKIE)

    def read(self, path: Path, speed: float | None) -> Trace:
        try:
            is_binary = begins_with(path, COOKIE)
            goal = (
                parse_goal_binary(read_unpacked(path)) if is_binary else parse_goal(read_text(path))
            )
            return trace_of(goal, str(path))
        except ContendError as error:
            raise FileFormatError(f"{path}: {error.message}", error.remedy) from None
        except (OverflowError, ValueError, MemoryError):
            raise FileFormatError(f"{path}: a number is too large", "check sizes") from None


def trace_of(goal: Goal, file: str) -> Trace:
    goal.check_ranks()
    if goal.ranks < 1:
        raise FileFormatError(f"num_ranks {goal.ranks}", "give 1 or more")
    order, rows = goal.by_rank()
    _, begun = goal.by_rank("begun")
    operations = [goal.operations[index] for index in order.tolist()]
    kinds = [_KINDS[operation.kind] for operation in operations]
    cpu = np.array([operation.cpu for operation in operations], dtype=np.int32)
    peer, tag, asked = _messages(operations)
    count = len(operations)
    is_time = np.array([kind == OpKind.TIME for kind in kinds], dtype=bool)
    amount = np.array([operation.bytes for operation in operations], dtype=np.int64)
    none = np.full(count, NONE, dtype=np.int32)
    return Trace(
        ranks=goal.ranks,
        first=np.searchsorted(
            [operation.rank for operation in operations], np.arange(goal.ranks + 1)
        ).astype(np.int64),
        kind=np.array(kinds, dtype=np.int8),
        call=np.array([_CALLS[kind] for kind in kinds], dtype=np.int16),
        peer=peer,
        tag=tag,
        asked=asked,
        bytes=np.where(is_time, 0, amount),
        comm=np.zeros(count, dtype=np.int32),
        request=none,
        list=none,
        seconds=np.where(is_time, amount * _NANOSECOND, 0.0),
        line=np.array([operation.line for operation in operations], dtype=np.int32),
        calls=("send", "recv", COMPUTE),
        communicators=(np.arange(goal.ranks, dtype=np.int64),),
        requires_offsets=offsets_of(ints([len(row) for row in rows])),
        requires=ints([required for row in rows for required in row]),
        begun_offsets=offsets_of(ints([len(row) for row in begun])) if any(begun) else ints([]),
        begun=ints([required for row in begun for required in row]),
        cpu=cpu if cpu.any() else cpu[:0],
        files=(file,),
    )


def _messages(operations: Sequence[GoalOperation]) -> tuple[Narrow, Narrow, NDArray[np.int8]]:
    """Peer and tag of each operation, and what of both a receive left open that is known now."""
    peer = np.array([operation.peer for operation in operations], dtype=np.int32)
    tag = _narrow([operation.tag for operation in operations])
    asked = ((peer == ANY) * ANY_SOURCE + (tag == ANY) * ANY_TAG).astype(np.int8)
    if not asked.any():
        return peer, tag, asked[:0]
    kind = np.array([operation.kind for operation in operations])
    rank = ints([operation.rank for operation in operations])
    met = closed(rank, peer, tag, kind == Kind.SEND, kind == Kind.RECEIVE)
    return met[0].astype(np.int32), met[1].astype(np.int32), asked


def _narrow(tags: Sequence[int]) -> Narrow:
    """Return tags as they are, or numbered where some are too large, as LogGOPSim's of 32 bits."""
    given = ints(tags)
    if given.max(initial=0) > np.iinfo(np.int32).max:
        is_any, numbers = given == ANY, np.unique(given, return_inverse=True)[1]
        given = np.where(is_any, ANY, numbers)
    return given.astype(np.int32)
