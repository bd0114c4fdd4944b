"""Section: what contention costs each kind of call, and each size or line of it."""

from collections.abc import Iterator

import numpy as np
import pandas as pd

from contend.canvas.markup import Html, element, table
from contend.number_text import MISSING, count, percent
from contend.replay.replay import Replay
from contend.report.replay import Account
from contend.report.section import Section, remark
from contend.traces.kinds import COMPUTE, NONE
from contend.units import format_bytes, format_seconds

SHOWN = 12
LOST = "Lost to contention"


class Calls(Section):
    """Two tables: kinds of calls, and the same by size or by line of the trace."""

    name = "calls"
    title = "What contention costs which calls"
    page = "replay"
    order = 50

    def content(self, account: Account) -> Iterator[Html]:
        """Where there are calls."""
        found = account.found
        if found.calls.empty:
            return
        yield remark(
            "Times are means over the ranks, with the waiting for others in them; what is lost is "
            "the difference to every message alone, so a call may lose what others cause."
        )
        kinds = (
            [one.call, count(one.count), format_seconds(one.seconds),
             percent(one.seconds / found.seconds if found.seconds else 0.0), _signed(one.lost)]
            for one in found.calls.itertuples()
        )  # fmt: skip
        yield table(["Call", "Calls", "Time", "Of the run", LOST], kinds, class_="counts")
        sites = by_site(found).head(SHOWN)
        if sites.empty:
            return
        yield element("h3", "By size and place")
        lines = (
            [one.call, format_bytes(one.bytes), one.line if one.line != NONE else MISSING,
             count(one.count), format_seconds(one.seconds), _signed(one.lost)]
            for one in sites.itertuples()
        )  # fmt: skip
        yield table(["Call", "Bytes", "Line", "Calls", "Time", LOST], lines, class_="counts")


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


def _signed(seconds: float) -> str:
    return f"−{format_seconds(-seconds)}" if seconds < 0 else format_seconds(seconds)
