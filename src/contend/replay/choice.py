"""Which algorithm of the catalogue a collective operation of a trace is run by.

Source: Thakur, Rabenseifner, Gropp, "Optimization of collective communication operations in
MPICH", IJHPCA 2005: the default by operation, bytes and ranks, which MPICH still follows where it
is not tuned. Where its choice cannot serve the number of ranks, the next of the list does.
An algorithm that is named for an operation serves all its calls.
Restrictions: a broadcast of different segments, or a library that was tuned, chooses otherwise;
then name the algorithm that it took.

| operation | algorithm |
|---|---|
| barrier | dissemination |
| bcast | binomial up to 12 KiB or 8 ranks; scatter and allgather, by doubling up to 512 KiB |
| reduce, allreduce | binomial, recursive doubling up to 2 KiB; Rabenseifner above |
| gather, scatter | binomial |
| allgather | recursive doubling, or Bruck up to 80 KiB in all; ring from 512 KiB in all on |
| alltoall | Bruck up to 256 B from 8 ranks on, direct up to 32 KiB; pairwise or ring above |
| alltoallv, gatherv, scatterv | direct |
| reduce_scatter | recursive halving below 512 KiB in all, pairwise above |
"""

from collections.abc import Mapping

from contend.errors import InvalidInputError
from contend.schedules import COLLECTIVES, Algorithm, algorithms
from contend.traces.kinds import OpKind

# What each kind of operation is in the catalogue. Those of different sizes that it has not: a
# gatherv is an alltoallv in which only the root receives, an allgatherv has blocks of mean size, a
# scan is the exchange of an allreduce by recursive doubling.
COLLECTIVE = {
    OpKind.BARRIER: "barrier",
    OpKind.BCAST: "bcast",
    OpKind.REDUCE: "reduce",
    OpKind.ALLREDUCE: "allreduce",
    OpKind.GATHER: "gather",
    OpKind.GATHERV: "alltoallv",
    OpKind.SCATTER: "scatter",
    OpKind.SCATTERV: "alltoallv",
    OpKind.ALLGATHER: "allgather",
    OpKind.ALLGATHERV: "allgather",
    OpKind.ALLTOALL: "alltoall",
    OpKind.ALLTOALLV: "alltoallv",
    OpKind.REDUCE_SCATTER: "reduce_scatter",
    OpKind.SCAN: "allreduce",
    OpKind.EXSCAN: "allreduce",
}

_KIB = 1024


def parse_choices(texts: list[str]) -> dict[str, str]:
    """Algorithms by collective operation, from texts such as alltoall=rotated.

    >>> parse_choices(["alltoall=rotated"])
    {'alltoall': 'rotated'}
    """
    found: dict[str, str] = {}
    for text in texts:
        collective, _, name = text.partition("=")
        if not name or collective not in COLLECTIVES:
            raise InvalidInputError(
                f"--algorithm {text}",
                f"give OPERATION=ALGORITHM; operations: {', '.join(COLLECTIVES)}",
            )
        algorithm = algorithms(collective).get(name)
        if algorithm.needs_groups:
            raise InvalidInputError(
                f"{collective} {name} looks at groups of ranks, which a trace does not name",
                "choose another one",
            )
        found[collective] = name
    return found


def algorithm_for(
    kind: OpKind, n: int, m: float, chosen: Mapping[str, str] | None = None
) -> Algorithm:
    """The algorithm of an operation of `n` ranks; `m` is what the catalogue counts for it.

    Of an alltoallv `m` does not matter.
    """
    collective = COLLECTIVE[kind]
    registry = algorithms(collective)
    if name := (chosen or {}).get(collective):
        return registry.get(name)
    if kind in (OpKind.SCAN, OpKind.EXSCAN):
        names = ["recursive_doubling"]
    else:
        names = _names(collective, n, m)
    served = [registry.get(name) for name in names if registry.get(name).restriction(n) is None]
    return served[0]


def _names(collective: str, n: int, m: float) -> list[str]:
    total = n * m
    if collective == "bcast":
        if m <= 12 * _KIB or n < 8:
            return ["binomial"]
        by_doubling = ["scatter_doubling_allgather"] if m < 512 * _KIB else []
        return [*by_doubling, "scatter_ring_allgather"]
    if collective == "reduce":
        return ["binomial"] if m <= 2 * _KIB else ["rabenseifner", "binomial"]
    if collective == "allreduce":
        short = ["recursive_doubling", "ring"]
        return short if m <= 2 * _KIB else ["rabenseifner", *short]
    if collective == "allgather":
        if total >= 512 * _KIB:
            return ["ring"]
        bruck = ["bruck"] if total < 80 * _KIB else []
        return ["recursive_doubling", *bruck, "ring"]
    if collective == "alltoall":
        if m <= 256 and n >= 8:
            return ["bruck"]
        return ["direct"] if m <= 32 * _KIB else ["pairwise", "ring"]
    if collective == "reduce_scatter":
        return ["recursive_halving", "pairwise"] if total < 512 * _KIB else ["pairwise", "ring"]
    return {
        "barrier": ["dissemination"],
        "gather": ["binomial"],
        "scatter": ["binomial"],
        "alltoallv": ["direct"],
    }[collective]
