"""MCA parameters of coll/tuned, and how values of them are read.

Source: ompi_info --all --param coll tuned --level 9 of 4.1.4 and 5.0.11, which list the same.
"""

from contend.exports.settings import Setting
from contend.libraries import LIBRARIES, Version
from contend.libraries.openmpi import PREFIX

FAMILY = "coll_tuned_"
DYNAMIC = "coll_tuned_use_dynamic_rules"
FILE = "coll_tuned_dynamic_rules_filename"
TRUE = frozenset(("1", "t", "true", "enabled", "yes", "y"))
FALSE = frozenset(("0", "f", "false", "disabled", "no", "n"))
DEFAULTS = frozenset(("0", "ignore"))  # values of an algorithm that leave the library to itself
# What each operation has besides _algorithm, and the operations that lack it.
_SEGMENTED = ("allgather", "allgatherv", "allreduce", "alltoall", "bcast", "gather", "reduce",
              "reduce_scatter", "reduce_scatter_block", "scatter")  # fmt: skip
OPTIONS = {
    "segmentsize": _SEGMENTED,
    "tree_fanout": _SEGMENTED,
    "chain_fanout": tuple(name for name in _SEGMENTED if name != "reduce_scatter_block"),
    "max_requests": ("alltoall", "reduce", "scatter"),
    "knomial_radix": ("bcast",),
}
# There, and looked at by nothing.
WITHOUT_EFFECT = ("small_msg", "intermediate_msg", "large_msg", "min_procs", "algorithm_count")
_OTHERS = (DYNAMIC, FILE, "coll_tuned_priority", "coll_tuned_init_tree_fanout",
           "coll_tuned_init_chain_fanout")  # fmt: skip


def parameter(setting: Setting) -> str:
    """The parameter that a variable sets."""
    return setting.name.removeprefix(PREFIX)


def operations(version: Version) -> tuple[str, ...]:
    """The operations that have an algorithm to force."""
    library = LIBRARIES.get("openmpi")
    return tuple(name for name in library.operations(version) if library.algorithms(name, version))


def parameters(version: Version) -> list[str]:
    """The names of all of them that have an effect."""
    options = [f"{FAMILY}{of}_algorithm_{name}" for name, those in OPTIONS.items() for of in those]
    forcing = [f"{FAMILY}{of}_algorithm" for of in operations(version)]
    return [*_OTHERS, *forcing, *options]


def forced(setting: Setting, version: Version) -> str | None:
    """The operation of which a setting forces the algorithm."""
    names = {f"{FAMILY}{of}_algorithm": of for of in operations(version)}
    return names.get(parameter(setting))
