"""A lab with flow control under real TCP and UDP: nothing is lost, and hosts are stopped."""

import subprocess
import sys

import pytest
from test_losses import BYTES, LAB, RECEIVE, ROUNDS, SEND, SENDERS, counted_by_hosts

from contend.measure.lab.session import start
from contend.measure.lab.specification import parse_lab

LOSSLESS = 'flow_control = "credits"\n' + LAB
FRAMES = 1200  # of each of two senders to one host
# A socket whose buffer is full waits for the queue of its host: so many full frames at most.
SOCKET_BYTES = 65536
UDP = f"""
import socket
udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
udp.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, {SOCKET_BYTES})
for _ in range({FRAMES}):
    udp.sendto(bytes(1472), ("node1", 5000))
print("sent", flush=True)
udp.recv(1)
"""


def run_incast(running):
    """All others send to the first host at once, again and again."""
    python = (sys.executable, "-c")
    receive = [*running.command("node1"), *python, RECEIVE]
    with subprocess.Popen(receive, stdout=subprocess.PIPE) as receiver:
        assert receiver.stdout is not None
        assert receiver.stdout.readline() == b"ready\n"
        others = [host.name for host in running.lab.hosts[1:]]
        senders = [subprocess.Popen([*running.command(name), *python, SEND]) for name in others]
        assert [one.wait(60) for one in (receiver, *senders)] == [0] * (SENDERS + 1)


def test_what_a_shallow_switch_loses_is_held_back(allowed):
    """The incast of test_losses.py, in which tens of frames are dropped without flow control."""
    with start(parse_lab(LOSSLESS, "incast", "incast.toml")) as running:
        run_incast(running)
        hosts, seen = counted_by_hosts(running), running.counters()
    assert hosts["RetransSegs"] == hosts["TCPTimeouts"] == 0
    for name in ("drops", "retransmissions", "timeouts", "unread", "undelivered", "oversized"):
        assert seen[name] == 0
    # Without loss each byte crosses once, in segments of at most 1448.
    assert seen["data:down:node1"] >= SENDERS * ROUNDS * BYTES / 1448
    for host in range(2, SENDERS + 2):
        assert seen[f"paused:up:node{host}"] > 0
        assert seen[f"data:up:node{host}"] >= ROUNDS * BYTES / 1448
        assert 0 < seen[f"peak:up:node{host}"] <= 8192
    assert seen["paused:up:node1"] == seen["paused:down:node1"] == 0


def test_a_host_is_stopped_while_its_link_stands_still(allowed):
    """Two hosts at the link's rate each would have sent all when half has come; they may not.

    Of each, no more is under way than its socket, its queue and a buffer hold.
    """
    with start(parse_lab(LOSSLESS, "held", "held.toml")) as running:
        if running.notes:
            pytest.skip(running.notes[0])
        commands = [[*running.command(f"node{i}"), sys.executable, "-c", UDP] for i in (2, 3)]
        senders = [subprocess.Popen(command, stdout=subprocess.PIPE) for command in commands]
        for sender in senders:
            assert sender.stdout is not None
            assert sender.stdout.readline() == b"sent\n"
        seen = running.counters()
        for sender in senders:
            sender.kill()
            sender.communicate()
    assert seen["holds"] > 0
    assert seen["drops"] == seen["unread"] == 0
    under_way = 2 * FRAMES - seen["frames:down:node1"]
    assert under_way < 0.2 * FRAMES
