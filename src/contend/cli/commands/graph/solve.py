"""contend graph solve: the end time of every message that shares a network."""

from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from contend.cli import options, output
from contend.errors import InvalidInputError
from contend.flows.models import DEFAULT, MEASURED, names

if TYPE_CHECKING:
    import pandas as pd

    from contend.flows.engine import Solution

ORDER = 1
EXAMPLE = "contend graph solve flows.csv --bandwidth 1Gbit/s --model infiniband-residual"
MOST_ROWS = 40  # of flows on the console
ONE_SWITCH = "switch"

Model = Enum("Model", {name: name for name in names()}, type=str)  # type: ignore[misc]
GivenModel = Annotated[
    Model | None,
    typer.Option(help=f"How messages share it; default {DEFAULT}, or the network's closest."),
]


def command(
    flows_file: Annotated[
        Path,
        typer.Argument(
            help="CSV, JSON, GraphML, edge list or GOAL: source, destination, bytes, perhaps "
            "start, latency and route."
        ),
    ],
    bandwidth: Annotated[
        str | None,
        typer.Option(
            help="Of a message that is alone, e.g. 1Gbit/s or 1.82GB/s; a topology may say it."
        ),
    ] = None,
    model: GivenModel = None,
    network_file: Annotated[
        Path | None, typer.Option("--network", help="Network file made by 'contend graph fit'.")
    ] = None,
    topology: options.Topology = ONE_SWITCH,
    format: Annotated[
        str | None, typer.Option(help="Of the messages, where the file's name does not say it.")
    ] = None,
    steps: Annotated[bool, typer.Option(help="Also the rate and penalty in every step.")] = False,
    tolerance: Annotated[
        float,
        typer.Option(
            min=0.0, max=0.1, help="Part of its bytes that a message may leave out, to be faster."
        ),
    ] = 0.0,
    as_json: options.AsJson = False,
) -> None:
    """Say when each message ends, on one switch or any topology."""
    from contend.flows.reader import read_flows

    if network_file and tolerance > 0:
        raise InvalidInputError(
            "a tolerance and a network",
            "leave out one: a fitted network is solved exactly",
        )
    table = read_flows(flows_file, format)
    chosen = model.value if model else None
    name, solution, remark = (
        _by_network(table, chosen, network_file, bandwidth, topology, steps)
        if network_file
        else _by_bandwidth(table, chosen or DEFAULT, bandwidth, topology, steps, tolerance)
    )
    ends = table.drop(columns="requires", errors="ignore")
    ends = ends.assign(end=solution.end, seconds=solution.seconds)
    if as_json:
        found = {"model": name, "flows": ends.to_dict("records")}
        found |= {"steps": solution.steps().to_dict("records")} if steps else {}
        output.show_json(found)
        return
    shown = len(ends) if len(ends) <= MOST_ROWS else MOST_ROWS
    output.show_table(_flows(ends.head(shown)), f"{name}: flows")
    if shown < len(ends):
        last = ends["end"].max()
        output.note(f"{len(ends) - shown} more, the last ends at {last:.6g} s; --json shows all")
    if remark:
        output.note(remark)
    if steps:
        output.show_table(_steps(ends, solution), "steps")


def _by_bandwidth(
    table: "pd.DataFrame",
    model: str,
    bandwidth: str | None,
    topology: str,
    steps: bool,
    tolerance: float,
) -> "tuple[str, Solution, str]":
    """Model, solution, and nothing to remark."""
    from contend.flows.engine import solve
    from contend.topologies import topology_of
    from contend.units import parse_rate

    if bandwidth is None and topology == ONE_SWITCH:
        raise InvalidInputError("no bandwidth and no network", "give --bandwidth or --network")
    if model == MEASURED:
        raise InvalidInputError(
            "measured penalties of no network", "give --network, made by 'contend graph fit'"
        )
    rate = None if bandwidth is None else parse_rate(bandwidth) / 8
    links = topology_of(topology, rate)
    solution = solve(
        table, model, bandwidth=rate, topology=links, is_recorded=steps, tolerance=tolerance
    )
    return model, solution, ""


def _by_network(
    table: "pd.DataFrame",
    model: str | None,
    path: Path,
    bandwidth: str | None,
    topology: str,
    steps: bool,
) -> "tuple[str, Solution, str]":
    """Model, solution, which of its steps were measured, and whether it is usable."""
    from contend.cli.graphs import sharing_of, unusable

    if topology != ONE_SWITCH:
        raise InvalidInputError(
            "a network that was fitted is one switch", "give --bandwidth in place of --network"
        )
    if bandwidth is not None:
        raise InvalidInputError("a bandwidth and a network", "leave out one: a network has its own")
    fitted = sharing_of(path)
    solution, during = fitted.solve(table, model, is_recorded=steps)
    remark = (
        f"{during.measured_steps} of {during.steps} steps have measured penalties, "
        f"the others those of {fitted.fallback}"
        if during
        else ""
    )
    known = fitted.known(model)
    if not known.is_usable:
        remark = "; ".join(filter(None, (remark, unusable(known))))
    return known.name, solution, remark


def _flows(ends: "pd.DataFrame") -> "pd.DataFrame":
    import pandas as pd

    from contend.units import format_bytes, format_seconds

    return pd.DataFrame(
        {
            "flow": range(1, len(ends) + 1),
            "src": ends["src"],
            "dst": ends["dst"],
            "bytes": [format_bytes(size) for size in ends["bytes"]],
            "end": [format_seconds(end) for end in ends["end"]],
            "takes": [format_seconds(taken) for taken in ends["seconds"]],
        }
    )


def _steps(ends: "pd.DataFrame", solution: "Solution") -> "pd.DataFrame":
    import pandas as pd

    from contend.units import format_rate, format_seconds

    steps = solution.steps()
    sources, targets = ends["src"].to_numpy(), ends["dst"].to_numpy()
    return pd.DataFrame(
        {
            "step": steps["step"] + 1,
            "until": [format_seconds(until) for until in steps["until"]],
            "flow": [f"{flow + 1}: {sources[flow]} to {targets[flow]}" for flow in steps["flow"]],
            "rate": [format_rate(8 * rate) for rate in steps["rate"]],
            "penalty": [f"{penalty:.4g}" for penalty in steps["penalty"]],
        }
    )
