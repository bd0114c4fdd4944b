"""Rules as bands: what holds for which processes, by sizes as a library counts them.

A library counts m itself or its total over all ranks, m times their number. A rule of 8 to 31
processes and m < 1 KiB is then another total on each number of processes: they get a piece each up
to 2 `STEPS`, and beyond that steps of 1/`STEPS`, exact at the first number of each.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from contend.choose.rules import Rule

Unit = Literal["m", "total", "none"]  # none: sizes cannot be told apart
STEPS = 32
LAST = 65536  # processes from which on steps end
Identity = tuple[str, tuple[tuple[str, int], ...]] | None  # of what runs; None: nothing decided


@dataclass(frozen=True)
class Band:
    """Sizes from `least` to `last` (None: no end) as the library counts, and the rule for them."""

    least: int
    last: int | None
    rule: Rule | None

    @property
    def what(self) -> tuple[int | None, Identity]:
        """What is the same of bands that say the same."""
        return self.last, identity(self.rule)


@dataclass(frozen=True)
class Piece:
    """Processes from `first` to `last` (None: no end), and their bands, which tile all sizes."""

    first: int
    last: int | None
    bands: tuple[Band, ...]


def identity(rule: Rule | None) -> Identity:
    """What a rule runs."""
    return None if rule is None else (rule.algorithm, tuple(sorted(rule.options.items())))


def pieces(rules: Sequence[Rule], unit: Unit, most: int) -> list[Piece]:
    """Rules of one operation, which do not overlap, as pieces that tile all numbers of processes.

    `most`: the largest size that the library can tell from larger ones.
    """
    joined: list[Piece] = []
    for first, last in _ranges(rules, unit):
        bands = _bands(rules, first, unit, most)
        if joined and [b.what for b in joined[-1].bands] == [b.what for b in bands]:
            joined[-1] = Piece(joined[-1].first, last, bands)
        else:
            joined.append(Piece(first, last, bands))
    return joined


def conflicts(rules: Sequence[Rule]) -> bool:
    """Whether rules for some processes differ by size."""
    starts = {rule.n for rule in rules}
    return any(len({identity(rule) for rule in _holding(rules, n)}) > 1 for n in starts)


def _ranges(rules: Sequence[Rule], unit: Unit) -> Iterator[tuple[int, int | None]]:
    starts = sorted({1, *(r.n for r in rules), *(r.n_to for r in rules if r.n_to is not None)})
    for first, end in pairwise([*starts, None]):
        assert first is not None
        n = first
        if unit == "total" and len(_bands(rules, n, unit, 2**62)) > 1:
            while n < LAST and (end is None or n + max(1, n // STEPS) < end):
                following = n + max(1, n // STEPS)
                yield n, following - 1
                n = following
        yield n, None if end is None else end - 1


def _holding(rules: Sequence[Rule], n: int) -> list[Rule]:
    here = (rule for rule in rules if rule.n <= n and (rule.n_to is None or n < rule.n_to))
    return sorted(here, key=lambda rule: rule.m)


def _bands(rules: Sequence[Rule], n: int, unit: Unit, most: int) -> tuple[Band, ...]:
    here = _holding(rules, n)
    if unit == "none":
        same = {identity(rule) for rule in here}
        return (Band(0, None, here[0] if len(same) == 1 else None),)
    scale = n if unit == "total" else 1
    ends: list[tuple[int | None, Rule | None]] = []
    reached = 0
    for rule in here:
        if rule.m > reached:
            _append(ends, rule.m * scale - 1, None)
        _append(ends, None if rule.m_to is None else rule.m_to * scale - 1, rule)
        reached = rule.m_to or rule.m
    if not ends or ends[-1][0] is not None:
        _append(ends, None, None)
    bands: list[Band] = []
    least = 0
    for last, what in ends:
        if last is None or last >= most:
            return (*bands, Band(least, None, what))
        bands.append(Band(least, last, what))
        least = last + 1
    raise AssertionError("the last has no end")


def _append(
    ends: list[tuple[int | None, Rule | None]], last: int | None, rule: Rule | None
) -> None:
    if ends and identity(ends[-1][1]) == identity(rule):
        ends[-1] = (last, ends[-1][1])
    else:
        ends.append((last, rule))
