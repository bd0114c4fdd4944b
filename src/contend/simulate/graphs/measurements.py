"""Measured contention graphs: the samples of all launches of a graph together."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

import numpy as np

from contend.base.document import LONGEST, Floats, Quantity
from contend.base.statistics.launches import OVER_LAUNCHES
from contend.samples.messages import MessageSample, read_messages
from contend.samples.sample import SHORTEST
from contend.simulate.graphs.isomorphism import Edges
from contend.simulate.graphs.repeats import (
    Kept,
    bounds_by,
    over_repeats,
    quantity_of,
    repeats,
    typical,
)


@dataclass(frozen=True, eq=False)
class MeasuredGraph:
    """A static-synchronous graph: end of each message of `m` bytes, (repetitions, edges), seconds.

    `repeat_of` (repetitions,) is the launch of each, or its own number where there is one launch.

    >>> MeasuredGraph("fan-out", ((0, 1), (0, 2)), 100, np.array([[2.0, 2.0]])).seconds.tolist()
    [2.0, 2.0]
    """

    name: str
    edges: Edges
    m: int
    ends: Floats
    repeat_of: np.ndarray | None = None

    @property
    def repeats(self) -> np.ndarray:
        return np.arange(len(self.ends)) if self.repeat_of is None else self.repeat_of

    @cached_property
    def seconds(self) -> Floats:
        """Typical end over launches, each of which counts once, (edges,)."""
        return typical(self.ends, self.repeats)

    def of(self, kept: Kept) -> "MeasuredGraph | None":
        """What was measured of it in some of the repeats; None if nothing was."""
        rows = np.isin(self.repeats, list(kept))
        if not rows.any():
            return None
        return replace(self, ends=self.ends[rows], repeat_of=self.repeats[rows])

    @property
    def title(self) -> str:
        return f"{self.name} m={self.m}"


@dataclass(frozen=True, eq=False)
class Bandwidth:
    """Bytes per second of a message that is alone: with its bounds, and in each repeat."""

    quantity: Quantity
    per_repeat: Mapping[int, float]

    @property
    def value(self) -> float:
        return float(self.quantity)

    def of(self, kept: Kept) -> float:
        """Return the value over some repeats; over all where none of them has one."""
        typical = _typical(self.per_repeat, kept)
        return self.value if np.isnan(typical) else typical


def read_graphs(path: str | Path) -> list[MessageSample]:
    return read_messages(path, ["graph"])


def measured_graphs(samples: Sequence[MessageSample]) -> list[MeasuredGraph]:
    """A graph per name, edges and size, with the repetitions of all its launches."""
    by = bounds_by(samples)
    launches_of: dict[tuple[str, Edges, int], list[MessageSample]] = {}
    for sample in samples:
        launches_of.setdefault((sample.graph, sample.edges, sample.m), []).append(sample)
    return [
        MeasuredGraph(
            *graph,
            np.concatenate([sample.times for sample in launches]),
            np.concatenate([repeats(sample, len(sample.times_s), by) for sample in launches]),
        )
        for graph, launches in launches_of.items()
    ]


def bandwidth_alone(samples: Sequence[MessageSample]) -> Bandwidth | None:
    """What a message reached alone, over launches; None where none was measured so.

    Graphs of a single message count as well. Times that several graphs of a launch hold were
    measured once and count once.
    """
    by = bounds_by(samples)
    measured = dict.fromkeys(
        (sample.launch, sample.m, seconds)
        for sample in samples
        for seconds in (_possible(sample.alone_s), _possible(_single(sample)))
        if seconds
    )
    rates = defaultdict[int, list[float]](list)
    for launch, m, seconds in measured:
        if by == OVER_LAUNCHES:
            rates[launch].append(m / float(np.median(seconds)))
        else:
            for number, taken in enumerate(seconds):
                rates[number].append(m / taken)
    if not rates:
        return None
    per_repeat = {number: float(np.exp(np.median(np.log(of)))) for number, of in rates.items()}
    estimate = over_repeats(list(per_repeat), lambda kept: [_typical(per_repeat, kept)], by)
    return Bandwidth(quantity_of(estimate, 0, "B/s", by), per_repeat)


def _possible(seconds: Iterable[float]) -> tuple[float, ...]:
    return tuple(taken for taken in seconds if SHORTEST <= taken <= LONGEST)


def _single(sample: MessageSample) -> list[float]:
    """Ends of the message of a graph that has no other."""
    return [ends[0] for ends in sample.times_s] if len(sample.edges) == 1 else []


def _typical(per_repeat: Mapping[int, float], kept: Kept | None = None) -> float:
    values, of = np.array(list(per_repeat.values())), np.array(list(per_repeat))
    return float(typical(values, of, kept))
