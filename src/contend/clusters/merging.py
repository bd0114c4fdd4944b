"""Discovered levels written into a groups file, beside what was written by hand.

Idea: a file is cut where a level begins. What a person wrote stays as it is, comments included;
what a measurement wrote before (`discovered = true`) gives way. A measured level goes where it
refines what is above and is refined by what is below.
"""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from contend.clusters.file import (
    DeclaredLevel,
    GroupsFile,
    parse_groups,
    read_groups_text,
)
from contend.clusters.groups import Groups, Level, does_refine
from contend.clusters.matching import Addresses, addresses_of, assign
from contend.errors import FileFormatError, InvalidInputError
from contend.wholefile import is_special, locked, write_whole

# Comments right above a level belong to it.
_LEVEL = re.compile(r"^(?:[ \t]*#.*\n)*[ \t]*\[\[[ \t]*levels[ \t]*\]\]", re.MULTILINE)


@dataclass(frozen=True)
class _Block:
    """A level, its text, and the groups of the measured hosts by it."""

    declared: DeclaredLevel
    text: str
    level: Level


def write_discovered(
    path: Path,
    discovered: Sequence[DeclaredLevel],
    hosts: Sequence[str],
    addresses: Addresses = addresses_of,
) -> list[str]:
    """Write the levels into a file, new or not; what a user should know of it, a line each."""
    with locked(path):
        exists = path.exists() and not is_special(path)
        text = read_groups_text(path) if exists else ""
        merged, notes = merge(text, str(path), discovered, hosts, addresses)
        write_whole(path, merged)
    return notes


def merge(
    text: str,
    where: str,
    discovered: Sequence[DeclaredLevel],
    hosts: Sequence[str],
    addresses: Addresses = addresses_of,
) -> tuple[str, list[str]]:
    """Text of a groups file with the levels in it, and what a user should know.

    Raises
    ------
    ContendError
        For a file that cannot be read or divided, or a level in it that crosses a measured one:
        neither divides the groups of the other.
    """
    declared = parse_groups(text, where)
    head, parts = _divided(text, where, declared)
    blocks = [
        _block(level, part, hosts, addresses)
        for level, part in zip(declared.levels, parts, strict=True)
        if not level.discovered
    ]
    notes = [f"{where}: level {block.declared.name!r} is kept as it was" for block in blocks]
    for level in discovered:
        new = _block(level, "", hosts, addresses)
        if same := [block for block in blocks if block.level.groups == new.level.groups]:
            notes.append(f"{where}: the measured groups are those of {same[0].declared.name!r}")
            continue
        name = _free_name(level.name, blocks)
        renamed = level.model_copy(update={"name": name})
        new = _block(renamed, level_text(renamed), hosts, addresses)
        blocks.insert(_place(new, blocks), new)
    whole = [part.strip("\n") for part in (head, *(block.text for block in blocks))]
    result = "\n\n".join(filter(None, whole)) + "\n" if any(whole) else ""
    Groups(tuple(block.level for block in blocks))
    parse_groups(result, where)
    return result, notes


def level_text(level: DeclaredLevel) -> str:
    """A level as TOML."""
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


def _divided(text: str, where: str, declared: GroupsFile) -> tuple[str, list[str]]:
    starts = [match.start() for match in _LEVEL.finditer(text)]
    if len(starts) != len(declared.levels):
        raise FileFormatError(
            f"{where} has levels that do not begin with a line [[levels]]",
            "write them so, or name another file with -o",
        )
    ends = [*starts[1:], len(text)][: len(starts)]
    head = text[: starts[0]] if starts else text
    return head, [text[start:end] for start, end in zip(starts, ends, strict=True)]


def _block(
    declared: DeclaredLevel, text: str, hosts: Sequence[str], addresses: Addresses
) -> _Block:
    (level,) = assign(GroupsFile(levels=(declared,)), hosts, addresses).levels
    return _Block(declared, text, level)


def _free_name(name: str, blocks: Sequence[_Block]) -> str:
    taken = {block.declared.name for block in blocks}
    tries = (name, *(f"{name}-measured{number or ''}" for number in range(len(taken) + 1)))
    return next(one for one in tries if one not in taken)


def _place(new: _Block, blocks: Sequence[_Block]) -> int:
    """Where a level goes: below all that it refines, above all that refine it."""
    above = [does_refine(block.level, new.level) for block in blocks]
    for block, is_above in zip(blocks, above, strict=True):
        if not is_above and not does_refine(new.level, block.level):
            raise InvalidInputError(
                f"the measured level {new.declared.name!r} and the level {block.declared.name!r} "
                "of the file cross: neither divides the groups of the other",
                "correct that level, or name another file with -o",
            )
    return sum(above)
