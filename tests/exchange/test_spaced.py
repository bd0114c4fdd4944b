"""Spaced exchanges send no faster than the link carries."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

pytestmark = [pytest.mark.mpi, pytest.mark.parallel, pytest.mark.timeout(120)]

Run = Callable[..., subprocess.CompletedProcess[str]]
Answer = Callable[..., dict[str, Any]]
GROUPS = "a,a,b,b,c"
SIZE = {"a": 2, "b": 2, "c": 1}  # of each group
LATE_US = 250  # a message may leave so much later than it is due, and the next as if it had not


@pytest.fixture
def sent(preloaded: Run, tmp_path: Path) -> Callable[..., list[list[int]]]:
    """A function that gives the messages of an exchange over a link."""

    def run(m: int, bandwidth: float, buffer: int, latency: float = 0) -> list[list[int]]:
        plan = tmp_path / "plan"
        plan.write_text(
            "contend-exchange 1\n"
            f"link node latency_s {latency} bandwidth {bandwidth} buffer {buffer} timeout_s 0\n"
            "choose node 0 spaced\n"
        )
        done = preloaded("messages", GROUPS, m, ranks=5, plan=plan, check=0)
        assert done.returncode == 0, done.stderr
        found: list[list[int]] = json.loads(done.stdout)
        return found

    return run


def group(rank: int) -> str:
    return GROUPS.split(",")[rank]


def to_group(messages: list[list[int]], rank: int, other: str) -> list[list[int]]:
    return [one for one in messages if one[0] == rank and group(one[1]) == other]


def test_between_two_messages_the_link_carries_those_of_the_group(
    sent: Callable[..., list[list[int]]],
) -> None:
    """To each other group at that rate, whatever goes to the others."""
    bandwidth, messages = 5e5, sent(3000, 5e5, 6144)
    for rank in range(5):
        for other in SIZE.keys() - {group(rank)}:
            due = [(2 if group(rank) != "c" else 1) * (one[2] + 150) / bandwidth * 1e6 * 1.05
                   for one in to_group(messages, rank, other)]  # fmt: skip
            left = [one[4] for one in to_group(messages, rank, other)]
            assert len(left) == 2 * SIZE[other]
            for (one, next_one), wait in zip(pairwise(left), due, strict=False):
                assert next_one - one > wait - LATE_US, (rank, other)


@pytest.mark.parametrize(
    ("buffer", "latency", "sizes"),
    [
        (0, 0, [8192, 1808]),
        (100, 0, [1024] * 9 + [784]),
        (12288, 0.1, [4096, 4096, 1808]),
        (10**9, 0, [8192, 1808]),
        (10**9, 2e-5, [10000]),
    ],
)
def test_chunks_fit_the_buffer_and_keep_the_link_busy(
    sent: Callable[..., list[list[int]]], buffer: int, latency: float, sizes: list[int]
) -> None:
    """Those of a group fill two thirds of the buffer at most."""
    messages = [one[2] for one in to_group(sent(10000, 1e9, buffer, latency), 0, "c")]
    assert messages == sizes


def test_a_rate_that_cannot_be_true_ends_nothing(sent: Callable[..., list[list[int]]]) -> None:
    assert len(sent(10, 1e-3, 0)) == 5 * 4


def test_it_is_a_candidate_where_the_rate_of_the_link_is_known(
    answer: Answer, tmp_path: Path
) -> None:
    """Else pairs take its place."""
    plan, groups = tmp_path / "plan", "level site\ngroup a host a*\ngroup b host b*\n"
    for link, tried, left in (
        ("link site latency_s 0.001 bandwidth 1e9 buffer 65536 timeout_s 0\n",
         {"lg_balanced", "spaced", "paced"}, {"throttled_pairwise", "node_aware"}),
        ("", {"lg_balanced", "paced", "throttled_pairwise"}, {"spaced", "node_aware"}),
    ):  # fmt: skip
        plan.write_text("contend-exchange 1\n" + groups + link)
        calls = answer("late", 14, 200_000, "equal", ranks=4, plan=plan)["calls"]
        assert {name for name in tried | left if calls[name] > 0} == tried
