"""What MPICH's algorithms need: parameters that must be written, and calls that they serve.

Source: src/mpi/coll/coll_algorithms.txt and csel_container.c of MPICH 4.0 to 5.0. A tree is not
asked whether an algorithm can serve a call: on 12 ranks an algorithm for powers of two asserts,
one for commutative operations is wrong without a word.
"""

# Parameter: what the control variable that forces the algorithm takes unless it is set, so that
# a rule runs what was measured.
_EXCHANGE = {"k": "2", "single_phase_recv": "0"}
PARAMETERS: dict[tuple[str, str], dict[str, str]] = {
    ("bcast", "tree"): {"tree_type": "kary", "k": "2", "is_non_blocking": "1"},
    ("bcast", "pipelined_tree"): {"tree_type": "kary", "k": "2", "is_non_blocking": "1",
                                  "chunk_size": "8192", "recv_pre_posted": "0"},
    ("allgather", "k_brucks"): {"k": "2"},
    ("allgather", "recexch_doubling"): _EXCHANGE,
    ("allgather", "recexch_halving"): _EXCHANGE,
    ("alltoall", "k_brucks"): {"k": "2"},
    ("allreduce", "recursive_multiplying"): {"k": "2"},
    ("allreduce", "tree"): {"tree_type": "kary", "k": "2", "chunk_size": "0",
                            "buffer_per_child": "0"},
    ("allreduce", "recexch"): _EXCHANGE,
    ("allreduce", "k_reduce_scatter_allgather"): _EXCHANGE,
    ("barrier", "k_dissemination"): {"k": "2"},
    ("barrier", "recexch"): _EXCHANGE,
}  # fmt: skip
OPTIONAL = frozenset(
    ("topo_overhead", "topo_diff_groups", "topo_diff_switches", "topo_same_switches")
)  # of trees that know the network
TREE_TYPES = ("kary", "knomial_1", "knomial_2", "topology_aware", "topology_aware_k",
              "topology_wave")  # fmt: skip
OPTION_KEYS = {"k": "k", "fanout": "k", "segment": "chunk_size"}  # contend's word: the key

POWER_OF_TWO = ("comm_size=pow2", "comm_size=any")
SEVERAL_A_NODE = ("comm_hierarchy=parent", "comm_hierarchy=any")
COMMUTATIVE = ("is_commutative=yes", "is_commutative=no")
BUILT_IN = ("is_op_built_in=yes", "is_op_built_in=no")
REGULAR = ("is_block_regular=yes", "is_block_regular=no")
CONSECUTIVE = ("is_node_consecutive=yes", "is_node_consecutive=no")
FEW_ELEMENTS = ("count=any", "count<pow2")  # fewer elements than ranks go elsewhere
NEEDS: dict[tuple[str, str], tuple[tuple[str, str], ...]] = {
    ("bcast", "scatter_recursive_doubling_allgather"): (POWER_OF_TWO,),
    ("bcast", "smp"): (SEVERAL_A_NODE,),
    ("allgather", "recursive_doubling"): (POWER_OF_TWO,),
    ("allgatherv", "recursive_doubling"): (POWER_OF_TWO,),
    ("reduce", "smp"): (SEVERAL_A_NODE, COMMUTATIVE),
    ("reduce", "reduce_scatter_gather"): (BUILT_IN, FEW_ELEMENTS),
    ("allreduce", "smp"): (SEVERAL_A_NODE, COMMUTATIVE),
    ("allreduce", "reduce_scatter_allgather"): (BUILT_IN, FEW_ELEMENTS),
    ("allreduce", "recursive_multiplying"): (COMMUTATIVE,),
    ("allreduce", "tree"): (COMMUTATIVE,),
    ("allreduce", "recexch"): (COMMUTATIVE,),
    ("allreduce", "ring"): (COMMUTATIVE,),
    ("allreduce", "k_reduce_scatter_allgather"): (COMMUTATIVE, FEW_ELEMENTS),
    ("reduce_scatter", "pairwise"): (COMMUTATIVE, REGULAR),  # else it aborts in place (5.0.2)
    ("reduce_scatter", "recursive_halving"): (COMMUTATIVE,),
    ("reduce_scatter", "noncommutative"): (POWER_OF_TWO, REGULAR),
    ("reduce_scatter_block", "pairwise"): (COMMUTATIVE,),
    ("reduce_scatter_block", "recursive_halving"): (COMMUTATIVE,),
    ("reduce_scatter_block", "noncommutative"): (POWER_OF_TWO,),
    ("barrier", "smp"): (SEVERAL_A_NODE,),
    ("scan", "smp"): (CONSECUTIVE,),
    # Run with 5.0.2: the first two compute wrong numbers, the others end the program.
    ("iallreduce", "tsp_ring"): (COMMUTATIVE,),
    ("iallreduce", "tsp_recexch_reduce_scatter_recexch_allgatherv"): (COMMUTATIVE,),
    ("ireduce_scatter", "sched_pairwise"): (COMMUTATIVE,),
    ("ireduce_scatter", "sched_recursive_halving"): (COMMUTATIVE,),
    ("ireduce_scatter", "tsp_recexch"): (COMMUTATIVE,),
    ("ireduce_scatter_block", "sched_pairwise"): (COMMUTATIVE,),
    ("ireduce_scatter_block", "sched_recursive_halving"): (COMMUTATIVE,),
    ("ireduce_scatter_block", "tsp_recexch"): (COMMUTATIVE,),
}  # fmt: skip
IN_PLACE = ("alltoall", "alltoallv", "alltoallw")  # asked first: without it counts mean nothing

# By which size a tree tells the calls of an operation apart, and how often m is counted in it.
SIZE = {
    "bcast": "avg_msg_size", "reduce": "avg_msg_size", "allreduce": "avg_msg_size",
    "alltoall": "avg_msg_size", "allgather": "total_msg_size", "allgatherv": "total_msg_size",
    "reduce_scatter": "total_msg_size", "reduce_scatter_block": "total_msg_size",
}  # fmt: skip
# A total of these is not the same on all ranks: of the own counts, or of a count that the root
# need not give in place. Ranks that disagree run different algorithms, and wait for ever.
UNSAFE_TOTAL = ("gather", "scatter", "alltoallv", "alltoallw")
