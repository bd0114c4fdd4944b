"""What a page holds of a timeline: single intervals, or bins where there are too many of them.

Idea: a page of any trace is small: at most so many intervals, or so many bins with the two
activities that take most of each, and so many messages.
"""

import base64
from typing import Any

import numpy as np

from contend.canvas.style import DARK, LIGHT
from contend.number_text import count
from contend.timelines.binning import KINDS, MOST_ROWS, Binned, binned
from contend.timelines.kinds import Activity
from contend.timelines.timeline import Timeline
from contend.units import format_seconds

MOST_INTERVALS = 10_000  # of a page that shows single ones
MOST_MESSAGES = 3000
ARROWS = 400  # at a time: those in sight that are under way longest
UNITS = 1 << 22  # of time on a page: a quarter of a millionth of the whole
SHARES = 15  # steps of a share of a bin, four bits


def page_data(timeline: Timeline) -> dict[str, Any]:
    """The timeline as the script of the page takes it."""
    messages = timeline.messages.longest(MOST_MESSAGES)
    unit = UNITS / (timeline.seconds or 1.0)
    times = (np.rint(time * unit).astype(int).tolist() for time in (messages.begin, messages.end))
    columns = (*times, messages.src.tolist(), messages.dst.tolist(), messages.bytes.tolist())
    shown: dict[str, Any] = {
        "ranks": timeline.ranks,
        "seconds": timeline.seconds,
        "units": UNITS,
        "arrows": ARROWS,
        "kinds": [
            {"title": one.title, "colour": one.colour, "hatch": one.hatch[:1]} for one in Activity
        ],
        "light": LIGHT,
        "dark": DARK,
        "messages": list(zip(*columns, strict=True)),
        "flight": [float(f"{mean:.3g}") for mean in timeline.flight],
    }
    if is_single(timeline):
        return shown | {"step": 1, "intervals": _intervals(timeline, unit), "calls": timeline.calls}
    found = binned(timeline)
    cells = base64.b64encode(packed(found)).decode()
    return shown | {"step": found.step, "bins": found.share.shape[1], "cells": cells}


def is_single(timeline: Timeline) -> bool:
    """Whether a page has room for every interval."""
    return timeline.rank.size <= MOST_INTERVALS and timeline.ranks <= MOST_ROWS


def packed(found: Binned) -> bytes:
    """Two bytes for each cell: the two activities that take most of it, and their shares."""
    share = found.share[:, :, 1:]  # all but NOTHING
    order = np.argsort(-share, axis=2, kind="stable")[:, :, :2]
    values = np.take_along_axis(share, order, axis=2)
    steps = np.rint(np.clip(values, 0, 1) * SHARES).astype(np.uint8)
    kinds = np.where(steps > 0, order + 1, 0).astype(np.uint8)
    both = np.stack([kinds[:, :, 0] << 4 | kinds[:, :, 1], steps[:, :, 0] << 4 | steps[:, :, 1]], 2)
    return both.tobytes()


def _intervals(timeline: Timeline, unit: float) -> list[list[int]]:
    """Rank, begin, length, activity, call, bytes, and where it waits how long and for whom."""
    begin = np.rint(timeline.begin * unit).astype(int)
    length = np.maximum(np.rint(timeline.end * unit).astype(int) - begin, 1)
    columns = [timeline.rank, begin, length, timeline.activity, timeline.call, timeline.bytes]
    rows: list[list[int]] = np.stack(columns, axis=1).astype(int).tolist()
    waits = np.rint(timeline.waiting * unit).astype(int)
    for at in np.flatnonzero(waits).tolist():
        rows[at] += [int(waits[at]), int(timeline.awaited[at])]
    return rows


def remarks(timeline: Timeline) -> list[str]:
    """What a picture leaves out, in sentences."""
    said = []
    shown, there = min(timeline.messages.begin.size, MOST_MESSAGES), timeline.messages.count
    if there > shown:
        said.append(
            f"{count(shown)} of {count(there)} messages are drawn as arrows, those that are under "
            f"way longest, at most {ARROWS} at a time; the curve above the ranks counts them all."
        )
    elif there:
        most = f", at most {ARROWS} at a time" if there > ARROWS else ""
        said.append(f"All {count(there)} messages are drawn as arrows{most}.")
    if not is_single(timeline):
        step = -(-timeline.ranks // MOST_ROWS)
        width = format_seconds(timeline.seconds / _bins(timeline))
        said.append(
            f"{count(timeline.rank.size)} intervals are too many to draw: each column of a row is "
            f"{width} wide and shows the two activities that take most of it, by their shares."
        )
        if step > 1:
            said.append(f"Each row is {step} ranks.")
    return said


def _bins(timeline: Timeline) -> int:
    from contend.timelines.binning import MOST_BINS, MOST_CELLS

    rows = -(-timeline.ranks // -(-timeline.ranks // MOST_ROWS))
    return int(min(MOST_BINS, max(MOST_CELLS // rows, 1)))


def shares(timeline: Timeline) -> "dict[Activity, float]":
    """Share of the time of all ranks by activity, waiting apart; what is left is NOTHING."""
    length = timeline.end - timeline.begin - timeline.waiting
    total = np.bincount(timeline.activity, length, minlength=KINDS)
    total[Activity.WAITING] += timeline.waiting.sum()
    whole = timeline.seconds * timeline.ranks
    found = total / whole if whole else np.zeros(KINDS)
    found[Activity.NOTHING] = max(1.0 - found.sum(), 0.0)
    return {kind: float(found[kind]) for kind in Activity}
