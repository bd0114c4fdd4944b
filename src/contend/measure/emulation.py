"""Points measured on an emulated network, in the time of the network that it stands for.

A lab that dilates time by k has links k times slower and latencies k times longer than the network
that it emulates; what takes t seconds there takes t / k seconds here.
"""

from typing import Any

from contend.base.errors import InvalidInputError, LaunchError
from contend.measure.lab.session import RunningLab
from contend.measure.lab.specification import Lab
from contend.samples import LabConditions

_LISTS = ("times_s", "warmup_s")
_VALUES = ("start_skew_s", "start_skew_bound_s")
_TABLES = ("rank_times_s", "part_ends_s")


def as_emulated(data: dict[str, Any], running: RunningLab) -> dict[str, Any]:
    """A line of kind "point" with all times divided by the lab's dilation, and its conditions.

    Raise LaunchError when no frame crossed the lab's network, or a message was faster than the
    lab's latency.
    """
    lab = running.lab
    k = lab.time_dilation
    conditions = LabConditions.from_counters(data.get("counters", {}), k)
    _require_network(data, conditions, lab)
    result = {**data, **{key: [value / k for value in data[key]] for key in _LISTS}}
    for key in _VALUES:
        if data.get(key) is not None:
            result[key] = data[key] / k
    for key in _TABLES:
        if key in data:
            result[key] = [[value / k for value in row] for row in data[key]]
    return result | {"lab": conditions}


def _require_network(data: dict[str, Any], conditions: LabConditions, lab: Lab) -> None:
    """No shared memory has slipped in: frames were seen, and none came before its time."""
    is_round_trip = data["experiment"] == "pingpong"
    least = lab.smallest_one_way(lab.hosts[0].name, lab.hosts[1].name)
    if conditions.frames and not (is_round_trip and min(data["times_s"]) < least):
        return
    raise LaunchError(
        f"messages of {data['m']} bytes did not cross the network of the lab {lab.name}"
        if not conditions.frames
        else f"a message took {min(data['times_s']):.3g} s, the lab's latency is {least:.3g} s",
        "the MPI library uses shared memory or another interface; unset variables that say so "
        "(OMPI_MCA_..., UCX_..., MPIR_CVAR_...) and try again",
    )


def require_hosts(lab: Lab, counts: tuple[int, ...], processes_per_node: int | None) -> None:
    """Raise an error unless the lab has room for all processes and messages cross its network."""
    room = len(lab.hosts) * (processes_per_node or 1)
    if max(counts) > room:
        raise InvalidInputError(
            f"{max(counts)} processes on the lab {lab.name} of {len(lab.hosts)} hosts",
            f"give at most {room}, --ppn for several on each host, or another place with --on",
        )
    if processes_per_node and min(counts) <= processes_per_node:
        raise InvalidInputError(
            f"{min(counts)} processes, {processes_per_node} on a host of the lab {lab.name}: "
            "none of their messages crosses the network",
            f"give more than {processes_per_node} with -n, or fewer on each host with --ppn",
        )
