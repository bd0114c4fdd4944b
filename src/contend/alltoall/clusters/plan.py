"""The plan: what the exchange library reads, one line for each fact.

Idea: a text of words, so that a reader in C needs no parser of TOML. First the levels with their
groups, outermost first, then the link of a level, then the algorithm of a level from a size on.
Blank lines are left out, a link's words may be in any order, `window=all` is no window.
Restrictions: names and patterns without blanks; an unknown line makes the whole plan invalid. What
the reader in C takes, this one takes, and no more.
"""

import ipaddress
import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal, TypeAlias

from contend.alltoall.clusters.file import MOST_LEVELS, DeclaredGroup, DeclaredLevel, GroupsFile
from contend.alltoall.clusters.groups import NODE
from contend.alltoall.clusters.pattern import require_pattern
from contend.base.errors import FileFormatError, InvalidInputError
from contend.base.near_names import choose_from
from contend.base.textfile import read_text

FIRST_LINE = "contend-exchange 1"
MAKE = "correct the line, or make the plan again: contend alltoall plan -o FILE"
PORTFOLIO = (
    "native", "lg", "lg_balanced", "lg_pipelined", "leaders", "node_aware", "paced",
    "spaced", "throttled_pairwise",
)  # fmt: skip
OPTIONS = ("window", "chunk", "leaders")
LINK_WORDS = ("latency_s", "bandwidth", "buffer", "timeout_s")
ALL: Literal["all"] = "all"  # the window that is none
LARGEST = 2**31 - 1  # an option, an int in C
MOST_BYTES = 2**63 - 1
LONGEST_LINE = 4094  # bytes, without its end
Kind: TypeAlias = Literal["host", "subnet"]
Window: TypeAlias = int | Literal["all"]
_NUMBER = re.compile(r"(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", re.ASCII)
_SUBNET = re.compile(r"([0-9a-fA-F.:]+)/(\d{1,3})", re.ASCII)


@dataclass(frozen=True)
class PlannedGroup:
    """One pattern or subnet of a group; a group with several patterns has as many of these."""

    name: str
    kind: Kind
    pattern: str

    def __post_init__(self) -> None:
        if self.kind == "host":
            require_pattern(self.pattern)
        elif not _is_subnet(self.pattern):
            raise InvalidInputError(f"{self.pattern!r} is no subnet", "write it like 10.1.0.0/16")


@dataclass(frozen=True)
class PlannedLevel:
    """A level and its groups."""

    name: str
    groups: tuple[PlannedGroup, ...]


@dataclass(frozen=True)
class Link:
    """What crosses a level: seconds, bytes/s with headers, bytes, seconds that a loss costs."""

    level: str
    latency: float
    bandwidth: float
    buffer: int
    timeout: float

    def __post_init__(self) -> None:
        numbers = (self.latency, self.bandwidth, self.timeout)
        is_sound = all(map(math.isfinite, numbers)) and min(numbers) >= 0
        if not (is_sound and 0 <= self.buffer <= MOST_BYTES):
            raise InvalidInputError(f"a link of {self}", "give finite numbers from 0 on")

    def slowed(self, times: float) -> "Link":
        """The link on which everything takes so many times as long."""
        return replace(
            self,
            latency=times * self.latency,
            bandwidth=self.bandwidth / times,
            timeout=times * self.timeout,
        )


@dataclass(frozen=True)
class Choice:
    """The algorithm for blocks of `from_bytes` and more at a level; None leaves an option open.

    A window is of messages between groups; with "all" they are sent all at once.
    """

    level: str
    from_bytes: int
    algorithm: str
    window: Window | None = None
    chunk: int | None = None
    leaders: int | None = None

    def __post_init__(self) -> None:
        if self.algorithm not in PORTFOLIO:
            raise InvalidInputError(
                f"no algorithm is named {self.algorithm!r}", choose_from(self.algorithm, PORTFOLIO)
            )
        window = None if self.window == ALL else self.window
        options = [value for value in (window, self.chunk, self.leaders) if value is not None]
        if not (
            0 <= self.from_bytes <= MOST_BYTES and all(1 <= option <= LARGEST for option in options)
        ):
            raise InvalidInputError(
                f"a choice of {self}", f"give sizes from 0, options from 1 to {LARGEST}"
            )


@dataclass(frozen=True)
class Plan:
    """Levels outermost first, links and choices."""

    levels: tuple[PlannedLevel, ...] = ()
    links: tuple[Link, ...] = ()
    choices: tuple[Choice, ...] = ()

    def __post_init__(self) -> None:
        names = [level.name for level in self.levels]
        allowed = {NODE, *names}
        if len(allowed) <= len(names) or len(names) > MOST_LEVELS:
            raise InvalidInputError(
                f"levels named {', '.join(names)}",
                f"give at most {MOST_LEVELS} of different names, none of them {NODE!r}",
            )
        named = [*(link.level for link in self.links), *(choice.level for choice in self.choices)]
        for level in named:
            if level not in allowed:
                raise InvalidInputError(
                    f"a plan has no level {level!r}",
                    f"name one of {', '.join(sorted(allowed))}",
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
        rules_of: dict[str, list[PlannedGroup]] = {}
        for group in level.groups:
            rules_of.setdefault(group.name, []).append(group)
        groups = [_declared_group(name, rules) for name, rules in rules_of.items()]
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
        given = [f"{name}={value}" for name, value in options if value is not None]
        lines.append(
            " ".join(["choose", choice.level, str(choice.from_bytes), choice.algorithm, *given])
        )
    return "\n".join(lines) + "\n"


def read_plan(path: Path) -> Plan:
    """The plan in a file; errors as of `parse_plan`, and for a file that cannot be read."""
    return parse_plan(read_text(path), str(path))


def parse_plan(text: str, where: str = "the plan") -> Plan:
    """The plan that a text holds.

    Raises
    ------
    FileFormatError
        For a line that is none of a plan, which the error names.
    """
    lines = text.split("\n")
    if _words(lines[0]) != FIRST_LINE.split():
        raise FileFormatError(f"{where} does not begin with {FIRST_LINE!r}", MAKE)
    reader = _Reader()
    for number, line in enumerate(lines[1:], start=2):
        try:
            reader.read(line)
        except (ValueError, IndexError, InvalidInputError) as error:
            raise FileFormatError(
                f"{where} line {number} is none of a plan: {line!r} ({error})", MAKE
            ) from None
    return reader.plan


def parse_options(algorithm: str, words: Sequence[str]) -> dict[str, Window]:
    """Options of an algorithm as a choice says them, such as "window=4"."""
    options: dict[str, Window] = {}
    for word in words:
        name, _, value = word.partition("=")
        is_all = (name, value) == ("window", ALL)
        if name not in OPTIONS or name in options or not (is_all or _is_count(value)):
            raise InvalidInputError(
                f"{word!r} is no option of {algorithm}",
                f"write each of {', '.join(OPTIONS)} once, with a number, as in window=4, or "
                f"window={ALL}",
            )
        options[name] = ALL if is_all else int(value)
    return options


class _Reader:
    """The lines so far; each level stands before what names it."""

    def __init__(self) -> None:
        self._levels: dict[str, list[PlannedGroup]] = {}
        self._links: list[Link] = []
        self._choices: list[Choice] = []

    @property
    def plan(self) -> Plan:
        levels = tuple(PlannedLevel(name, tuple(groups)) for name, groups in self._levels.items())
        return Plan(levels, tuple(self._links), tuple(self._choices))

    def read(self, line: str) -> None:
        if "\0" in line or len(line.encode()) > LONGEST_LINE:
            raise ValueError(f"not text, or more than {LONGEST_LINE} bytes")
        match _words(line):
            case []:
                pass
            case ["level", name]:
                Plan(tuple(PlannedLevel(level, ()) for level in (*self._levels, name)))
                self._levels[name] = []
            case ["group", name, ("host" | "subnet") as kind, pattern]:
                last = list(self._levels)[-1]
                self._levels[last].append(PlannedGroup(name, kind, pattern))
            case ["link", level, *words]:
                self._links.append(_link(self._declared(level), words))
            case ["choose", level, size, algorithm, *options]:
                given: Any = parse_options(algorithm, options)
                choice = Choice(self._declared(level), _count(size), algorithm, **given)
                self._choices.append(choice)
            case _:
                raise ValueError("unknown")

    def _declared(self, level: str) -> str:
        if level != NODE and level not in self._levels:
            raise ValueError(f"no level {level!r} is declared before")
        return level


def _words(line: str) -> list[str]:
    """As the reader in C parts them, whatever else Unicode takes for a blank."""
    return [word for word in re.split("[ \t\r]", line) if word]


def _link(level: str, words: Sequence[str]) -> Link:
    given = dict(zip(words[::2], words[1::2], strict=True))
    if 2 * len(given) != len(words) or set(given) != set(LINK_WORDS):
        raise ValueError(f"a link has {', '.join(LINK_WORDS)}, each once")
    latency, bandwidth, timeout = (_number(given[word]) for word in LINK_WORDS if word != "buffer")
    return Link(level, latency, bandwidth, _count(given["buffer"]), timeout)


def _number(text: str) -> float:
    if not _NUMBER.fullmatch(text):
        raise ValueError(f"no number: {text!r}")
    return float(text)


def _count(text: str) -> int:
    if not _is_count(text):
        raise ValueError(f"no whole number: {text!r}")
    return int(text)


def _is_count(text: str) -> bool:
    """Return whether it is digits, and few enough to be read quickly."""
    return text.isascii() and text.isdigit() and len(text.lstrip("0")) <= len(str(MOST_BYTES))


def _is_subnet(text: str) -> bool:
    match = _SUBNET.fullmatch(text)
    if match is None:
        return False
    try:
        return int(match[2]) <= ipaddress.ip_address(match[1]).max_prefixlen
    except ValueError:
        return False
