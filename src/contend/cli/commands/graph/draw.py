"""contend graph draw: a picture of a contention graph, and of what its messages do over time."""

from pathlib import Path

from contend.base.errors import InvalidInputError
from contend.base.units import format_bytes, format_rate, format_seconds
from contend.cli.commands.graph.solve import Bandwidth, FittedNetwork, GivenModel, solved
from contend.cli.options import argument, option
from contend.cli.result import Result, picture
from contend.report.canvas.files import check_picture, write_picture
from contend.report.figures.flows import flow_drawing
from contend.simulate.flows.engine import Solution
from contend.simulate.flows.reader import read_flows

ORDER = 2
EXAMPLE = "contend graph draw flows.csv --bandwidth 1Gbit/s -o graph.svg"
MOST_MESSAGES = 5000  # rates over time of twice as many can fill the memory


def command(
    flows_file: Path = argument("CSV or JSON: src, dst, bytes, perhaps start and latency."),
    bandwidth: Bandwidth = None,
    model: GivenModel = None,
    network_file: FittedNetwork = None,
    output_file: Path | None = option(
        ".svg, .png, .pdf, .html; default: as the file, .svg.", "-o", "--output"
    ),
) -> Result:
    """Draw hosts and messages, and the rate of each message over time, on one switch.

    Beyond 60 messages the picture shows how busy each host is. A page of HTML tells rate, penalty
    and bytes of each step.
    """
    path = check_picture(output_file or flows_file.with_suffix(".svg"))
    table = read_flows(flows_file)
    if len(table) > MOST_MESSAGES:
        raise InvalidInputError(
            f"a picture of {len(table)} messages",
            f"draw at most {MOST_MESSAGES}; 'contend graph solve' takes any number",
        )
    found = solved(table, model.value if model else None, network_file, bandwidth, is_recorded=True)
    assert found.rate is not None
    note = f"{_messages(found.solution)}; {found.model}, {format_rate(8 * found.rate)} alone"
    write_picture(flow_drawing(found.solution, flows_file.stem, note), path)
    return picture(
        path, model=found.model, messages=len(table), seconds=float(found.solution.end.max())
    )


def _messages(solution: Solution) -> str:
    """How many, how large, and when the last one ends."""
    sizes = solution.flows.bytes
    low, high = format_bytes(float(sizes.min())), format_bytes(float(sizes.max()))
    size = low if low == high else f"{low} to {high}"
    count = f"{len(sizes)} messages" if len(sizes) > 1 else "one message"
    return f"{count} of {size}, the last one ends at {format_seconds(float(solution.end.max()))}"
