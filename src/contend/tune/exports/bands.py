"""Rules as bands: what holds for which processes, by sizes as a library counts them.

A library counts m itself or its total over all ranks, m times their number. A rule of 8 to 31
processes and m < 1 KiB is then another total on each number of processes: they get a piece each up
to twice `steps`, and beyond that steps of 1/`steps`, exact at the first number of each. Where
decisions end they reach a little further for those.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Literal

from contend.tune.choose.rules import Rule

Unit = Literal["m", "total", "none"]  # none: sizes cannot be distinguished
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
    def departure(self) -> Rule | None:
        """The rule, where it does not leave the library to itself."""
        return None if self.rule is None or self.rule.is_default else self.rule


@dataclass(frozen=True)
class Piece:
    """Processes from `first` to `last` (None: no end), and their bands, which tile all sizes."""

    first: int
    last: int | None
    bands: tuple[Band, ...]


def identity(rule: Rule | None) -> Identity:
    """Return what a rule runs, so that rules which run the same compare equal."""
    return None if rule is None else (rule.algorithm, tuple(sorted(rule.options.items())))


def by_operation(rules: Iterable[Rule]) -> dict[str, list[Rule]]:
    rules_of: dict[str, list[Rule]] = {}
    for rule in rules:
        rules_of.setdefault(rule.operation, []).append(rule)
    return rules_of


def pieces(rules: Sequence[Rule], unit: Unit, most: int = 2**62, steps: int = STEPS) -> list[Piece]:
    """Rules of one operation, which do not overlap, as pieces that tile all numbers of processes.

    `most`: the largest size that the library can tell from larger ones.
    """
    starts = sorted({1, *(r.n for r in rules), *(r.n_to for r in rules if r.n_to is not None)})
    joined: list[Piece] = []
    for begin, end in zip(starts, [*starts[1:], None], strict=True):
        is_stepped = unit == "total" and len(_bands(rules, begin, begin, unit, most)) > 1
        n: int | None = begin
        while n is not None and n != end:
            following = n + max(1, n // steps) if is_stepped and n < LAST else end
            if end is not None and following is not None:
                following = min(following, end)
            last = None if following is None else following - 1
            bands = tuple(_bands(rules, n, last or n, unit, most))
            if joined and _signature(joined[-1].bands) == _signature(bands):
                joined[-1] = Piece(joined[-1].first, last, bands)
            else:
                joined.append(Piece(n, last, bands))
            n = following
    return joined


def notes_without_sizes(operation: str, rules: Sequence[Rule], why: str) -> Iterator[str]:
    """Say what becomes of rules of an operation of which the library tells no sizes apart.

    It takes the algorithm that was decided on for every size, and is left to itself where there is
    none, since of others it is not known whether they lose somewhere.
    """
    held = [here for n in sorted({rule.n for rule in rules}) if (here := _holding(rules, n))]
    several = [here for here in held if len({identity(rule) for rule in here}) > 1]
    if several:
        names = ", ".join(dict.fromkeys(rule.algorithm for here in several for rule in here))
        yield (
            f"{operation}: one algorithm has to serve all sizes ({why}), so that numbers of "
            f"processes with several, of {names}, keep the default"
        )
    for here in held:
        ends = [0, *(rule.m_to for rule in here)]
        is_whole = ends == [*(rule.m for rule in here), None]
        if here not in several and not is_whole and not here[0].is_default:
            yield (
                f"{operation} from {here[0].n} processes on: {here[0].algorithm} serves all sizes, "
                "and not all were decided on"
            )


def _signature(bands: Iterable[Band]) -> list[tuple[int | None, Identity]]:
    return [(band.last, identity(band.rule)) for band in bands]


def _holding(rules: Sequence[Rule], n: int) -> list[Rule]:
    here = (rule for rule in rules if rule.n <= n and (rule.n_to is None or n < rule.n_to))
    return sorted(here, key=lambda rule: rule.m)


def _bands(rules: Sequence[Rule], n: int, last: int, unit: Unit, most: int) -> list[Band]:
    here = _holding(rules, n)
    if unit == "none":
        same = {identity(rule) for rule in here}
        return [Band(0, None, here[0] if len(same) == 1 else None)]
    scale, reach = (n, last) if unit == "total" else (1, 1)
    ends: list[tuple[int | None, Rule | None]] = []
    reached = 0
    for rule, following in zip(here, [*here[1:], None], strict=False):
        begin = rule.m * scale
        if begin > reached:
            ends.append((begin - 1, None))
        end = None if rule.m_to is None else rule.m_to * reach
        if end is not None and following is not None:
            end = min(end, following.m * scale)
        ends.append((None if end is None else end - 1, rule))
        reached = end or begin
    if not ends or ends[-1][0] is not None:
        ends.append((None, None))
    bands: list[Band] = []
    least = 0
    for _, group in groupby(ends, key=lambda part: identity(part[1])):
        same_parts = list(group)
        last_size, taken = same_parts[-1][0], same_parts[0][1]
        if last_size is None or last_size >= most:
            return [*bands, Band(least, None, taken)]
        bands.append(Band(least, last_size, taken))
        least = last_size + 1
    return bands
