"""contend trace show: a trace as a timeline."""

from pathlib import Path

from contend.canvas.files import check_picture, write_picture
from contend.cli import options
from contend.cli.commands.trace.info import Format, TraceFile
from contend.cli.options import option
from contend.cli.result import Result, picture
from contend.cli.shown import timeline_of_file
from contend.figures.timeline import timeline_drawing
from contend.timelines.binning import shares

ORDER = 3
EXAMPLE = "contend trace show trace -o timeline.html"


def command(
    file: TraceFile,
    output_file: Path = option(
        ".html to point at, or .svg, .png, .pdf.", "-o", "--output", default=Path("timeline.html")
    ),
    network_file: Path | None = option(
        "Network file: show a replay on it, not what was recorded.", "--network"
    ),
    latency: str | None = option("Or the latency of a message, e.g. 20us, for a replay."),
    bandwidth: str | None = option("And its bandwidth: 1Gbit/s or 125MB/s."),
    speed: options.Speed = None,
    format: Format = None,
) -> Result:
    """Draw what each rank did when: computation, calls by kind, waiting, and messages.

    A trace that knows no times (SMPI, GOAL) is replayed first, on the network that is given.
    """
    path = check_picture(output_file)
    shown = timeline_of_file(file, format, speed, network_file, latency, bandwidth)
    title = f"{file.resolve().name}: {shown.what}"
    write_picture(timeline_drawing(shown.timeline, title, shown.lead), path)
    found = {kind.title: share for kind, share in shares(shown.timeline).items()}
    return picture(path, seconds=shown.timeline.seconds, shares=found)
