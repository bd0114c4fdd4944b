"""contend trace info: what a trace holds, call by call."""

import math
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from contend.cli import output
from contend.cli.options import AsJson

if TYPE_CHECKING:
    import pandas as pd

    from contend.traces.summary import Summary

ORDER = 1
EXAMPLE = "contend trace info trace"

TraceFile = Annotated[
    Path, typer.Argument(help="Folder of 'contend record', or a trace of another tool.")
]
Format = Annotated[
    str | None, typer.Option("--format", help="Of the trace, where it does not say itself.")
]


def command(file: TraceFile, format: Format = None, as_json: AsJson = False) -> None:
    """Say which calls a trace holds, how many bytes they move and how long they take."""
    from contend.traces.reader import read_trace
    from contend.traces.summary import summarise

    trace = read_trace(file, format)
    summary = summarise(trace)
    if as_json:
        known = {name: _plain(value) for name, value in vars(summary).items() if name != "calls"}
        early = [{"rank": rank, "why": why} for rank, why in enumerate(trace.cut) if why]
        output.show_json(known | {"early_ends": early, "calls": output.records(summary.calls)})
        return
    output.show_table(_calls(summary), _title(summary))
    if summary.lost:
        output.note(
            f"{summary.lost} messages are known from one side alone, as where a program was killed"
        )


def _plain(value: float) -> float | None:
    return None if math.isnan(value) else value


def _title(summary: "Summary") -> str:
    from contend.units import format_bytes, format_seconds

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


def _calls(summary: "Summary") -> "pd.DataFrame":
    import pandas as pd

    from contend.units import format_bytes, format_seconds

    calls = summary.calls
    shown = {
        "operation": calls["call"],
        "calls": calls["calls"],
        "bytes": [format_bytes(size) for size in calls["bytes"]],
    }
    if not math.isnan(summary.called_s):
        shown["time of all ranks"] = [format_seconds(each) for each in calls["seconds"]]
        shown["share"] = [output.percent(each / summary.called_s) for each in calls["seconds"]]
    return pd.DataFrame(shown)
