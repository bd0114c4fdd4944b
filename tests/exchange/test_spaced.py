"""Spaced exchanges send no faster than the link carries."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from contend.alltoall.plan import link_queues
from contend.alltoall.plan.link_queues import SLACK, on_link

pytestmark = [pytest.mark.mpi, pytest.mark.timeout(120)]

GROUPS = "a,a,b,b,c"
SIZE = {"a": 2, "b": 2, "c": 1}  # of each group


@pytest.fixture
def sent(preloaded, tmp_path):
    """A function that gives the messages of an exchange over a link."""

    def run(m, bandwidth, buffer, latency=0):
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


def group(rank):
    return GROUPS.split(",")[rank]


def to_group(messages, rank, other):
    return [one for one in messages if one[0] == rank and group(one[1]) == other]


def test_predictions_space_by_the_numbers_of_the_library():
    sources = Path(__file__).parents[2] / "mpi" / "interpose" / "exchange"
    text = (sources / "schedule" / "spacing.c").read_text()
    for name in ("SLACK", "ENVELOPE", "HEADERS", "PACKET"):
        (said,) = re.findall(rf"^#define {name} ([\d.]+)", text, re.MULTILINE)
        assert float(said) == getattr(link_queues, name)


@pytest.mark.parametrize("buffer", [0, 6144, 30_000])
def test_no_message_leaves_before_the_link_has_carried_those_before(sent, buffer):
    """Those of all ranks of the group, but for what its buffer holds; to each group by itself."""
    bandwidth, messages = 5e5, sent(5000, 5e5, buffer)
    ahead_us = 0.7 * buffer / bandwidth * 1e6
    for rank in range(5):
        for other in SIZE.keys() - {group(rank)}:
            after_us = 0.0
            for _, _, size, _, left_us, _ in to_group(messages, rank, other):
                takes_us = SLACK * SIZE[group(rank)] * float(on_link(size)) / bandwidth * 1e6
                assert left_us > after_us - max(0, ahead_us - takes_us) - 1, (rank, other)
                after_us += takes_us


@pytest.mark.parametrize(
    ("buffer", "latency", "sizes"),
    [
        (0, 0, [8192, 1808]),
        (100, 0, [1024] * 9 + [784]),
        (12288, 0.1, [2048] * 4 + [1808]),
        (10**9, 0, [8192, 1808]),
        (10**9, 2e-5, [10000]),
    ],
)
def test_chunks_fit_the_buffer_and_keep_the_link_busy(sent, buffer, latency, sizes):
    """Those of a group fill a third of the buffer at most."""
    messages = [one[2] for one in to_group(sent(10000, 1e9, buffer, latency), 0, "c")]
    assert messages == sizes


def test_a_rate_that_cannot_be_true_ends_nothing(sent):
    assert len(sent(10, 1e-3, 0)) == 5 * 4


def test_it_is_a_candidate_where_the_rate_of_the_link_is_known(answer, tmp_path):
    """Else those that wait for answers and for pairs take its place. Who loses a trial ends them
    for a while, so that not all need have one."""
    plan, groups = tmp_path / "plan", "level site\ngroup a host a*\ngroup b host b*\n"
    for link, tried, left in (
        ("link site latency_s 0.001 bandwidth 1e9 buffer 65536 timeout_s 0\n",
         {"lg_balanced", "spaced"}, {"paced", "throttled_pairwise", "node_aware"}),
        ("", {"lg_balanced", "paced", "throttled_pairwise"}, {"spaced", "node_aware"}),
    ):  # fmt: skip
        plan.write_text("contend-exchange 1\n" + groups + link)
        calls = answer("late", 200, 200_000, "equal", ranks=4, plan=plan)["calls"]
        had = {name for name in tried | left if calls[name] > 0}
        assert had and had <= tried
        assert ("spaced" in had) == bool(link)  # 800 kB fill the buffer, and then it is the first


@pytest.fixture
def served(answer, tmp_path):
    """A function that gives how many calls each algorithm served, over a link with such a buffer.

    Its rate makes calls of half a second, whose lateness is judged as none.
    """

    def run(kind, calls, buffer, timeout):
        plan = tmp_path / "plan"
        plan.write_text(
            "contend-exchange 1\nlevel site\ngroup a host a*\ngroup b host b*\n"
            f"link site latency_s 0.001 bandwidth 4e5 buffer {buffer} timeout_s {timeout}\n"
        )
        had = answer("late", calls, 50_000, kind, ranks=4, plan=plan)["calls"]
        return had["spaced"], had["native"]

    return run


@pytest.mark.parametrize("kind", ["equal", "varying", "typed"])
def test_it_serves_all_calls_that_overflow_the_link_until_a_look_would_cost_no_more(served, kind):
    """200 kB cross; what a time-out takes is what the look may cost."""
    assert served(kind, 4, 65536, timeout=100) == (4, 0)
    spaced, native = served(kind, 4, 65536, timeout=0)
    assert spaced >= 2  # and then the look
    assert native >= 1


@pytest.mark.parametrize("kind", ["equal", "varying", "typed"])
def test_nothing_but_the_library_is_looked_at_first_where_the_buffer_holds_half(served, kind):
    assert served(kind, 1, 120_000, timeout=100) == (0, 1)
