"""The library's algorithms as schedules of the catalogue, with the options that are tried.

Idea: a member is one of the catalogue under the same name. Leaders are powers of two, windows these
and one between any two, chunks powers of four. Windows of the paced exchange end at what fills the
link and its buffer, w = floor((2 latency bandwidth + buffer) / (m senders)), at least 1, as the
library takes it where a plan leaves it open. The MPI library's own is none of ours: its stand-ins
are the rotated and the ring exchange and Bruck, each where libraries take the like of it.
Restrictions: native times are those of the stand-ins: what really is faster says the library's own
check of the first calls.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache

from contend.plan.links import Links
from contend.schedules import Algorithm, Schedule, algorithms
from contend.schedules.algorithm import in_groups
from contend.schedules.groups import Groups, Layout, given

OPTION_NAMES = {"segment": "chunk"}  # of the catalogue, and of a plan
NATIVE = "native"
STAND_INS = ("bruck", "rotated", "ring")
SHORT, MEDIUM = 256, 32768  # bytes up to which MPICH takes Bruck, and sends all at once
FEW = 8  # ranks below which it does not take Bruck
SMALLEST_CHUNK = 1024


@dataclass(frozen=True)
class Member:
    """An algorithm of the portfolio with options of the catalogue."""

    name: str
    options: Mapping[str, int] = field(default_factory=dict)

    @property
    def planned(self) -> dict[str, int]:
        """The options as a plan says them."""
        return {OPTION_NAMES.get(name, name): value for name, value in self.options.items()}

    @property
    def title(self) -> str:
        """In words."""
        return " ".join([self.name, *(f"{name}={value}" for name, value in self.planned.items())])


def members(name: str, groups: Groups, links: Links, m: int) -> list[Member]:
    """An algorithm with all options that are tried; none where it cannot serve the groups."""
    algorithm = _algorithm(name, groups)
    if algorithm.restriction(len(groups)):
        return []
    largest = int(Layout(groups).size.max())
    if name == "paced":
        most = min(formula_window(links, m, largest), len(groups) - largest)
        return [Member(name, {"window": window}) for window in _windows(most)]
    if name == "throttled_pairwise":
        return [Member(name, {"window": window}) for window in _windows(len(groups) - 1)]
    if "leaders" in algorithm.options:
        return [Member(name, {"leaders": count}) for count in _powers(largest)]
    if "segment" in algorithm.options:
        chunks = [SMALLEST_CHUNK * 4**step for step in range(4)]
        return [Member(name, {"segment": chunk}) for chunk in chunks if chunk < m]
    return [Member(name)]


def schedule_of(member: Member, groups: Groups, m: int) -> tuple[Schedule, int]:
    """A schedule, and what its bytes are multiplied with for blocks of `m` bytes."""
    algorithm = _algorithm(member.name, groups)
    options = tuple(sorted(member.options.items()))
    if "segment" in algorithm.options:
        return _built(member.name, groups, m, options), 1
    return _built(member.name, groups, 1, options), m


def formula_window(links: Links, m: int, senders: int) -> int:
    """Messages of each of so many ranks that fill the link and its buffer, at least 1."""
    most = links.in_flight / (max(m, 1) * senders)
    return max(int(min(most, 2**30)), 1)


def likely_native(n: int, m: int) -> str:
    """Which of the stand-ins the MPI library is most like.

    >>> likely_native(16, 64), likely_native(16, 4096), likely_native(16, 65536)
    ('bruck', 'rotated', 'ring')
    """
    if m <= SHORT and n >= FEW:
        return "bruck"
    return "rotated" if m <= MEDIUM else "ring"


def _windows(most: int) -> list[int]:
    """Powers of two, and what lies between them, up to `most`, which is one too.

    >>> _windows(9)
    [1, 2, 3, 4, 6, 8, 9]
    """
    found = {most, *_powers(most), *(3 * half // 2 for half in _powers(2 * most // 3)[1:])}
    return sorted(window for window in found if 1 <= window <= most)


def _powers(most: int) -> list[int]:
    """Powers of two up to `most`.

    >>> _powers(9)
    [1, 2, 4, 8]
    """
    return [2**power for power in range(max(most, 1).bit_length())]


def _algorithm(name: str, groups: Groups) -> Algorithm:
    return in_groups(algorithms("alltoall").get(name), given(groups))


@lru_cache(maxsize=256)
def _built(name: str, groups: Groups, m: int, options: tuple[tuple[str, int], ...]) -> Schedule:
    return _algorithm(name, groups).build(len(groups), m, with_blocks=False, **dict(options))
