"""The library's algorithms as schedules of the catalogue, with the options that are tried.

Idea: a member is one of the catalogue under the same name. Leaders are powers of two, windows these
and, of few messages, one between any two, chunks powers of four. Windows between groups end at what
fills the link and its buffer, w = floor((2 latency bandwidth + buffer) / (m senders)), at least 1,
as the library takes it where a plan leaves it open; what packs is tried without one too. The MPI
library's own is none of ours: its stand-ins are the rotated and the ring exchange and Bruck, each
where libraries take the like of it.
Restrictions: native times are those of the stand-ins: what really is faster says the library's own
check of the first calls. Chunks whose schedules would be large are left out.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache

import numpy as np

from contend.alltoall.clusters.plan import ALL, Window
from contend.alltoall.plan.link_queues import Crossing
from contend.alltoall.plan.links import Links
from contend.schedules import Algorithm, Schedule, algorithms
from contend.schedules.algorithm import in_groups
from contend.schedules.groups import Groups, Layout, given

OPTION_NAMES = {"segment": "chunk"}  # of the catalogue, and of a plan
NATIVE = "native"
STAND_INS = ("bruck", "rotated", "ring")
SHORT, MEDIUM = 256, 32768  # bytes up to which MPICH takes Bruck, and sends all at once
FEW = 8  # ranks below which it does not take Bruck
SMALLEST_CHUNK = 1024
LARGEST_CHUNK = 262144
MOST_PIECES = 2**18  # chunks of all blocks of a schedule: a tenth of a second
FEW_MESSAGES = 16  # windows up to which those between powers of two are tried


@dataclass(frozen=True)
class Member:
    """An algorithm of the portfolio with options of the catalogue.

    `window` is that of its messages between groups, where the catalogue has no option for it.
    """

    name: str
    options: Mapping[str, int] = field(default_factory=dict)
    window: Window | None = None

    @property
    def planned(self) -> dict[str, Window]:
        """The options as a plan says them."""
        options: dict[str, Window] = {} if self.window is None else {"window": self.window}
        given = {OPTION_NAMES.get(name, name): value for name, value in self.options.items()}
        return options | given

    @property
    def unanswered(self) -> int | None:
        """Messages between groups that a rank may have unanswered; None: none is answered."""
        if algorithms("alltoall").get(self.name).is_answered:
            return self.options["window"]
        return None if self.window == ALL else self.window

    @property
    def is_spaced(self) -> bool:
        """Whether it lets time pass between messages to another group."""
        return algorithms("alltoall").get(self.name).is_spaced

    @property
    def title(self) -> str:
        """In words."""
        return " ".join([self.name, *(f"{name}={value}" for name, value in self.planned.items())])


def members(name: str, groups: Groups, links: Links, m: int) -> list[Member]:
    """An algorithm with all options that are tried; none where it cannot serve the groups."""
    algorithm = _algorithm(name, groups)
    if algorithm.restriction(len(groups)):
        return []
    members = [Member(name, options) for options in _options(algorithm, groups, links, m)]
    if not algorithm.is_packed:
        return members
    packed = []
    for member in members:
        windows: list[Window] = [ALL, *_packed_windows(member, groups, links, m)]
        packed += [replace(member, window=window) for window in windows]
    return packed


def schedule_of(member: Member, groups: Groups, m: int) -> tuple[Schedule, int]:
    """A schedule, and what its bytes are multiplied with for blocks of `m` bytes."""
    if (segment := member.options.get("segment")) is None:
        return _built(member.name, groups, 1, tuple(sorted(member.options.items()))), m
    unit = math.gcd(m, segment)
    return _built(member.name, groups, m // unit, (("segment", segment // unit),)), unit


def _options(algorithm: Algorithm, groups: Groups, links: Links, m: int) -> list[dict[str, int]]:
    n, largest = len(groups), int(Layout(groups).size.max())
    if "window" in algorithm.options:
        most = n - 1
        if algorithm.is_answered:
            most = min(formula_window(links, m, largest), n - largest)
        return [{"window": window} for window in _windows(most)]
    if "leaders" in algorithm.options:
        return [{"leaders": count} for count in _powers(largest)]
    if "segment" in algorithm.options:
        chunks = [SMALLEST_CHUNK * size for size in _powers(LARGEST_CHUNK // SMALLEST_CHUNK)[::2]]
        whole = 1 if algorithm.is_spaced else 0  # where nothing is cut it still is another
        few = sum(chunk < m for chunk in chunks) + whole
        return [
            {"segment": chunk}
            for chunk in chunks[:few]
            if math.ceil(m / chunk) * n * n <= MOST_PIECES
        ]
    return [{}]


def _packed_windows(member: Member, groups: Groups, links: Links, m: int) -> list[int]:
    """Windows that hold anything back: fewer than the messages of a rank, or those of a chunk."""
    schedule, times = schedule_of(member, groups, m)
    crossing = Crossing.of(schedule, groups)
    src = schedule.rank[crossing.sends]
    chunks = math.ceil(m / member.options.get("segment", m))
    room = int(np.bincount(src).max(initial=0)) // chunks
    senders = np.bincount(Layout(groups).group[np.unique(src)])
    message = times * int(schedule.bytes[crossing.sends].max(initial=0))
    most = formula_window(links, message, int(senders.max(initial=1)))
    return _powers(min(most, room)) if chunks > 1 else _powers(min(most, room - 1))


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
    """Powers of two up to `most`, which is one too, and what lies between the first of them.

    >>> _windows(9), _windows(40)
    ([1, 2, 3, 4, 6, 8, 9], [1, 2, 3, 4, 6, 8, 12, 16, 32, 40])
    """
    between = [3 * half for half in _powers(FEW_MESSAGES // 4)]
    return sorted({most, *_powers(most), *(window for window in between if window <= most)})


def _powers(most: int) -> list[int]:
    """Powers of two up to `most`.

    >>> _powers(9), _powers(0)
    ([1, 2, 4, 8], [])
    """
    return [2**power for power in range(max(most, 0).bit_length())]


def _algorithm(name: str, groups: Groups) -> Algorithm:
    return in_groups(algorithms("alltoall").get(name), given(groups))


@lru_cache(maxsize=128)
def _built(name: str, groups: Groups, m: int, options: tuple[tuple[str, int], ...]) -> Schedule:
    return _algorithm(name, groups).build(len(groups), m, with_blocks=False, **dict(options))
