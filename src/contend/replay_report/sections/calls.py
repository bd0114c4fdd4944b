"""Section: what contention costs each kind of call, and each size or line of it."""

from collections.abc import Iterator

import numpy as np
import pandas as pd

from contend.canvas.markup import Html, element, row, table
from contend.number_text import MISSING, count, percent
from contend.replay.replay import Replay
from contend.replay_report.section import Account, Section
from contend.traces.kinds import COMPUTE, NONE
from contend.units import format_bytes, format_seconds

SHOWN = 12


class Calls(Section):
    """Two tables: kinds of calls, and the same by size or by line of the trace."""

    name = "calls"
    title = "What contention costs which calls"
    order = 50

    def content(self, account: Account) -> Iterator[Html]:
        """Where there are calls."""
        found = account.found
        if found.calls.empty:
            return
        yield element(
            "p",
            "Times are means over the ranks, with the waiting for others in them; what is lost is "
            "the difference to every message alone, so a call may lose what others cause.",
            class_="remark",
        )
        head = row(["Call", "Calls", "Time", "Of the run", "Lost to contention"], heading="col")
        yield table(head, (_kind(one, found) for one in found.calls.itertuples()), class_="counts")
        sites = by_site(found)
        if sites.empty:
            return
        yield element("h3", "By size and place")
        head = row(["Call", "Bytes", "Line", "Calls", "Time", "Lost to contention"], heading="col")
        yield table(head, (_site(one) for one in sites.head(SHOWN).itertuples()), class_="counts")


def by_site(found: Replay) -> pd.DataFrame:
    """Calls of one name, size and line, those that lose most first; mean seconds over ranks."""
    trace = found.trace
    if not found.start.size:
        return pd.DataFrame()
    table_ = pd.DataFrame(
        {
            "call": trace.call,
            "bytes": trace.bytes,
            "line": trace.line if len(trace.files) <= 1 else np.full(len(trace), NONE),
            "seconds": (found.end - found.start) / trace.ranks,
            "lost": found.operations["lost"].to_numpy() / trace.ranks,
        }
    )
    # One file for all ranks has a line for each of them, which says no more than the call does.
    if trace.line.size and np.unique(table_["line"]).size > len(trace) / 4:
        table_["line"] = NONE
    grouped = table_.groupby(["call", "bytes", "line"], as_index=False).agg(
        count=("seconds", "size"), seconds=("seconds", "sum"), lost=("lost", "sum")
    )
    grouped["call"] = [trace.calls[call] for call in grouped["call"]]
    grouped = grouped[(grouped["call"] != COMPUTE) & (grouped["seconds"] > 0)]
    return grouped.sort_values(["lost", "seconds"], ascending=False, ignore_index=True)


def _kind(one: "tuple[object, ...]", found: Replay) -> Html:
    call, number, seconds, lost = (
        getattr(one, name) for name in ("call", "count", "seconds", "lost")
    )
    share = seconds / found.seconds if found.seconds else 0.0
    return row([call, count(number), format_seconds(seconds), percent(share), _signed(lost)])


def _site(one: "tuple[object, ...]") -> Html:
    names = ("call", "bytes", "line", "count", "seconds", "lost")
    call, size, line, number, seconds, lost = (getattr(one, name) for name in names)
    where = str(line) if line != NONE else MISSING
    return row(
        [call, format_bytes(size), where, count(number), format_seconds(seconds), _signed(lost)]
    )


def _signed(seconds: float) -> str:
    return f"−{format_seconds(-seconds)}" if seconds < 0 else format_seconds(seconds)
