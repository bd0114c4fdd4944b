"""contend trace show: what a trace holds, call by call, and as a timeline."""

from pathlib import Path

from contend.api import ReplayOptions, Result, show_trace
from contend.cli import options
from contend.cli.options import option

ORDER = 1
EXAMPLE = "contend trace show trace -o timeline.html"


def command(
    file: options.TraceFile,
    output_file: Path | None = option(
        "Draw a timeline: .html to point at, or .svg, .png, .pdf.", "-o", "--output"
    ),
    network_file: str | None = option(
        "Draw a replay on this network, a file or line:LATENCY:BANDWIDTH, not what was recorded.",
        "--network",
        metavar="FILE|line:20us:1Gbit/s",
    ),
    latency: str | None = option("As line:LATENCY.", hidden=True),
    bandwidth: str | None = option("As line:LATENCY:BANDWIDTH.", hidden=True),
    speed: options.Speed = None,
    format: options.TraceFormat = None,
) -> Result:
    """Say which calls a trace holds, how many bytes they move and how long they take.

    With -o it draws what each rank did when: computation, calls by kind, waiting, and messages. A
    trace that knows no times (SMPI, GOAL) is replayed first, on the network that is given.
    """
    wanted = ReplayOptions(
        network=network_file, latency=latency, bandwidth=bandwidth, speed=speed, format=format
    )
    return show_trace(file, output_file, wanted)
