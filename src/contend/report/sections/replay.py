"""Sections of the page of a replay: changes, timeline, links, waiting, calls."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd

from contend.base.number_text import MISSING, count, percent
from contend.base.units import format_bytes, format_seconds
from contend.programs.replay.derivatives import Derivatives
from contend.programs.replay.interference import Interference
from contend.programs.replay.replay import Replay
from contend.programs.replay.setting import Setting
from contend.programs.replay.whatif import WhatIf, paying, what_ifs
from contend.programs.traces.kinds import COMPUTE, NONE
from contend.report.canvas.inline import on_page
from contend.report.canvas.markup import Html, details, element, raw, table
from contend.report.figures.link_load import link_load_drawing
from contend.report.figures.timeline import timeline_drawing
from contend.report.section import remark
from contend.report.timelines.timeline import Timeline, timeline_of_replay

SHORT = 36  # letters of a word that fits on a narrow screen
SHOWN = 12  # rows of a table
TIMELINE = "What each rank does when"
LINK_HEAD = ("Link", "Busy, mean", "Busy, most", "Time lost", "Share of it")
WAIT_HEAD = ("Rank", "waits for", "Time", "Share of its time", "Mostly in")
LOST = "Lost to contention"
ROUNDING = 1e-9
PARTS = {
    "computing": "all computation",
    "overhead": "all overheads",
    "latency": "all latencies",
    "bytes": "seconds per byte of all links",
    "gap": "seconds per message of all ports",
}


@dataclass(frozen=True)
class Account:
    """A setting and its replay, with times of operations and traffic, and what follows."""

    setting: Setting
    replay: Replay
    interference: Interference | None = None

    @classmethod
    def of(cls, setting: Setting, interference: Interference | None = None) -> "Account":
        """Replay with everything that the page needs; of several jobs, what they lose is given."""
        replay = setting.replay(is_recorded=True, has_traffic=True, has_derivatives=True)
        return cls(setting, replay, interference)

    @cached_property
    def timeline(self) -> Timeline:
        return timeline_of_replay(self.replay)

    @cached_property
    def what_ifs(self) -> list[WhatIf]:
        """All, each replayed, those that save most first."""
        return what_ifs(self.setting, self.replay)


def jobs(account: Account) -> Iterator[Html]:
    if (interference := account.interference) is None:
        return
    rows = (
        [
            row.job,
            count(row.ranks),
            format_seconds(row.alone),
            format_seconds(row.together),
            percent(row.share).replace("-", "−"),
        ]
        for row in interference.jobs.itertuples()
    )
    yield table(("Job", "Ranks", "Alone", "Beside the others", "Lost"), rows)
    yield remark(
        "Seconds from the begin, at which all start, to the end of each job, on the same hosts."
    )
    if interference.to.size > 4 or "background" in interference.to:
        yield table(("Job", *(f"to {name}" for name in interference.to)), _lost_to(interference.to))


def _lost_to(to: pd.DataFrame) -> Iterator[list[str]]:
    """A row for each job, which loses nothing to itself."""
    for name, row in zip(to.index, to.to_numpy().tolist(), strict=True):
        yield [name, *(MISSING if np.isnan(lost) else _signed(lost) for lost in row)]


def best_changes(account: Account) -> Iterator[Html]:
    """Show the three changes that pay most, what the run's time is made of; all others folded."""
    measured = account.what_ifs
    if not measured:
        return
    best = paying(measured)
    if bound := next((change for change in measured if change.candidate.is_bound), None):
        yield element(
            "p",
            f"Without any contention, which no network reaches, it would take "
            f"{format_seconds(bound.seconds)}."
            + " Of the changes that were replayed these save most:"
            * bool(best),
        )
    if best:
        yield element("ol", *(_change(change) for change in best))
    else:
        yield element("p", "None of the changes that were tried makes the run shorter.")
    yield details(f"All {len(measured)} that were replayed", _table(measured))
    if account.replay.derivatives is not None:
        yield from _tenths(account.replay, account.replay.derivatives)


def _tenths(replay: Replay, path: Derivatives) -> Iterator[Html]:
    """Rank parts by what a tenth less of each saves, by the derivative."""
    parts = [(PARTS[kind], seconds) for kind, seconds in path.seconds.items()]
    parts += [(f"bytes at {row.link}", row.seconds) for row in path.links.itertuples()]
    parts += [(f"messages of {call}", path.of_calls([call])) for call in path.calls["call"] if call]
    ranked = sorted(parts, key=lambda part: -part[1])
    rows = [
        [name, format_seconds(seconds / 10), percent(seconds / 10 / replay.seconds)]
        for name, seconds in ranked
        if seconds > ROUNDING * replay.seconds
    ]
    if not rows or not path.is_steady:
        return
    yield element("h3", "What a tenth less would save")
    yield table(["Of", "Saves", "Of the run"], rows[:SHOWN], class_="counts")
    yield remark(
        f"By the derivative along the critical path, with {count(round(path.messages))} latencies "
        f"of messages and {format_bytes(max(path.bytes, 0.0))}: for small changes, after which "
        "everything happens in the same order."
    )


def _change(change: WhatIf) -> Html:
    return element(
        "li",
        element("strong", f"{_capital(change.candidate.title)}: "),
        f"{format_seconds(change.seconds)}, {percent(change.share)} less.",
        Html("<br>"),
        command(change.candidate.setting.command),
    )


def command(text: str) -> Html:
    """A command that breaks between its words, not at a hyphen."""
    words = (
        element("span", word, style="white-space: nowrap") if len(word) <= SHORT else word
        for word in text.split(" ")
    )
    return element("code", *(part for word in words for part in (word, " ")))


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _table(measured: list[WhatIf]) -> Html:
    bound = raw(" ", element("small", "a bound"))
    rows = (
        [
            raw(change.candidate.title, bound if change.candidate.is_bound else ""),
            format_seconds(change.seconds),
            percent(change.share).replace("-", "−"),
            command(change.candidate.setting.command),
        ]
        for change in measured
    )
    return table(["Change", "Time", "Saved", "Command"], rows, class_="")


def rank_timeline(account: Account) -> Iterator[Html]:
    drawing = timeline_drawing(account.timeline, TIMELINE)
    yield on_page(drawing)
    yield remark(drawing.remark)


def links(account: Account) -> Iterator[Html]:
    traffic = account.replay.traffic
    if traffic is None or not traffic.names:
        return
    by_link = traffic.links(account.replay.seconds)
    total, number = float(traffic.lost.sum()), len(by_link)
    worst = by_link.head(SHOWN)
    yield element("p", _lead(total, worst.iloc[0]["link"], float(worst.iloc[0]["share"])))
    drawing = link_load_drawing(
        [str(name).partition(", ")[0] for name in worst["link"]],
        traffic.load[worst["number"].to_numpy()],
        float(traffic.bin) * np.arange(traffic.load.shape[1] + 1),
    )
    yield on_page(drawing)
    left_out = f" {number - SHOWN} more links carried messages." if number > SHOWN else ""
    yield remark(f"{drawing.remark}{left_out}")
    rows = (
        [row.link, *(percent(float(share)) for share in (row.busy, row.highest)),
         format_seconds(float(row.lost)), percent(float(row.share))]
        for row in worst.itertuples()
    )  # fmt: skip
    yield table(LINK_HEAD, rows, class_="counts")


def _lead(total: float, worst: str, share: float) -> str:
    if total <= 0:
        return "No message takes longer in the network than alone."
    return (
        f"In the network all messages together take {format_seconds(total)} longer than each "
        f"alone. Most of it at one link, {percent(share)}: {worst}. The run loses less where ranks "
        "do something else meanwhile, and more where they wait for each other."
    )


def late_ranks(account: Account) -> Iterator[Html]:
    pairs = waits(account)
    if pairs.empty:
        yield element("p", "No rank waits for another one that is late.")
        return
    whole = account.replay.seconds * account.replay.trace.ranks
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
        [f"rank {row.rank}", f"rank {row.awaited}", format_seconds(float(row.seconds)),
         percent(float(row.seconds) / account.replay.seconds), row.call]
        for row in pairs.head(SHOWN).itertuples()
    )  # fmt: skip
    yield table(WAIT_HEAD, rows, class_="counts")
    if len(pairs) > SHOWN:
        yield remark(f"{SHOWN} of {len(pairs)} pairs of ranks are shown.")


def waits(account: Account) -> pd.DataFrame:
    """A row per pair of ranks, the longest wait first: rank, awaited, seconds, call."""
    replay = account.replay
    rows = np.flatnonzero(replay.waited > 0)
    each = pd.DataFrame(
        {
            "rank": replay.trace.rank[rows],
            "awaited": replay.awaited[rows],
            "call": replay.trace.call[rows],
            "seconds": replay.waited[rows],
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
    pairs["call"] = [replay.trace.calls[call] for call in pairs["call"]]
    return pairs.sort_values("seconds", ascending=False, ignore_index=True)


def calls(account: Account) -> Iterator[Html]:
    replay = account.replay
    if replay.calls.empty:
        return
    yield remark(
        "Times are means over the ranks, with the waiting for others in them; what is lost is "
        "the difference to every message alone, so a call may lose what others cause."
    )
    kinds = (
        [row.call, count(row.count), format_seconds(row.seconds),
         percent(row.seconds / replay.seconds if replay.seconds else 0.0), _signed(row.lost)]
        for row in replay.calls.itertuples()
    )  # fmt: skip
    yield table(["Call", "Calls", "Time", "Of the run", LOST], kinds, class_="counts")
    sites = by_site(replay).head(SHOWN)
    if sites.empty:
        return
    yield element("h3", "By size and place")
    lines = (
        [row.call, format_bytes(row.bytes), row.line if row.line != NONE else MISSING,
         count(row.count), format_seconds(row.seconds), _signed(row.lost)]
        for row in sites.itertuples()
    )  # fmt: skip
    yield table(["Call", "Bytes", "Line", "Calls", "Time", LOST], lines, class_="counts")


def by_site(replay: Replay) -> pd.DataFrame:
    """Calls of one name, size and line, those that lose most first; mean seconds over ranks."""
    trace = replay.trace
    if not replay.start.size:
        return pd.DataFrame()
    table_ = pd.DataFrame(
        {
            "call": trace.call,
            "bytes": trace.bytes,
            "line": trace.line if len(trace.files) <= 1 else np.full(len(trace), NONE),
            "seconds": (replay.end - replay.start) / trace.ranks,
            "lost": replay.operations["lost"].to_numpy() / trace.ranks,
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
