"""What an algorithm is: a schedule for any number of ranks, and the closed form of its time.

An algorithm is a subclass of `Algorithm` in a module of `schedules/<collective>`; nothing else has
to be done to add one. Its author writes `messages` for root 0 and `cost`; what holds for all (the
check of arguments, other roots, one rank) is here.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from copy import copy
from dataclasses import dataclass
from functools import cache
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import ArrayLike

from contend.base.document import Floats
from contend.base.errors import InvalidInputError
from contend.base.near_names import choose_from
from contend.base.registry import Registry
from contend.schedules.collective import COLLECTIVES, Collective
from contend.schedules.groups import Grouping, Groups
from contend.schedules.messages import Messages, require_few
from contend.schedules.pointtopoint import PLogP
from contend.schedules.ragged_rows import Ints, ints
from contend.schedules.schedule import Schedule

__all__ = [  # with what authors of algorithms need beside it
    "Algorithm", "Call", "Claim", "Floats", "Ints", "Messages", "Mirrored", "PLogP", "algorithms",
    "choosable", "in_groups", "ints", "power_of_two",
]  # fmt: skip

Claim = Literal["exact", "upper bound", "lower bound"]


@dataclass(frozen=True)
class Call:
    """What is asked of an algorithm. `m` is whole bytes for a schedule, any shape for a time."""

    n: int
    m: Any
    segment: int = 16384  # bytes
    degree: int = 2  # children of a rank, or the radix
    window: int = 8  # messages under way at a rank
    leaders: int = 2  # ranks of a group that speak for it
    groups: Groups = ()  # the group of every rank, where the algorithm looks at it

    @property
    def segment_bytes(self) -> Any:
        """Bytes of a full segment: m where it is shorter."""
        return np.minimum(self.segment, self.m)

    @property
    def segments(self) -> Any:
        """K = ceil(m/s), at least 1."""
        return np.maximum(-(-np.asarray(self.m) // self.segment), 1)

    @property
    def last_segment(self) -> Any:
        """Bytes of the last segment."""
        return self.m - (self.segments - 1) * self.segment_bytes

    def cut(self) -> Ints:
        """Bytes of every segment, shape (k,)."""
        require_few(int(self.segments))
        sizes = np.full(int(self.segments), int(self.segment_bytes))
        sizes[-1] = self.last_segment
        return ints(sizes)

    def parts(self) -> Ints:
        """M cut in n parts that differ by a byte at most, shape (n,)."""
        return ints(self.m // self.n + (np.arange(self.n) < self.m % self.n))

    @property
    def part(self) -> Any:
        """Bytes of the largest part, ceil(m/n)."""
        return -(-np.asarray(self.m) // self.n)

    @property
    def is_even(self) -> bool:
        return bool(np.all(np.asarray(self.m) % self.n == 0))

    @property
    def is_in_full_segments(self) -> bool:
        """Whether the last segment is as large as the others."""
        return bool(np.all(self.last_segment == self.segment_bytes))


class Algorithm(ABC):
    name: ClassVar[str]  # that of its module, unless it has another
    collective: ClassVar[str]  # that of its folder
    title: ClassVar[str]
    source: ClassVar[str]
    options: ClassVar[tuple[str, ...]] = ()  # those of `Call` that it has
    openmpi: ClassVar[int | None] = None  # its id in coll/tuned
    # After MPIR_<Coll>_intra_: its name and parameters, {option} for those of the call.
    mpich: ClassVar[str | None] = None
    repeats: ClassVar[bool] = False  # sends blocks to ranks that have them, as the libraries do
    needs_groups: ClassVar[bool] = False  # whether it looks at which rank is in which group
    is_packed: ClassVar[bool] = False  # what goes to another group is packed, and crosses once
    is_answered: ClassVar[bool] = False  # its window counts sends between groups without an answer
    is_spaced: ClassVar[bool] = False  # sends to other groups no faster than the link carries
    is_on_nodes: ClassVar[bool] = False  # the exchange library takes nodes for its groups
    grouping: Grouping | None = None

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        _, folder, module = f"..{cls.__module__}".rsplit(".", 2)
        cls.name = vars(cls).get("name", module)
        cls.collective = vars(cls).get("collective", folder)

    @abstractmethod
    def messages(self, call: Call) -> Messages:
        """The messages for root 0."""

    @abstractmethod
    def cost(self, net: PLogP, call: Call) -> Floats:
        """The closed form for n > 1, shape of `call.m`."""

    def claim(self, call: Call) -> Claim:
        """What the closed form is to the time of the schedule, if g does not fall with size."""
        return "exact"

    def restriction(self, n: int) -> InvalidInputError | None:
        """Why the algorithm cannot serve `n` ranks, and which one can; None if it can."""
        return None

    def grouped(self, grouping: Grouping) -> "Algorithm":
        """The algorithm on ranks that are in groups.

        >>> from contend.schedules.groups import given, parse_groups
        >>> lg = algorithms("alltoall").get("lg").grouped(given(parse_groups("0-1/2-3")))
        >>> int(lg.build(4, 100).bytes.max())
        200
        """
        if not self.needs_groups:
            raise InvalidInputError(
                f"{self.collective} {self.name} does not look at groups", "leave them out"
            )
        algorithm = copy(self)
        algorithm.grouping = grouping
        return algorithm

    def uniform(self, n: int, m: ArrayLike) -> Any:
        """What `m` is where all messages that a call names have the same size."""
        return np.asarray(m)

    def uniform_call(self, n: int, m: ArrayLike, options: Mapping[str, int]) -> Call:
        """The arguments, checked, where all messages that a call names have `m` bytes."""
        return self.call(n, np.asarray(m), options)

    def uniform_seconds(self, plogp: PLogP, n: int, m: ArrayLike, **options: int) -> Floats:
        """`seconds` where all messages that a call names have `m` bytes; shape of `m`."""
        return self.seconds(plogp, n, m, **options)

    @property
    def defines(self) -> Collective:
        return COLLECTIVES[self.collective]

    def build(
        self, n: int, m: ArrayLike, root: int = 0, *, with_blocks: bool = True, **options: int
    ) -> Schedule:
        """Schedule for `n` ranks and `m` bytes; without blocks in the aggregated view."""
        call = self.call(n, m if np.ndim(m) else int(m), options)  # type: ignore[arg-type]
        if not 0 <= root < n or (root and not self.defines.has_root):
            raise InvalidInputError(
                f"rank {root} cannot be the root of {self.collective} on {n} ranks",
                f"choose from 0 to {n - 1}" if self.defines.has_root else "leave the root out",
            )
        require_few(call.n)
        messages = self.messages(call).rooted(root)
        if self.defines.has_block_per_rank:
            messages = messages.moved_blocks(root * (messages.block_bytes.size // n))
        return messages.schedule(with_blocks)

    def seconds(self, plogp: PLogP, n: int, m: ArrayLike, **options: int) -> Floats:
        """Time without contention for `n` ranks, in closed form; shape of `m`."""
        call = self.call(n, np.asarray(m), options)
        time = self.cost(plogp, call) if n > 1 else np.zeros(())
        return np.broadcast_to(time, self._shape(call))

    def call(self, n: int, m: Any, options: Mapping[str, int]) -> Call:
        unknown = [name for name in options if name not in self.options]
        if unknown:
            raise InvalidInputError(
                f"{self.collective} {self.name} has no option {unknown[0]!r}",
                f"its options: {', '.join(self.options) or 'none'}",
            )
        given: dict[str, Any] = {"n": n, **options}  # a segment may be one for each size
        for parameter, value in given.items():
            if value < 1 if isinstance(value, int) else np.any(np.less(value, 1)):
                raise InvalidInputError(f"{parameter} is {np.min(value)}", f"give {parameter} >= 1")
        if np.any(np.asarray(m) < 0):
            raise InvalidInputError("a message of a negative number of bytes", "give m >= 0")
        if error := self.restriction(n):
            raise error
        return Call(n=n, m=m, groups=self.grouping(n) if self.grouping else (), **options)

    def _shape(self, call: Call) -> tuple[int, ...]:
        return np.shape(call.m)


class Mirrored(Algorithm, ABC):
    """Base of what sends the messages of a tree in reverse order and direction, from the leaves on.

    It stands before the algorithm that it mirrors; who receives combines, if the operation does.
    """

    def messages(self, call: Call) -> Messages:
        inner = super().messages(call)  # type: ignore[safe-super]
        return inner.mirrored(combines=self.defines.reduces)


@cache
def algorithms(collective: str) -> "Registry[Algorithm]":
    """The algorithms of a collective operation, by name."""
    if collective not in COLLECTIVES:
        raise InvalidInputError(
            f"no collective operation is named {collective!r}",
            choose_from(collective, COLLECTIVES),
        )
    return Registry(f"{collective} algorithm", Algorithm, f"contend.schedules.{collective}")


def in_groups(algorithm: Algorithm, grouping: Grouping | None) -> Algorithm:
    """The algorithm on ranks in groups if it looks at them, else the algorithm itself."""
    return algorithm.grouped(grouping) if grouping and algorithm.needs_groups else algorithm


def choosable(collective: str, grouping: Grouping | None) -> list[Algorithm]:
    """The algorithms of an operation; those that look at groups only where there are groups."""
    entries = [in_groups(algorithm, grouping) for algorithm in algorithms(collective).all()]
    return [entry for entry in entries if entry.grouping or not entry.needs_groups]


def power_of_two(algorithm: Algorithm, n: int, alternative: str) -> InvalidInputError | None:
    if n & (n - 1) == 0:
        return None
    return InvalidInputError(
        f"{algorithm.collective} {algorithm.name} needs a power-of-two number of ranks, got {n}",
        f"try {alternative!r}",
    )
