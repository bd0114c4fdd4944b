"""Sizes that no int can say, or that ranks describe differently: all calls give what MPI gives."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

import pytest

pytestmark = [pytest.mark.mpi, pytest.mark.timeout(120)]

Answer = Callable[..., dict[str, Any]]


@pytest.mark.parametrize("algorithm", ["lg_balanced", "paced"])
@pytest.mark.parametrize(("sizes", "calls"), [("uncounted", 24), ("empty", 24), ("far", 12)])
def test_the_algorithm_serves_whatever_the_sizes(
    answer: Answer, sizes: str, calls: int, algorithm: str
) -> None:
    said = answer("sizes", sizes, ranks=4, algorithm=algorithm)
    assert (said[algorithm], said["held"]) == (calls, 0)


def test_types_of_more_bytes_than_an_int_can_say_pass_the_check(answer: Answer) -> None:
    assert answer("sizes", "uncounted", ranks=3)["held"] == 0


def test_ranks_that_expect_more_than_comes_are_left_to_mpi(answer: Answer) -> None:
    said = answer("sizes", "bounds", ranks=4, algorithm="lg_balanced")
    assert (said["native"], said["lg_balanced"], said["held"]) == (12, 0, 0)


@pytest.mark.skipif(
    "CONTEND_HEAVY" not in os.environ, reason="takes 4 GB of memory; CONTEND_HEAVY=1 runs it"
)
@pytest.mark.parametrize(("algorithm", "calls"), [("paced", 2), ("lg_balanced", 0)])
def test_calls_of_gigabytes(answer: Answer, algorithm: str, calls: int) -> None:
    said = answer("sizes", "heavy", ranks=4, algorithm=algorithm)
    assert (said[algorithm], said["native"], said["held"]) == (calls, 2 - calls, 0)
