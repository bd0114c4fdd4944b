"""GOAL: the messages of a schedule; each starts when what it requires is done.

Source: Hoefler, Siebert, Lumsdaine, "Group Operation Assembly Language", ICPP 2009; the text is
read by contend.schedules.goal.
Idea: a send is a flow from its rank to its peer. A send is done when its flow has ended, a receive
when the flow that it belongs to and all that it requires have, a calc when all that it requires
has. A flow requires the flows that its send comes after by these rules.
Cost: as long as the list of flows that each flow requires; it may be longer than the text, where
many operations join in one that many others require.
Restrictions: a rank is a host. Computing takes no time. Sends of a rank that do not require each
other start together.
"""

from collections.abc import Iterable

import numpy as np
import pandas as pd

from contend.errors import FileFormatError, InvalidInputError
from contend.flows.reader import FlowReader
from contend.schedules.goal import from_goal
from contend.schedules.schedule import Kind, Schedule

MOST_REQUIRED = 50_000_000  # entries of all lists; 400 MB
_NOTHING: frozenset[int] = frozenset()


class GoalReader(FlowReader):
    """Reader of GOAL schedules."""

    name = "goal"
    title = "GOAL schedule, its sends as flows with their dependencies"
    suffixes = (".goal",)

    def read(self, text: str) -> pd.DataFrame:
        """A row per send, `requires` as lists of flows counted from 0."""
        try:
            schedule = from_goal(text)
        except (OverflowError, ValueError, MemoryError):
            raise FileFormatError("a number is too large", "check sizes and ranks") from None
        is_send = schedule.kind == Kind.SEND
        if not is_send.any():
            raise InvalidInputError("no rank sends anything", "name a schedule with messages")
        return pd.DataFrame(
            {
                "src": schedule.rank[is_send].astype(str),
                "dst": schedule.peer[is_send].astype(str),
                "bytes": schedule.bytes[is_send],
                "requires": _required(schedule),
            }
        )


def _required(schedule: Schedule) -> list[list[int]]:
    """What each flow requires, through operations that take no time."""
    is_send = schedule.kind == Kind.SEND
    flow = (np.cumsum(is_send) - 1).tolist()
    sends = np.flatnonzero(is_send).tolist()
    done = {send: frozenset([flow[send]]) for send in sends}
    for operation in np.flatnonzero(~is_send).tolist():
        _settle(schedule, operation, flow, done)
    lists: list[list[int]] = []
    total = 0
    for send in sends:
        lists.append(sorted(_union(done[other] for other in schedule.required_by(send))))
        total += len(lists[-1])
        _check_size(total)
    return lists


def _settle(
    schedule: Schedule, operation: int, flow: list[int], done: dict[int, frozenset[int]]
) -> None:
    """Flows whose ends mean that an operation is done; of all that it requires first."""
    path, is_on_path = [operation], {operation}
    while path:
        current = path[-1]
        required = schedule.required_by(current)
        missing = [other for other in required if other not in done]
        if current in done or not missing:
            partner = int(schedule.partner[current])
            own = _NOTHING if partner < 0 else frozenset([flow[partner]])
            done.setdefault(current, _union([own, *(done[other] for other in required)]))
            is_on_path.discard(path.pop())
        elif missing[0] in is_on_path:
            raise InvalidInputError(
                f"operations of rank {schedule.rank[current]} require each other",
                "remove one requirement of the circle",
            )
        else:
            path.append(missing[0])
            is_on_path.add(missing[0])


def _union(sets: Iterable[frozenset[int]]) -> frozenset[int]:
    """Their union; the set itself where there is but one, so that chains share it."""
    some = [one for one in sets if one]
    if len(some) < 2:
        return some[0] if some else _NOTHING
    _check_size(sum(map(len, some)))
    return frozenset().union(*some)


def _check_size(entries: int) -> None:
    if entries > MOST_REQUIRED:
        raise InvalidInputError(
            f"the flows require others more than {MOST_REQUIRED} times",
            "let fewer operations join in one that many require",
        )
