"""The timeline of a replay, with the messages that were under way longest."""

import numpy as np

from contend.errors import InvalidInputError
from contend.replay.replay import Replay
from contend.timelines.timeline import BINS_OF_FLIGHT, Messages, Timeline, made
from contend.traces.trace import Floats


def timeline_of_replay(found: Replay) -> Timeline:
    """What a replay says that happened.

    Raises
    ------
    InvalidInputError
        For a replay whose times or whose traffic were not kept.
    """
    traffic = found.traffic
    if not found.start.size or traffic is None:
        raise InvalidInputError(
            "the times of the replay were not kept",
            "replay with is_recorded=True and has_traffic=True",
        )
    messages = Messages(
        traffic.begin, traffic.end, traffic.src, traffic.dst, traffic.bytes, found.messages
    )
    return made(
        found.trace, found.start, found.end, found.waited, found.awaited, messages,
        _flight(traffic.flight, traffic.bin, found.seconds), computes_first=True,
    )  # fmt: skip


def _flight(mean: Floats, bin: float, seconds: float) -> Floats:
    """Messages under way, in the bins of a timeline; those of the replay reach beyond its end."""
    if not seconds or not bin:
        return np.zeros(1)
    bins = int(min(BINS_OF_FLIGHT, max(seconds / bin, 1)))
    edges = np.linspace(0.0, seconds, bins + 1)
    total = np.concatenate([[0.0], np.cumsum(mean) * bin])
    until = np.interp(edges, np.arange(total.size) * bin, total)
    found: Floats = np.diff(until) / (seconds / bins)
    return found
