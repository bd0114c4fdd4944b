"""Which group of the level above each group of a level is in, by where the ranks are.

Idea: a level divides another where each of its groups lies in one of the other's. Of those before
it that it divides the level above is that with the most groups.
"""

from collections.abc import Iterable, Mapping, Sequence

from contend.models.links.record import LevelLinks
from contend.samples.messages import MessageSample


def nested(
    levels: Iterable[LevelLinks], samples: Sequence[MessageSample]
) -> tuple[LevelLinks, ...]:
    """The levels, with the group of the level above of each of their groups, from their samples."""
    groups = {sample.level: sample.groups for sample in samples}
    nested_levels = []
    for level in levels:
        home = homes(groups, level.name)
        members = (
            group.model_copy(update={"outer": home.get(group.name)}) for group in level.groups
        )
        nested_levels.append(level.model_copy(update={"groups": tuple(members)}))
    return tuple(nested_levels)


def homes(groups: Mapping[str, Sequence[str]], level: str) -> dict[str, str]:
    """The group of the level above of each group of `level`; none of an outermost one.

    `groups` are those of each rank, by level, outermost first.

    >>> homes({"all": "aaaaa", "site": "nnnss", "half": "xyxyx", "cluster": "rrgbb"}, "cluster")
    {'r': 'n', 'g': 'n', 'b': 's'}
    """
    home_of: dict[str, str] = {}
    for name, outer in groups.items():
        if name == level:
            break
        inside = dict(zip(groups[level], outer, strict=True))
        is_divided = len(set(zip(groups[level], outer, strict=True))) == len(inside)
        if is_divided and len(set(home_of.values())) <= len(set(outer)):
            home_of = inside
    return home_of
