"""Where something is measured or predicted: numbers of processes, and sizes; which may be next."""

import math
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from contend.base.document import Floats
from contend.base.errors import InvalidInputError
from contend.measure.lab import profiles, read_lab

MOST_SIZES = 24  # tried at each n; closer ones tell the same
_THREE = (1 / 2, 1 / 6, 5 / 6)  # of the sizes, which three even parts have in their middles


@dataclass(frozen=True)
class Places:
    """Processes `n` and bytes `m` > 0, each of shape (k,)."""

    n: Floats
    m: Floats

    @classmethod
    def of(cls, pairs: Iterable[tuple[int, int]]) -> "Places":
        n, m = np.array([*pairs], dtype=float).reshape(-1, 2).T
        return cls(n, m)

    @classmethod
    def grid(cls, counts: Sequence[int], sizes: Sequence[int]) -> "Places":
        """Every n with every size; an error where there is none, or n < 2 or m < 1."""
        if not counts or not sizes:
            raise InvalidInputError("no n or no m", "give both, e.g. -n 64 -m 1MiB")
        if min(counts) < 2:
            raise InvalidInputError(f"n = {min(counts)}", "an exchange takes at least 2 processes")
        if min(sizes) < 1:
            raise InvalidInputError(
                f"m = {min(sizes)}", "times are planned for messages of 1 byte or more"
            )
        return cls.of((n, m) for n in sorted(set(counts)) for m in sorted(set(sizes)))

    def pairs(self) -> list[tuple[int, int]]:
        return [(int(n), int(m)) for n, m in zip(self.n, self.m, strict=True)]

    def __len__(self) -> int:
        return self.n.size


def reachable(measured: Collection[int], wanted: Collection[int]) -> list[int]:
    """Numbers of processes to choose among: those measured, those wanted, and doublings between.

    >>> reachable([4, 8], [100])
    [4, 8, 16, 32, 64, 100]
    """
    return sorted({*measured, *wanted, *doublings(max(measured), max(wanted))})


def doublings(first: int, last: int) -> list[int]:
    """Twice as many again and again from the first on, and the last.

    >>> doublings(4, 40)
    [4, 8, 16, 32, 40]
    """
    steps = range(max(last // max(first, 1), 1).bit_length())
    return sorted({*(first << step for step in steps if first << step < last), last})


def spread(sizes: Collection[int], most: int = MOST_SIZES) -> list[int]:
    """So many of the sizes at most, evenly among them, both ends included.

    >>> spread([1, 2, 4, 8, 16], 3)
    [1, 4, 16]
    """
    ordered = sorted(set(sizes))
    if len(ordered) <= most:
        return ordered
    return [ordered[place] for place in np.linspace(0, len(ordered) - 1, most).round().astype(int)]


def room(lab: str | None, per_node: int | None) -> float:
    """Processes that an emulated network has hosts for; infinite where that is not known.

    >>> room("fast-ethernet", 1), room(None, 4)
    (12, inf)
    """
    if lab is None or lab.partition(",")[0] not in profiles():
        return math.inf
    return len(read_lab(lab).hosts) * (per_node or 1)


def candidates(
    counts: Sequence[int], sizes: Collection[int], measured: Collection[tuple[int, int]]
) -> Places:
    """Return every n with every size m > 0 that is not measured there, evenly spread ones first.

    At an n without a point the first three lie at a half, a sixth and five sixths of the sizes;
    each further one is the farthest from all others.
    """
    chosen = spread([size for size in sizes if size > 0])
    places = []
    for n in sorted(set(counts)):
        first = [place for place, m in enumerate(chosen) if (n, m) in set(measured)]
        order = evenly(len(chosen), first)
        places += [(n, chosen[place]) for place in order[len(first) :]]
    return Places.of(places)


def evenly(count: int, first: Sequence[int] = ()) -> list[int]:
    """Return the places 0 to `count` - 1 in an order whose beginnings are spread evenly.

    >>> evenly(9)
    [4, 1, 7, 0, 2, 3, 5, 6, 8]
    >>> evenly(5, [0, 4])
    [0, 4, 2, 1, 3]
    """
    usual = [round((count - 1) * part) for part in _THREE] if count else []
    order = list(dict.fromkeys(first or usual))
    remaining = [place for place in range(count) if place not in order]
    while remaining:
        apart = [min(abs(place - taken) for taken in order) for place in remaining]
        order.append(remaining.pop(apart.index(max(apart))))
    return order
