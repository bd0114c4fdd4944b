"""contend trace convert: a trace in the format of another tool."""

from pathlib import Path

from contend.base.errors import InvalidInputError
from contend.cli import completion, options, output
from contend.cli.commands.trace.info import Format, TraceFile
from contend.cli.options import option
from contend.programs.traces.reader import read_trace
from contend.programs.traces.writer import WRITERS

ORDER = 2
EXAMPLE = "contend trace convert trace --to perfetto -o timeline.json"


def command(
    file: TraceFile,
    to: str = option(
        "The format; an unknown one names all.",
        "--to",
        default=...,
        metavar="FORMAT",
        autocompletion=completion.trace_formats,
    ),
    target: Path = option("File to write.", "-o", "--output", default=...),
    speed: options.Speed = None,
    format: Format = None,
) -> None:
    """Write a trace in another format."""
    writer = WRITERS.get(to)
    if file.resolve() in (target.resolve(), *target.resolve().parents):
        raise InvalidInputError(f"{target} belongs to the trace {file}", "name another file")
    writer.write(read_trace(file, format, options.number_of(speed)), target)
    output.note(f"{target}: {writer.title}")
