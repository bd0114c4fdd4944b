"""Set-up of an emulated network, run once inside its namespaces, as a program.

The supervisor (lab/supervisor.c) has made the namespaces of the hosts and starts the switch when
this ends. Each host gets one end of a veth pair as eth0; the other end stays with the switch.
Neighbours are static, so that no frame but those of the ranks crosses the network.
"""

import sys
from pathlib import Path
from typing import Any

from contend.alltoall.clusters.plan import plan_of, plan_text
from contend.measure.lab.environment import SITE
from contend.measure.lab.levels import declared, links
from contend.measure.lab.programs import MARKS, PROGRAMS
from contend.measure.lab.specification import Host, Lab

_SYSCTL = Path("/proc/sys/net")
_FRAME = 1514  # bytes of a full frame as qdiscs count it
_WIRE = 1538  # with check sum, preamble and gap
_RTO_MIN = 13  # RTAX_RTO_MIN of linux/rtnetlink.h
_BURST = 4 * _FRAME
_HOST_QUEUE = 1000 * _FRAME  # a network card's usual queue


def main(place: str, specification: str) -> None:
    """Build the network of `specification` (JSON) under the folder `place`."""
    lab = Lab.model_validate_json(specification)
    folder = Path(place)
    everyone = [lab.head, *lab.hosts]
    _join(everyone, folder)
    for index, host in enumerate(everyone):
        _configure(lab, index, everyone, folder)
        (folder / "ns" / host.address).symlink_to(host.name)
    _write_files(lab, everyone, folder)


def _join(everyone: list[Host], folder: Path) -> None:
    """A veth pair for each host: p0, p1, ... here, eth0 there."""
    from pyroute2 import IPRoute

    _write(_SYSCTL / "ipv6/conf/default/disable_ipv6", "1")
    with IPRoute() as fabric:
        for index, host in enumerate(everyone):
            with _namespace(host, folder).open() as namespace:
                peer: dict[str, Any] = {"ifname": "eth0", "address": host.mac}
                peer |= {"net_ns_fd": namespace.fileno(), "gso_max_segs": 1}
                fabric.link("add", ifname=f"p{index}", kind="veth", peer=peer)
            (number,) = fabric.link_lookup(ifname=f"p{index}")
            fabric.link("set", index=number, state="up")


def _configure(lab: Lab, number: int, everyone: list[Host], folder: Path) -> None:
    """Address, neighbours, route, queue and TCP of one host, from within its namespace."""
    from pyroute2 import IPRoute, netns

    host = everyone[number]
    netns.setns(str(_namespace(host, folder)))
    _write(_SYSCTL / "ipv6/conf/all/disable_ipv6", "1")
    _write(_SYSCTL / "ipv4/tcp_congestion_control", lab.congestion_control)
    _write(_SYSCTL / "ipv4/tcp_no_metrics_save", "1")  # no measurement may teach the next one
    _write(_SYSCTL / "ipv4/ping_group_range", "0 2147483647", is_needed=False)
    with IPRoute() as routes:
        (loopback,) = routes.link_lookup(ifname="lo")
        (port,) = routes.link_lookup(ifname="eth0")
        routes.link("set", index=loopback, state="up")
        # Segments leave one by one: a frame that is longer than the MTU would be a different link.
        routes.link("set", index=port, gso_max_segs=1, state="up")
        routes.addr("add", index=port, address=host.address, prefixlen=16)
        network = host.address.rsplit(".", 2)[0] + ".0.0/16"
        routes.route(
            "replace",
            dst=network,
            oif=port,
            prefsrc=host.address,
            scope="link",
            proto="kernel",
            # Linux heeds the metric only where it is locked.
            metrics={"rto_min": max(1, round(lab.real_minimum_rto * 1000)), "lock": 1 << _RTO_MIN},
        )
        for other in everyone:
            if other is not host:
                routes.neigh("add", dst=other.address, lladdr=other.mac, ifindex=port, state=128)
        _hold_back(routes, port, lab, host)


def _hold_back(routes: Any, port: int, lab: Lab, host: Host) -> None:
    """Queue at the host that feels the link's rate, so that TCP does as on a real network card.

    TCP keeps little in the queue of its own host; frames that the switch has taken count as sent,
    and without this a connection would send a whole window into the switch at once. The switch,
    not this queue, decides when each frame passes.
    """
    from pyroute2.netlink.exceptions import NetlinkError

    rate = next((link.rate_bits for link in lab.links() if link.name == f"up:{host.name}"), 0)
    if not rate:
        return
    bytes_per_second = round(rate / 8 * _FRAME / _WIRE)
    try:
        routes.tc("add", "tbf", port, rate=bytes_per_second, burst=_BURST, limit=_HOST_QUEUE)
    except NetlinkError as error:
        print(f"note: this kernel offers no tbf queue ({error.code}): hosts send without "
              "back-pressure, expect more drops", file=sys.stderr)  # fmt: skip


def _write_files(lab: Lab, everyone: list[Host], folder: Path) -> None:
    """What the switch, the launchers and people look up."""
    (folder / "switch.conf").write_text(lab.switch_configuration() + _holds(lab, folder))
    names = ["127.0.0.1 localhost", *(f"{host.address} {host.name}" for host in everyone)]
    (folder / "hosts").write_text("\n".join(names) + "\n")
    (folder / "machinefile").write_text("".join(f"{host.address}\n" for host in lab.hosts))
    (folder / "hostfile").write_text("".join(f"{host.address} slots=1\n" for host in lab.hosts))
    (folder / SITE).write_text(plan_text(plan_of(declared(lab), links(lab))))
    (folder / "tmp").mkdir()
    (folder / MARKS).mkdir()
    (folder / "bin").mkdir()
    (folder / "bin" / "ssh").symlink_to(PROGRAMS / "contend-enter")
    _mount_bind(folder / "hosts", Path("/etc/hosts"))


def _holds(lab: Lab, folder: Path) -> str:
    """Return options of the switch that stop hosts with their links; see lab/switch/egress.h."""
    if not lab.has_credits:
        return ""
    return "".join(f"hold {host.name} {_namespace(host, folder)}\n" for host in lab.hosts)


def _mount_bind(source: Path, target: Path) -> None:
    """Show `source` as `target` to everything in the lab."""
    import ctypes
    import os

    libc = ctypes.CDLL(None, use_errno=True)
    bind = 4096
    if libc.mount(bytes(source), bytes(target), None, bind, None) != 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()), str(target))


def _namespace(host: Host, folder: Path) -> Path:
    return folder / "ns" / host.name / "net"


def _write(path: Path, value: str, is_needed: bool = True) -> None:
    try:
        path.write_text(value)
    except OSError:
        if is_needed and path.exists() and path.read_text().strip() != value:
            raise


if __name__ == "__main__":
    main(*sys.argv[1:])
