"""Links that stop their senders, in virtual time: closed forms, a Markov chain, and brute force."""

import random
import shutil
import subprocess
from collections import Counter
from itertools import permutations, product
from pathlib import Path

import numpy as np
import pytest
from crossing import UNIT, Wire, crossed
from test_switch import FLAGS, LAB

from contend.measure.lab.session import read_counters
from support.processes import completed

HERE = Path(__file__).parent
WITHOUT_PORTS = ("crossbar", "configuration", "counters", "events", "frame", "links", "routes")
SOURCES = [LAB / "switch" / f"{name}.c" for name in (*WITHOUT_PORTS, "words")]
SOURCES += [LAB / "common" / "fail.c", HERE / "crossbar.c"]

# At 8 Gbit/s a byte takes a nanosecond, and a frame of FRAME bytes one of its own STEPs.
RATE, FRAME, STEP = 8_000_000_000, 976, 1000

Links = dict[str, tuple[int, int, int]]


@pytest.fixture(scope="session")
def program(compiled):
    """The crossbar of the switch without its ports, compiled."""
    compiler = shutil.which("gcc")
    if compiler is None:
        pytest.skip("no gcc to compile the switch")
    return compiled(compiler, *FLAGS, *SOURCES)


@pytest.fixture
def cross(program, tmp_path):
    """A function of links {name: (rate, buffer, delay)}, routes and frames: moments, counters."""

    def run(links, routes, frames, late=()):
        names = sorted({name for pair in routes for name in pair})
        lines = ["flow_control credits"]
        lines += [f"link {name} {' '.join(map(str, link))}" for name, link in links.items()]
        lines += [f"host {name} p{i} 02:00:00:00:00:{i:02x}" for i, name in enumerate(names)]
        lines += [" ".join(["route", *pair, *path]) for pair, path in routes.items()]
        (tmp_path / "network").write_text("\n".join(lines) + "\n")
        told = []
        for number, (moment, src, dst, size) in enumerate(frames):
            told += [f"run {late[number]}"] if late else []
            told.append(f"{moment} {names.index(src)} {names.index(dst)} {size}")
        done = completed(
            [program, tmp_path / "network", tmp_path / "counters"],
            input="\n".join(told),
            timeout=60,
            check=True,
        )
        came = dict(tuple(map(int, line.split())) for line in done.stdout.splitlines())
        assert sorted(came) == list(range(len(frames)))
        return [came[i] for i in range(len(frames))], read_counters(tmp_path / "counters")

    return run


def star(hosts, room, delay=0):
    """Hosts named by letters around one switch, whose buffers hold so many frames."""
    up = {f"up:{name}": (RATE, room * FRAME if room > 1 else 1514, delay) for name in hosts}
    down = {f"down:{name}": (RATE, 0, delay) for name in hosts}
    routes = {(a, b): [f"up:{a}", f"down:{b}"] for a, b in permutations(hosts, 2)}
    return up | down, routes


def spread(hosts, each, seed):
    """Frames of every host to destinations of equal probability, itself included, all at once."""
    rng = random.Random(seed)
    return [(0, name, rng.choice(hosts), FRAME) for _ in range(each) for name in hosts]


@pytest.mark.parametrize("delay", [0, 250])
def test_a_frame_alone_takes_both_links_and_both_delays(cross, delay):
    moments, _ = cross(*star("ab", 2, delay), [(7, "a", "b", FRAME)])
    assert moments == [7 + 2 * STEP + 2 * delay]


@pytest.mark.parametrize("senders", [2, 3, 7])
def test_senders_to_one_port_are_served_in_turns(cross, senders):
    """Each gets exactly the share of one, whatever it has waiting."""
    names, each = "abcdefg"[:senders], 20
    frames = [(0, name, "z", FRAME) for name in names for _ in range(each)]
    moments, _ = cross(*star(names + "z", 3), frames)
    order = "".join(frames[i][1] for i in sorted(range(len(frames)), key=moments.__getitem__))
    assert order == names * each
    assert sorted(moments) == [(2 + i) * STEP for i in range(len(frames))]


def test_half_the_rate_is_for_whom_sends_less_often_too(cross):
    """Rounds are of frames that are there: who has none for a while loses none of the link."""
    frames = [(0, "a", "z", FRAME)] * 30 + [(10 * STEP, "b", "z", FRAME)] * 5
    moments, _ = cross(*star("abz", 3), frames)
    assert sorted(moments) == [(2 + i) * STEP for i in range(35)]
    assert max(moments[30:]) - min(moments[30:]) == 8 * STEP


@pytest.mark.parametrize("others", [1, 2, 5])
def test_a_blocked_head_delays_what_goes_elsewhere_by_its_wait(cross, others):
    """The frame to y is behind one to x, which waits for one of each other host.

    The output y is idle all the time: without the frame to x in front, or with it but without
    the others, the frame to y has its way for itself.
    """
    names = "bcdef"[:others]
    network = star(names + "mxy", 3)
    crowd = [(0, name, "x", FRAME) for name in names]
    blocked = [(0, "m", "x", FRAME), (0, "m", "y", FRAME)]
    alone = cross(*network, blocked)[0][-1]
    assert alone == 3 * STEP
    assert cross(*network, [*crowd, blocked[1]])[0][-1] == 2 * STEP
    assert cross(*network, [*crowd, *blocked])[0][-1] == alone + others * STEP


def test_every_host_sends_at_its_rate_where_none_shares_a_port(cross):
    names, each = "abcdefgh", 50
    after = dict(zip(names, names[1:] + names[:1], strict=True))
    frames = [(0, name, after[name], FRAME) for name in names for _ in range(each)]
    moments, seen = cross(*star(names, 2), frames)
    assert max(moments) == (each + 1) * STEP
    assert sum(value for name, value in seen.items() if name.startswith("paused:")) == 0


def saturation(n, to_itself=True):
    """Frames per step and host where all have some for every port: the chain of their heads.

    A state is where the first frame of each host goes to; in a step each port that is wanted
    takes one, and whose was taken has a next one to anywhere, or to any other. Which of several is
    taken makes no difference where all go anywhere.
    """
    goals = [[port for port in range(n) if to_itself or port != host] for host in range(n)]
    states = list(product(*goals))
    index = {state: i for i, state in enumerate(states)}
    step = np.zeros((len(states), len(states)))
    for state in states:
        served = [state.index(port) for port in set(state)]
        ways = list(product(*(goals[host] for host in served)))
        for fresh in ways:
            after = list(state)
            for host, port in zip(served, fresh, strict=True):
                after[host] = port
            step[index[state], index[tuple(after)]] += 1 / len(ways)
    share = np.full(len(states), 1 / len(states))
    for _ in range(200):
        share = share @ step
    return float(share @ [len(set(state)) / n for state in states])


def test_the_chain_gives_three_quarters_for_two_hosts():
    """Karol, Hluchyj and Morgan 1987, table I: 0.75, 0.6825, 0.6553."""
    found = [saturation(n) for n in (2, 3, 4)]
    assert found == pytest.approx([0.75, 0.6825, 0.6553], abs=1e-4)


@pytest.mark.parametrize(("n", "expected"), [(2, 0.75), (3, 0.6825), (4, 0.6553), (8, 0.6184)])
def test_saturated_ports_carry_the_share_of_an_input_queued_switch(cross, n, expected):
    """Karol, Hluchyj and Morgan 1987, table I. Some ports idle while heads wait for others."""
    names, each = "abcdefgh"[:n], 6000
    links, _ = star(names, 4)
    # A host sends to itself over the switch here: to a twin behind the same links.
    twins = {name: name.upper() for name in names}
    there = {(a, twins[b]): [f"up:{a}", f"down:{b}"] for a, b in product(names, repeat=2)}
    back = {
        (a, b): [f"up:{names[0]}", f"down:{names[0]}"]
        for a, b in permutations([*names, *twins.values()], 2)
        if (a, b) not in there
    }
    frames = [(0, src, twins[dst], size) for _, src, dst, size in spread(names, each, seed=n)]
    moments, _ = cross(links, there | back, frames)
    carried = sum(moment <= (each + 1) * STEP for moment in moments) / (each * n)
    assert carried == pytest.approx(expected, abs=0.008)


def test_three_hosts_that_send_to_both_others_carry_three_quarters(cross):
    """The same chain without frames to oneself; of four hosts, who is taken would matter."""
    names, each = "abc", 6000
    rng = random.Random(3)
    goals = {name: names.replace(name, "") for name in names}
    frames = [(0, name, rng.choice(goals[name]), FRAME) for _ in range(each) for name in names]
    moments, _ = cross(*star(names, 4), frames)
    carried = sum(moment <= (each + 1) * STEP for moment in moments) / (each * len(names))
    assert saturation(3, to_itself=False) == pytest.approx(0.75)
    assert carried == pytest.approx(0.75, abs=0.008)


def test_nothing_is_dropped_and_no_buffer_holds_more_than_it_can(cross):
    rng = random.Random(5)
    names = "abcdef"
    links, routes = star(names, 3, delay=300)
    frames = [
        (rng.randrange(20 * STEP), src, dst, rng.randrange(60, 1515))
        for src, dst in rng.choices([*permutations(names, 2)], k=2000)
    ]
    _, seen = cross(links, routes, frames)
    sent, received = (
        Counter(src for _, src, _, _ in frames),
        Counter(dst for _, _, dst, _ in frames),
    )
    assert seen["drops"] == 0
    for name in names:
        assert seen[f"frames:up:{name}"] == sent[name]
        assert seen[f"frames:down:{name}"] == received[name]
        assert seen[f"queue:up:{name}"] == seen[f"drops:up:{name}"] == 0
        assert 2 * FRAME < seen[f"peak:up:{name}"] <= 3 * FRAME
    size = sum(size for *_, size in frames)
    assert sum(value for name, value in seen.items() if name.startswith("bytes:up")) == size
    assert sum(value for name, value in seen.items() if name.startswith("bytes:down")) == size


def test_frames_of_a_pair_keep_their_order(cross):
    frames = [
        (100 * i, src, dst, FRAME)
        for i, (_, src, dst, _) in enumerate(spread("abcd", 300, seed=3))
        if src != dst
    ]
    moments, _ = cross(*star("abcd", 2, delay=70), frames)
    for pair in permutations("abcd", 2):
        own = [
            moment
            for moment, (_, *ends, _) in zip(moments, frames, strict=True)
            if (*ends,) == pair
        ]
        assert own == sorted(own)


def test_uplinks_stand_still_while_their_buffers_are_full(cross):
    """Two senders, buffers of two frames: from the fourth and the third on, each waits a step."""
    each = 12
    frames = [(0, name, "z", FRAME) for name in "ab" for _ in range(each)]
    _, seen = cross(*star("abz", 2), frames)
    assert seen["paused:up:a"] == (each - 3) * STEP
    assert seen["paused:up:b"] == (each - 2) * STEP
    assert seen["paused:down:z"] == seen["paused:up:z"] == 0


@pytest.mark.parametrize("room", [2, 3, 4, 5, 8])
def test_a_buffer_below_a_round_trip_limits_the_rate(cross, room):
    """Room is free again, and its sender knows, after two frames and two delays."""
    delay, each = STEP, 240
    moments, _ = cross(*star("ab", room, delay), [(0, "a", "b", FRAME)] * each)
    round_trip = 2 * STEP + 2 * delay
    expected = max(STEP, round_trip / room)
    assert (moments[-1] - moments[0]) / (each - 1) == pytest.approx(expected, rel=0.02)


def test_frames_that_are_read_late_move_nothing(cross):
    """Their moments are those of the kernel, and the link was idle, or busy, in between."""
    frames = [(i * 700 if i < 6 else i * 2100, "a", "b", FRAME) for i in range(12)]
    in_time, _ = cross(*star("ab", 3, 100), frames)
    late, _ = cross(*star("ab", 3, 100), frames, late=[moment + 1900 for moment, *_ in frames])
    assert late == in_time


def test_a_frame_that_is_read_late_stays_behind_the_one_before_it(cross):
    """That one, to x, has waited for one of b and left long before the frame to y is read."""
    network = star("abxy", 3)
    frames = [(0, "b", "x", FRAME), (100, "a", "x", FRAME), (200, "a", "y", FRAME)]
    assert cross(*network, frames)[0] == [2 * STEP, 3 * STEP, 4 * STEP]
    late = cross(*network, frames, late=[0, 0, 3 * STEP + 500])[0]
    assert late == [2 * STEP, 3 * STEP, 4 * STEP]


def test_routes_in_a_circle_are_refused(cross):
    """Three switches in a ring, each pair of links of which follow each other."""
    links = {name: (RATE, 4000, 0) for name in ("up", "12", "23", "31")} | {"down": (RATE, 0, 0)}
    routes = {pair: ["up", "down"] for pair in permutations("abc", 2)}
    routes |= {("a", "c"): ["up", "12", "23", "down"], ("b", "a"): ["up", "23", "31", "down"]}
    assert cross(links, routes, [(0, "a", "c", FRAME)])[0] == [4 * STEP]
    routes["c", "b"] = ["up", "31", "12", "down"]
    with pytest.raises(subprocess.CalledProcessError) as refused:
        cross(links, routes, [])
    assert refused.value.returncode == 2
    assert "routes lead in a circle" in refused.value.stderr


def chain(rng):
    """Two switches with two and three hosts, and a link each way between them."""
    left, right = "ab", "cde"
    links: Links = {}
    for name in left + right:
        links[f"up:{name}"] = (RATE, rng.choice([1600, 2600, 4000]), UNIT * rng.randrange(8))
        links[f"down:{name}"] = (RATE, 0, UNIT * rng.randrange(8))
    for name in ("lr", "rl"):
        links[name] = (
            RATE // rng.choice([1, 2]),
            rng.choice([1600, 2600]),
            UNIT * rng.randrange(20),
        )
    routes = {}
    for a, b in permutations(left + right, 2):
        between = [] if (a in left) == (b in left) else ["lr" if a in left else "rl"]
        routes[a, b] = [f"up:{a}", *between, f"down:{b}"]
    return links, routes


@pytest.mark.parametrize("seed", range(8))
def test_every_moment_is_that_of_the_rules_word_by_word(cross, seed):
    """Random buffers, delays, sizes and moments, over one switch and two; a tick is UNIT ns."""
    rng = random.Random(seed)
    links, routes = chain(rng)
    pairs = rng.choices([*routes], k=200)
    sizes = range(UNIT - 24, 1514, UNIT)
    frames = [(rng.randrange(200) * UNIT, *pair, rng.choice(sizes)) for pair in pairs]
    moments, seen = cross(links, routes, frames)
    wires = {
        name: Wire(RATE // rate, room or None, delay // UNIT)
        for name, (rate, room, delay) in links.items()
    }
    steps = [(moment // UNIT, src, dst, size) for moment, src, dst, size in frames]
    assert moments == [UNIT * moment for moment in crossed(wires, routes, steps)]
    for name, wire in wires.items():
        assert seen[f"paused:{name}"] == UNIT * wire.paused
    assert max(wire.paused for wire in wires.values()) > 0
