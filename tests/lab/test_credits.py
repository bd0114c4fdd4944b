"""What a network needs for flow control: no circle of links, and buffers of a round trip."""

import random
from itertools import pairwise

import pytest

from contend.base.errors import ContendError
from contend.measure.lab import read_lab
from contend.measure.lab.credits import circle, least_frames
from contend.measure.lab.levels import UNBOUNDED
from contend.measure.lab.levels import links as levels
from contend.measure.lab.specification import parse_lab
from contend.measure.lab.text import when_full_text

CREDITS = 'flow_control = "credits"\n'
CLUSTER = """
[[clusters]]
name = "NAME"
hosts = 2
rate = "8Mbit/s"
buffer = "64KiB"
latency = "100us"
"""
BACKBONE = """
[[backbones]]
between = ["A", "B"]
rate = "8Mbit/s"
delay = "5ms"
buffer = "32KiB"
"""


def joined(*pairs):
    """Clusters named by letters, with backbones between those of each pair."""
    names = sorted(set("".join(pairs))) or ["a"]
    parts = [CLUSTER.replace("NAME", name) for name in names]
    parts += [BACKBONE.replace('"A", "B"', f'"{a}", "{b}"') for a, b in pairs]
    return parse_lab(CREDITS + "".join(parts), "mine", "mine.toml")


def test_buffers_are_behind_the_links_that_they_stop():
    """Those of a cluster behind its hosts' uplinks; a host takes everything."""
    buffers = {link.name: link.buffer_bytes for link in joined("ab").links()}
    assert buffers["up:a1"] == 65536
    assert buffers["down:a1"] is None
    assert buffers["backbone:a-b"] == buffers["backbone:b-a"] == 32768


def test_the_switch_is_told_of_flow_control_only_where_there_is_some():
    lines = joined().switch_configuration().splitlines()
    assert "flow_control credits" in lines
    assert "link up:a1 8000000 65536 50000" in lines
    assert "link down:a1 8000000 0 50000" in lines
    assert "flow_control" not in read_lab("shallow-ethernet").switch_configuration()


@pytest.mark.parametrize("pairs", [(), ("ab",), ("ab", "bc", "ca"), ("ab", "bc", "cd", "bd")])
def test_networks_without_a_circle_are_taken(pairs):
    """A triangle too: each pair has a backbone of its own, so that none follows another."""
    assert joined(*pairs).has_credits


@pytest.mark.parametrize("ring", ["abcde", "abcdef"])
def test_a_ring_of_backbones_is_refused_with_its_links(ring):
    pairs = [a + b for a, b in pairwise(ring + ring[0])]
    with pytest.raises(ContendError, match=r"mine.toml: .*wait for each other .*backbone:a"):
        joined(*pairs)


@pytest.mark.parametrize("seed", range(20))
def test_a_circle_is_found_where_links_reach_themselves(seed):
    """Held against the closure of what follows what, over random routes."""
    rng = random.Random(seed)
    routes = [rng.sample("abcdefgh", rng.randrange(1, 4)) for _ in range(rng.randrange(3, 9))]
    follows = {pair for route in routes for pair in pairwise(route)}
    reached = set(follows)
    for _ in range(8):
        reached |= {(a, d) for a, b in reached for c, d in follows if b == c}
    found = circle(routes)
    assert bool(found) == any(a == b for a, b in reached)
    for pair in zip(found, found[1:] + found[:1], strict=True):
        assert pair in follows


def test_a_buffer_below_a_round_trip_is_refused():
    """At 8 Mbit/s and 5 ms: 2 + 2 * 5 / 1.538 frames, which are 9 of 1514 bytes."""
    assert least_frames(8e6, 5e-3) == 9
    text = CREDITS + CLUSTER.replace("NAME", "a") + CLUSTER.replace("NAME", "b")
    text += BACKBONE.replace('"A", "B"', '"a", "b"')
    parse_lab(text.replace("32KiB", str(9 * 1514)), "x", "x")
    with pytest.raises(ContendError, match="backbone:a-b would stand still for want of room"):
        parse_lab(text.replace("32KiB", str(9 * 1514 - 1)), "x", "x")


def test_unlimited_links_and_buffers_need_no_room():
    text = CREDITS + CLUSTER.replace("NAME", "a")
    assert parse_lab(text.replace("8Mbit/s", "unlimited"), "x", "x").has_credits
    assert parse_lab(text.replace("64KiB", "unlimited"), "x", "x").has_credits


def test_what_never_drops_has_no_bound_to_plan_for():
    assert [link.buffer for link in levels(read_lab("lossless"))] == [UNBOUNDED]
    assert when_full_text(read_lab("fast-ethernet")) == "drop frames"


def test_the_profile_holds_its_buffers_round_trip_and_waits_longer_than_any_frame():
    """Of each other host a card's queue and a buffer may be before a frame, one at a time."""
    lab = read_lab("lossless")
    (cluster,) = lab.clusters
    assert cluster.rate is not None and cluster.buffer is not None
    queue = 16 * 1514 + cluster.buffer
    assert lab.minimum_rto > 2 * len(lab.hosts) * queue * 8 / cluster.rate
