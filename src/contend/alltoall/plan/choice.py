"""Which algorithm of the portfolio is fastest, size by size, as predicted.

Idea: every member with every option, for sizes that double; each size stands for those above the
one before, so that a window that suits the largest of them suits all. The library's own stays where
nothing is faster by more than `WORTH`. A size takes the options of the one before where these are
as good, so that a plan is short.
Bound: no exchange is faster than the bytes from one group to another over the rate of their link,
plus one way.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from contend.alltoall.clusters.plan import Choice
from contend.alltoall.plan.link_queues import Predicted, predict
from contend.alltoall.plan.links import Links
from contend.alltoall.plan.portfolio import (
    NATIVE,
    STAND_INS,
    Member,
    likely_native,
    members,
    schedule_of,
)
from contend.base.document import Floats
from contend.base.errors import InvalidInputError
from contend.schedules.groups import Groups, Layout

SIZES = tuple(8 * 2**power for power in range(18))  # to 1 MiB, whose choice holds beyond it
WORTH = 0.97  # of the time of the library's own
AS_GOOD = 1.02
# Share of a buffer that a choice may fill, as real ranks do not keep step like those of a schedule:
# in a lab an exchange that was to fill 0.8 lost in all repetitions, and one of 0.6 in none.
SAFE = 0.6


@dataclass(frozen=True)
class Option:
    """A member with its predicted time."""

    member: Member
    predicted: Predicted

    @property
    def seconds(self) -> float:
        """Predicted, with what a loss costs."""
        return self.predicted.seconds

    @property
    def cautious(self) -> float:
        """The same, where the buffer gets nearly full with what a loss would cost."""
        is_near = SAFE < self.predicted.fill <= 1.0
        return self.seconds + self.predicted.timeout * is_near


@dataclass(frozen=True)
class Chosen:
    """What is predicted for blocks of `m` bytes, and chosen from `from_bytes` on.

    `native` is the library's own, by its likely stand-in; `worst_native` that of the slowest.
    """

    m: int
    from_bytes: int
    best: Option
    runner_up: Option | None
    native: Option
    native_as: str
    worst_native: Option
    bound: float

    @property
    def is_native(self) -> bool:
        """Whether the MPI library's own is left to it."""
        return self.best.member.name == NATIVE


def choose(
    names: Sequence[str], groups: Groups, links: Links, sizes: Sequence[int] = SIZES
) -> list[Chosen]:
    """The best of the algorithms of these names for each size, ascending."""
    if not sizes or list(sizes) != sorted(set(sizes)) or sizes[0] < 1:
        raise InvalidInputError("sizes that do not ascend from 1 byte on", "sort them")
    decided: list[Chosen] = []
    for m in sizes:
        last = decided[-1] if decided else None
        decided.append(_chosen(names, groups, links, m, last))
    return decided


def lines(level: str, chosen: Sequence[Chosen]) -> list[Choice]:
    """The choices of a plan; a size that changes nothing has none."""
    choices: list[Choice] = []
    for candidate in chosen:
        member = candidate.best.member
        options: Any = member.planned
        choice = Choice(level, candidate.from_bytes, member.name, **options)
        if not choices or _identity(choices[-1]) != _identity(choice):
            choices.append(choice)
    return choices


def bound(groups: Groups, links: Links, m: int) -> float:
    """Least seconds of any exchange of `m` bytes."""
    size = Layout(groups).size.astype(np.float64)
    crossing: Floats = np.multiply.outer(size, size) * m / links.bandwidth + links.one_way
    return float(crossing[~np.eye(size.size, dtype=bool)].max())


def _chosen(
    names: Sequence[str], groups: Groups, links: Links, m: int, last: Chosen | None
) -> Chosen:
    natives = {
        name: Option(Member(NATIVE), _predicted(Member(name), groups, links, m))
        for name in STAND_INS
    }
    native = natives[likely_native(len(groups), m)]
    options = [
        Option(member, _predicted(member, groups, links, m))
        for name in names
        if name != NATIVE
        for member in members(name, groups, links, m)
    ]
    ranked = sorted(options, key=lambda option: option.cautious)
    same = [
        entry
        for entry in ranked
        if last
        and entry.member == last.best.member
        and entry.cautious <= AS_GOOD * ranked[0].cautious
    ]
    best = native
    if ranked and ranked[0].cautious <= WORTH * native.cautious:
        best = [*same, *ranked][0]
    others = [entry for entry in [*ranked, native] if entry.member.name != best.member.name]
    return Chosen(
        m=m,
        from_bytes=last.m + 1 if last else 0,
        best=best,
        runner_up=min(others, key=lambda option: option.cautious, default=None),
        native=native,
        native_as=likely_native(len(groups), m),
        worst_native=max(natives.values(), key=lambda option: option.seconds),
        bound=bound(groups, links, m),
    )


def _predicted(member: Member, groups: Groups, links: Links, m: int) -> Predicted:
    """Return the prediction of a member, bounded below by the time of its measured messages."""
    schedule, times = schedule_of(member, groups, m)
    prediction = predict(
        schedule, groups, links, times, window=member.unanswered, is_spaced=member.is_spaced
    )
    return replace(prediction, seconds=max(prediction.seconds, bound(groups, links, m)))


def _identity(choice: Choice) -> tuple[object, ...]:
    return (choice.algorithm, choice.window, choice.chunk, choice.leaders)
