"""contend trace info: what a trace holds, call by call."""

import math
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from contend.base.units import format_bytes, format_seconds
from contend.cli import output
from contend.cli.result import Cell, Part, Result, Table
from contend.programs.traces.reader import read_trace
from contend.programs.traces.summary import Summary, summarise

ORDER = 1
EXAMPLE = "contend trace info trace"

COLUMNS: dict[str, Cell] = {
    "operation": "call",
    "calls": "calls",
    "bytes": ("bytes", format_bytes),
}
TraceFile = Annotated[
    Path, typer.Argument(help="Folder of 'contend record', or a trace of another tool.")
]
Format = Annotated[
    str | None, typer.Option("--format", help="Of the trace, where it does not say itself.")
]


def command(file: TraceFile, format: Format = None) -> Result:
    """Say which calls a trace holds, how many bytes they move and how long they take."""
    trace = read_trace(file, format)
    summary = summarise(trace)
    early = [{"rank": rank, "why": why} for rank, why in enumerate(trace.cut) if why]
    return Result(vars(summary) | {"early_ends": early}, _parts(summary))


def _parts(summary: Summary) -> Iterator[Part]:
    columns = dict(COLUMNS)
    if not math.isnan(summary.called_s):
        columns["time of all ranks"] = ("seconds", format_seconds)
        columns["share"] = lambda row: output.percent(row["seconds"] / summary.called_s)
    yield Table(summary.calls, columns, _title(summary))
    if summary.lost:
        yield (
            f"{summary.lost} messages are known from one side alone, as where a program was killed"
        )


def _title(summary: Summary) -> str:
    words = [
        f"{summary.ranks} ranks",
        f"{summary.messages} messages of {format_bytes(summary.bytes)} in all",
        f"{summary.communicators} communicators",
    ]
    if not math.isnan(summary.elapsed_s):
        in_mpi = summary.called_s / (summary.elapsed_s * summary.ranks or math.inf)
        words += [f"{format_seconds(summary.elapsed_s)}, {output.percent(in_mpi)} of it in MPI"]
    if summary.computed_operations > 0:
        words.append(f"{summary.computed_operations:.4g} operations of computation")
    return ", ".join(words)
