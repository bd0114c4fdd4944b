"""contend graph solve: the end time of every message that shares a network."""

from collections.abc import Iterator
from enum import Enum
from pathlib import Path
from typing import Annotated, NamedTuple

import pandas as pd
import typer

from contend.base.errors import InvalidInputError
from contend.base.units import format_bytes, format_rate, format_seconds, parse_rate
from contend.cli import options
from contend.cli.graphs import sharing_of, unusable
from contend.cli.options import argument, option
from contend.cli.result import Cell, Part, Result, Table
from contend.simulate.flows.engine import Solution, solve
from contend.simulate.flows.models import DEFAULT, MEASURED, names
from contend.simulate.flows.reader import read_flows
from contend.simulate.topologies import topology_of

ORDER = 1
EXAMPLE = "contend graph solve flows.csv --bandwidth 1Gbit/s --model infiniband-residual"
MOST_ROWS = 40  # of flows on the console
ONE_SWITCH = "switch"

Model = Enum("Model", {name: name for name in names()}, type=str)  # type: ignore[misc]
GivenModel = Annotated[
    Model | None,
    typer.Option(help=f"How messages share it; default {DEFAULT}, or the network's closest."),
]
Bandwidth = Annotated[
    str | None,
    typer.Option(help="Of a message that is alone, e.g. 1Gbit/s or 1.82GB/s."),
]
FittedNetwork = Annotated[
    Path | None, typer.Option("--network", help="Network file made by 'contend fit'.")
]

FLOWS: dict[str, Cell] = {
    "flow": "flow",
    "src": "src",
    "dst": "dst",
    "bytes": ("bytes", format_bytes),
    "end": ("end", format_seconds),
    "takes": ("seconds", format_seconds),
}
STEPS: dict[str, Cell] = {
    "step": lambda row: row["step"] + 1,
    "until": ("until", format_seconds),
    "flow": lambda row: f"{row['flow'] + 1}: {row['src']} to {row['dst']}",
    "rate": ("rate", lambda rate: format_rate(8 * rate)),
    "penalty": ("penalty", "{:.4g}".format),
}


class Solved(NamedTuple):
    """A solution, of which model and bytes per second of a message alone, and what to remark."""

    solution: Solution
    model: str
    rate: float | None
    remark: str = ""


def command(
    flows_file: Path = argument(
        "CSV, JSON, GraphML, edge list or GOAL: source, destination, bytes, perhaps start, latency "
        "and route."
    ),
    bandwidth: Bandwidth = None,
    model: GivenModel = None,
    network_file: FittedNetwork = None,
    topology: options.Topology = ONE_SWITCH,
    format: str | None = option("Of the messages, where the file's name does not say it."),
    steps: bool = option("Also the rate and penalty in every step.", default=False),
    tolerance: float = option(
        "Part of its bytes that a message may leave out, to be faster.",
        default=0.0,
        min=0.0,
        max=0.1,
    ),
) -> Result:
    """Say when each message ends, on one switch or any topology, which may say the bandwidth."""
    table = read_flows(flows_file, format)
    found = solved(
        table, model.value if model else None, network_file, bandwidth, topology, tolerance,
        is_recorded=steps,
    )  # fmt: skip
    ends = table.drop(columns="requires", errors="ignore")
    ends = ends.assign(end=found.solution.end, seconds=found.solution.seconds)
    data = {"model": found.model, "flows": ends}
    data |= {"steps": found.solution.steps()} if steps else {}
    return Result(data, _parts(found, ends, with_steps=steps))


def _parts(found: Solved, ends: pd.DataFrame, *, with_steps: bool) -> Iterator[Part]:
    numbered = ends.assign(flow=range(1, len(ends) + 1))
    yield Table(numbered.head(MOST_ROWS), FLOWS, f"{found.model}: flows")
    if (more := len(ends) - MOST_ROWS) > 0:
        yield f"{more} more, the last ends at {ends['end'].max():.6g} s; --json shows all"
    if found.remark:
        yield found.remark
    if with_steps:
        steps = found.solution.steps()
        names = {name: ends[name].to_numpy()[steps["flow"]] for name in ("src", "dst")}
        yield Table(steps.assign(**names), STEPS, "steps")


def solved(
    table: pd.DataFrame,
    model: str | None,
    network_file: Path | None,
    bandwidth: str | None,
    topology: str = ONE_SWITCH,
    tolerance: float = 0.0,
    *,
    is_recorded: bool,
) -> Solved:
    """Solve messages on a fitted network, or on a topology by the bandwidth of its links."""
    if network_file is not None:
        if tolerance > 0:
            raise InvalidInputError(
                "a tolerance and a network", "leave out one: a fitted network is solved exactly"
            )
        if topology != ONE_SWITCH:
            raise InvalidInputError(
                "a network that was fitted is one switch", "give --bandwidth in place of --network"
            )
        if bandwidth is not None:
            raise InvalidInputError(
                "a bandwidth and a network", "leave out one: a network has its own"
            )
        return _by_network(table, model, network_file, is_recorded)
    if bandwidth is None and topology == ONE_SWITCH:
        raise InvalidInputError("no bandwidth and no network", "give --bandwidth or --network")
    if model == MEASURED:
        raise InvalidInputError(
            "measured penalties of no network", "give --network, made by 'contend fit'"
        )
    rate, name = None if bandwidth is None else parse_rate(bandwidth) / 8, model or DEFAULT
    solution = solve(
        table, name, bandwidth=rate, topology=topology_of(topology, rate),
        is_recorded=is_recorded, tolerance=tolerance,
    )  # fmt: skip
    return Solved(solution, name, rate)


def _by_network(table: pd.DataFrame, model: str | None, path: Path, is_recorded: bool) -> Solved:
    """Solve by the sharing models of a file, and say which steps were measured."""
    fitted = sharing_of(path)
    known = fitted.known(model)
    solution, during = fitted.solve(table, model, is_recorded=is_recorded)
    remarks = []
    if during:
        remarks.append(
            f"{during.measured_steps} of {during.steps} steps have measured penalties, "
            f"the others those of {fitted.fallback}"
        )
    if not known.is_usable:
        remarks.append(unusable(known))
    return Solved(solution, known.name, float(known.bandwidth), "; ".join(remarks))
