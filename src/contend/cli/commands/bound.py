"""contend bound: the least time that an exchange of given messages takes."""

from pathlib import Path

from contend.base.errors import InvalidInputError
from contend.base.units import format_bytes, format_seconds
from contend.cli import options
from contend.cli.options import argument
from contend.cli.result import Line, Result
from contend.models.network import Network
from contend.simulate.flows.bound import exchange_bound, read_messages

ORDER = 5
PANEL = "Model"
EXAMPLE = "contend bound network.json messages.csv"


def command(
    network_file: options.NetworkFile,
    messages: Path = argument("CSV with the columns src, dst, bytes."),
) -> Result:
    """Say the least time of any exchange, a message a line, without forwarding."""
    hockney = Network.load(network_file).point_to_point.hockney
    if hockney is None:
        raise InvalidInputError(
            f"{network_file} holds no alpha and beta", "fit samples that hold a pingpong"
        )
    rows = read_messages(messages)
    bound = exchange_bound(rows["src"], rows["dst"], rows["bytes"], hockney)
    text = (
        f"{bound.messages} messages among {bound.processes} processes: at least "
        f"{format_seconds(bound.seconds)}\n"
        f"start-ups: {bound.startups}, {format_seconds(bound.startup_seconds)}\n"
        f"busiest port: {format_bytes(bound.bytes)}, {format_seconds(bound.bandwidth_seconds)}\n"
        f"if all processes begin each step together: {format_seconds(bound.synchronous_seconds)}"
    )
    return Result(bound, [Line(text)])
