"""What pictures say of each message of a solution: names, rate over time, what it moved."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from contend.base.document import Floats
from contend.base.errors import InvalidInputError
from contend.base.units import format_bytes, format_rate, format_seconds
from contend.simulate.flows.engine import Solution


@dataclass(frozen=True, eq=False)
class Messages:
    """A solution with its rates, ready to be drawn.

    `rates` has a row per message and stretch of constant rate, in order: flow, begin, until, rate,
    penalty. `times` are the starts and ends of steps; `source` (n_flows,) counts the hosts that
    send, in the order in which they occur. `measured` are end times in seconds (n_flows,), if they
    are known.
    """

    solution: Solution
    rates: pd.DataFrame
    times: Floats
    source: np.ndarray
    measured: Floats | None

    def __len__(self) -> int:
        return len(self.solution.flows)

    @property
    def seconds(self) -> float:
        """From the first start to the last end, predicted or measured, counted from 0."""
        ends = [float(self.solution.end.max(initial=0.0))]
        if self.measured is not None:
            ends.append(float(self.measured.max(initial=0.0)))
        return max(ends) or 1.0

    @property
    def edges(self) -> list[tuple[int, int]]:
        flows = self.solution.flows
        return list(zip(flows.src.tolist(), flows.dst.tolist(), strict=True))

    @property
    def hosts(self) -> list[int]:
        return sorted({host for edge in self.edges for host in edge})

    @cached_property
    def _short_names(self) -> list[str]:
        flows = self.solution.flows
        names = [flows.name(host) for host in range(flows.hosts)]
        short = [name.partition(".")[0] or name for name in names]
        return short if len(set(short)) == len(names) else names

    def short_name(self, host: int) -> str:
        return self._short_names[host]

    def ends(self, flow: int, most: int | None = None) -> str:
        flows = self.solution.flows
        hosts = int(flows.src[flow]), int(flows.dst[flow])
        if most is None:
            return " → ".join(flows.name(host) for host in hosts)
        return " → ".join(shortened(self.short_name(host), most) for host in hosts)

    def first_penalty(self) -> dict[int, float]:
        """Return the penalty of each message that moves bytes, at its start."""
        first = self.rates.drop_duplicates("flow")
        return dict(zip(first["flow"].tolist(), first["penalty"].tolist(), strict=True))

    def summary(self, flow: int) -> str:
        end, size = float(self.solution.end[flow]), float(self.solution.flows.bytes[flow])
        text = f"{flow + 1}: {self.ends(flow)}, {format_bytes(size)}, ends at {format_seconds(end)}"
        if self.measured is None:
            return text
        return f"{text}, measured at {format_seconds(float(self.measured[flow]))}"


def messages(solution: Solution, measured: ArrayLike | None = None) -> Messages:
    """The messages of a solution that was recorded.

    Raises InvalidInputError when the solution has no rates over time, or `measured` not one end per
    message.
    """
    flows = solution.flows
    if not len(flows) or (solution.stretches.empty and flows.bytes.any()):
        problem = "the solution has no rates over time" if len(flows) else "there is no message"
        raise InvalidInputError(problem, "solve at least one message with is_recorded=True")
    ends = None if measured is None else np.asarray(measured, dtype=np.float64)
    if ends is not None and not (ends.shape == flows.src.shape and np.isfinite(ends).all()):
        raise InvalidInputError(
            f"measured ends of shape {ends.shape} for {len(flows)} messages",
            "give one time in seconds for each message",
        )
    rates = solution.stretches.sort_values(["flow", "begin"], ignore_index=True)
    times = np.unique(rates[["begin", "until"]].to_numpy(dtype=np.float64))
    return Messages(solution, rates, times, _sources(flows.src), ends)


def rate_text(bytes_per_second: float) -> str:
    """A rate in bytes per second and, as links are sold, in bits.

    >>> rate_text(1.25e8)
    '125 MB/s (1 Gbit/s)'
    """
    in_bytes = format_rate(bytes_per_second).replace("bit/s", "B/s")
    return f"{in_bytes} ({format_rate(8 * bytes_per_second)})"


def shortened(text: str, most: int) -> str:
    """Text of at most `most` letters; names of hosts differ at their end, so that is kept.

    >>> shortened("node-17.cluster.example", 12)
    'node…example'
    """
    if len(text) <= most:
        return text
    kept = (most - 1) * 2 // 3
    return f"{text[: most - 1 - kept]}…{text[-kept:]}"


def _sources(src: np.ndarray) -> np.ndarray:
    _, first, number = np.unique(src, return_index=True, return_inverse=True)
    rank: np.ndarray = np.argsort(np.argsort(first))[number]
    return rank
