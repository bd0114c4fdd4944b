"""Networks whose library's default changes its algorithm by the rules of MPICH."""

from collections.abc import Mapping
from functools import cache

import numpy as np

from contend.fitting.estimator import FitOptions
from contend.fitting.fit import fit_network
from contend.network import Network
from contend.samples.origin import Unsaved
from planted_choice import SIZES, Law, launched

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
