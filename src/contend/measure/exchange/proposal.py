"""From groups, and a network if there is one, to the plan of the exchange library."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from contend.alltoall.clusters.file import GroupsFile, read_groups
from contend.alltoall.clusters.plan import Plan, plan_of, plan_text
from contend.alltoall.clusters.site import VARIABLE, keep
from contend.alltoall.plan.choice import SIZES, Option
from contend.alltoall.plan.make import Decided, decide, known_levels, plan
from contend.alltoall.plan.placement import in_proportion, of_hosts
from contend.base.errors import InvalidInputError
from contend.base.result import Cell, Part, Result, Table
from contend.base.units import format_bytes, format_seconds
from contend.base.wholefile import write_whole
from contend.measure.build import exchange_algorithms
from contend.models.network import Network


def plan_exchange(
    network_file: str | Path | None = None,
    groups_file: str | Path | None = None,
    path: str | Path | None = None,
    *,
    n: int | None = None,
    hosts: Sequence[str] = (),
    m: Sequence[int] | None = None,
) -> Result:
    """Predict every algorithm of the exchange library at every size, and write which to take.

    Parameters
    ----------
    network_file
        Network with measured links; without it the plan has the groups alone.
    groups_file
        Groups of hosts (TOML); default the level of nodes.
    path
        Default the plan of the site.
    n, hosts
        Processes, and hosts of the job; default as measured.
    m
        Sizes, ascending; default 8 B to 1 MiB, each twice the last.

    >>> plan_exchange("network.json", "clusters.toml", "plan", n=16).data["n"]
    16
    """
    path = None if path is None else Path(path)
    declared = read_groups(Path(groups_file)) if groups_file else GroupsFile()
    if network_file is None:
        if groups_file is None or n or hosts or m:
            raise InvalidInputError(
                "a plan without a network file says nothing but groups",
                "give the network file, or --groups and none of -n, --hosts and -m",
            )
        path, use = _kept(plan_of(declared), path)
        return Result({"file": path, "levels": []}, [use])
    network = Network.load(network_file)
    levels = known_levels(declared, network)
    count = n or len(hosts) or sum(group.ranks for group in levels[0].groups)
    placed = of_hosts(declared, levels, hosts, count) if hosts else in_proportion(levels, count)
    decided = decide(network, placed, exchange_algorithms(), m or SIZES)
    path, use = _kept(plan(declared, network, decided), path)
    data = [_as_data(decision) for decision in decided]
    return Result({"file": path, "n": count, "levels": data}, _parts(decided, path, use))


def _kept(made: Plan, output_file: Path | None) -> tuple[Path, str]:
    if output_file is not None:
        write_whole(output_file, plan_text(made))
        return output_file, f"to use it: export CONTEND_EXCHANGE_PLAN={output_file.resolve()}"
    path = keep(made)
    if path is None:
        raise InvalidInputError(f"${VARIABLE} names no file", "name the plan with -o")
    return path, f"contend alltoall run and the exchange library read it in {path}"


def _parts(decided: Sequence[Decided], path: Path, use: str) -> Iterator[Part]:
    for decision in decided:
        sizes = " + ".join(map(str, decision.placed.sizes))
        yield Table(
            decision.chosen, COLUMNS, f"level {decision.placed.level}, {sizes} ranks, in {path}"
        )
    yield "native: what the MPI library itself does, as the algorithm it likely takes"
    yield use


def _as_data(decision: Decided) -> dict[str, object]:
    return {
        "level": decision.placed.level,
        "groups": decision.placed.sizes,
        "choices": [
            {
                "m": chosen.m,
                "from_bytes": chosen.from_bytes,
                **_option(chosen.best),
                "is_lossy": chosen.best.predicted.is_lossy,
                "runner_up": _option(chosen.runner_up) if chosen.runner_up else None,
                "native": {"as": chosen.native_as, "seconds": chosen.native.seconds},
                "worst_native_seconds": chosen.worst_native.seconds,
                "bound": chosen.bound,
            }
            for chosen in decision.chosen
        ],
    }


def _option(option: Option) -> dict[str, object]:
    return {
        "algorithm": option.member.name,
        "options": option.member.planned,
        "seconds": option.seconds,
    }


def _time(option: Option) -> str:
    return format_seconds(option.seconds) + (", with a loss" if option.predicted.is_lossy else "")


COLUMNS: Mapping[str, Cell] = {
    "size": ("m", format_bytes),
    "algorithm": lambda chosen: chosen.best.member.title,
    "predicted": ("best", _time),
    "runner-up": ("runner_up", lambda option: option.member.title),
    "its time": ("runner_up", _time),
    "native": lambda chosen: f"{_time(chosen.native)} as {chosen.native_as}",
    "worst native": ("worst_native", _time),
    "bound": ("bound", format_seconds),
}
