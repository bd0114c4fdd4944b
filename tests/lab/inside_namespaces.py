"""Hosts around the switch, in fresh namespaces; drives them by lines of JSON.

Run as the first process of new user, network and process namespaces, with a description of the
network as its argument. Then each line of standard input is {"host", "run", "arguments"}, done by
that host, which answers with {"host", "result"}; or {"signal"} for the switch. The end of standard
input ends everything.
"""

import ctypes
import json
import os
import signal
import socket
import struct
import subprocess
import sys
import time
from pathlib import Path
from typing import IO, Any

from pyroute2 import IPRoute

CLONE_NEWNET = 0x40000000
PORT = 7000
PACKET = bytes(65536)
STAMP = 20  # characters of a time stamp
# When the kernel handed a datagram to the socket: how late its reader was woken is not timed.
SO_TIMESTAMPNS = 35


def answer(host: str, result: Any) -> None:
    """One write, so that the lines of several hosts do not mix."""
    os.write(1, json.dumps({"host": host, "result": result}).encode() + b"\n")


def udp_socket() -> socket.socket:
    udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    for option in (socket.SO_SNDBUF, socket.SO_RCVBUF):
        udp.setsockopt(socket.SOL_SOCKET, option, 4 << 20)
    udp.setsockopt(socket.SOL_SOCKET, SO_TIMESTAMPNS, 1)
    udp.bind(("", PORT))
    return udp


def tcp_socket() -> socket.socket:
    tcp = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    tcp.setsockopt(socket.IPPROTO_TCP, socket.TCP_CONGESTION, b"reno")
    return tcp


def receive(udp: socket.socket) -> tuple[bytes, Any, int]:
    """A datagram, its sender, and when it came in ns of the clock of the date."""
    data, ancillary, _, sender = udp.recvmsg(2048, 64)
    ((_, _, stamp),) = ancillary
    seconds, nanoseconds = struct.unpack("@ll", stamp)
    return data, sender, seconds * 10**9 + nanoseconds


class Host:
    """What one host does when it is told to."""

    def __init__(self, addresses: dict[str, str]) -> None:
        self.addresses = addresses
        self.udp = udp_socket()
        self.listening = tcp_socket()
        self.listening.bind(("", PORT))
        self.listening.listen()

    def send_udp(
        self, to: str, count: int, size: int, at: float = 0.0, interval: float = 0.0
    ) -> float:
        """All at once, from `at` on: the switch holds what the uplink cannot take yet.

        Returns by how many seconds a datagram was sent too late, where one is due each `interval`.
        """
        while time.monotonic() < at:
            pass
        begin = at or time.monotonic()
        behind = 0.0
        for number in range(count):
            self.udp.sendto(PACKET[:size], (self.addresses[to], PORT))
            behind = max(behind, time.monotonic() - begin - number * interval)
        return behind

    def receive_udp(self, patience: float, most: int = sys.maxsize) -> dict[str, Any]:
        """Until `most` have come, or none for `patience` seconds."""
        times = []
        self.udp.settimeout(patience)
        try:
            while len(times) < most:
                times.append(receive(self.udp)[2])
        except TimeoutError:
            pass
        # A switch that began late hands over a few at once.
        timed = times[len(times) // 4 :]
        pace = (len(timed) - 1) / (timed[-1] - timed[0]) * 1e9 if len(timed) > 1 else 0.0
        return {"count": len(times), "per_second": pace}

    def ping(self, to: str, count: int, size: int) -> list[float]:
        """Seconds one way, of the answers: all hosts share the clock."""
        latencies = []
        self.udp.settimeout(5)
        for _ in range(count):
            self.udp.sendto(PACKET[:size], (self.addresses[to], PORT))
            stamped, _, came = receive(self.udp)
            latencies.append((came - int(stamped[:STAMP])) * 1e-9)
        return latencies

    def pong(self, count: int) -> None:
        self.udp.settimeout(5)
        for _ in range(count):
            received, sender, _ = receive(self.udp)
            answer = received[STAMP:]
            self.udp.sendto(f"{time.time_ns():<{STAMP}}".encode() + answer, sender)

    def send_tcp(self, to: str, size: int) -> int:
        """Segments that this host has retransmitted."""
        with tcp_socket() as tcp:
            tcp.connect((self.addresses[to], PORT))
            for begin in range(0, size, len(PACKET)):
                tcp.sendall(PACKET[: size - begin])
            tcp.shutdown(socket.SHUT_WR)
            tcp.recv(1)
        lines = Path("/proc/net/snmp").read_text().splitlines()
        names, values = (line.split() for line in lines if line.startswith("Tcp:"))
        return int(values[names.index("RetransSegs")])

    def receive_tcp(self, skipped: int) -> dict[str, float]:
        """Bytes and seconds behind the first `skipped` bytes."""
        connection, _ = self.listening.accept()
        received, begin, begun_at = 0, 0, 0.0
        with connection:
            while count := len(connection.recv(65536)):
                received += count
                if begin == 0 and received >= skipped:
                    begin, begun_at = received, time.monotonic()
                last = time.monotonic()
        return {"bytes": received - begin, "seconds": last - begun_at, "all": received}


def set_up(host: dict[str, str], hosts: list[dict[str, str]]) -> None:
    """The network of one host, from inside its namespace."""
    Path("/proc/sys/net/ipv6/conf/all/disable_ipv6").write_text("1")
    with IPRoute() as routes:
        (index,) = routes.link_lookup(ifname="eth0")
        routes.link("set", index=index, address=host["mac"], gso_max_segs=1, state="up")
        routes.addr("add", index=index, address=host["address"], prefixlen=16)
        for other in hosts:
            if other is not host:
                routes.neigh(
                    "add", dst=other["address"], lladdr=other["mac"], ifindex=index,
                    state="permanent",
                )  # fmt: skip


def fork_host(host: dict[str, str], hosts: list[dict[str, str]]) -> IO[bytes]:
    """A pipe to the host's process, in a network namespace of its own."""
    reading, writing = os.pipe()
    is_apart, tell_apart = os.pipe()
    pid = os.fork()
    if pid > 0:
        os.close(reading)
        os.close(tell_apart)
        os.read(is_apart, 1)
        with IPRoute() as routes:
            routes.link(
                "add",
                ifname=host["interface"],
                kind="veth",
                peer={"ifname": "eth0", "net_ns_pid": pid},
            )
            (index,) = routes.link_lookup(ifname=host["interface"])
            routes.link("set", index=index, state="up")
        pipe = os.fdopen(writing, "wb", buffering=0)
        pipe.write(b"\n")
        return pipe
    os.close(writing)
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.unshare(CLONE_NEWNET) != 0:
        raise OSError(ctypes.get_errno(), "no network namespace")
    os.write(tell_apart, b"\n")
    with os.fdopen(reading, "rb") as commands:
        commands.readline()
        set_up(host, hosts)
        behaviour = Host({other["name"]: other["address"] for other in hosts})
        answer(host["name"], "ready")
        for line in commands:
            command = json.loads(line)
            answer(host["name"], getattr(behaviour, command["run"])(**command["arguments"]))
    os._exit(0)


def main() -> None:
    description = json.loads(sys.argv[1])
    Path("/proc/sys/net/ipv6/conf/all/disable_ipv6").write_text("1")
    hosts = description["hosts"]
    pipes = {host["name"]: fork_host(host, hosts) for host in hosts}
    with subprocess.Popen(description["switch"], stdout=subprocess.PIPE) as switch:
        assert switch.stdout is not None
        answer("switch", switch.stdout.readline().decode().strip())
        for line in sys.stdin.buffer:
            command = json.loads(line)
            if "signal" in command:
                switch.send_signal(signal.Signals[command["signal"]])
                if command["signal"] == "SIGTERM":
                    answer("switch", switch.wait(10))
            else:
                pipes[command["host"]].write(line)
        switch.kill()


if __name__ == "__main__":
    main()
