"""A selection tree of a library that there is not, and what MPICH's search makes of any tree.

The search is written after `MPIR_Csel_prune` and `MPIR_Csel_search`: at the making of a
communicator questions on it are answered down to the first on a call, and the rest at each call.
"""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from contend.tune.choose.rules import Decisions, Rule
from contend.tune.exports.csel.facts import BETWEEN_GROUPS, COLLECTIVES

Tree = dict[str, Any]
CALLS = ("avg_msg_size", "total_msg_size", "count", "is_commutative", "is_sendbuf_inplace",
         "is_op_built_in", "is_block_regular", "is_multi_threaded")  # fmt: skip


def end(name: str, **parameters: object) -> Tree:
    """The end of a path."""
    return {f"algorithm=MPIR_{name}": {f"{key}={value}": {} for key, value in parameters.items()}}


OWN = {
    "bcast": {
        "comm_size<8": end("Bcast_intra_binomial"),
        "comm_size=pow2": {
            "comm_hierarchy=parent": end("Bcast_intra_smp"),
            "comm_hierarchy=any": {
                "avg_msg_size<12288": end("Bcast_intra_binomial"),
                "avg_msg_size=any": end("Bcast_intra_scatter_recursive_doubling_allgather"),
            },
        },
        "comm_size=any": end("Bcast_intra_scatter_ring_allgather"),
    },
    "alltoall": {
        "is_sendbuf_inplace=yes": end("Alltoall_intra_pairwise_sendrecv_replace"),
        "is_sendbuf_inplace=no": {
            "comm_size<8": end("Alltoall_intra_scattered"),
            "comm_size=any": {
                "avg_msg_size<=256": end("Alltoall_intra_brucks"),
                "avg_msg_size=any": end("Alltoall_intra_pairwise"),
            },
        },
    },
    "allgather": {
        "comm_size=pow2": {
            "total_msg_size<5000": end("Allgather_intra_recursive_doubling"),
            "total_msg_size=any": end("Allgather_intra_ring"),
        },
        "comm_size=any": end("Allgather_intra_brucks"),
    },
    "reduce": {
        "is_op_built_in=yes": {
            "count<pow2": end("Reduce_intra_binomial"),
            "count=any": end("Reduce_intra_reduce_scatter_gather"),
        },
        "is_op_built_in=no": end("Reduce_intra_binomial"),
    },
    "allreduce": {
        "avg_msg_size<=8": end("Allreduce_intra_recursive_doubling"),
        "avg_msg_size=any": {"comm_size<5": end("Allreduce_allcomm_nb"),
                             "comm_size=any": end("Allreduce_intra_recursive_doubling")},
    },
    "reduce_scatter": {
        "is_commutative=yes": end("Reduce_scatter_intra_pairwise"),
        "is_commutative=no": end("Reduce_scatter_intra_recursive_doubling"),
    },
    "gather": end("Gather_intra_binomial"),
    "barrier": end("Barrier_intra_k_dissemination", k=2),
}  # fmt: skip
BETWEEN = {"bcast": "remote_send_local_bcast", "alltoall": "pairwise_exchange",
           "allgather": "local_gather_remote_bcast", "reduce": "local_reduce_remote_send",
           "allreduce": "reduce_exchange_bcast", "gather": "linear", "barrier": "bcast",
           "reduce_scatter": "remote_reduce_local_scatter"}  # fmt: skip


def own_tree() -> Tree:
    """A tree that is complete: those of `OWN`, and one leaf for what is left."""
    tree: Tree = {}
    for name in COLLECTIVES:
        if name in OWN:
            inter = end(f"{name.capitalize()}_inter_{BETWEEN[name]}")
            tree[f"collective={name}"] = {"comm_type=intra": OWN[name], "comm_type=inter": inter}
        elif not name.startswith("i"):
            tree[f"collective={name}"] = end(f"{name.capitalize()}_allcomm_nb")
        else:
            tree[f"collective={name}"] = _nonblocking(name)
    return json.loads(json.dumps(tree))  # type: ignore[no-any-return]


def _nonblocking(name: str) -> Tree:
    from contend.tune.exports.csel.facts import NAMES

    def of(kind: str) -> Tree:
        return end(f"{name.capitalize()}_{kind}_{NAMES[name, kind][0]}")

    if (name, "allcomm") in NAMES:
        return of("allcomm")
    if name not in BETWEEN_GROUPS:
        return of("intra")
    in_place = {"ialltoall": "sched_inplace", "ialltoallv": "sched_inplace",
                "ialltoallw": "sched_inplace"}.get(name)  # fmt: skip
    intra = of("intra")
    if in_place:
        intra = {"is_sendbuf_inplace=yes": end(f"{name.capitalize()}_intra_{in_place}"),
                 "is_sendbuf_inplace=no": intra}  # fmt: skip
    return {"comm_type=intra": intra, "comm_type=inter": of("inter")}


@dataclass(frozen=True)
class Call:
    """A call on one communicator: m as contend has it, `count` elements."""

    operation: str
    n: int
    m: int
    ppn: int = 1
    in_place: bool = False
    commutative: bool = True
    built_in: bool = True
    regular: bool = True
    count: int = 10**6

    @property
    def total(self) -> int:
        """Bytes of all blocks."""
        return self.n * self.m


def _answers(text: str, call: Call, is_search: bool) -> bool:
    name, relation, value = _split(text)
    if value == "any":
        return True
    yes_no = {"is_commutative": call.commutative, "is_op_built_in": call.built_in,
              "is_sendbuf_inplace": call.in_place, "is_block_regular": call.regular,
              "is_multi_threaded": False, "is_node_consecutive": True}  # fmt: skip
    if name in yes_no:
        return yes_no[name] == (value == "yes")
    if name == "comm_type":
        return value == "intra"
    if name == "comm_hierarchy":
        return (value == "parent") == (call.ppn > 1)
    if (name, value) == ("comm_size", "pow2"):
        return call.n & (call.n - 1) == 0
    if (name, value) == ("count", "pow2"):
        return call.count < 1 << (call.n.bit_length() - 1)
    if name == "comm_avg_ppn":
        return call.ppn > 1 and call.ppn <= int(value) - (relation == "<")
    number = {"comm_size": call.n, "avg_msg_size": call.m, "total_msg_size": call.total,
              "count": call.count}[name]  # fmt: skip
    strict = relation == "<" and not (name == "comm_size" and is_search)
    return number < int(value) if strict else number <= int(value)


def _split(text: str) -> tuple[str, str, str]:
    for relation in ("<=", "<", "="):
        if relation in text:
            name, _, value = text.partition(relation)
            return name, relation, value
    raise AssertionError(text)


def reached(tree: Tree, call: Call) -> Tree:
    """The level that names what runs; an assertion where the library would abort."""
    here, is_search = tree[f"collective={call.operation}"], False
    while not any(text.startswith(("algorithm=", "composition=")) for text in here):
        # A level is asked key after key, and a key on a call ends the pruning there.
        for text, below in here.items():
            is_search = is_search or _split(text)[0] in CALLS
            if _answers(text, call, is_search):
                here = below
                break
        else:
            raise AssertionError(f"{call} falls out below {list(here)}")
    return here  # type: ignore[no-any-return]


def rule(operation: str, n: int, n_to: int | None, m: int, m_to: int | None, algorithm: str,
         ppn: int | None = None, **options: int) -> Rule:  # fmt: skip
    """A rule without figures."""
    return Rule(operation=operation, n=n, n_to=n_to, m=m, m_to=m_to, algorithm=algorithm,
                processes_per_node=ppn, options=options, why="")  # fmt: skip


def tiling(
    rng: random.Random, operation: str, names: Sequence[str],
    counts: range = range(2, 64), sizes: range = range(1, 3000),
) -> list[Rule]:  # fmt: skip
    """Rules that tile some n and m by algorithms of these names, with gaps in n."""
    rules = []
    ns = sorted(rng.sample(counts, rng.randint(2, 4)))
    for n, n_to in zip(ns, [*ns[1:], rng.choice([None, counts.stop])], strict=True):
        if rng.random() < 0.2:
            continue
        ms = sorted({0, *rng.sample(sizes, rng.randint(0, 3) if sizes else 0)})
        last = rng.choice([None, sizes.stop + 1]) if sizes else None
        for m, m_to in zip(ms, [*ms[1:], last], strict=True):
            rules.append(rule(operation, n, n_to, m, m_to, rng.choice(names)))
    return rules


def decisions(*rules: Rule, library: str = "mpich", version: str = "5.0.2") -> Decisions:
    """Decisions of a network that there is not."""
    return Decisions(network="made up", date="2025-01-01T00:00:00Z", contend="0", rules=rules,
                     library=library, library_version=version)  # fmt: skip
