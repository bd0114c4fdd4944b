"""contend trace convert: a trace in the format of another tool."""

from enum import Enum
from pathlib import Path
from typing import Annotated

import typer

from contend.cli import output
from contend.cli.commands.trace.info import Format, TraceFile
from contend.traces.writer import WRITERS

ORDER = 2
EXAMPLE = "contend trace convert trace --to perfetto -o timeline.json"

Target = Enum("Target", {name: name for name in WRITERS.names()}, type=str)  # type: ignore[misc]


def command(
    file: TraceFile,
    to: Annotated[Target, typer.Option("--to", help="The format.")],
    target: Annotated[Path, typer.Option("-o", "--output", help="File to write.")],
    format: Format = None,
) -> None:
    """Write a trace in another format."""
    from contend.errors import InvalidInputError
    from contend.traces.reader import read_trace

    if file.resolve() in (target.resolve(), *target.resolve().parents):
        raise InvalidInputError(f"{target} belongs to the trace {file}", "name another file")
    WRITERS.get(to.value).write(read_trace(file, format), target)
    output.note(f"{target}: {WRITERS.get(to.value).title}")
