"""Discovered levels written into a groups file, beside what was written by hand.

Idea: a file is cut where a level begins, and a measured one behind its last line that is no
comment. What a person wrote stays as it is, comments above and below a measured level included;
what a measurement wrote before (`discovered = true`) gives way. A measured level goes where it
refines what is above and is refined by what is below, if it can into the place of one that gives
way.
"""

import json
import re
from collections import deque
from collections.abc import Iterator, Sequence
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
_LEVEL = re.compile(r"^((?:[ \t]*#.*\n)*)[ \t]*\[\[[ \t]*levels[ \t]*\]\]", re.MULTILINE)


@dataclass(frozen=True)
class _Part:
    """A level of a file as text: comments right above it, it, and comments below."""

    above: str
    level: str
    below: str

    @classmethod
    def of(cls, above: str, rest: str) -> "_Part":
        lines = rest.split("\n")
        count = len(lines)
        while _is_comment(lines[count - 1]):
            count -= 1
        level = "\n".join(lines[:count])
        return cls(above, level, rest[len(level) :])


@dataclass(frozen=True)
class _Block:
    """A level, its text, the groups of the measured hosts by it, and whether that is new."""

    declared: DeclaredLevel
    text: str
    level: Level
    is_new: bool


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
    old = list(zip(declared.levels, parts, strict=True))
    blocks = [
        _block(level, f"{part.above}{part.level}{part.below}", hosts, addresses)
        for level, part in old
        if not level.discovered
    ]
    notes = [f"{where}: level {block.declared.name!r} is kept as it was" for block in blocks]
    for level in discovered:
        new = _block(level, "", hosts, addresses, is_new=True)
        if same := [block for block in blocks if block.level.groups == new.level.groups]:
            notes.append(f"{where}: the measured groups are those of {same[0].declared.name!r}")
            continue
        name = _free_name(level.name, blocks)
        renamed = level.model_copy(update={"name": name})
        new = _block(renamed, level_text(renamed), hosts, addresses, is_new=True)
        blocks.insert(_place(new, blocks), new)
    whole = [one.strip("\n") for one in (head, *_laid_out(old, blocks)) if one.strip()]
    result = "\n\n".join(whole) + "\n" if whole else ""
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


def _laid_out(
    old: Sequence[tuple[DeclaredLevel, _Part]], blocks: Sequence[_Block]
) -> Iterator[str]:
    """Texts of the blocks in order, with comments around levels that give way where they were."""
    left = deque(blocks)
    for declared, part in old:
        if declared.discovered:
            if left and left[0].is_new:
                yield part.above + left.popleft().text.rstrip("\n") + part.below
            else:
                yield from (part.above, part.below)
            continue
        while left[0].is_new:
            yield left.popleft().text
        yield left.popleft().text
    yield from (block.text for block in left)


def _is_comment(line: str) -> bool:
    return not line.strip() or line.lstrip().startswith("#")


def _quoted(word: str) -> str:
    """A basic string of TOML: that of JSON, for words without control characters."""
    return json.dumps(word, ensure_ascii=False)


def _divided(text: str, where: str, declared: GroupsFile) -> tuple[str, list[_Part]]:
    found = list(_LEVEL.finditer(text))
    if len(found) != len(declared.levels):
        raise FileFormatError(
            f"{where} has levels that do not begin with a line [[levels]]",
            "write them so, or name another file with -o",
        )
    ends = [*(match.start() for match in found[1:]), len(text)]
    head = text[: found[0].start()] if found else text
    return head, [
        _Part.of(match[1], text[match.end(1) : end])
        for match, end in zip(found, ends, strict=False)
    ]


def _block(
    declared: DeclaredLevel,
    text: str,
    hosts: Sequence[str],
    addresses: Addresses,
    *,
    is_new: bool = False,
) -> _Block:
    (level,) = assign(GroupsFile(levels=(declared,)), hosts, addresses).levels
    return _Block(declared, text, level, is_new)


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
