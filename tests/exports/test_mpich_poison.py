import json
from typing import Any

import pytest

from contend.tune.exports.csel.poison import TreePoison, leaf_of

POISON = TreePoison()
poisoned = POISON.poisoned

BINOMIAL = {"algorithm=MPIR_Bcast_intra_binomial": {}}
RING = {"algorithm=MPIR_Bcast_intra_scatter_ring_allgather": {}}
BRUCK = {"algorithm=MPIR_Allgather_intra_k_brucks": {"k=4": {}}}
PLAIN = {"algorithm=MPIR_Allgather_intra_ring": {}}
SCATTERED = {"algorithm=MPIR_Scatter_intra_binomial": {}}
LINEAR = {"algorithm=MPIR_Scatter_intra_linear": {}}
TEXT = json.dumps(
    {
        "collective=bcast": {"comm_size<8": BINOMIAL, "comm_size=any": RING},
        "collective=allgather": {"comm_size<4": BRUCK, "comm_size=any": PLAIN},
        "collective=scatter": {"comm_size<4": SCATTERED, "comm_size=any": LINEAR},
    }
)


def test_the_leaves_of_an_operation_are_named() -> None:
    assert POISON.leaves(TEXT, "bcast", (4, 0, 2)) == ("binomial", "scatter_ring_allgather")
    assert POISON.leaves(TEXT, "allgather", (4, 0, 2)) == ("k_brucks", "ring")
    assert POISON.leaves(TEXT, "gather", (4, 0, 2)) == ()


def test_only_the_named_leaves_of_the_operation_are_changed() -> None:
    made, before = json.loads(poisoned(TEXT, "scatter", ["binomial"], 4, 64)), json.loads(TEXT)
    assert made.pop("collective=scatter") == {
        "comm_size<4": {"algorithm=MPIR_Bcast_intra_binomial": {}},
        "comm_size=any": LINEAR,
    }
    del before["collective=scatter"]
    assert made == before


def test_poison_is_an_algorithm_of_another_operation() -> None:
    made = json.loads(poisoned(TEXT, "bcast", ["binomial"], 4, 64))
    assert "MPIR_Scatter" in json.dumps(made["collective=bcast"])


def below(operation: str, leaf: str, n: int, m: int) -> dict[str, Any]:
    """What stands in the place of the first leaf of an operation."""
    tree = json.loads(poisoned(TEXT, operation, [leaf], n, m))[f"collective={operation}"]
    assert list(tree.values())[1] == json.loads(TEXT)[f"collective={operation}"]["comm_size=any"]
    return next(iter(tree.values()))  # type: ignore[no-any-return]


def test_calls_of_other_sizes_are_spared_where_the_library_asks_for_the_size() -> None:
    made = below("bcast", "binomial", 4, 64)
    assert list(made) == ["avg_msg_size<64", "avg_msg_size<=64", "avg_msg_size=any"]
    assert made["avg_msg_size<64"] == made["avg_msg_size=any"] == BINOMIAL
    assert made["avg_msg_size<=64"] != BINOMIAL
    assert "avg_msg_size<0" not in below("bcast", "binomial", 4, 0)
    of_all = below("allgather", "k_brucks", 3, 64)
    assert list(of_all) == [f"total_msg_size{to}" for to in ("<192", "<=192", "=any")]
    assert of_all["total_msg_size<192"] == BRUCK


def test_of_more_bytes_than_a_key_can_hold_all_calls_die() -> None:
    assert list(below("allgather", "k_brucks", 4, 2**30)) == ["algorithm=MPIR_Bcast_intra_binomial"]


@pytest.mark.parametrize(
    ("operation", "asked"),
    [("allreduce", "avg_msg_size<=64"), ("reduce_scatter", "total_msg_size<=192")],
)
def test_what_is_reduced_are_whole_numbers(operation: str, asked: str) -> None:
    leaf = {leaf_of(operation, "ring"): {}}
    text = json.dumps({f"collective={operation}": leaf})
    assert (
        asked in json.loads(poisoned(text, operation, ["ring"], 3, 67))[f"collective={operation}"]
    )


def test_poisoning_nothing_changes_nothing() -> None:
    assert json.loads(poisoned(TEXT, "bcast", [], 4, 64)) == json.loads(TEXT)
