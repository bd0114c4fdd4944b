"""The emulated switch against closed forms: rates, latency, drops, and what it says of itself."""

import contextlib
import json
import mmap
import os
import shutil
import statistics
import struct
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from contend.samples import LabConditions
from support.processes import completed
from support.timing import Timing, require_right

LAB = Path(__file__).resolve().parents[2] / "lab"
SOURCES = (*sorted((LAB / "switch").glob("*.c")), LAB / "common" / "fail.c")
INSIDE = Path(__file__).with_name("inside_namespaces.py")
FLAGS = [
    "-std=c11",
    "-O2",
    "-Wall",
    "-Wextra",
    "-Wconversion",
    "-Wshadow",
    "-Wpedantic",
    "-Werror",
    "-D_GNU_SOURCE",
    *os.environ.get("CFLAGS", "").split(),  # such as -fsanitize=address,undefined
]
UNSHARE = ["unshare", "-Urnm", "--pid", "--fork", "--kill-child", "--mount-proc"]

# Payload, frame and wire bytes of a full UDP datagram at an MTU of 1500.
UDP, FRAME, WIRE = 1472, 1514, 1538
# A segment carries 12 bytes of time stamps in its header.
TCP = 1448

# Link statements: rate, buffer, delay.
UNLIMITED = "0 0 0"


@pytest.fixture(scope="session")
def switch_program(compiled):
    """The switch, compiled from its sources."""
    compiler = shutil.which("gcc")
    if compiler is None:
        pytest.skip("no gcc to compile the switch")
    return compiled(compiler, *FLAGS, *SOURCES)


@pytest.fixture(scope="session")
def needs_namespaces():
    """Skips where an ordinary user may not have namespaces, or nothing can furnish them."""
    pytest.importorskip("pyroute2")
    if shutil.which("unshare") is None:
        pytest.skip("no unshare to make namespaces with")
    trial = completed([*UNSHARE, "true"], timeout=20)
    if trial.returncode != 0:
        pytest.skip(f"user namespaces are not allowed here: {trial.stderr.strip()}")


class Counters:
    """The counters that a switch publishes."""

    def __init__(self, path):
        with path.open("r+b") as file:
            self.memory = mmap.mmap(file.fileno(), 0)
        magic, count = struct.unpack_from("8sI", self.memory)
        assert magic == b"contend1"
        names = (self.memory[16 + 64 * i : 72 + 64 * i].rstrip(b"\0") for i in range(count))
        self.offsets = {name.decode(): 72 + 64 * i for i, name in enumerate(names)}
        assert len(self.offsets) == count

    def __getitem__(self, name):
        return int(struct.unpack_from("=Q", self.memory, self.offsets[name])[0])

    def start_epoch(self):
        (epoch,) = struct.unpack_from("=I", self.memory, 12)
        struct.pack_into("=I", self.memory, 12, epoch + 1)

    def conditions(self):
        return LabConditions.from_counters({name: self[name] for name in self.offsets})

    def lateness(self):
        return {name: self[name] for name in self.offsets if name.startswith("late_le:")}


class Network:
    """Hosts around a switch, told from outside what to do."""

    def __init__(self, process, counters):
        self.process = process
        self.answers: dict[str, list[Any]] = {}
        assert self.answer("switch") == "ready"
        self.counters = Counters(counters)

    def tell(self, **command):
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(command) + "\n")
        self.process.stdin.flush()

    def start(self, host, run, **arguments):
        self.tell(host=host, run=run, arguments=arguments)

    def answer(self, host):
        """The next thing that the host, or the switch, has to say."""
        assert self.process.stdout is not None
        while not self.answers.get(host):
            line = json.loads(self.process.stdout.readline())
            self.answers.setdefault(line["host"], []).append(line["result"])
        return self.answers[host].pop(0)

    def stop(self):
        """The counters when the switch has ended: a frame is counted after it was handed over."""
        self.tell(signal="SIGTERM")
        assert self.answer("switch") == 0
        return self.counters

    def run(self, host, run, **arguments):
        self.start(host, run, **arguments)
        return self.answer(host)


def describe(names, program, folder):
    hosts = [
        {
            "name": name,
            "interface": f"port{i}",
            "mac": f"02:00:00:00:00:{i + 1:02x}",
            "address": f"10.20.0.{i + 1}",
        }
        for i, name in enumerate(names)
    ]
    command = [str(program), str(folder / "network"), str(folder / "counters")]
    return {"hosts": hosts, "switch": command}


@pytest.fixture
def build(needs_namespaces, switch_program, tmp_path):
    """A function of links {name: "RATE BUFFER DELAY"} and routes {"SRC DST": "LINK..."}."""
    with contextlib.ExitStack() as stack:

        def build_network(links, routes):
            stack.close()  # one network at a time
            names = sorted({name for pair in routes for name in pair.split()})
            description = describe(names, switch_program, tmp_path)
            lines = [f"link {name} {link}" for name, link in links.items()]
            for host in description["hosts"]:
                lines.append(f"host {host['name']} {host['interface']} {host['mac']}")
            lines += [f"route {pair} {path}" for pair, path in routes.items()]
            (tmp_path / "network").write_text("\n".join(lines) + "\n")
            process = subprocess.Popen(
                [*UNSHARE, sys.executable, str(INSIDE), json.dumps(description)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
            )
            stack.enter_context(process)  # waits for its end,
            stack.callback(process.kill)  # which comes first
            network = Network(process, tmp_path / "counters")
            for name in names:
                assert network.answer(name) == "ready"
            return network

        yield build_network


def pair(up, down):
    """Two hosts, each with the same uplink and downlink."""
    links = {f"{end}.{name}": link for name in "ab" for end, link in (("up", up), ("down", down))}
    return links, {"a b": "up.a down.b", "b a": "up.b down.a"}


def near(rate, wanted, counters):
    """Whether a rate is within 1.5 % of the one that is wanted."""
    is_right = rate == pytest.approx(wanted, rel=0.015)
    figures = f"{rate / 1e6:.4g} of {wanted / 1e6:.4g} Mbit/s"
    return Timing(is_right, figures, counters.conditions().limits_text)


def too_slow(behind, most):
    """What disturbed a test whose sender has to write all within so many seconds."""
    return f"the sender was {behind * 1e3:.3g} ms behind" if behind > most else ""


@pytest.mark.parametrize("rate", [50e6, 100e6])
def test_a_udp_stream_gets_the_rate_less_its_framing(build, rate):
    count, wanted = 2000, rate * UDP / WIRE

    def attempt():
        network = build(*pair(f"{rate:.0f} 0 0", f"{rate:.0f} 0 20000"))
        network.start("b", "receive_udp", patience=2.0, most=count)
        network.run("a", "send_udp", to="b", count=count, size=UDP)
        received = network.answer("b")
        counters = network.stop()
        assert counters["frames"] == counters["frames:down.b"] == received["count"]
        assert counters["bytes"] == counters["bytes:up.a"] == received["count"] * FRAME
        assert counters["frames"] + counters["unread"] == count
        assert counters["drops"] == counters["queue:up.a"] == counters["queue:down.b"] == 0
        return near(received["per_second"] * UDP * 8, wanted, counters)

    require_right(attempt)


@pytest.mark.parametrize("rate", [50e6, 100e6])
def test_a_tcp_stream_gets_the_rate_less_its_headers(build, rate):
    size = int(rate / 8)

    def attempt():
        network = build(*pair(f"{rate:.0f} 0 0", f"{rate:.0f} 262144 20000"))
        network.start("b", "receive_tcp", skipped=size // 5)
        network.run("a", "send_tcp", to="b", size=size)
        received = network.answer("b")
        assert received["all"] == size
        counters = network.stop()
        assert counters["oversized"] == counters["undelivered"] == 0
        return near(received["bytes"] * 8 / received["seconds"], rate * TCP / WIRE, counters)

    require_right(attempt)


@pytest.mark.parametrize(("rate", "size"), [(10e6, 20), (100e6, 100), (10e6, UDP)])
@pytest.mark.parametrize("backbone", ["", "1000000000 0 5000000"])
def test_latency_is_serialisation_and_delay(build, rate, size, backbone):
    links, routes = pair(f"{rate:.0f} 0 10000", f"{rate:.0f} 0 10000")
    wire = max(60, size + 42) + 24
    expected = 2 * (wire * 8 / rate + 10e-6)
    if backbone:
        links |= {"ab": backbone, "ba": backbone}
        routes = {"a b": "up.a ab down.b", "b a": "up.b ba down.a"}
        expected += wire * 8 / 1e9 + 5e-3
    count = 60

    def attempt():
        network = build(links, routes)
        network.start("b", "pong", count=count)
        latency = statistics.median(network.run("a", "ping", to="b", count=count, size=size))
        is_right = expected - 1e-6 < latency < expected + max(2e-4, 0.02 * expected)
        figures = f"{latency * 1e3:.4g} ms of {expected * 1e3:.4g} ms"
        return Timing(is_right, figures, network.stop().conditions().limits_text)

    require_right(attempt)


def test_a_burst_beyond_the_buffer_is_dropped(build):
    """Of 2 x 40 frames at once, the buffer of 10 frames keeps 10.

    At 500 kbit/s the first frame leaves 24.6 ms after the burst has begun, and uplinks without a
    limit bring all of it before: nothing leaves in between, so 2 * 40 - 10 = 70 are dropped.
    """
    each, kept = 40, 10
    links = {"up": UNLIMITED, "down.c": f"500000 {kept * FRAME} 0"}
    routes = {f"{src} {dst}": "up" for src in "abc" for dst in "abc" if src != dst}
    routes |= {"a c": "up down.c", "b c": "up down.c"}
    leaves = WIRE * 8 / 500e3

    def attempt():
        network = build(links, routes)
        at = time.monotonic() + 0.1
        network.start("c", "receive_udp", patience=2.0, most=kept)
        for host in "ab":
            network.start(host, "send_udp", to="c", count=each, size=UDP, at=at)
        took = max(network.answer(host) for host in "ab")
        assert network.answer("c")["count"] == kept
        counters = network.stop()
        drops = counters["drops"]
        assert drops == counters["drops:down.c"]
        assert counters["frames"] == counters["frames:down.c"] >= kept
        assert counters["frames:up"] == 2 * each
        assert counters["peak:down.c"] == kept * FRAME
        assert counters["unread"] == 0
        return Timing(drops == 2 * each - kept, f"{drops} drops", too_slow(took, leaves))

    require_right(attempt)


def drop_tail(count, interval, service, kept):
    """Drops of frames that come every `interval` to a buffer of `kept`: the rule, word by word."""
    departures: list[int] = []
    for moment in range(interval, (count + 1) * interval, interval):
        if sum(departure > moment for departure in departures) < kept:
            departures.append(max([moment, *departures[-1:]]) + service)
    return count - len(departures)


@pytest.mark.parametrize(("down", "kept"), [(5_000_000, 10), (2_500_000, 1), (7_690_000, 3)])
def test_a_slower_link_drops_by_the_rule(build, down, kept):
    """The moments follow from the rates alone, as long as the host writes faster than 10 Mbit/s."""
    count, up = 200, 10_000_000
    links = {"up": f"{up} 0 0", "down": f"{down} {kept * FRAME} 3000000", "back": UNLIMITED}
    wire_ns = WIRE * 8 * 10**9
    expected = drop_tail(count, wire_ns // up, round(wire_ns / down), kept)

    def attempt():
        network = build(links, {"a b": "up down", "b a": "back"})
        network.start("b", "receive_udp", patience=2.0, most=count - expected)
        interval = wire_ns / up / 1e9
        behind = network.run("a", "send_udp", to="b", count=count, size=UDP, interval=interval)
        network.answer("b")
        drops = network.stop()["drops:down"]
        return Timing(drops == expected, f"{drops} drops", too_slow(behind, interval))

    require_right(attempt)


def test_an_epoch_starts_the_peaks_again(build):
    """At 1 Mbit/s a frame leaves after 12.3 ms, when all others have come."""
    links = {"up": "1000000 0 0", "down": "100000000 0 0"}
    counts = (20, 5)

    def attempt():
        network = build(links, {"a b": "up down", "b a": "up down"})
        behind, peaks = 0.0, []
        for count in counts:
            network.start("b", "receive_udp", patience=2.0, most=count)
            took = network.run("a", "send_udp", to="b", count=count, size=UDP)
            network.answer("b")
            behind = max(behind, took)
            peaks.append(network.counters["peak:up"] / FRAME)
            assert network.counters["peak:down"] == FRAME
            network.counters.start_epoch()
        assert network.stop()["frames"] == sum(counts)
        return Timing(peaks == [*counts], f"peaks of {peaks}", too_slow(behind, WIRE * 8 / 1e6))

    require_right(attempt)


def test_retransmissions_are_those_of_the_host(build):
    links = {"up": "20000000 0 0", "down": "10000000 16384 1000000", "back": UNLIMITED}
    network = build(links, {"a b": "up down", "b a": "back"})
    network.start("b", "receive_tcp", skipped=0)
    said = network.run("a", "send_tcp", to="b", size=2_000_000)
    counters = network.stop()
    assert counters["drops"] > 0
    assert counters["retransmissions"] == pytest.approx(said, rel=0.02, abs=1)
    assert counters["timeouts"] <= counters["retransmissions"]


def test_routes_without_links_are_not_counted(build):
    network = build({}, {"a b": "", "b a": ""})
    network.start("b", "pong", count=5)
    assert len(network.run("a", "ping", to="b", count=5, size=UDP)) == 5
    counters = network.stop()
    assert counters["frames"] == sum(counters.lateness().values()) == 0


def _edge(name):
    """Upper edge of a bucket of lateness, ns."""
    return float(name.removeprefix("late_le:"))


def test_a_switch_that_was_stopped_says_that_it_was_late(build):
    count, rate = 400, 10e6
    network = build(*pair(f"{rate:.0f} 0 0", f"{rate:.0f} 0 0"))
    network.start("b", "receive_udp", patience=2.0, most=1)
    network.run("a", "send_udp", to="b", count=count, size=UDP)
    network.answer("b")
    network.tell(signal="SIGSTOP")
    time.sleep(0.3)  # the length of the stop is the thing tested
    network.start("b", "receive_udp", patience=2.0, most=count - 1)
    network.tell(signal="SIGCONT")
    assert network.answer("b")["count"] == count - 1
    counters = network.stop()
    due_meanwhile = 0.3 / (WIRE * 8 / rate)
    over_1_ms = [value for name, value in counters.lateness().items() if _edge(name) > 1.03e6]
    assert sum(over_1_ms) > 0.9 * due_meanwhile
    assert sum(counters.lateness().values()) == counters["frames"] == count
    # The frames due meanwhile were late by half of the stop on average.
    assert counters["late_ns"] > 0.9 * due_meanwhile * 0.3e9 / 2


HOSTS = "host a x 02:00:00:00:00:01\nhost b y 02:00:00:00:00:02\n"


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("lnik up 0 0 0", "1: no statement 'lnik'; write link, host, hold, route, rto or"),
        ("# first\nlink up 0 0", "2: DELAY (ns) is missing; write 'link NAME RATE BUFFER DELAY'"),
        ("link up 0 0 0 0", "1: '0' is one word too many"),
        ("link up fast 0 0", "1: RATE (bits/s) is a whole number of at least 0, got 'fast'"),
        ("link up 1 -1 0", "1: BUFFER (bytes) is a whole number of at least 0, got '-1'"),
        ("link up 0 0 0\nlink up 0 0 0", "2: link 'up' is declared twice"),
        ("link up 0 64 0", "1: a buffer holds at least one frame of 1514 bytes, got 64"),
        (f"link {'x' * 49} 0 0 0", "1: a name has at most 48 bytes"),
        ("host a eth0 02:00:00:00:00", "1: MAC is a unicast address, got '02:00:00:00:00'"),
        ("host a eth0 ff:ff:ff:ff:ff:ff", "1: MAC is a unicast address"),
        ("host a an-interface-too-long 02:00:00:00:00:01", "1: an interface has at most 15 bytes"),
        (HOSTS + "host a z 02:00:00:00:00:03", "3: host 'a' is declared twice"),
        (HOSTS + "host c z 02:00:00:00:00:02", "3: hosts 'b' and 'c' have the same interface"),
        (HOSTS + "route a c", "3: no host 'c'; declare it above"),
        (HOSTS + "route a b up", "3: no link 'up'; declare it above"),
        (HOSTS + "route a a", "3: host 'a' reaches itself without the switch"),
        (HOSTS + "route a b\nroute a b", "4: the route from 'a' to 'b' is given twice"),
        (HOSTS + "route a b\nhost c z 02:00:00:00:00:03", "4: all hosts come before the first"),
        (HOSTS + "route a b", ": every ordered pair of hosts has a route; add 'route b a"),
        ("rto", "1: NANOSECONDS is missing; write 'rto NANOSECONDS'"),
        ("flow_control pause", "1: flow control is 'none' or 'credits', got 'pause'"),
        (HOSTS + "hold c net", "3: no host 'c'; declare it above"),
        (HOSTS + "hold a", "3: NETWORK is missing; write 'hold NAME NETWORK'"),
        (HOSTS + "hold a net\nhold a net", "4: host 'a' is held twice; remove one"),
        ("", ": a switch joins at least 2 hosts, got 0"),
    ],
)
def test_a_malformed_configuration_names_line_rule_and_remedy(
    switch_program, tmp_path, text, complaint
):
    configuration = tmp_path / "network"
    configuration.write_text(text + "\n")
    command = [str(switch_program), str(configuration), os.devnull]
    ended = completed(command, timeout=10)
    assert ended.returncode == 2
    assert complaint in ended.stderr
    assert len(ended.stderr.splitlines()) == 1
