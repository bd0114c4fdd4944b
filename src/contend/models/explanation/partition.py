"""Regimes over the size: the partition of the sizes that the times of all n agree on.

Source: optimal partitioning by dynamic programming, the least sum of squares for each number of
pieces (Auger, Lawrence, Bulletin of Mathematical Biology 51, 1989).
Idea: within a regime times lie on a line over m, one for each n (`lines`); single sizes may be odd
and lie on none. More pieces always fit better, so each piece has to pass a test: what it improves
against what noise alone would improve, F distributed, times the number of places it was chosen
among (Bonferroni). All ways to `MOST_CHANGES` and `MOST_ODD` share one chance of a false alarm.
A change may be at a value of n m, all bytes of a process, in the place of m, as where a library
decides by the length of the whole buffer: the same partition over n m tells.
Restrictions: changes smaller than `FLOOR` are taken for noise, whatever the scatter.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import product
from math import comb

import numpy as np

from contend.base.document import Floats
from contend.base.statistics.criterion import VERY_STRONG, criterion
from contend.models.explanation.exchange import Exchange
from contend.models.explanation.lines import Lines, fit_lines

FALSE_ALARM = 0.02  # chance that a machine without changes is given one
FLOOR = 0.04  # of log time; lines over m are no truer than that on the best of machines
MOST_CHANGES, MOST_ODD = 5, 3
_FEWEST_WITHIN = 3
_FEWEST_WITH_ODD = 4  # sizes of a regime that tell that one of them is odd
_CLOSER, _FEWER = 2.0, 2  # times, or pieces less over n m; else one axis is as good
_ROUGH = 0.1  # of log time; lines over m that are closer, without a change, need no mending
_MOST_SIZES = 40  # n that are no multiples of each other have hardly a total in common
_FEWEST_N = 3  # between two n any change is at some m and at some n m
_FEWEST_SIZES, _FEWEST_COUNTS = 4, 2

Way = tuple[int, int]  # numbers of changes and of odd sizes


@dataclass(frozen=True)
class Partition:
    """Where regimes start (places of sizes, the first 0), which sizes are odd, and the noise.

    `squares` is the sum of squares left, over `degrees` of freedom.
    """

    starts: tuple[int, ...]
    odd: tuple[int, ...]
    squares: float
    degrees: int

    @property
    def changes(self) -> int:
        return len(self.starts) - 1

    @property
    def pieces(self) -> int:
        return self.changes + len(self.odd)

    def noise(self, least: float = FLOOR) -> float:
        """Standard deviation of log time about the lines, `least` at least."""
        return float(np.sqrt(max(self.squares / max(self.degrees, 1), least**2)))

    def criterion(self, points: int) -> float:
        """Schwarz's criterion, on noise of `FLOOR` at least."""
        variance = max(self.squares / points, FLOOR**2)
        return criterion(points * float(np.log(variance)), points - self.degrees, points)


def partition(exchange: Exchange) -> Partition:
    """The regimes and odd sizes that the times of all n ask for.

    From none on whatever passes the test most clearly, then without what does not need to be.
    """
    ways, size = best_partitions(exchange), exchange.sizes.size

    def passes(fewer: Way, more: Way) -> float:
        """Logarithm of the chance of a false alarm over the one that is allowed, 0 or more: no."""
        return _chance(ways, fewer, more, size) - float(np.log(FALSE_ALARM))

    now = (0, 0)
    while larger := [way for way in ways if way != now and way[0] >= now[0] and way[1] >= now[1]]:
        best = min(larger, key=lambda way: passes(now, way))
        if passes(now, best) >= 0:
            break
        now = best
    while needless := [
        way
        for way in ((now[0] - 1, now[1]), (now[0], now[1] - 1))
        if way in ways and passes(way, now) >= 0
    ]:
        now = min(needless, key=lambda way: ways[way].squares)
    return ways[now]


def divided_at(exchange: Exchange, starts: tuple[int, ...], odd: Iterable[int]) -> Partition:
    """The partition whose regimes begin at `starts`, without the `odd` sizes."""
    omitted = tuple(sorted(odd))
    place, ends = np.arange(exchange.sizes.size), (*starts[1:], exchange.sizes.size)
    used = ~np.isin(place, omitted)
    chosen = np.array(
        [(place >= low) & (place < high) & used for low, high in zip(starts, ends, strict=True)]
    )
    lines = fit_lines(exchange.sizes, exchange.logarithms, chosen)
    degrees = int(exchange.is_measured[:, used].sum()) - int(lines.parameters.sum())
    return Partition(starts, omitted, float((lines.squares @ exchange.trust**2).sum()), degrees)


def improvement(less: Partition, more: Partition, least: float = FLOOR) -> float:
    """Logarithm of the chance that noise alone makes `more` fit that much better than `less`."""
    from scipy.special import betaln, fdtrc

    added = less.degrees - more.degrees
    if more.degrees < 1 or added < 1:
        return 0.0
    ratio = (less.squares - more.squares) / added / more.noise(least) ** 2
    chance = float(fdtrc(added, more.degrees, max(ratio, 0.0)))
    if chance > 0:
        return float(np.log(chance))
    # too small for a number: the first term of the series of the incomplete beta function
    a, b, x = more.degrees / 2, added / 2, more.degrees / (more.degrees + added * ratio)
    return float(a * np.log(x) + (b - 1) * np.log1p(-x) - np.log(a) - betaln(a, b))


def _chance(
    partitions: dict[Way, Partition],
    less: tuple[int, int],
    more: tuple[int, int],
    sizes: int,
) -> float:
    """Logarithm of the chance of a false alarm, for all places and all ways of that length."""
    changes, odd = more[0] - less[0], more[1] - less[1]
    places = comb(max(sizes - 1 - less[0], 1), changes) * comb(max(sizes - 2 - less[1], 1), odd)
    ways = (changes + odd + 1) * 2.0 ** (changes + odd)
    return improvement(partitions[less], partitions[more]) + float(np.log(max(places, 1) * ways))


def best_partitions(exchange: Exchange) -> dict[Way, Partition]:
    """The partition of least squares for each number of changes and of odd sizes."""
    size, (costs, left_out) = exchange.sizes.size, _costs(exchange)
    least = np.full((MOST_CHANGES + 1, MOST_ODD + 1, size + 1), np.inf)
    places: dict[tuple[int, int, int], tuple[tuple[int, ...], tuple[int, ...]]] = {}
    ways = list(product(range(MOST_CHANGES + 1), range(MOST_ODD + 1)))
    for (changes, odd), end in product(ways, range(1, size + 1)):
        for within in range(odd + 1):
            before = np.full(end, np.inf)
            if changes:
                before[1:] = least[changes - 1, odd - within, 1:end]
            elif odd == within:
                before[0] = 0.0
            total = before + costs[within, :end, end]
            start = int(np.argmin(total))
            if total[start] < least[changes, odd, end]:
                least[changes, odd, end] = total[start]
                starts, others = places.get((changes - 1, odd - within, start), ((), ()))
                omitted = left_out[within, start, end]
                places[changes, odd, end] = (*starts, start), (*others, *omitted)
    return {
        way: divided_at(exchange, *places[(*way, size)])
        for way in ways
        if np.isfinite(least[(*way, size)])
    }


def _costs(exchange: Exchange) -> tuple[Floats, dict[tuple[int, int, int], tuple[int, ...]]]:
    """Sum of squares of every range of sizes without 0, 1, ... of them, and which these are.

    Shape (odd, start, end). A regime within others has `_FEWEST_WITHIN` sizes or more; the first
    and the last may have fewer, as the sizes measured may end anywhere.
    """
    size = exchange.sizes.size
    ranges = [
        (start, end)
        for start in range(size)
        for end in range(start + 1, size + 1)
        if end - start >= _FEWEST_WITHIN or start == 0 or end == size
    ]
    place = np.arange(size)
    chosen = np.array([(place >= start) & (place < end) for start, end in ranges])
    inner = np.array([(place > start) & (place < end - 1) for start, end in ranges])
    costs = np.full((MOST_ODD + 1, size + 1, size + 1), np.inf)
    left_out: dict[tuple[int, int, int], tuple[int, ...]] = {}
    at = tuple(np.array(ranges).T)
    without: list[tuple[int, ...]] = [()] * len(ranges)
    can = np.ones(len(ranges), dtype=bool)
    for odd in range(MOST_ODD + 1):
        lines = fit_lines(exchange.sizes, exchange.logarithms, chosen)
        enough = can & (chosen.sum(axis=1) >= (_FEWEST_WITH_ODD - 1 if odd else 1))
        costs[odd, at[0], at[1]] = np.where(enough, lines.squares @ exchange.trust**2, np.inf)
        for index, (start, end) in enumerate(ranges):
            left_out[odd, start, end] = without[index]
        next_odd = np.where(inner & chosen, _gain(lines, exchange), -np.inf).argmax(axis=1)
        chosen = chosen.copy()
        can = can & (inner & chosen).any(axis=1)
        chosen[np.flatnonzero(can), next_odd[can]] = False
        without = [(*some, int(more)) for some, more in zip(without, next_odd, strict=True)]
    return costs, left_out


def _gain(lines: Lines, exchange: Exchange) -> Floats:
    """By how much the sum of squares falls without each size, shape (k, n_sizes)."""
    each = lines.errors**2 / np.maximum(1 - lines.leverage, 1e-3)
    return np.asarray(np.einsum("kij,i->kj", each, exchange.trust**2))


def over_totals(exchange: Exchange, divided: Partition) -> tuple[Partition, tuple[int, ...]] | None:
    """The partition over n m and the totals it changes at; None where m is as good an axis.

    It is reported where it is closer to the times, or as close with fewer pieces, by far.
    """
    is_simple = not divided.changes and divided.noise(0.0) < _ROUGH
    totals = None if is_simple else _totals(exchange)
    if totals is None:
        return None
    other, points = partition(totals), int(exchange.is_measured.sum())
    if not other.changes or other.criterion(points) + 2 * VERY_STRONG > divided.criterion(points):
        return None
    is_closer = other.noise(0.0) * _CLOSER <= divided.noise(0.0)
    if not is_closer and other.pieces + _FEWER > divided.pieces:
        return None
    return other, tuple(int(totals.sizes[start]) for start in other.starts[1:])


def _totals(exchange: Exchange) -> Exchange | None:
    """The same times over n m where several n have the same; None where too few do."""
    if exchange.counts.size < _FEWEST_N:
        return None
    rows, columns = np.nonzero(exchange.is_measured)
    totals = exchange.counts[rows] * exchange.sizes[columns]
    axis, place, several = np.unique(totals, return_inverse=True, return_counts=True)
    if axis.size > _MOST_SIZES or (several >= _FEWEST_COUNTS).sum() < _FEWEST_SIZES:
        return None
    logarithms = np.full((exchange.counts.size, axis.size), np.nan)
    logarithms[rows, place] = exchange.logarithms[rows, columns]
    return replace(exchange, sizes=axis, logarithms=logarithms)
