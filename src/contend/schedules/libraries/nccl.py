"""NCCL: algorithms with their protocols, of the collectives that a tuner plugin is asked about.

Source: src/graph/tuning.cc (ncclTopoTuneModel) and src/enqueue.cc of 2.27 to 2.30, read, not run. A
plugin names an algorithm and a protocol, so that a name here is both: "tree_ll128". Of CollNet,
NVLS and PAT only "simple" is there. NCCL passes over what it cannot run: NVLS and CollNet without
their switches, PAT with several ranks of a node, LL128 where it is not known to be safe.
Forced by NCCL_ALGO and NCCL_PROTO, which from 2.24 on name the collective; the option channels is
NCCL_MIN_NCHANNELS and NCCL_MAX_NCHANNELS.
Restrictions: the all-to-all, gather and scatter are sends and receives, and have no algorithms.
"""

from collections.abc import Mapping
from typing import ClassVar

from contend.schedules.libraries.algorithm import LibraryAlgorithm, Version
from contend.schedules.libraries.library import Library

# MPI's operation: the collective by the name of plugins and variables.
COLLECTIVES = {
    "allgather": "allgather", "allreduce": "allreduce", "bcast": "broadcast", "reduce": "reduce",
    "reduce_scatter": "reducescatter",
}  # fmt: skip
PROTOCOLS = ("ll", "ll128", "simple")
# By the plugin's name: that of NCCL_ALGO.
ALGORITHMS = {
    "tree": "Tree", "ring": "Ring", "collnet_direct": "CollNetDirect",
    "collnet_chain": "CollNetChain", "nvls": "NVLS", "nvls_tree": "NVLSTree", "pat": "PAT",
}  # fmt: skip
ANYWHERE = ("tree", "ring")  # need no hardware of their own, and have all protocols
_BLOCKS = ("ring", "collnet_direct", "nvls", "pat")
SERVED = {
    "allgather": _BLOCKS, "reduce_scatter": _BLOCKS, "bcast": ("ring",), "reduce": ("ring",),
    "allreduce": ("tree", "ring", "collnet_direct", "collnet_chain", "nvls", "nvls_tree"),
}  # fmt: skip
CHANNELS = "channels"


def algorithm_table(served: Mapping[str, tuple[str, ...]]) -> tuple[LibraryAlgorithm, ...]:
    """Return each algorithm of each operation with each protocol that it has."""
    return tuple(
        LibraryAlgorithm(
            operation, f"{name}_{protocol}", options=(CHANNELS,), library_name=name,
            fixed={"protocol": protocol},
        )
        for operation, names in served.items()
        for name in names
        for protocol in PROTOCOLS
        if name in ANYWHERE or protocol == "simple"
    )  # fmt: skip


def forcing(algorithm: LibraryAlgorithm, options: Mapping[str, int]) -> dict[str, str]:
    """Return the variables of NCCL and of RCCL that leave no other algorithm and protocol."""
    collective = COLLECTIVES[algorithm.operation]
    variables = {
        "NCCL_ALGO": f"{collective}:{ALGORITHMS[algorithm.own_name]}",
        "NCCL_PROTO": f"{collective}:{algorithm.fixed['protocol']}",
    }
    if CHANNELS in options:
        count = str(options[CHANNELS])
        variables |= {"NCCL_MIN_NCHANNELS": count, "NCCL_MAX_NCHANNELS": count}
    return variables


class NCCL(Library):
    name = "nccl"
    title = "NCCL"
    says = r"\bNCCL\s+(?:version\s+)?v?(\d[\d.]*)"
    oldest = (2, 27)
    table: ClassVar[tuple[LibraryAlgorithm, ...]] = algorithm_table(SERVED)

    def forcing(
        self, algorithm: LibraryAlgorithm, options: Mapping[str, int], version: Version
    ) -> dict[str, str]:
        self.require_options(algorithm, options)
        return forcing(algorithm, options)
