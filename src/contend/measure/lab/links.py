"""The links of a lab as a topology file has them, for replays and predictions.

Idea: a port for each host, with the buffer of the switch, and the backbones between the switches.
What hosts and switches take beside is in the parameters that are measured there, so ports have no
latency of their own. Bandwidths are those of data in full frames of TCP.
"""

import json
from pathlib import Path

from contend.base.wholefile import write_whole
from contend.measure.lab.specification import Lab, read_lab
from contend.simulate.topologies.topology import LINUX_TCP

FRAME = 1448 / 1538  # of what passes a link, data


def links_of(lab: Lab) -> dict[str, object]:
    """The document; hosts are numbered as `mpiexec` places ranks, one on each."""
    hosts = [(str(number), host.cluster) for number, host in enumerate(lab.hosts)]
    parts = {cluster.name: cluster for cluster in lab.clusters}
    links: list[dict[str, object]] = [
        {
            "name": f"port{host}",
            "ends": [host, at],
            "bandwidth": _data(parts[at or ""].rate),
            "buffer": parts[at or ""].buffer,
        }
        for host, at in hosts
    ]
    for backbone in lab.backbones:
        ends = {"name": "-".join(backbone.between), "ends": list(backbone.between)}
        links.append(
            ends
            | {
                "bandwidth": _data(backbone.rate),
                "latency": backbone.delay,
                "buffer": backbone.buffer,
            }
        )
    graph = {"hosts": [host for host, _ in hosts], "links": links}
    queue_time = LINUX_TCP["queue_time"] / lab.time_dilation
    tcp = {"minimum_timeout": lab.minimum_rto, "queue_time": queue_time}
    return {"schema": "contend.topology", "version": 1, "graph": {**graph, "tcp": tcp}}


def _data(bits_per_second: float | None) -> float:
    return (bits_per_second or 1e15) / 8 * FRAME


def write_lab_links(name: str, path: Path | None = None) -> Path:
    """Write the links of a lab, with their buffers, as a topology; default NAME.links.json.

    >>> write_lab_links("fast-ethernet", Path("lab.links.json")).name
    'lab.links.json'
    """
    lab = read_lab(name)
    path = path or Path(f"{lab.name}.links.json")
    write_whole(path, json.dumps(links_of(lab), indent=1) + "\n")
    return path
