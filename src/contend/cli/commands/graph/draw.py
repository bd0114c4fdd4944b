"""contend graph draw: a picture of a contention graph, and of what its messages do over time."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from contend.cli import options, output
from contend.cli.commands.graph.solve import GivenModel
from contend.flows.models import DEFAULT, MEASURED

if TYPE_CHECKING:
    import pandas as pd

    from contend.flows.engine import Solution

ORDER = 2
EXAMPLE = "contend graph draw flows.csv --bandwidth 1Gbit/s -o graph.svg"
MOST_MESSAGES = 5000  # rates over time of twice as many can fill the memory


def command(
    flows_file: Annotated[
        Path, typer.Argument(help="CSV or JSON: src, dst, bytes, perhaps start and latency.")
    ],
    bandwidth: Annotated[
        str | None, typer.Option(help="Of a message that is alone, e.g. 1Gbit/s or 1.82GB/s.")
    ] = None,
    model: GivenModel = None,
    network_file: Annotated[
        Path | None, typer.Option("--network", help="Network file with sharing models.")
    ] = None,
    title: Annotated[str | None, typer.Option(help="Default: the name of the file.")] = None,
    output_file: Annotated[
        Path | None,
        typer.Option("-o", "--output", help=".svg, .png, .pdf, .html; default: as the file, .svg."),
    ] = None,
    as_json: options.AsJson = False,
) -> None:
    """Draw hosts and messages, and the rate of each message over time, on one switch.

    Beyond 60 messages the picture shows how busy each host is. A page of HTML tells rate, penalty
    and bytes of each step.
    """
    from contend.canvas.files import check_picture, write_picture
    from contend.errors import InvalidInputError
    from contend.figures.flows import flow_drawing
    from contend.flows.reader import read_flows
    from contend.units import format_rate

    path = check_picture(output_file or flows_file.with_suffix(".svg"))
    table = read_flows(flows_file)
    if len(table) > MOST_MESSAGES:
        raise InvalidInputError(
            f"a picture of {len(table)} messages",
            f"draw at most {MOST_MESSAGES}; 'contend graph solve' takes any number",
        )
    chosen = model.value if model else None
    name, rate, solution = _solved(table, chosen, bandwidth, network_file)
    note = f"{_messages(solution)}; {name}, {format_rate(8 * rate)} alone"
    write_picture(flow_drawing(solution, title or flows_file.stem, note), path)
    if as_json:
        found = {"picture": str(path), "model": name, "messages": len(table)}
        output.show_json(found | {"seconds": float(solution.end.max())})
    else:
        output.console().print(f"picture: {path}", markup=False)


def _solved(
    table: "pd.DataFrame", model: str | None, bandwidth: str | None, network_file: Path | None
) -> "tuple[str, float, Solution]":
    """Name of the model, bytes per second of a message alone, and the solution."""
    from contend.errors import InvalidInputError
    from contend.flows.engine import solve
    from contend.network import Network
    from contend.units import parse_rate

    if (bandwidth is None) == (network_file is None):
        what = "no bandwidth and no network" if bandwidth is None else "a bandwidth and a network"
        raise InvalidInputError(what, "give either --bandwidth or --network")
    if network_file is None:
        rate = parse_rate(bandwidth or "") / 8
        name = model or DEFAULT
        if name == MEASURED:
            raise InvalidInputError("measured penalties of no network", "give --network")
        return name, rate, solve(table, name, bandwidth=rate, is_recorded=True)
    sharing = Network.load(network_file).sharing
    if sharing is None:
        raise InvalidInputError(
            f"{network_file} does not say how messages share the network",
            "fit measured contention graphs, or give --bandwidth and --model",
        )
    known = sharing.known(model)
    solution, _ = sharing.solve(table, model, is_recorded=True)
    return known.name, float(known.bandwidth), solution


def _messages(solution: "Solution") -> str:
    """How many, how large, and when the last one ends."""
    from contend.units import format_bytes, format_seconds

    sizes = solution.flows.bytes
    low, high = format_bytes(float(sizes.min())), format_bytes(float(sizes.max()))
    size = low if low == high else f"{low} to {high}"
    count = f"{len(sizes)} messages" if len(sizes) > 1 else "one message"
    return f"{count} of {size}, the last one ends at {format_seconds(float(solution.end.max()))}"
