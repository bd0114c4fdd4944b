"""Discovered groups as levels of a groups file: what they are called, which hosts they list."""

import re
from collections.abc import Sequence

from contend.clusters.discovery import Members
from contend.clusters.file import DeclaredGroup, DeclaredLevel

LEVELS = ("site", "cluster", "switch")  # outermost first; one alone is a cluster


def level_names(count: int) -> list[str]:
    """Names of so many discovered levels, outermost first.

    >>> level_names(1), level_names(2)
    (['cluster'], ['site', 'cluster'])
    """
    if count == 1:
        return ["cluster"]
    return [*LEVELS[:count], *(f"level{index + 1}" for index in range(len(LEVELS), count))]


def declared(hosts: Sequence[str], levels: Sequence[Sequence[Members]]) -> list[DeclaredLevel]:
    """The levels as a groups file declares them, each group with all its hosts by name."""
    found = []
    for name, groups in zip(level_names(len(levels)), levels, strict=True):
        members = [[hosts[index] for index in group] for group in groups]
        called = group_names(members, name)
        found.append(
            DeclaredLevel(
                name=name,
                discovered=True,
                groups=tuple(
                    DeclaredGroup(name=title, hosts=tuple(map(literal, names)))
                    for title, names in zip(called, members, strict=True)
                ),
            )
        )
    return found


def group_names(members: Sequence[Sequence[str]], level: str) -> list[str]:
    """What the hosts of each group are called without their numbers, or else level1, level2, ...

    >>> group_names([["red1", "red2"], ["blue7"]], "cluster")
    ['red', 'blue']
    """
    stems = [{re.sub(r"[-_]?\d*$", "", host.partition(".")[0]) for host in one} for one in members]
    single = [next(iter(stem)) for stem in stems if len(stem) == 1]
    if len(set(single)) == len(members) and all(single):
        return single
    return [f"{level}{number}" for number in range(1, len(members) + 1)]


def literal(host: str) -> str:
    """The pattern that matches this name alone."""
    return re.sub(r"([*?[])", r"[\1]", host)
