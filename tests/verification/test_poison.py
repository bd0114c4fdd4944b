import json

from contend.verification.poison import leaves, poisoned

BINOMIAL = {"algorithm=MPIR_Bcast_intra_binomial": {}}
RING = {"algorithm=MPIR_Bcast_intra_scatter_ring_allgather": {}}
BRUCK = {"algorithm=MPIR_Allgather_intra_k_brucks": {"k=4": {}}}
PLAIN = {"algorithm=MPIR_Allgather_intra_ring": {}}
TEXT = json.dumps(
    {
        "collective=bcast": {"comm_size<8": BINOMIAL, "comm_size=any": RING},
        "collective=allgather": {"comm_size<4": BRUCK, "comm_size=any": PLAIN},
    }
)


def test_the_leaves_of_an_operation_are_named() -> None:
    assert leaves(TEXT, "bcast") == ("binomial", "scatter_ring_allgather")
    assert leaves(TEXT, "allgather") == ("k_brucks", "ring")
    assert leaves(TEXT, "scatter") == ()


def test_only_the_named_leaves_of_the_operation_are_changed() -> None:
    made = json.loads(poisoned(TEXT, "allgather", ["k_brucks"], 64))
    assert made["collective=bcast"] == json.loads(TEXT)["collective=bcast"]
    assert made["collective=allgather"] == {
        "comm_size<4": {"algorithm=MPIR_Bcast_intra_binomial": {}},
        "comm_size=any": PLAIN,
    }


def test_poison_is_an_algorithm_of_another_operation() -> None:
    made = json.loads(poisoned(TEXT, "bcast", ["binomial"], 64))
    assert "MPIR_Scatter" in json.dumps(made["collective=bcast"])


def test_calls_of_other_sizes_are_spared_where_the_library_asks_for_the_size() -> None:
    made = json.loads(poisoned(TEXT, "bcast", ["binomial"], 64))["collective=bcast"]["comm_size<8"]
    assert list(made) == ["avg_msg_size<64", "avg_msg_size<=64", "avg_msg_size=any"]
    assert made["avg_msg_size<64"] == made["avg_msg_size=any"] == BINOMIAL
    assert made["avg_msg_size<=64"] != BINOMIAL
    none = json.loads(poisoned(TEXT, "bcast", ["binomial"], 0))["collective=bcast"]["comm_size<8"]
    assert "avg_msg_size<0" not in none


def test_poisoning_nothing_changes_nothing() -> None:
    assert json.loads(poisoned(TEXT, "bcast", [], 64)) == json.loads(TEXT)
