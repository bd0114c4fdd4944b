"""Measured contention graphs: the samples of all launches of a graph together."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from contend.document import Floats
from contend.errors import InvalidInputError
from contend.samples.store import read_records
from contend.samples.table import median_interval
from contend.sharing.isomorphism import Edges
from contend.sharing.sample import GraphSample


@dataclass(frozen=True, eq=False)
class MeasuredGraph:
    """A static-synchronous graph: end of each message of `m` bytes, (repetitions, edges), seconds.

    >>> MeasuredGraph("fan-out", ((0, 1), (0, 2)), 100, np.array([[2.0, 2.0]])).seconds.tolist()
    [2.0, 2.0]
    """

    name: str
    edges: Edges
    m: int
    ends: Floats

    @property
    def seconds(self) -> Floats:
        """Median over the repetitions, (edges,)."""
        medians: Floats = np.median(self.ends, axis=0)
        return medians

    @property
    def title(self) -> str:
        """Name and size."""
        return f"{self.name} m={self.m}"


@dataclass(frozen=True)
class Bandwidth:
    """Bytes per second of a message that is alone, with 95 % bounds; a row per launch."""

    value: float
    low: float
    high: float
    per_launch: tuple[float, ...]


def read_graphs(path: str | Path) -> list[GraphSample]:
    """Samples of a file of measured graphs, in file order.

    Raises
    ------
    FileFormatError
        For a file that cannot be read, holds no graph, or has a bad line before the last.
    """
    return read_records(GraphSample, path, "measure first: contend graph measure --help")


def trusted(samples: Sequence[GraphSample], include_flagged: bool = False) -> list[GraphSample]:
    """All samples but those that an overburdened emulation disturbed.

    Raises
    ------
    InvalidInputError
        When that leaves none.
    """
    kept = [sample for sample in samples if include_flagged or not sample.is_flagged]
    if not kept:
        raise InvalidInputError(
            f"the emulated network could not keep up in any of the {len(samples)} graphs",
            "measure with fewer nodes, a lower rate or time dilation, or give --include-flagged",
        )
    return kept


def measured_graphs(samples: Sequence[GraphSample]) -> list[MeasuredGraph]:
    """A graph per name, edges and size, with the repetitions of all its launches.

    Raises
    ------
    InvalidInputError
        When a message ended at its start, which none can.
    """
    found: dict[tuple[str, Edges, int], list[GraphSample]] = {}
    for sample in samples:
        if sample.ends.min() <= 0:
            raise InvalidInputError(
                f"{sample.graph}: a message ended after 0 s", "measure the graph again"
            )
        found.setdefault((sample.graph, sample.edges, sample.m), []).append(sample)
    return [
        MeasuredGraph(*graph, np.concatenate([sample.ends for sample in launches]))
        for graph, launches in found.items()
    ]


def bandwidth_alone(samples: Sequence[GraphSample]) -> Bandwidth | None:
    """Median over launches of what a message reached alone; None where none was measured so.

    Graphs of a single message count as well.
    """
    alone = [
        sample.m / float(np.median(times))
        for sample in samples
        for times in (sample.alone_s, sample.ends_s if len(sample.edges) == 1 else ())
        if np.size(times) and np.median(times) > 0
    ]
    if not alone:
        return None
    return Bandwidth(float(np.median(alone)), *median_interval(alone), tuple(alone))
