"""Which algorithm an MPI library takes for an all-to-all of n ranks and m bytes per pair.

Source: Open MPI 1.1.2 as Jeannot and Steffenel describe it (Euro-Par 2007, section 3: all messages
at once, in scattered order); the rule in Open MPI's coll/tuned of those years, which the paper does
not mention; coll/tuned of 4.1 and 5.0, `alltoall_intra_dec_fixed`; MPICH 4.1 to 5.0,
`src/mpi/coll/coll_selection.json`.
Restrictions: of Open MPI 4.1 the numbers of ranks that are simulated here. Its linear_sync has no
cap on requests by default, so that it is the linear algorithm.
"""

from collections.abc import Callable

from benchmarks.exchange_at_scale.pick import Pick

from contend.base.errors import InvalidInputError

TUNED = {  # from ranks, below ranks: algorithms below m, the last for all others
    (32, 64): ((512, "bruck"), (None, "rotated")),
    (256, 512): ((1024, "bruck"), (32768, "rotated"), (None, "ring")),
    (1024, 2048): ((512, "bruck"), (None, "rotated")),
}


def linear(n: int, m: int) -> Pick:
    """Open MPI 1.1.2 as published: one algorithm."""
    return Pick("rotated")


def tuned_2006(n: int, m: int) -> Pick:
    """coll/tuned of Open MPI before 1.2."""
    if n >= 12 and n * m <= 768:
        return Pick("bruck")
    return Pick("rotated" if n * m <= 131072 else "ring")


def open_mpi(n: int, m: int) -> Pick:
    """coll/tuned of Open MPI 4.1 and 5.0."""
    for (least, most), rules in TUNED.items():
        if least <= n < most:
            return Pick(next(name for below, name in rules if below is None or m < below))
    raise InvalidInputError(f"no rule for {n} ranks is written here", "add it to TUNED")


def mpich(n: int, m: int) -> Pick:
    """MPICH's defaults for 8 ranks and more."""
    if m <= 256:
        return Pick("bruck")
    if m <= 32768:
        return Pick("throttled", "window", 32)
    return Pick("ring" if n & (n - 1) else "pairwise")


LIBRARIES: dict[str, Callable[[int, int], Pick]] = {
    "linear": linear,
    "tuned 2006": tuned_2006,
    "Open MPI": open_mpi,
    "MPICH": mpich,
}
