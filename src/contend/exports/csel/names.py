"""Names that MPICH reads at the end of a path: "MPIR_<Operation>_<kind>_<algorithm>".

Kinds are intra (one communicator), inter (two groups) and allcomm (both). Source: the strings of
libmpi 4.0.2 and 5.0.2, between which no name of a nonblocking operation or of two groups went.
Those of blocking operations on one communicator are in `contend.libraries.mpich`.
"""

import re

from contend.exports.csel.keys import COLLECTIVES
from contend.exports.finding import meant
from contend.libraries import Library, LibraryAlgorithm, Version, version_text

_PATTERN = re.compile(r"MPIR_([A-Z][a-z_]*?)_(intra|inter|allcomm)_(\w+)")
_SCHED = ("sched_noncommutative", "sched_pairwise", "sched_recursive_doubling",
          "sched_recursive_halving", "tsp_recexch")  # fmt: skip
_GATHERS = ("sched_brucks", "sched_recursive_doubling", "sched_ring", "tsp_brucks",
            "tsp_recexch_doubling", "tsp_recexch_halving", "tsp_ring")  # fmt: skip
_EITHER = ("sched_linear", "tsp_linear")
OTHERS: dict[tuple[str, str], tuple[str, ...]] = {
    ("allgather", "inter"): ("local_gather_remote_bcast",),
    ("allgatherv", "inter"): ("remote_gather_local_bcast",),
    ("allreduce", "intra"): ("ccl",),  # of GPUs
    ("allreduce", "inter"): ("reduce_exchange_bcast",),
    ("alltoall", "intra"): ("pairwise_sendrecv_replace",),  # in place
    ("alltoall", "inter"): ("pairwise_exchange",),
    ("alltoallv", "intra"): ("pairwise_sendrecv_replace",),
    ("alltoallv", "inter"): ("pairwise_exchange",),
    ("alltoallw", "intra"): ("pairwise_sendrecv_replace", "scattered"),
    ("alltoallw", "inter"): ("pairwise_exchange",),
    ("barrier", "inter"): ("bcast",),
    ("bcast", "inter"): ("remote_send_local_bcast",),
    ("gather", "inter"): ("linear", "local_gather_remote_send"),
    ("gatherv", "allcomm"): ("linear",),
    ("reduce", "inter"): ("local_reduce_remote_send",),
    ("reduce_scatter", "inter"): ("remote_reduce_local_scatter",),
    ("reduce_scatter_block", "inter"): ("remote_reduce_local_scatter",),
    ("scatter", "inter"): ("linear", "remote_send_local_scatter"),
    ("scatterv", "allcomm"): ("linear",),
    ("iallgather", "intra"): _GATHERS,
    ("iallgather", "inter"): ("sched_local_gather_remote_bcast",),
    ("iallgatherv", "intra"): _GATHERS,
    ("iallgatherv", "inter"): ("sched_remote_gather_local_bcast",),
    ("iallreduce", "intra"): (
        "sched_naive", "sched_recursive_doubling", "sched_reduce_scatter_allgather", "sched_smp",
        "tsp_recexch_multiple_buffer", "tsp_recexch_reduce_scatter_recexch_allgatherv",
        "tsp_recexch_single_buffer", "tsp_ring", "tsp_tree"),
    ("iallreduce", "inter"): ("sched_remote_reduce_local_bcast",),
    ("ialltoall", "intra"): ("sched_brucks", "sched_inplace", "sched_pairwise",
                             "sched_permuted_sendrecv", "tsp_brucks", "tsp_ring", "tsp_scattered"),
    ("ialltoall", "inter"): ("sched_pairwise_exchange",),
    ("ialltoallv", "intra"): ("sched_blocked", "sched_inplace", "tsp_blocked", "tsp_inplace",
                              "tsp_scattered"),
    ("ialltoallv", "inter"): ("sched_pairwise_exchange",),
    ("ialltoallw", "intra"): ("sched_blocked", "sched_inplace", "tsp_blocked", "tsp_inplace"),
    ("ialltoallw", "inter"): ("sched_pairwise_exchange",),
    ("ibarrier", "intra"): ("sched_recursive_doubling", "tsp_k_dissemination", "tsp_recexch"),
    ("ibarrier", "inter"): ("sched_bcast",),
    ("ibcast", "intra"): (
        "sched_binomial", "sched_scatter_recursive_doubling_allgather",
        "sched_scatter_ring_allgather", "sched_smp", "tsp_ring",
        "tsp_scatterv_recexch_allgatherv", "tsp_scatterv_ring_allgatherv", "tsp_tree"),
    ("ibcast", "inter"): ("sched_flat",),
    ("iexscan", "intra"): ("sched_recursive_doubling",),
    ("igather", "intra"): ("sched_binomial", "tsp_tree"),
    ("igather", "inter"): ("sched_long", "sched_short"),
    ("igatherv", "allcomm"): _EITHER,
    ("ineighbor_allgather", "allcomm"): _EITHER,
    ("ineighbor_allgatherv", "allcomm"): _EITHER,
    ("ineighbor_alltoall", "allcomm"): _EITHER,
    ("ineighbor_alltoallv", "allcomm"): _EITHER,
    ("ineighbor_alltoallw", "allcomm"): _EITHER,
    ("ireduce", "intra"): ("sched_binomial", "sched_reduce_scatter_gather", "sched_smp",
                           "tsp_ring", "tsp_tree"),
    ("ireduce", "inter"): ("sched_local_reduce_remote_send",),
    ("ireduce_scatter", "intra"): _SCHED,
    ("ireduce_scatter", "inter"): ("sched_remote_reduce_local_scatterv",),
    ("ireduce_scatter_block", "intra"): _SCHED,
    ("ireduce_scatter_block", "inter"): ("sched_remote_reduce_local_scatterv",),
    ("iscan", "intra"): ("sched_recursive_doubling", "sched_smp", "tsp_recursive_doubling"),
    ("iscatter", "intra"): ("sched_binomial", "tsp_tree"),
    ("iscatter", "inter"): ("sched_linear", "sched_remote_send_local_scatter"),
    ("iscatterv", "allcomm"): _EITHER,
}  # fmt: skip


def parts_of(name: str) -> tuple[str, str, str] | None:
    """Operation, kind and algorithm of a name; None for one of another make.

    >>> parts_of("MPIR_Reduce_scatter_block_intra_pairwise")
    ('reduce_scatter_block', 'intra', 'pairwise')
    """
    match = _PATTERN.fullmatch(name)
    return (match[1].lower(), match[2], match[3]) if match else None


def in_some_version(name: str, operation: str, library: Library) -> list[LibraryAlgorithm]:
    """Return the algorithms of that name that an operation has on one communicator."""
    return [
        one
        for one in library.table
        if one.operation == operation and name == _spelled(operation, "intra", one.own_name)
    ]


def wrong_name(name: str, operation: str, library: Library, version: Version) -> tuple[str, str]:
    """What is wrong with a name in the tree of an operation, and a remedy; empty for nothing."""
    offered = _offered(operation, library, version)
    if name in offered:
        return "", ""
    parts = parts_of(name)
    if parts and parts[0] != operation and parts[0] in COLLECTIVES:
        return f"{name} is an algorithm of {parts[0]}, not of {operation}", "move it, or rename it"
    if of_another := in_some_version(name, operation, library):
        since = of_another[0].since
        later = f", it came with {version_text(since)}" if since > version else ""
        return (
            f"MPICH {version_text(version)} has no {name}{later}",
            "name the version that reads the file (--for mpich-VERSION), or another algorithm",
        )
    return f"{name} is no algorithm of MPICH", meant(name, offered)


def _offered(operation: str, library: Library, version: Version) -> list[str]:
    names = [
        _spelled(operation, "intra", one.own_name)
        for one in library.algorithms(operation, version)
        if operation not in ("gatherv", "scatterv")
    ]
    for (known, kind), algorithms in OTHERS.items():
        if known == operation:
            names += [_spelled(operation, kind, algorithm) for algorithm in algorithms]
    if not operation.startswith("i"):
        names.append(_spelled(operation, "allcomm", "nb"))
    return names


def _spelled(operation: str, kind: str, algorithm: str) -> str:
    return f"MPIR_{operation.capitalize()}_{kind}_{algorithm}"
