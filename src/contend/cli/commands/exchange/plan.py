"""contend exchange plan: groups, and a network if there is one, to the exchange library's plan."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from contend.alltoall.clusters.file import GroupsFile, read_groups
from contend.alltoall.clusters.plan import Plan, plan_of, plan_text
from contend.alltoall.clusters.site import VARIABLE, keep
from contend.alltoall.plan.choice import SIZES, Option
from contend.alltoall.plan.make import Decided, decide, known_levels, plan
from contend.alltoall.plan.placement import in_proportion, of_hosts
from contend.base.errors import InvalidInputError
from contend.base.units import format_bytes, format_seconds
from contend.base.wholefile import write_whole
from contend.cli import options
from contend.cli.options import argument, option
from contend.cli.result import Cell, Part, Result, Table
from contend.measure.build import exchange_algorithms
from contend.models.network import Network

ORDER = 2
EXAMPLE = "contend exchange plan network.json --groups clusters.toml -n 16 -o plan"


def command(
    network_file: Path | None = argument(
        "Network file with measured links; without, the first calls choose.", default=None
    ),
    groups_file: Path | None = option("Groups file (TOML); else the level of nodes.", "--groups"),
    ranks: int | None = option("Of the exchange; default as measured.", "-n", "--processes", min=2),
    hosts: str | None = option(
        "Those of the job, e.g. red1,red2,blue1; without, groups are as large in proportion as "
        "those that were measured.",
        "--hosts",
    ),
    sizes: str | None = option(
        "Ascending; default 8 B to 1 MiB, each twice the last.", "-m", "--sizes"
    ),
    output_file: Path | None = option(
        "Plan to write; default that of the site, which contend run reads.", "-o", "--output"
    ),
) -> Result:
    """Predict every algorithm of the exchange library at every size, and write which to take.

    The library times the best against the MPI library's own before it stays with one.
    """
    wanted = options.named_sizes(sizes) or SIZES
    declared = read_groups(groups_file) if groups_file else GroupsFile()
    if network_file is None:
        if groups_file is None or ranks or hosts or sizes:
            raise InvalidInputError(
                "a plan without a network file says nothing but groups",
                "give the network file, or --groups and none of -n, --hosts and -m",
            )
        path, use = _kept(plan_of(declared), output_file)
        return Result({"file": path, "levels": []}, [use])
    network = Network.load(network_file)
    levels = known_levels(declared, network)
    named = [name.strip() for name in (hosts or "").split(",") if name.strip()]
    n = ranks or len(named) or sum(group.ranks for group in levels[0].groups)
    placed = of_hosts(declared, levels, named, n) if named else in_proportion(levels, n)
    decided = decide(network, placed, exchange_algorithms(), wanted)
    path, use = _kept(plan(declared, network, decided), output_file)
    levels_data = [_as_data(one) for one in decided]
    return Result({"file": path, "n": n, "levels": levels_data}, _parts(decided, path, use))


def _kept(made: Plan, output_file: Path | None) -> tuple[Path, str]:
    """Write the plan, and return where it is and how it is used."""
    if output_file is not None:
        write_whole(output_file, plan_text(made))
        return output_file, f"to use it: export CONTEND_EXCHANGE_PLAN={output_file.resolve()}"
    path = keep(made)
    if path is None:
        raise InvalidInputError(f"${VARIABLE} names no file", "name the plan with -o")
    return path, f"contend run and the exchange library read it in {path}"


def _parts(decided: Sequence[Decided], path: Path, use: str) -> Iterator[Part]:
    for one in decided:
        sizes = " + ".join(map(str, one.placed.sizes))
        yield Table(one.chosen, COLUMNS, f"level {one.placed.level}, {sizes} ranks, in {path}")
    yield "native: what the MPI library itself does, as the algorithm it likely takes"
    yield use


def _as_data(one: Decided) -> dict[str, object]:
    return {
        "level": one.placed.level,
        "groups": one.placed.sizes,
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
            for chosen in one.chosen
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
