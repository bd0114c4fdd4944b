"""Names of the algorithms that a library was made to use, from the names that PICO gives them.

Source: HLC-Lab/pico, config/algorithms/MPI: each of its names ends in that of the library
(`chain_ompi`, `binomial_mpich`) and stands for the number, or the name, by which the library is
reported. Numbers of Open MPI: coll_tuned_*_decision.c.
It reads no format; readers of PICO share it.
"""

from contend.samples.setting import OF_LIBRARY

LIBRARIES = {"ompi": "openmpi", "mpich": "mpich"}  # PICO's suffix, and the name of the library
OWN_CHOICE = "default"
_OTHERS = {  # where PICO's name is not the library's own
    ("openmpi", "allgather"): {"k_bruck": "bruck"},
    ("openmpi", "allreduce"): {
        "linear": "basic_linear", "non_overlapping": "nonoverlapping",
        "ring_segmented": "segmented_ring",
    },
    ("openmpi", "bcast"): {
        "binary": "binary_tree", "linear": "basic_linear", "split_binary": "split_binary_tree",
    },
    ("openmpi", "gather"): {"linear": "basic_linear", "linear_synch": "linear_sync"},
    ("openmpi", "reduce"): {"in_order": "in-order_binary"},
    ("openmpi", "reduce_scatter"): {"non_overlapping": "non-overlapping"},
    ("openmpi", "scatter"): {"linear": "basic_linear"},
    ("mpich", "allgather"): {"recexch": "recexch_doubling"},
    ("mpich", "allreduce"): {
        "k_rabenseifner": "k_reduce_scatter_allgather",
        "rabenseifner": "reduce_scatter_allgather", "rechexch": "recexch", "tree": "tree_knomial_1",
    },
    ("mpich", "bcast"): {  # trees of the type that is MPICH's default of the operation, as above
        "pipelined_tree": "pipelined_tree_kary", "tree": "tree_kary",
    },
    ("mpich", "reduce"): {"rabenseifner": "reduce_scatter_gather"},
    ("mpich", "reduce_scatter"): {"non_commutative": "noncommutative"},
}  # fmt: skip


def library_algorithm(operation: str, name: str) -> str | None:
    """Library, colon and its own name; `native` for its own choice; None for no library's.

    >>> library_algorithm("bcast", "split_binary_ompi"), library_algorithm("bcast", "default_mpich")
    ('openmpi:split_binary_tree', 'native')
    >>> library_algorithm("bcast", "bine_lat_over") is None
    True
    """
    stem, separator, suffix = name.rpartition("_")
    if not separator or suffix not in LIBRARIES:
        return None
    if stem == OWN_CHOICE:
        return "native"
    library = LIBRARIES[suffix]
    usual = "nb" if (library, stem) == ("mpich", "non_blocking") else stem
    return f"{library}{OF_LIBRARY}{_OTHERS.get((library, operation), {}).get(stem, usual)}"
