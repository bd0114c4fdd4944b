"""Section: who waits for whom."""

from collections.abc import Iterator

import numpy as np
import pandas as pd

from contend.canvas.markup import Html, element, table
from contend.number_text import percent
from contend.report.replay import Account
from contend.report.section import Section, remark
from contend.units import format_seconds

SHOWN = 12
HEAD = ("Rank", "waits for", "Time", "Share of its time", "Mostly in")


class Waits(Section):
    """Pairs of ranks, and the ranks that others wait for."""

    name = "waits"
    title = "Which ranks wait, and for whom"
    page = "replay"
    order = 40

    def content(self, account: Account) -> Iterator[Html]:
        """Always: that nobody waits is an answer too."""
        pairs = waits(account)
        if pairs.empty:
            yield element("p", "No rank waits for another one that is late.")
            return
        whole = account.found.seconds * account.found.trace.ranks
        total = float(pairs["seconds"].sum())
        late = pairs.groupby("awaited")["seconds"].sum().sort_values(ascending=False)
        yield element(
            "p",
            f"Ranks wait {percent(total / whole)} of their time for others that are late, most of "
            f"it for rank {late.index[0]} ({percent(float(late.iloc[0]) / total)} of all waiting).",
        )
        yield remark(
            "A rank waits from its call on until the rank whose message, receive or coming decides "
            "the end of the call has begun its part; what follows is the network's time. Who is "
            "late may have waited itself."
        )
        rows = (
            [f"rank {one.rank}", f"rank {one.awaited}", format_seconds(float(one.seconds)),
             percent(float(one.seconds) / account.found.seconds), one.call]
            for one in pairs.head(SHOWN).itertuples()
        )  # fmt: skip
        yield table(HEAD, rows, class_="counts")
        if len(pairs) > SHOWN:
            yield remark(f"{SHOWN} of {len(pairs)} pairs of ranks are shown.")


def waits(account: Account) -> pd.DataFrame:
    """A row per pair of ranks, the longest wait first: rank, awaited, seconds, call."""
    found = account.found
    rows = np.flatnonzero(found.waited > 0)
    each = pd.DataFrame(
        {
            "rank": found.trace.rank[rows],
            "awaited": found.awaited[rows],
            "call": found.trace.call[rows],
            "seconds": found.waited[rows],
        }
    )
    each = each[each["rank"] != each["awaited"]]
    if each.empty:
        return each
    by_call = each.groupby(["rank", "awaited", "call"], as_index=False)["seconds"].sum()
    by_call = by_call.sort_values("seconds", ascending=False)
    pairs = by_call.groupby(["rank", "awaited"], as_index=False).agg(
        seconds=("seconds", "sum"), call=("call", "first")
    )
    pairs["call"] = [found.trace.calls[call] for call in pairs["call"]]
    return pairs.sort_values("seconds", ascending=False, ignore_index=True)
