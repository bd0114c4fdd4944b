"""The least time where processes share cards: counted by hand, and by messages one by one."""

import numpy as np
import pytest

from contend.models.bounds import operation_bound
from contend.models.explanation.bound import card_bytes, least_seconds, nodes
from contend.models.explanation.case import cases
from contend.models.explanation.message import Message, known_message
from contend.schedules.collective import COLLECTIVES
from contend.schedules.pointtopoint import hockney
from support.synthesis import pingpong, sample

LINE = hockney.given(2e-6, 1e-9)
M = np.array([1.0, 4096.0])


def test_nodes_are_full_but_the_last() -> None:
    assert nodes(10, 4) == (4, 4, 2)
    assert nodes(3, 8) == (3,)
    assert sum(nodes(128, 96)) == 128


@pytest.mark.parametrize(("n", "per_node"), [(10, 4), (8, 4), (9, 2), (128, 96)])
def test_bytes_of_a_card_are_those_of_messages_counted_one_by_one(n: int, per_node: int) -> None:
    node = [rank // per_node for rank in range(n)]
    sent = [0] * (max(node) + 1)
    for src in range(n):
        for dst in range(n):
            sent[node[src]] += node[src] != node[dst]
    assert card_bytes("alltoall", n, per_node, np.array([3.0])) == [3.0 * max(sent)]


@pytest.mark.parametrize("operation", sorted({*COLLECTIVES, "alltoall"}))
def test_a_process_a_node_has_the_bound_of_the_operation(operation: str) -> None:
    for per_node in (None, 1):
        np.testing.assert_array_equal(
            least_seconds(operation, 8, per_node, M, Message(LINE)),
            operation_bound(operation, 8, M, LINE),
        )


@pytest.mark.parametrize("operation", ["alltoall", "allgather", "bcast", "allreduce", "scatter"])
def test_more_that_is_known_never_lowers_the_bound_of_shared_cards(operation: str) -> None:
    each = least_seconds(operation, 48, 24, M, Message(LINE))
    card = least_seconds(operation, 48, 24, M, Message(LINE, 1e-9))
    apart = operation_bound(operation, 48, M, LINE)
    assert (each <= card * (1 + 1e-12)).all()
    assert (each <= apart).all()


def test_of_an_exchange_the_card_counts_where_it_is_what_takes_longest() -> None:
    fast, slow = (
        least_seconds("alltoall", 48, 24, M, Message(LINE, card)) for card in (1e-12, 1e-9)
    )
    np.testing.assert_allclose(fast, 24 * LINE.seconds(M))
    assert slow[1] == pytest.approx(24 * 24 * 4096e-9)


def test_of_processes_on_one_node_only_a_message_within_it_tells() -> None:
    within = [one.model_copy(update={"processes_per_node": 2}) for one in pingpong(1e-6, 1e-9)]
    for samples, one_node in ((within, True), (pingpong(1e-6, 1e-9), False)):
        message = known_message(samples, None)
        assert message.is_within_node == one_node
        for per_node in (8, 16):
            assert np.isfinite(least_seconds("alltoall", 8, per_node, M, message)).all() == one_node
        for per_node in (None, 1, 4):
            assert np.isfinite(least_seconds("alltoall", 8, per_node, M, message)).all() != one_node


def test_without_a_message_the_bytes_stand_at_the_best_rate_of_the_times() -> None:
    samples = [sample(m, 4, (1e-5 + m * 1e-9,)) for m in (1, 1024, 1 << 20, 1 << 24)]
    (case,) = cases(samples, Message())
    lost = case.rows["lost"].tolist()
    assert np.isnan(lost[:2]).all()
    assert lost[2:] == [pytest.approx(1.009, abs=0.002), pytest.approx(1.0)]


def test_a_message_is_taken_from_what_was_measured_before_what_was_said() -> None:
    measured = known_message(pingpong(2e-6, 1e-9), None, card=1e-10)
    assert measured.hockney is not None
    assert float(measured.hockney.beta) == pytest.approx(1e-9)
    assert measured.card == 1e-10
    said = known_message([], None, latency=1e-6, card=1e-10)
    assert said.hockney is not None
    assert (float(said.hockney.alpha), float(said.hockney.beta)) == (1e-6, 1e-10)
    assert not known_message([], None, card=1e-10).has_alpha
    assert known_message([], None) == Message()
