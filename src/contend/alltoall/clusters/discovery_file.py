"""Discovered groups as levels of a groups file: what they are called, and how they are written.

A file that holds anything but what this module wrote, as levels or comments of a person, is never
written over.
"""

import json
import re
from collections.abc import Sequence
from pathlib import Path

from contend.alltoall.clusters.discovery import Members
from contend.alltoall.clusters.file import (
    DeclaredGroup,
    DeclaredLevel,
    parse_groups,
    read_groups_text,
)
from contend.base.errors import InvalidInputError
from contend.base.wholefile import is_special, locked, write_whole

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
    lines = []
    for name, groups in zip(level_names(len(levels)), levels, strict=True):
        members = [[hosts[index] for index in group] for group in groups]
        called = group_names(members, name)
        lines.append(
            DeclaredLevel(
                name=name,
                discovered=True,
                groups=tuple(
                    DeclaredGroup(name=title, hosts=tuple(map(literal, names)))
                    for title, names in zip(called, members, strict=True)
                ),
            )
        )
    return lines


def group_names(members: Sequence[Sequence[str]], level: str) -> list[str]:
    """What the hosts of each group are called without their numbers, or else level1, level2, ...

    >>> group_names([["red1", "red2"], ["blue7"]], "cluster")
    ['red', 'blue']
    """
    stems = [
        {re.sub(r"[-_]?\d*$", "", host.partition(".")[0]) for host in member} for member in members
    ]
    single = [next(iter(stem)) for stem in stems if len(stem) == 1]
    if len(set(single)) == len(members) and all(single):
        return single
    return [f"{level}{number}" for number in range(1, len(members) + 1)]


def literal(host: str) -> str:
    """The pattern that matches this name alone."""
    return re.sub(r"([*?[])", r"[\1]", host)


def write_discovered(path: Path, discovered: Sequence[DeclaredLevel]) -> None:
    """Write the levels into a file that is new, or was written so before."""
    with locked(path):
        require_replaceable(path)
        write_whole(path, file_text(discovered))


def require_replaceable(path: Path) -> None:
    """Raise an error for a file that holds what no measurement wrote."""
    if not path.exists() or is_special(path):
        return
    text = read_groups_text(path)
    levels = parse_groups(text, str(path)).levels
    if text != file_text(levels) or not all(level.discovered for level in levels):
        raise InvalidInputError(
            f"{path} holds levels or comments that were written by hand",
            "name another file with -o, and copy the measured levels to where they divide those "
            "above them",
        )


def file_text(levels: Sequence[DeclaredLevel]) -> str:
    """A groups file as TOML."""
    return "\n".join(map(_level_text, levels))


def _level_text(level: DeclaredLevel) -> str:
    lines = ["[[levels]]", f"name = {_quoted(level.name)}"]
    lines += ["discovered = true"] if level.discovered else []
    for group in level.groups:
        lines += ["", "[[levels.groups]]", f"name = {_quoted(group.name)}"]
        if group.subnet is not None:
            lines.append(f"subnet = {_quoted(group.subnet)}")
        else:
            lines += ["hosts = [", *(f"    {_quoted(host)}," for host in group.hosts), "]"]
    return "\n".join(lines) + "\n"


def _quoted(word: str) -> str:
    """A basic string of TOML: that of JSON, for words without control characters."""
    return json.dumps(word, ensure_ascii=False)
