"""A change that moves with n: it is at a number of bytes of all messages of a process, not of one.

Idea: the same partition, over n m in the place of m. It is told where it is closer to the times, or
as close with fewer changes, by far (Schwarz's criterion, on noise of `FLOOR` at least), as where a
library, or a program that copies buffers, decides by the length of the whole buffer.
"""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from contend.structure.exchange import Exchange
from contend.structure.finding import Analysis, Finding, Kind
from contend.structure.partition import FLOOR, Partition, partition
from contend.structure.words import evidence
from contend.units import format_bytes

_CLEAR = 20.0  # of the criterion, twice a logarithm of a ratio of likelihoods
_CLOSER, _FEWER = 2.0, 2  # times, or changes and odd sizes less; else one axis is as good
_ROUGH = 0.1  # of log time; lines over m that are closer, without a change, need no mending
_MOST_SIZES = 40  # n that are no multiples of each other have hardly a total in common
_FEWEST_N = 3  # between two n any change is at some m and at some n m
_FEWEST_SIZES, _FEWEST_COUNTS = 4, 2


class TotalChange(Kind):
    """Where n m is what decides."""

    name = "total_change"
    order = 15

    def findings(self, seen: Analysis) -> Iterator[Finding]:
        """One for each change over n m."""
        is_simple = not seen.partition.changes and seen.partition.noise(0.0) < _ROUGH
        totals = None if is_simple else over_totals(seen.exchange)
        if totals is None:
            return
        found, points = partition(totals), int(seen.exchange.is_measured.sum())
        if _score(found, points) + _CLEAR > _score(seen.partition, points):
            return
        error, without = found.noise(0.0), seen.partition.noise(0.0)
        if error * _CLOSER > without and found.pieces + _FEWER > seen.partition.pieces:
            return
        for start in found.starts[1:]:
            total = int(totals.sizes[start])
            sizes = tuple(int(m) for m in seen.exchange.sizes)
            yield Finding(
                "change at a total size", (sizes[0], sizes[-1]), seen.counts,
                f"The exchange changes where n m, all messages of a process, is "
                f"{format_bytes(total)}: at smaller m the larger n is {evidence(error, without)}.",
                {}, error, without,
            )  # fmt: skip


def _score(found: Partition, points: int) -> float:
    """Schwarz's criterion of a partition, the smaller the better."""
    variance = max(found.squares / points, FLOOR**2)
    return float(points * np.log(variance) + (points - found.degrees) * np.log(points))


def over_totals(exchange: Exchange) -> Exchange | None:
    """The same times over n m where several n have the same; None where too few do."""
    if exchange.counts.size < _FEWEST_N:
        return None
    rows, columns = np.nonzero(exchange.is_measured)
    totals = exchange.counts[rows] * exchange.sizes[columns]
    own, place, several = np.unique(totals, return_inverse=True, return_counts=True)
    if own.size > _MOST_SIZES or (several >= _FEWEST_COUNTS).sum() < _FEWEST_SIZES:
        return None
    logarithms = np.full((exchange.counts.size, own.size), np.nan)
    logarithms[rows, place] = exchange.logarithms[rows, columns]
    return replace(exchange, sizes=own, logarithms=logarithms)
