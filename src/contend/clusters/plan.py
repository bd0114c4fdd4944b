"""The plan: what the exchange library reads, one line for each fact.

Idea: a text of words, so that a reader in C needs no parser of TOML. First the levels with their
groups, outermost first, then the link of a level, then the algorithm of a level from a size on.
Restrictions: names and patterns without blanks; an unknown line makes the whole plan invalid.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from contend.clusters.file import DeclaredGroup, DeclaredLevel, GroupsFile
from contend.clusters.groups import NODE
from contend.errors import FileFormatError, InvalidInputError

FIRST_LINE = "contend-exchange 1"
PORTFOLIO = (
    "native", "lg", "lg_balanced", "lg_pipelined", "leaders", "node_aware", "paced",
    "throttled_pairwise",
)  # fmt: skip
OPTIONS = ("window", "chunk", "leaders")
Kind = Literal["host", "subnet"]


@dataclass(frozen=True)
class PlannedGroup:
    """One pattern or subnet of a group; a group with several patterns has as many of these."""

    name: str
    kind: Kind
    pattern: str


@dataclass(frozen=True)
class PlannedLevel:
    """A level and its groups."""

    name: str
    groups: tuple[PlannedGroup, ...]


@dataclass(frozen=True)
class Link:
    """What crosses a level: seconds, bytes/s, bytes, and seconds that a loss costs."""

    level: str
    latency: float
    bandwidth: float
    buffer: int
    timeout: float

    def __post_init__(self) -> None:
        numbers = (self.latency, self.bandwidth, self.timeout)
        if not (all(map(math.isfinite, numbers)) and min(numbers) >= 0 and self.buffer >= 0):
            raise InvalidInputError(f"a link of {self}", "give finite numbers from 0 on")


@dataclass(frozen=True)
class Choice:
    """The algorithm for blocks of `from_bytes` and more at a level; None leaves an option open."""

    level: str
    from_bytes: int
    algorithm: str
    window: int | None = None
    chunk: int | None = None
    leaders: int | None = None

    def __post_init__(self) -> None:
        if self.algorithm not in PORTFOLIO:
            raise InvalidInputError(
                f"no algorithm is named {self.algorithm!r}", f"choose from {', '.join(PORTFOLIO)}"
            )
        values = [getattr(self, name) for name in OPTIONS]
        if self.from_bytes < 0 or any(value is not None and value < 1 for value in values):
            raise InvalidInputError(f"a choice of {self}", "give sizes from 0, options from 1 on")


@dataclass(frozen=True)
class Plan:
    """Levels outermost first, links and choices."""

    levels: tuple[PlannedLevel, ...] = ()
    links: tuple[Link, ...] = ()
    choices: tuple[Choice, ...] = ()

    def __post_init__(self) -> None:
        known = {NODE, *(level.name for level in self.levels)}
        named = [*(link.level for link in self.links), *(one.level for one in self.choices)]
        for level in named:
            if level not in known:
                raise InvalidInputError(
                    f"a plan has no level {level!r}",
                    f"name one of {', '.join(sorted(known))}",
                )


def plan_of(
    declared: GroupsFile, links: Sequence[Link] = (), choices: Sequence[Choice] = ()
) -> Plan:
    """The plan with the groups of a file."""
    levels = []
    for level in declared.levels:
        groups = []
        for group in level.groups:
            groups += [PlannedGroup(group.name, "host", pattern) for pattern in group.hosts]
            if group.subnet is not None:
                groups.append(PlannedGroup(group.name, "subnet", str(group.network)))
        levels.append(PlannedLevel(level.name, tuple(groups)))
    return Plan(tuple(levels), tuple(links), tuple(choices))


def groups_of(plan: Plan) -> GroupsFile:
    """What a groups file would declare: the inverse of `plan_of`."""
    levels = []
    for level in plan.levels:
        found: dict[str, list[PlannedGroup]] = {}
        for group in level.groups:
            found.setdefault(group.name, []).append(group)
        groups = [_declared_group(name, rules) for name, rules in found.items()]
        levels.append(DeclaredLevel(name=level.name, groups=tuple(groups)))
    return GroupsFile(levels=tuple(levels))


def _declared_group(name: str, rules: Sequence[PlannedGroup]) -> DeclaredGroup:
    subnets = [rule.pattern for rule in rules if rule.kind == "subnet"]
    if subnets and len(rules) > 1:
        raise InvalidInputError(
            f"group {name!r} of a plan has several rules, one of them a subnet",
            "give host patterns alone or one subnet, as a groups file does",
        )
    if subnets:
        return DeclaredGroup(name=name, subnet=subnets[0])
    return DeclaredGroup(name=name, hosts=tuple(rule.pattern for rule in rules))


def plan_text(plan: Plan) -> str:
    """The plan as the library reads it.

    >>> print(plan_text(Plan(choices=(Choice("node", 0, "paced", window=4),))), end="")
    contend-exchange 1
    choose node 0 paced window=4
    """
    lines = [FIRST_LINE]
    for level in plan.levels:
        lines.append(f"level {level.name}")
        lines += [f"group {group.name} {group.kind} {group.pattern}" for group in level.groups]
    for link in plan.links:
        lines.append(
            f"link {link.level} latency_s {link.latency!r} bandwidth {link.bandwidth!r} "
            f"buffer {link.buffer} timeout_s {link.timeout!r}"
        )
    for choice in plan.choices:
        options = ((name, getattr(choice, name)) for name in OPTIONS)
        said = [f"{name}={value}" for name, value in options if value is not None]
        lines.append(
            " ".join(["choose", choice.level, str(choice.from_bytes), choice.algorithm, *said])
        )
    return "\n".join(lines) + "\n"


def read_plan(path: Path) -> Plan:
    """The plan in a file; errors as of `parse_plan`, and for a file that cannot be read."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not text"
        raise FileFormatError(f"cannot read {path}: {reason}", "name a plan") from None
    return parse_plan(text, str(path))


def parse_plan(text: str, where: str = "the plan") -> Plan:
    """The plan that a text holds.

    Raises
    ------
    FileFormatError
        For a line that is none of a plan, which the error names.
    """
    lines = text.splitlines()
    if lines[:1] != [FIRST_LINE]:
        raise FileFormatError(f"{where} does not begin with {FIRST_LINE!r}", "write it anew")
    levels: list[tuple[str, list[PlannedGroup]]] = []
    links: list[Link] = []
    choices: list[Choice] = []
    for number, line in enumerate(lines[1:], start=2):
        try:
            match line.split():
                case ["level", name]:
                    levels.append((name, []))
                case ["group", name, ("host" | "subnet") as kind, pattern]:
                    levels[-1][1].append(PlannedGroup(name, kind, pattern))
                case ["link", level, "latency_s", latency, "bandwidth", rate, "buffer", buffer,
                      "timeout_s", timeout]:  # fmt: skip
                    links.append(
                        Link(level, float(latency), float(rate), int(buffer), float(timeout))
                    )
                case ["choose", level, size, algorithm, *options]:
                    choices.append(Choice(level, int(size), algorithm, **_options(options)))
                case _:
                    raise ValueError("unknown")
        except (ValueError, IndexError, InvalidInputError) as error:
            raise FileFormatError(
                f"{where} line {number} is none of a plan: {line!r} ({error})", "write it anew"
            ) from None
    named = tuple(PlannedLevel(name, tuple(groups)) for name, groups in levels)
    return Plan(named, tuple(links), tuple(choices))


def _options(words: Sequence[str]) -> dict[str, int]:
    found: dict[str, int] = {}
    for word in words:
        name, _, value = word.partition("=")
        if name not in OPTIONS or name in found:
            raise ValueError(f"option {word!r}")
        found[name] = int(value)
    return found
