"""Who takes part: the library's own choice and algorithms, the portfolio, and the automatic choice.

Each has the name that its samples carry: `native`, `native:pairwise`, `lg window=2`, `auto`.

Windows: of a rank's messages over the slow link so many are under way that those of all senders of
a group fill its buffer; this power of two and the next are tried. What fits in all runs without.

The library's algorithms are those of `contend.schedules.libraries` that serve any ranks.
"""

import math
from typing import Any

import numpy as np

from contend.alltoall.clusters.plan import Choice, Link, parse_options
from contend.base.errors import InvalidInputError
from contend.base.near_names import choose_from
from contend.measure.build import exchange_algorithms
from contend.measure.exchange.placement import Placement
from contend.measure.mpi import MPI
from contend.samples.setting import NATIVE
from contend.schedules.algorithm import algorithms, in_groups
from contend.schedules.groups import given
from contend.schedules.libraries import library_of

AUTO = "auto"
MODE = "CONTEND_EXCHANGE"  # 1: the library that programs preload serves their all-to-all
FORCED = f"{MODE}_ALGORITHM"
PREFIX = f"{NATIVE}:"  # of the library's own algorithms by name; NATIVE alone is its own choice
_FORCED = ("Open MPI", "MPICH")  # families of which all algorithms are tried
_WITHOUT_LINK = (2, 8)  # windows where nothing is known of the link


def is_preloaded(name: str) -> bool:
    """Whether a contender needs the exchange library."""
    return name != NATIVE and not name.startswith(PREFIX)


def variables(mpi: MPI, name: str) -> dict[str, str]:
    """Environment of the ranks of a contender, but for the library and its plan."""
    if name == AUTO:
        return {FORCED: ""}  # whatever the environment says
    return {FORCED: name} if is_preloaded(name) else native_variables(mpi, name)


def parse_contenders(text: str, mpi: MPI) -> list[str]:
    """Contenders of a list such as "native,auto,lg window=2", checked, without repeats.

    >>> mpich = MPI("mpicc", ("mpiexec",), "MPICH", "5.0.2")
    >>> parse_contenders("auto, paced  window=4, lg window=all", mpich)
    ['auto', 'paced window=4', 'lg window=all']
    """
    names = [" ".join(part.split()) for part in text.split(",") if part.strip()]
    for name in names:
        if is_preloaded(name) and name != AUTO:
            _check(name)
        else:
            variables(mpi, name)
    return list(dict.fromkeys(names))


def _check(name: str) -> None:
    algorithm, *words = name.split()
    names = [entry for entry in exchange_algorithms() if entry != NATIVE]
    if algorithm not in names:
        raise InvalidInputError(
            f"no algorithm is named {algorithm!r}", choose_from(algorithm, [NATIVE, AUTO, *names])
        )
    settings: Any = parse_options(algorithm, words)
    Choice("node", 0, algorithm, **settings)


def usual(mpi: MPI, placement: Placement, link: Link | None, m: int) -> list[str]:
    """Everyone who can take part at a size: the library's, the portfolio's, and the choice."""
    names = [NATIVE, *native_names(mpi)]
    for name in exchange_algorithms():
        if name == NATIVE or not suits(name, placement):
            continue
        smallest = min(placement.sizes)
        is_packed = algorithms("alltoall").get(name).is_packed
        if is_linked(name):
            names += [name] if link else []
            continue
        tried = windows(placement, link, m * smallest if is_packed else m)
        if is_packed:
            names.append(name)
        elif not tried:
            tried = [placement.n - smallest]
        names += [f"{name} window={window}" for window in tried]
    return [*names, AUTO]


def is_linked(contender: str) -> bool:
    """Whether a member of the portfolio needs to know the link, whatever its options say."""
    name, *_ = contender.split()
    return algorithms("alltoall").get(name).is_spaced


def suits(name: str, placement: Placement) -> bool:
    """Whether the algorithm does what its name says in these groups; else it is the library's."""
    algorithm = algorithms("alltoall").get(name)
    sizes = placement.node_sizes if algorithm.is_on_nodes else placement.sizes
    if not algorithm.needs_groups:
        return True
    if len(sizes) < 2 or (algorithm.is_packed and max(sizes) < 2):
        return False
    groups = tuple(np.repeat(np.arange(len(sizes)), sizes).tolist())
    return in_groups(algorithm, given(groups)).restriction(len(groups)) is None


def windows(placement: Placement, link: Link | None, message: int) -> list[int]:
    """Windows to try for messages of so many bytes; none where all of them fit in the buffer."""
    most = placement.n - min(placement.sizes)
    if link is None:
        return [window for window in _WITHOUT_LINK if window < most]
    share = link.buffer / max(message * max(placement.sizes), 1)
    if share >= most:
        return []
    first = 2 ** math.floor(math.log2(max(share, 1.0)))
    return sorted({min(first, most), min(2 * first, most)})


def native_names(mpi: MPI) -> list[str]:
    """What an MPI library can be forced to, as it is called here; empty for an unknown library.

    >>> native_names(MPI("mpicc", ("mpiexec",), "MPICH", "4.0.2"))
    ['native:brucks', 'native:pairwise', 'native:scattered']
    """
    if mpi.family not in _FORCED:
        return []
    library, version = library_of(mpi.title)
    offered = library.algorithms("alltoall", version)
    return [PREFIX + algorithm.name for algorithm in offered if algorithm.ranks == "any"]


def native_variables(mpi: MPI, name: str) -> dict[str, str]:
    """Environment of ranks that use the algorithm of that name; nothing for the library's choice.

    >>> native_variables(MPI("mpicc", ("mpiexec",), "MPICH", "5.0.2"), "native:pairwise")[
    ...     "MPIR_CVAR_ALLTOALL_INTRA_ALGORITHM"]
    'pairwise'
    """
    if name == NATIVE:
        return {}
    if name not in native_names(mpi):
        raise InvalidInputError(
            f"{mpi.title} cannot be forced to {name!r}",
            choose_from(name, [NATIVE, *native_names(mpi)]),
        )
    library, version = library_of(mpi.title)
    algorithm = library.algorithm("alltoall", name.removeprefix(PREFIX), version)
    return library.forcing(algorithm, {}, version)
