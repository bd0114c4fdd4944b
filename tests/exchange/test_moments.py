"""Exchanges in callbacks, in threads that cross, and on communicators that end early."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

pytestmark = [pytest.mark.mpi, pytest.mark.timeout(120)]

Answer = Callable[..., dict[str, Any]]


@pytest.mark.parametrize(
    ("words", "served"),
    [
        (("freed", 9), 9),  # those in the callback are the MPI library's
        (("finalized",), 2),
        (("crossed",), 40),
        (("unfinished", 6), 21),
    ],
)
def test_they_are_served_or_left_to_mpi_by_all_ranks(
    answer: Answer, words: tuple[object, ...], served: int
) -> None:
    said = answer("moments", *words, ranks=4, algorithm="lg_balanced")
    assert said == {"right": 1, "served": served, "held": 0}


@pytest.mark.parametrize("algorithm", ["paced", "throttled_pairwise window=2"])
def test_an_error_at_one_rank_is_reported_there_and_all_go_on(
    answer: Answer, algorithm: str
) -> None:
    said = answer("moments", "truncated", ranks=4, algorithm=algorithm)
    assert said == {"right": 1, "served": 40, "held": 0}


@pytest.mark.parametrize("words", [("freed", 9), ("crossed",), ("unfinished", 12)])
def test_they_may_come_while_calls_are_timed(answer: Answer, words: tuple[object, ...]) -> None:
    said = answer("moments", *words, ranks=4)
    assert (said["right"], said["held"]) == (1, 0)
