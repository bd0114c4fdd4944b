"""contend trace convert: a trace in the format of another tool."""

from pathlib import Path

from contend.api import convert_trace
from contend.cli import completion, options, output
from contend.cli.options import option

ORDER = 2
EXAMPLE = "contend trace convert trace --to perfetto -o timeline.json"


def command(
    file: options.TraceFile,
    to: str = option(
        "The format; an unknown one names all.",
        "--to",
        default=...,
        metavar="FORMAT",
        autocompletion=completion.trace_formats,
    ),
    target: Path = option("File to write.", "-o", "--output", default=...),
    speed: options.Speed = None,
    format: options.TraceFormat = None,
) -> None:
    """Write a trace in another format."""
    title = convert_trace(file, to, target, format=format, speed=speed)
    output.note(f"{target}: {title}")
