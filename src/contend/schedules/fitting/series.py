"""Measured times of an algorithm of the catalogue: what parameters are fitted to and judged by.

Idea: samples whose experiment is a collective operation and whose algorithm has its name in the
catalogue, as `contend measure collectives` and readers write them; options stand in `parameters`.
Of a point measured in several launches the median counts.
Restrictions: one placement, one process per node where there is a choice; alltoallv is left out,
since its samples do not say the sizes, and what looks at groups, since they do not say those.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from contend.base.document import Floats
from contend.base.errors import InvalidInputError
from contend.samples import Sample, table
from contend.schedules.algorithm import Algorithm, algorithms
from contend.schedules.collective import COLLECTIVES
from contend.schedules.pointtopoint import PLogP
from contend.schedules.ragged_rows import Ints, ints

_UNKNOWN = {"alltoallv"}


@dataclass(frozen=True)
class Series:
    """Times of an algorithm over sizes, arrays (points,); `segment` is empty where it has none."""

    algorithm: Algorithm
    n: int
    m: Ints  # bytes
    seconds: Floats
    segment: Ints  # bytes
    fixed: tuple[tuple[str, int], ...] = ()  # options that are the same for all points

    @property
    def operation(self) -> str:
        return self.algorithm.collective

    @property
    def name(self) -> str:
        return f"{self.operation}/{self.algorithm.name}"

    def predicted(self, plogp: PLogP) -> Floats:
        """Times by the closed form, shape (points,)."""
        segment = {"segment": self.segment} if self.segment.size else {}
        options = dict(self.fixed) | segment
        return self.algorithm.seconds(plogp, self.n, self.m, **options)  # type: ignore[arg-type]


def known_algorithm(sample: Sample) -> Algorithm | None:
    """The algorithm of the catalogue that a sample is of; None where there is none."""
    operation = sample.experiment
    if operation not in COLLECTIVES or operation in _UNKNOWN:
        return None
    for algorithm in algorithms(operation).all():
        if algorithm.name == sample.algorithm and not algorithm.needs_groups:
            return algorithm
    return None


def series_of(samples: Sequence[Sample], n: int | Sequence[int] | None = None) -> list[Series]:
    """A series per algorithm of the catalogue, number of processes and options.

    `n` is the one number of processes, or those, whose samples are taken; None: all.

    Raises InvalidInputError when no sample is of an algorithm of the catalogue (at `n`), or one
    cannot serve its n.
    """
    counts = (n,) if isinstance(n, int) else n
    groups: dict[tuple[str, str, int, tuple[tuple[str, int], ...]], list[Sample]] = {}
    for sample in samples:
        algorithm = known_algorithm(sample)
        if algorithm is None or (counts is not None and sample.n not in counts):
            continue
        key = (algorithm.collective, algorithm.name, sample.n, _fixed(sample, algorithm))
        groups.setdefault(key, []).append(sample)
    if not groups:
        measured = sorted(
            {f"{sample.experiment}/{sample.algorithm} at n={sample.n}" for sample in samples}
        )
        at = f" at n={', '.join(map(str, counts))}" if counts else ""
        raise InvalidInputError(
            f"no sample of an algorithm of the catalogue{at}",
            "'contend list algorithms' lists them; there is "
            + (", ".join(measured[:5]) + ", ..." * (len(measured) > 5) or "no sample at all"),
        )
    return [_series(*key, group) for key, group in sorted(groups.items())]


def _fixed(sample: Sample, algorithm: Algorithm) -> tuple[tuple[str, int], ...]:
    given = sample.parameters or {}
    return tuple(
        (name, int(given[name]))
        for name in algorithm.options
        if name != "segment" and name in given
    )


def _series(
    operation: str,
    name: str,
    n: int,
    fixed: tuple[tuple[str, int], ...],
    samples: Iterable[Sample],
) -> Series:
    algorithm = algorithms(operation).get(name)
    if error := algorithm.restriction(n):
        raise error
    chosen = _one_placement(list(samples))
    points = table.medians(chosen).sort_values("m")
    sizes = ints(points["m"])
    segments = _segments(algorithm, chosen)
    return Series(
        algorithm=algorithm,
        n=n,
        m=sizes,
        seconds=np.asarray(points["seconds"], dtype=np.float64),
        segment=ints([segments[int(m)] for m in sizes] if len(segments) == sizes.size else []),
        fixed=fixed,
    )


def _segments(algorithm: Algorithm, samples: list[Sample]) -> dict[int, int]:
    """The segment of each size, of those samples that name one."""
    segments: dict[int, int] = {}
    for sample in samples if "segment" in algorithm.options else []:
        segment = int((sample.parameters or {}).get("segment", 0))
        if segment and segments.setdefault(sample.m, segment) != segment:
            raise InvalidInputError(
                f"{sample.where} was measured with segments of {segments[sample.m]} and "
                f"{segment} B",
                "keep one choice of options for each algorithm in a file",
            )
    return segments


def _one_placement(samples: list[Sample]) -> list[Sample]:
    fewest = min(sample.processes_per_node or 0 for sample in samples)
    return [sample for sample in samples if (sample.processes_per_node or 0) == fewest]
