"""The groups file clusters.toml: levels of groups, each a name and patterns of hosts or a subnet.

Restrictions: a host belongs to exactly one group of each level; levels stand outermost first. The
level of nodes is not declared: ranks that share a host share a node.
"""

import ipaddress
import tomllib
from pathlib import Path
from typing import Annotated

from pydantic import Field, ValidationError, field_validator, model_validator

from contend.alltoall.clusters.groups import NODE
from contend.alltoall.clusters.pattern import require_no_list, require_pattern
from contend.base.document import Record, first_problem
from contend.base.errors import FileFormatError, InvalidInputError
from contend.base.textfile import read_bytes

MOST_LEVELS = 16
MOST_GROUPS = 65_536  # of a level
MOST_PATTERNS = 65_536  # of a group
MOST_BYTES = 16 * 2**20  # of a file
LONGEST = 255  # characters of a name, as of a host name
# The plan that the library reads is of words, so no name or pattern holds a blank.
Word = Annotated[str, Field(min_length=1, max_length=LONGEST, pattern=r"^[^\s\x00-\x1f\x7f]+$")]

Subnet = ipaddress.IPv4Network | ipaddress.IPv6Network


class DeclaredGroup(Record):
    """Hosts behind one link: those whose name matches a pattern, or with an address in a subnet."""

    name: Word
    hosts: tuple[Word, ...] = Field((), max_length=MOST_PATTERNS, description="shell patterns")
    subnet: Word | None = Field(None, description="of IPv4 or IPv6, e.g. 10.1.0.0/16")

    @field_validator("hosts")
    @classmethod
    def _are_patterns(cls, hosts: tuple[str, ...]) -> tuple[str, ...]:
        for pattern in hosts:
            try:
                require_pattern(pattern)
                require_no_list(pattern)
            except InvalidInputError as error:
                raise ValueError(f"{error.message}; {error.remedy}") from None
        return hosts

    @field_validator("subnet")
    @classmethod
    def _is_a_subnet(cls, text: str | None) -> str | None:
        if text is not None:
            try:
                ipaddress.ip_network(text)
            except ValueError as error:
                raise ValueError(f"no subnet: {error}; write it like 10.1.0.0/16") from None
        return text

    @model_validator(mode="after")
    def _holds_something(self) -> "DeclaredGroup":
        if bool(self.hosts) == (self.subnet is not None):
            raise ValueError(f"group {self.name!r} needs hosts or a subnet, one of them")
        return self

    @property
    def network(self) -> Subnet | None:
        """The subnet, parsed."""
        return None if self.subnet is None else ipaddress.ip_network(self.subnet)


class DeclaredLevel(Record):
    """One boundary and its groups."""

    name: Word
    discovered: bool = Field(False, description="written by a measurement, which may replace it")
    groups: tuple[DeclaredGroup, ...] = Field(min_length=1, max_length=MOST_GROUPS)

    @model_validator(mode="after")
    def _names_each_once(self) -> "DeclaredLevel":
        names = [group.name for group in self.groups]
        if len(set(names)) < len(names):
            twice = next(name for name in names if names.count(name) > 1)
            raise ValueError(f"level {self.name!r} has two groups named {twice!r}, rename one")
        if self.name == NODE:
            raise ValueError("the level 'node' is that of ranks that share a host, leave it out")
        return self


class GroupsFile(Record):
    """What a groups file declares, levels outermost first."""

    levels: tuple[DeclaredLevel, ...] = Field((), max_length=MOST_LEVELS)

    @model_validator(mode="after")
    def _names_each_once(self) -> "GroupsFile":
        names = [level.name for level in self.levels]
        if twice := [name for name in names if names.count(name) > 1]:
            raise ValueError(f"two levels are named {twice[0]!r}, rename one")
        return self


def read_groups_text(path: str | Path) -> str:
    """Text of a groups file, at most `MOST_BYTES` of it."""
    try:
        return read_bytes(Path(path), MOST_BYTES).decode()
    except UnicodeDecodeError:
        raise FileFormatError(f"{path} is no text", "name a groups file") from None
    except FileFormatError as error:
        raise FileFormatError(error.message, "name a groups file") from None


def parse_groups(text: str, where: str) -> GroupsFile:
    """What a TOML text declares; `where` names it in errors.

    >>> text = '[[levels]]' + chr(10) + 'name = "cluster"' + chr(10)
    >>> text += 'groups = [{ name = "red", hosts = ["red*"] }]'
    >>> parse_groups(text, "an example").levels[0].groups[0].name
    'red'
    """
    try:
        return GroupsFile.model_validate(tomllib.loads(text))
    except ValidationError as error:
        raise FileFormatError(
            f"{where}: {first_problem(error)}", "docs/clusters.md shows a groups file"
        ) from None
    except (ValueError, RecursionError) as error:  # TOMLDecodeError says the line
        raise FileFormatError(f"{where} is not TOML: {error}", "correct the line") from None


def read_groups(path: str | Path) -> GroupsFile:
    """What a groups file declares.

    Raises
    ------
    FileFormatError
        For a file that cannot be read, is no TOML or breaks a rule, which the error names.
    """
    return parse_groups(read_groups_text(path), str(path))
