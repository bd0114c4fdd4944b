"""Machines whose library's default and algorithms take known times, their samples and networks."""

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any

import numpy as np

from contend.models.fitting.estimator import FitOptions
from contend.models.fitting.fit import fit_network
from contend.models.fitting.gains import gains_of
from contend.models.network import Network, Operation
from contend.models.network.evidence import MeasuredPoints
from contend.models.signature import FORMS, PointToPoint
from contend.samples import Sample, table
from contend.samples.by_setting import by_setting
from contend.samples.origin import Unsaved, origin_of
from contend.samples.sample import Provenance

Law = Callable[[float, float], float]  # seconds of n and m
SIZES = tuple(4**k for k in range(2, 10))
COMMON, OWN = 0.10, 0.03  # scatter of a launch that all algorithms meet, and of each by itself


def default(n: float, m: float) -> float:
    """Seconds of the library's default for a broadcast."""
    return 10e-6 * np.log2(n) + 1e-9 * m * np.sqrt(n)


def times(factor: float) -> Law:
    """A law that is so many times the default's."""
    return lambda n, m: factor * default(n, m)


def launched(
    laws: Mapping[str, Law],
    rng: np.random.Generator,
    counts: Sequence[int] = (4, 8, 16),
    launches: int = 5,
    operation: str = "bcast",
    library: str = "Open MPI v5.0.11, package: test",
) -> list[Sample]:
    """Samples of algorithms by setting, "native" for the default; noise as above."""
    provenance = Provenance(source="test", mpi_library=library)
    found = []
    for n in counts:
        for launch in range(launches):
            for m in SIZES:
                common = COMMON * rng.standard_normal()
                for setting, law in laws.items():
                    name, *options = setting.split(",")
                    given = dict(one.split("=") for one in options)
                    noise = common + OWN * rng.standard_normal()
                    found.append(Sample(
                        experiment=operation, algorithm=name, n=n, processes_per_node=1, m=m,
                        launch=launch, statistic="median",
                        times_s=(float(law(n, m) * np.exp(noise)),),
                        parameters={key: float(one) for key, one in given.items()} or None,
                        provenance=provenance,
                    ))  # fmt: skip
    return found


def network_of(samples: Sequence[Sample], operation: str = "bcast") -> Network:
    """With all points and gains, but of the forms only the one that decisions take."""
    samples = by_setting(samples)
    series = [
        (name, 1, table.medians(one for one in samples if one.algorithm == name))
        for name in sorted({one.algorithm for one in samples})
    ]
    gains = gains_of(samples, series)
    growth = FORMS.get("growth")
    operations = [
        Operation(
            operation=operation,
            algorithm=name,
            processes_per_node=placed,
            forms=(
                {"growth": growth.of(operation, name).fit(rows, PointToPoint())}
                if name == "native"
                else {}
            ),
            measured=MeasuredPoints.of(rows),
            gains=gains.get((name, placed)),
        )
        for name, placed, rows in series
    ]
    origin = origin_of([one.provenance for one in samples], Unsaved("planted", b""))
    return Network(name="planted", operations=tuple(operations), origin=origin)


def measured(
    laws: Mapping[str, Law] | None = None, operation: str = "bcast", seed: int = 1, **how: Any
) -> Network:
    """A network of launches of a library with the default, and of algorithms of these laws."""
    every = {"native": default} | dict(laws or {})
    samples = launched(every, np.random.default_rng(seed), operation=operation, **how)
    return network_of(samples, operation)


# Networks whose default changes its algorithm by the rules of MPICH.
MPICH = "MPICH Version:      5.0.2"
SWITCH = 524288  # bytes of all blocks, from which on MPICH reduces and scatters pairwise
LARGE = 65536  # becomes pairwise at n = 8
HALVING, PAIRWISE = "mpich:recursive_halving", "mpich:pairwise"
BOTH = (HALVING, PAIRWISE)


def halving(n: float, m: float) -> float:
    return 30e-6 * np.log2(n) + 3e-9 * (n - 1) * m


def pairwise(n: float, m: float) -> float:
    return 40e-6 * (n - 1) + 1e-9 * (n - 1) * m


def as_mpich(n: float, m: float) -> float:
    return halving(n, m) if n * m < SWITCH else pairwise(n, m)


@cache
def known(
    default: Law = as_mpich,
    library: str = MPICH,
    forced: tuple[str, ...] = BOTH,
    counts: tuple[int, ...] = (2, 4, 8),
    seed: int = 1,
    most: int = SIZES[-1],
    other: Law = halving,
) -> Network:
    """Measured at some n and sizes, and fitted at the last n; `other` is the time of halving."""
    laws: Mapping[str, Law] = {"native": default, HALVING: other, PAIRWISE: pairwise}
    laws = {name: law for name, law in laws.items() if name in ("native", *forced)}
    samples = launched(
        laws, np.random.default_rng(seed), counts, operation="reduce_scatter", library=library
    )
    options = FitOptions("reduce_scatter", n_fit=counts[-1])
    kept = [one for one in samples if one.m <= most]
    return fit_network(kept, Unsaved("planted", b""), options)


def with_all(network: Network, **update: object) -> Network:
    """The same with other fields of all operations."""
    changed = tuple(one.model_copy(update=update) for one in network.operations)
    return network.model_copy(update={"operations": changed})


def with_default(network: Network, **update: object) -> Network:
    """The same with other fields of the default."""
    changed = tuple(
        one.model_copy(update=update) if one.algorithm == "native" else one
        for one in network.operations
    )
    return network.model_copy(update={"operations": changed})
