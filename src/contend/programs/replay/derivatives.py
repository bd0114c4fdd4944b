"""Derivatives of the time of a replay: what its critical path is made of.

Source: LLAMP (Shen et al., SC 2024): the latencies and bytes on the critical path are the
derivatives by latency and by time per byte.
Idea: the core goes back from the last end (core/src/replay/path.hpp); here its numbers get names.
A part that takes a share x less makes the run shorter by x times its seconds here, while the order
of events stays as it is; where messages do not share links it never saves more.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from contend import _core
from contend.base.document import Floats
from contend.programs.replay.faster import Faster
from contend.programs.replay.message_times import LogGOPS, MessageTimes
from contend.schedules.ragged_rows import Ints

KINDS = ("computing", "overhead", "latency", "bytes")
COLUMNS = ("send_overhead", "receive_overhead", "latency", "gap", "work", "tail")
ROUNDING = 1e-12  # of the time
STEADY = 1.1


@dataclass(frozen=True, eq=False)
class Derivatives:
    """Seconds that the run ends later for each share that a part takes longer.

    `seconds` has a value for each of `KINDS`, and `gap`; bytes are those that faster links carry in
    less, `gap` what a message of whatever size takes of them, `latency` the column of
    contend.programs.replay.message_times.
    `messages` is the derivative by the latency of a message, the number of latencies on the
    critical path, those of handshakes included; `bytes` that by the seconds per byte, of LogGOPS by
    G, for which its receivers are busy too: where both take as long, one of them counts.
    `calls` has a row per kind of call, "" for what is computed between them; `links` one per link:
    link, seconds for its bytes, latencies. Where rates are shared a value may be below zero.
    """

    seconds: Mapping[str, float]
    messages: float
    bytes: float
    calls: pd.DataFrame
    links: pd.DataFrame

    @property
    def is_steady(self) -> bool:
        """Whether small changes stay small: whether next to nothing counts below zero.

        Where ranks share links and wait for each other for long, a message that comes later by a
        little moves others by more, and these more still: the derivative holds for tiny changes.
        """
        each = self.calls[list(KINDS)].to_numpy()
        return bool(np.abs(each).sum() <= STEADY * max(each.sum(), 0.0))

    def of_calls(self, names: Sequence[str]) -> float:
        """Seconds of the messages of these calls: overheads, latencies and bytes."""
        rows = self.calls[self.calls["call"].isin(names)]
        return float(rows[list(KINDS[1:])].to_numpy().sum())


def derivatives_of(
    replayed: _core.Replayed,
    times: MessageTimes,
    sizes: Ints,
    calls: Sequence[str],
    links: Sequence[str],
) -> Derivatives | None:
    """Return those of a replay, or None where the core did not follow its path."""
    if not replayed.path_calls.size:
        return None
    counts = dict(zip(COLUMNS, replayed.path_sizes.reshape(len(COLUMNS), -1), strict=True))
    by_call = replayed.path_calls.reshape(len(calls) + 1, len(KINDS))

    def weighted(columns: Mapping[str, Floats]) -> float:
        return float(sum((counts[name] * columns[name]).sum() for name in COLUMNS))

    in_bytes = weighted(_more(times, Faster(times, 0.5), sizes))
    total: dict[str, float] = dict(zip(KINDS, by_call.sum(axis=0).tolist(), strict=True))
    table = pd.DataFrame(by_call, columns=list(KINDS)).assign(call=[*calls, ""])
    least = ROUNDING * replayed.path_time
    some = np.abs(replayed.path_links) > least
    some |= np.abs(replayed.path_latencies) > ROUNDING
    rows = [row for row in np.flatnonzero(some).tolist() if links[row]]
    shown = pd.DataFrame(
        {
            "link": [links[row] for row in rows],
            "seconds": replayed.path_links[rows],
            "latencies": replayed.path_latencies[rows],
        }
    )
    slower: MessageTimes = Faster(times, 0.5)
    if isinstance(times, LogGOPS):  # whose receivers are busy for each byte too
        slower = replace(times, G=2 * times.G)
    bandwidth = times.bandwidth if np.isfinite(times.bandwidth) else 0.0
    halves = replayed.path_halves if times.handshake else 0.0
    return Derivatives(
        seconds={**total, "bytes": in_bytes, "gap": total["bytes"] - in_bytes},
        messages=float(counts["latency"].sum()) + halves,
        bytes=weighted(_more(times, slower, sizes)) * bandwidth,
        calls=table[np.abs(by_call).sum(axis=1) > least].reset_index(drop=True),
        links=shown.sort_values("seconds", ascending=False, ignore_index=True),
    )


def _more(times: MessageTimes, slower: MessageTimes, sizes: Ints) -> dict[str, Floats]:
    """Seconds that a message of each size takes more of each column."""
    now, then = times.columns(sizes), slower.columns(sizes)
    return {name: np.broadcast_to(then[name] - now[name], sizes.shape) for name in COLUMNS}
