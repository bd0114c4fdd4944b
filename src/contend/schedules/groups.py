"""Which rank is in which group: ranks of a group are close, groups are joined by slower links.

Idea: a group is a node, a cluster or a site. Where a rank stands in its group is its position; the
ranks of a group need not be neighbours in number. Groups are written as in `0-2/3-7`: the ranks of
each group as a list of numbers, groups separated by a slash; `0,2/1,3` are two groups that take
turns.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from typing import TypeAlias

import numpy as np

from contend.base.errors import InvalidInputError
from contend.base.units import parse_counts
from contend.schedules.ragged_rows import Ints, ints

Groups: TypeAlias = tuple[int, ...]  # index of the group of every rank
Grouping: TypeAlias = Callable[[int], Groups]  # the groups of so many ranks


def halves(n: int) -> Groups:
    """The first half of the ranks and the second, smaller by one if n is odd.

    >>> halves(5)
    (0, 0, 0, 1, 1)
    """
    return tuple((np.arange(n) * 2 // n).tolist())


def nodes_of(processes: int) -> Grouping:
    """Nodes of so many processes each, in order of rank; the last may have fewer.

    >>> nodes_of(2)(5)
    (0, 0, 1, 1, 2)
    """
    return lambda n: tuple((np.arange(n) // processes).tolist())


def given(groups: Groups) -> Grouping:
    """These groups, for as many ranks as they have; an error for another number."""

    def of(n: int) -> Groups:
        if n != len(groups):
            raise InvalidInputError(
                f"groups of {len(groups)} ranks in all, got {n} ranks",
                f"name the groups of all {n}, or try 'direct'",
            )
        return groups

    return of


def parse_groups(text: str) -> Groups:
    """The group of every rank of a text such as "0-2/3-7".

    >>> parse_groups("0,2/1,3-4")
    (0, 1, 0, 1, 1)
    """
    parts = [parse_counts(part) for part in text.split("/")]
    ranks = [rank for part in parts for rank in part]
    if not all(parts) or sorted(ranks) != list(range(len(ranks))):
        raise InvalidInputError(
            f"{text!r} does not name every rank from 0 on in one group",
            "write the ranks of each group, groups separated by a slash, as in 0-2/3-7",
        )
    pairs = sorted((rank, group) for group, part in enumerate(parts) for rank in part)
    return tuple(group for _, group in pairs)


def grouping_of(text: str | None) -> Grouping | None:
    """The groups that a text names; None without one.

    >>> grouping_of("0-2/3-7")(8)
    (0, 0, 0, 1, 1, 1, 1, 1)
    """
    return given(parse_groups(text)) if text else None


def groups_text(groups: Groups) -> str:
    """The groups as `parse_groups` reads them.

    >>> groups_text((0, 1, 0, 1, 1))
    '0,2/1,3-4'
    """
    ranks_of: dict[int, list[int]] = {group: [] for group in sorted(set(groups))}
    for rank, group in enumerate(groups):
        ranks_of[group].append(rank)
    return "/".join(_list(ranks) for ranks in ranks_of.values())


def _list(ranks: list[int]) -> str:
    runs = [
        [rank for _, rank in run]
        for _, run in groupby(enumerate(ranks), key=lambda pair: pair[1] - pair[0])
    ]
    return ",".join(str(run[0]) if len(run) == 1 else f"{run[0]}-{run[-1]}" for run in runs)


@dataclass(frozen=True)
class Layout:
    """Ranks by group and position; all arrays computed."""

    groups: Groups

    @property
    def n(self) -> int:
        return len(self.groups)

    @cached_property
    def group(self) -> Ints:
        """Group of every rank, numbered from 0 without a gap; (n,)."""
        return ints(np.unique(self.groups, return_inverse=True)[1])

    @cached_property
    def size(self) -> Ints:
        return ints(np.bincount(self.group))

    @cached_property
    def position(self) -> Ints:
        """Place of every rank among those of its group, in order of rank; (n,)."""
        positions = np.empty(self.n, dtype=np.int64)
        positions[self._order] = np.arange(self.n) - self._first[self.group[self._order]]
        return positions

    @property
    def is_even(self) -> bool:
        return bool((self.size == self.size[0]).all())

    @cached_property
    def distance(self) -> Ints:
        """How many groups on that of each column is from that of each row, in a circle; (n, n)."""
        return ints((self.group - self.group[:, None]) % self.size.size)

    def rank_at(self, group: Ints, position: Ints) -> Ints:
        """The rank in a position of a group."""
        return ints(self._order[self._first[group] + position])

    @cached_property
    def _order(self) -> Ints:
        return ints(np.argsort(self.group, kind="stable"))

    @cached_property
    def _first(self) -> Ints:
        return ints(np.cumsum(self.size) - self.size)
