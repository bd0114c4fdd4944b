"""Groups: which hosts or ranks sit behind a slower link, at each level.

Idea: a level is one boundary (site, cluster, node), outermost first; it says for every member the
index of its group. A deeper level divides the groups of the one above and never joins their parts.
The level of nodes, of ranks that share a host, is one that every machine has.
Restrictions: groups of a level are numbered from 0 without gaps, by their first member.
"""

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass

from contend.base.errors import InvalidInputError
from contend.base.units import MOST_COUNTS
from contend.models.links.record import OF_NODES

NODE = OF_NODES


@dataclass(frozen=True)
class Level:
    """One boundary: `groups[i]` is the group of member i, `names[g]` that of group g."""

    name: str
    groups: tuple[int, ...]
    names: tuple[str, ...]

    @classmethod
    def of(cls, name: str, keys: Iterable[Hashable]) -> "Level":
        """The level at which members with the same key share a group, which is named by it.

        >>> Level.of("cluster", ["red", "blue", "red"]).groups
        (0, 1, 0)
        """
        keys = list(keys)
        number = {key: index for index, key in enumerate(dict.fromkeys(keys))}
        return cls(name, tuple(number[key] for key in keys), tuple(map(str, number)))

    @property
    def members(self) -> list[list[int]]:
        """Members of each group, ascending."""
        members: list[list[int]] = [[] for _ in self.names]
        for member, group in enumerate(self.groups):
            members[group].append(member)
        return members


@dataclass(frozen=True)
class Groups:
    """Levels, outermost first, over the same members.

    Raises
    ------
    InvalidInputError
        When levels have different members, share a name, or one does not refine the one above.
    """

    levels: tuple[Level, ...]

    def __post_init__(self) -> None:
        names = [level.name for level in self.levels]
        if twice := [name for name in names if names.count(name) > 1]:
            raise InvalidInputError(f"two levels are named {twice[0]!r}", "rename one")
        for above, below in zip(self.levels, self.levels[1:], strict=False):
            if len(above.groups) != len(below.groups):
                raise InvalidInputError(
                    f"level {above.name!r} has {len(above.groups)} members, level {below.name!r} "
                    f"{len(below.groups)}",
                    "give each level the same members",
                )
            require_refined(above, below)

    @property
    def size(self) -> int:
        """Number of members; 0 without levels."""
        return len(self.levels[0].groups) if self.levels else 0

    def level(self, name: str) -> Level:
        for level in self.levels:
            if level.name == name:
                return level
        names = ", ".join(level.name for level in self.levels) or "none"
        raise InvalidInputError(f"no level is named {name!r}", f"there are: {names}")

    def below(self, deeper: Level) -> "Groups":
        """These with a deepest level added."""
        return Groups((*self.levels, deeper))


def require_refined(above: Level, below: Level) -> None:
    """Raise an error unless every group of `below` lies within one group of `above`."""
    home: dict[int, int] = {}
    for outer, inner in zip(above.groups, below.groups, strict=True):
        if home.setdefault(inner, outer) != outer:
            raise InvalidInputError(
                f"group {below.names[inner]!r} of level {below.name!r} has members in "
                f"{above.names[home[inner]]!r} and in {above.names[outer]!r} of level "
                f"{above.name!r}, which stands above it",
                "order levels from the outermost in, and divide the group",
            )


def nodes_of(hosts: Iterable[Hashable]) -> Level:
    """The level of nodes from the host of each rank.

    >>> nodes_of(["a", "b", "a"]).groups
    (0, 1, 0)
    """
    return Level.of(NODE, hosts)


def nodes_by_count(processes: Sequence[int]) -> Level:
    """The level of nodes from the number of processes on each, ranks in their order.

    >>> nodes_by_count([2, 1]).groups
    (0, 0, 1)
    """
    if not processes or min(processes) < 1:
        raise InvalidInputError(
            f"{min(processes, default='no')} processes on a node", "give at least 1 for each node"
        )
    if sum(processes) > MOST_COUNTS:
        raise InvalidInputError(
            f"{sum(processes)} processes, where {MOST_COUNTS} are the most", "give fewer"
        )
    return Level.of(
        NODE, (f"node{index}" for index, count in enumerate(processes) for _ in range(count))
    )
