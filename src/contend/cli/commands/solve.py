"""contend solve: the end time of every message that shares a network."""

from pathlib import Path

from contend.api import Result, solve_file
from contend.cli import options
from contend.cli.options import argument, option

ORDER = 1
PANEL = "Simulate"
EXAMPLE = "contend solve flows.csv --bandwidth 1Gbit/s --model infiniband-residual"


def command(
    flows_file: Path = argument(
        "CSV, JSON, GraphML or edge list: source, destination, bytes, perhaps start, latency and "
        "route."
    ),
    bandwidth: options.Bandwidth = None,
    model: options.SharingModel = None,
    network_file: options.SharingNetwork = None,
    topology: options.Topology = "switch",
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
    solved = solve_file(
        flows_file, model, network=network_file, bandwidth=bandwidth, topology=topology,
        format=format, tolerance=tolerance, is_recorded=steps,
    )  # fmt: skip
    return solved.result(has_steps=steps)
