"""Losses of real TCP on a lab: what the switch saw against what the hosts' kernels counted."""

import subprocess
import sys
from collections import Counter

import pytest

from contend.measure.lab.session import start
from contend.measure.lab.specification import parse_lab

SENDERS, ROUNDS, BYTES = 5, 4, 65536
LAB = f"""
minimum_rto = "100ms"
[[clusters]]
name = "node"
hosts = {SENDERS + 1}
rate = "10Mbit/s"
buffer = "8KiB"
latency = "50us"
"""
# All senders answer a byte with a burst at once, again and again.
RECEIVE = f"""
import socket
server = socket.create_server(("node1", 5000))
print("ready", flush=True)
senders = [server.accept()[0] for _ in range({SENDERS})]
for _ in range({ROUNDS}):
    for one in senders:
        one.sendall(b"x")
    for one in senders:
        left = {BYTES}
        while left:
            left -= len(one.recv(left))
"""
SEND = f"""
import socket
with socket.create_connection(("node1", 5000)) as receiver:
    while receiver.recv(1):
        receiver.sendall(bytes({BYTES}))
"""


def counted_by_hosts(running):
    """The kernels' own counters of TCP, over all hosts."""
    total = Counter()
    for host in running.lab.hosts:
        command = [*running.command(host.name), "cat", "/proc/net/netstat", "/proc/net/snmp"]
        lines = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        rows = [line.split() for line in lines.splitlines()]
        for names, values in zip(rows[::2], rows[1::2], strict=True):
            if names[0] in ("Tcp:", "TcpExt:"):
                total.update(dict(zip(names[1:], map(int, values[1:]), strict=True)))
    return total


def test_drops_retransmissions_and_time_outs_are_those_of_the_hosts(allowed):
    with start(parse_lab(LAB, "incast", "incast.toml")) as running:
        python = (sys.executable, "-c")
        receiver = subprocess.Popen(
            [*running.command("node1"), *python, RECEIVE], stdout=subprocess.PIPE
        )
        assert receiver.stdout.readline() == b"ready\n"
        hosts = [host.name for host in running.lab.hosts[1:]]
        senders = [subprocess.Popen([*running.command(name), *python, SEND]) for name in hosts]
        assert [one.wait(60) for one in (receiver, *senders)] == [0] * (SENDERS + 1)
        receiver.stdout.close()
        hosts, seen = counted_by_hosts(running), running.counters()
    assert seen["drops"] > SENDERS
    assert hosts["TCPTimeouts"] > 0
    # A host also counts what it could not hand to its own cable, and sends nothing then.
    assert 0.95 * hosts["RetransSegs"] <= seen["retransmissions"] <= hosts["RetransSegs"]
    # A probe for a lone last segment waits as long as a time-out and is seen as one.
    most = hosts["TCPTimeouts"] + hosts["TCPLossProbes"]
    assert hosts["TCPTimeouts"] <= seen["timeouts"] <= most
    assert seen["oversized"] == seen["undelivered"] == seen["unread"] == 0


LISTEN = """
import socket
server = socket.create_server(("node1", 5000))
print("ready", flush=True)
peer = server.accept()[0]
peer.sendall(peer.recv(1))
peer.recv(1)
"""
TIME_OUT = """
import socket, struct
with socket.create_connection(("node1", 5000)) as peer:
    peer.sendall(b"x")
    peer.recv(1)
    information = peer.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 16)
    print(struct.unpack("8B2I", information)[8])  # microseconds
"""


@pytest.mark.parametrize("milliseconds", [20, 700])
def test_the_shortest_time_out_is_the_one_asked_for(allowed, milliseconds):
    text = LAB.replace("100ms", f"{milliseconds / 2}ms") + "\n"
    with start(parse_lab("time_dilation = 2\n" + text, "pair", "pair.toml")) as running:
        command = [*running.command("node1"), sys.executable, "-c", LISTEN]
        with subprocess.Popen(command, stdout=subprocess.PIPE) as listener:
            assert listener.stdout.readline() == b"ready\n"
            command = [*running.command("node2"), sys.executable, "-c", TIME_OUT]
            told = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    # It is that time and the round trip, which is short here.
    assert int(told) / 1000 == pytest.approx(milliseconds, abs=15)
