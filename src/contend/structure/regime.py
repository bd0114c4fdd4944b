"""Regimes of an exchange: ranges of sizes with a line over m for each n, and one growth over n."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from contend.document import Floats
from contend.structure.exchange import Exchange
from contend.structure.explain import Explanation, explained
from contend.structure.lines import Lines, fit_lines
from contend.structure.model import Points
from contend.structure.partition import FLOOR, Partition


@dataclass(frozen=True)
class Regime:
    """Sizes from `start` up to but without `end`, by place; `odd` ones are none of its own."""

    exchange: Exchange
    partition: Partition
    start: int
    end: int
    before: "Regime | None" = None

    @cached_property
    def places(self) -> np.ndarray:
        """Of the sizes that are its own."""
        own = np.arange(self.start, self.end)
        return own[~np.isin(own, self.partition.odd)]

    @property
    def sizes(self) -> tuple[int, ...]:
        """Bytes."""
        return tuple(int(size) for size in self.exchange.sizes[self.places])

    @cached_property
    def noise(self) -> float:
        """Standard deviation of log time about lines over m."""
        return self.partition.noise(max(FLOOR, self.exchange.scatter))

    @cached_property
    def lines(self) -> Lines:
        """A line for each n."""
        chosen = np.isin(np.arange(self.exchange.sizes.size), self.places)
        return fit_lines(self.exchange.sizes, self.exchange.logarithms, chosen[None])

    def line(self, m: float) -> Floats:
        """Logarithm of the time at each n by its line, NaN where it has none at that size."""
        along = float(self._along(m))
        ends = np.exp(self.lines.first[0]), np.exp(self.lines.last[0])
        time = ends[0] * (1 - along) + ends[1] * along
        used = self.exchange.is_measured[:, self.places].sum(axis=1)
        is_known = (time > 0) & (used >= min(2, self.places.size))
        return np.where(is_known, np.log(np.where(is_known, time, 1.0)), np.nan)

    @cached_property
    def slopes(self) -> Floats:
        """Seconds per byte of m at each n by its line."""
        low, high = self.exchange.sizes[self.places[[0, -1]]]
        rise = np.exp(self.lines.last[0]) - np.exp(self.lines.first[0])
        used = self.exchange.is_measured[:, self.places].sum(axis=1)
        return np.where(used >= 2, rise / max(high - low, 1.0), np.nan)

    @cached_property
    def _ends(self) -> Floats:
        """Covariance of the logarithms at both ends of each line, shape (n_counts, 2, 2)."""
        along = self._along(self.exchange.sizes[self.places])
        shift = self.lines.first[0], self.lines.last[0]
        low, high = (np.exp(end - np.maximum(*shift))[:, None] for end in shift)
        time = low * (1 - along) + high * along
        used = self.exchange.is_measured[:, self.places]
        columns = (
            np.stack([low * (1 - along) / time, high * along / time], axis=2) * used[..., None]
        )
        normal = np.einsum("ijk,ijl->ikl", columns, columns)
        inverse = np.linalg.pinv(normal, rcond=1e-9, hermitian=True)
        return np.asarray(inverse * (self.noise / self.exchange.trust[:, None, None]) ** 2)

    def _along(self, m: Floats | float) -> Floats:
        """Place of a size between both ends."""
        low, high = self.exchange.sizes[self.places[[0, -1]]]
        return np.asarray((np.asarray(m) - low) / max(high - low, 1.0))

    def variance(self, m: float) -> Floats:
        """Of the logarithm of the line at a size, shape (n_counts,); NaN where there is none."""
        along = float(self._along(m))
        ends = np.exp(self.lines.first[0]), np.exp(self.lines.last[0])
        by_ends = np.stack([ends[0] * (1 - along), ends[1] * along], axis=1)
        by_ends = by_ends / np.exp(self.line(m))[:, None]
        return np.asarray(np.einsum("ik,ikl,il->i", by_ends, self._ends, by_ends))

    @cached_property
    def slope_deviations(self) -> Floats:
        """Standard deviation of the slopes, shape (n_counts,)."""
        low, high = self.exchange.sizes[self.places[[0, -1]]]
        ends = np.stack([-np.exp(self.lines.first[0]), np.exp(self.lines.last[0])], axis=1)
        variance = np.einsum("ik,ikl,il->i", ends, self._ends, ends)
        return np.asarray(np.sqrt(variance) / max(high - low, 1.0))

    @cached_property
    def points(self) -> Points:
        """Of all n with a point in it."""
        rows, columns = np.nonzero(self.exchange.is_measured[:, self.places])
        own, place = np.unique(rows, return_inverse=True)
        return Points(
            self.exchange.counts[own],
            place,
            self.exchange.sizes[self.places[columns]],
            self.exchange.logarithms[rows, self.places[columns]],
            self.noise,
            self.exchange.trust[own],
        )

    @cached_property
    def explanation(self) -> Explanation:
        """What its growth over n is like.

        No library forwards messages that are larger than some that it sends directly; and where
        the times leave it open, it does what it does at smaller sizes.
        """
        rows, columns = np.nonzero(self.exchange.is_measured[:, self.places])
        errors = self.points.whitened(self.lines.errors[0][rows, self.places[columns]])
        is_forwarded = self.before is not None and self.before.explanation.best.is_forwarded
        found = explained(
            self.points,
            float(errors @ errors),
            self.partition.degrees,
            self.exchange.processes_per_node,
            may_forward=self.before is None or is_forwarded,
        )
        return found.forwarding() if is_forwarded else found


def regimes_of(exchange: Exchange, partition: Partition) -> tuple[Regime, ...]:
    """All regimes, from the smallest size on."""
    ends = (*partition.starts[1:], exchange.sizes.size)
    found: list[Regime] = []
    for start, end in zip(partition.starts, ends, strict=True):
        found.append(Regime(exchange, partition, start, end, found[-1] if found else None))
    return tuple(found)
