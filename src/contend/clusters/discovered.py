"""Discovered levels written into a groups file of their own.

A file that holds anything but what this module wrote, as levels or comments of a person, is never
written over.
"""

import json
from collections.abc import Sequence
from pathlib import Path

from contend.clusters.file import DeclaredLevel, parse_groups, read_groups_text
from contend.errors import InvalidInputError
from contend.wholefile import is_special, locked, write_whole


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
            f"{path} holds levels or comments that no measurement wrote",
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
