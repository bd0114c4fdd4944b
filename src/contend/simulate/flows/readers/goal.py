"""GOAL: the messages of a schedule; each starts when what it requires is done.

Source: Hoefler, Siebert, Lumsdaine, "Group Operation Assembly Language", ICPP 2009; the text is
read by contend.schedules.goal.
Idea: a send is a flow from its rank to its peer. A send is done when its flow has ended, a receive
when the flow that it belongs to and all that it requires have, a calc when all that it requires
has. What irequires an operation begins when that does. A flow requires the flows that its send
comes after by these rules.
Cost: as long as the list of flows that each flow requires; it may be longer than the text, where
many operations join in one that many others require.
Restrictions: a rank is a host. Computing takes no time, on whichever processor. Sends of a rank
that do not require each other start together.
"""

from collections.abc import Iterable, Sequence

import numpy as np
import pandas as pd

from contend.base.errors import FileFormatError, InvalidInputError
from contend.schedules.goal import Goal, GoalOperation, parse_goal
from contend.schedules.matching import UnmatchedError, partners_of
from contend.schedules.ragged_rows import Ints, ints
from contend.schedules.schedule import Kind
from contend.simulate.flows.reader import FlowReader

MOST_REQUIRED = 50_000_000  # entries of all lists; 400 MB
_NOTHING: frozenset[int] = frozenset()


class GoalReader(FlowReader):
    name = "goal"
    title = "GOAL schedule, its sends as flows with their dependencies"
    suffixes = (".goal",)

    def read(self, text: str) -> pd.DataFrame:
        """A row per send, `requires` as lists of flows counted from 0."""
        try:
            goal = parse_goal(text)
            goal.check_ranks()
            operations = [goal.operations[index] for index in goal.by_rank()[0].tolist()]
            graph = _Graph(goal, operations)
        except (OverflowError, ValueError, MemoryError):
            raise FileFormatError("a number is too large", "check sizes and ranks") from None
        sends = [one for one in operations if one.kind == Kind.SEND]
        if not sends:
            raise InvalidInputError("no rank sends anything", "name a schedule with messages")
        return pd.DataFrame(
            {
                "src": [str(one.rank) for one in sends],
                "dst": [str(one.peer) for one in sends],
                "bytes": ints([one.bytes for one in sends]),
                "requires": graph.required(),
            }
        )


def _partners(operations: Sequence[GoalOperation]) -> Ints:
    """The receive of each send and the send of each receive; an error if there is none."""
    kind = np.array([one.kind for one in operations])
    rank, peer, tag = (ints([getattr(one, name) for one in operations])
                       for name in ("rank", "peer", "tag"))  # fmt: skip
    try:
        partner = partners_of(rank, peer, tag, kind == Kind.SEND, kind == Kind.RECEIVE)
    except UnmatchedError as error:
        line = operations[error.operation].line
        raise InvalidInputError(f"GOAL line {line}: {error.message}", "add its partner") from None
    size = ints([one.bytes for one in operations])
    differs = (partner >= 0) & (size != size[partner])
    if differs.any():
        one = operations[int(differs.argmax())]
        raise InvalidInputError(
            f"GOAL line {one.line}: a receive expects another size than is sent",
            "let both sizes be the same",
        )
    return partner


class _Graph:
    """Flows that have to end before each operation begins, and before it is done."""

    def __init__(self, goal: Goal, operations: Sequence[GoalOperation]) -> None:
        self._operations = operations
        self._requires, self._begun = goal.by_rank()[1], goal.by_rank("begun")[1]
        self._partner = _partners(operations).tolist()
        is_send = [one.kind == Kind.SEND for one in operations]
        self._flow = (np.cumsum(is_send) - 1).tolist()
        self._sends = np.flatnonzero(is_send).tolist()
        self._begin: dict[int, frozenset[int]] = {}
        self._done = {send: frozenset([self._flow[send]]) for send in self._sends}

    def required(self) -> list[list[int]]:
        lists: list[list[int]] = []
        total = 0
        for operation in range(len(self._operations)):
            self._settle(operation)
        for send in self._sends:
            lists.append(sorted(self._begin[send]))
            total += len(lists[-1])
            _check_size(total)
        return lists

    def _awaited(self, operation: int) -> list[int]:
        """Operations whose begin says when this one begins."""
        done = [one for one in self._requires[operation] if one not in self._done]
        return [*done, *self._begun[operation]]

    def _settle(self, operation: int) -> None:
        """Find what an operation begins after, of all that it waits for first."""
        path, is_on_path = [operation], {operation}
        while path:
            current = path[-1]
            missing = [one for one in self._awaited(current) if one not in self._begin]
            if current in self._begin or not missing:
                self._note(current)
                is_on_path.discard(path.pop())
            elif missing[0] in is_on_path:
                raise InvalidInputError(
                    f"operations of rank {self._operations[current].rank} require each other",
                    "remove one requirement of the circle",
                )
            else:
                path.append(missing[0])
                is_on_path.add(missing[0])

    def _note(self, operation: int) -> None:
        if operation in self._begin:
            return
        begin = _union([*(self._done[one] for one in self._requires[operation]),
                        *(self._begin[one] for one in self._begun[operation])])  # fmt: skip
        self._begin[operation] = begin
        partner = self._partner[operation]
        own = _NOTHING if partner < 0 else frozenset([self._flow[partner]])
        self._done.setdefault(operation, _union([own, begin]))


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
