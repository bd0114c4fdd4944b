"""What a trace holds, call by call."""

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from contend.base.number_text import percent
from contend.base.result import Cell, Part, Result, Table
from contend.base.units import format_bytes, format_seconds
from contend.programs.traces.kinds import OpKind
from contend.programs.traces.matching import match
from contend.programs.traces.trace import Trace


@dataclass(frozen=True)
class Summary:
    """Numbers of a trace; times are summed over ranks, NaN where the trace knows none."""

    ranks: int
    operations: int
    communicators: int
    messages: int  # that were sent and received
    bytes: int  # of these
    lost: int  # sent or received alone, as at the end of a program that was killed
    computed_s: float  # NaN where computation is counted in operations
    computed_operations: float  # else NaN
    called_s: float  # within calls
    elapsed_s: float  # from the first beginning to the last end
    calls: pd.DataFrame  # call, calls, bytes as of `Trace.bytes`, seconds; the longest first


def is_part(trace: Trace) -> NDArray[np.bool_]:
    """Rows of a call of several parts, as a sendrecv has, but the last of them; (n_ops,)."""
    part = np.zeros(len(trace), bool)
    part[:-1] = (trace.call[:-1] == trace.call[1:]) & (trace.seconds[1:] == 0)
    part[:-1] &= (trace.kind[:-1] != OpKind.WAIT) & (trace.rank[:-1] == trace.rank[1:])
    if trace.start.size:
        is_point = trace.start[:-1] == trace.end[:-1]
        part[:-1] &= is_point & (trace.start[:-1] == trace.start[1:])
    else:
        part[:-1] &= (trace.request[:-1] >= 0) & (trace.kind[1:] != trace.kind[:-1])
    return part


def summarise(trace: Trace) -> Summary:
    """What a trace holds.

    >>> from contend.programs.traces.builder import TraceBuilder
    >>> builder = TraceBuilder(ranks=1)
    >>> builder.rank(0).add(OpKind.BARRIER, "barrier")
    >>> summarise(builder.trace()).calls["call"].tolist()
    ['barrier']
    """
    matches = match(trace)
    knows_times = trace.start.size > 0
    taken = trace.end - trace.start if knows_times else np.full(len(trace), np.nan)
    rows = pd.DataFrame(
        {
            "call": trace.call,
            "calls": ~is_part(trace),
            "bytes": np.where(trace.kind == OpKind.PROBE, 0, trace.bytes),  # the receive's
            "seconds": taken,
        }
    )
    table = rows.groupby("call", as_index=False).sum()
    table["call"] = [trace.calls[call] for call in table["call"]]
    order = ["seconds", "calls"] if knows_times else ["calls"]
    computed = float(trace.seconds[trace.is_computation].sum())
    if not knows_times:
        table["seconds"] = np.nan
    return Summary(
        ranks=trace.ranks,
        operations=len(trace),
        communicators=len(trace.communicators),
        messages=matches.sends.size,
        bytes=int(trace.bytes[matches.sends].sum()),
        lost=matches.lost_sends.size + matches.lost_receives.size,
        computed_s=float("nan") if trace.counts_operations else computed,
        computed_operations=computed if trace.counts_operations else float("nan"),
        called_s=float(taken.sum()) if knows_times else float("nan"),
        elapsed_s=float(trace.end.max() - trace.start.min()) if knows_times else float("nan"),
        calls=table.sort_values(order, ascending=False).reset_index(drop=True),
    )


def result_of(trace: Trace) -> Result:
    summary = summarise(trace)
    early = [{"rank": rank, "why": why} for rank, why in enumerate(trace.cut) if why]
    return Result(vars(summary) | {"early_ends": early}, _parts(summary))


def _parts(summary: Summary) -> Iterator[Part]:
    columns: dict[str, Cell] = {"call": "call", "calls": "calls", "bytes": ("bytes", format_bytes)}
    if not math.isnan(summary.called_s):
        columns["time of all ranks"] = ("seconds", format_seconds)
        columns["share"] = lambda row: percent(row["seconds"] / summary.called_s)
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
        # Calls of threads that are in MPI at once are no part of the time.
        share = f", {percent(in_mpi)} of it in MPI" if in_mpi <= 1 else ""
        words += [f"{format_seconds(summary.elapsed_s)}{share}"]
    if summary.computed_operations > 0:
        words.append(f"{summary.computed_operations:.4g} operations of computation")
    return ", ".join(words)
