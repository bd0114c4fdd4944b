"""How long a run of a replayed program may take: an interval.

Source: as with ensembles of weather forecasts (Leith 1974), runs from states that differ a little.
Idea: where messages meet follows from when ranks come, and a rank that is late by little can let
all that follows take longer. The trace is replayed some times more, each call of each rank ending
later by a random share of its time, of one of several scales, since noise of hosts is not known
and exchanges in turns can hold or lose their step for good; from the shortest of these times to
the longest, and on either side by what replays of programs were wrong that were recorded there.
Cost: a replay for each of `LATER`.
Restrictions: by TCP alone, where replays were compared with what they are of; parameters of the
network are taken as they are. None is given of traces that end early or whose operations require
each other, and of runs of more than `MOST_MESSAGES`.
"""

from dataclasses import replace

import numpy as np

from contend.base.document import Floats
from contend.programs.replay.replay import Replay
from contend.programs.replay.setting import Setting
from contend.programs.traces.trace import Trace
from contend.simulate.flows.models import TCP

# Standard deviations by run, of the time of the call; the largest is that of the ends of an
# all-to-all in labs.
LATER = tuple(np.geomspace(1e-5, 0.03, 8).tolist())
ERROR = 0.04  # of replayed over measured, of programs without such calls (docs/results/replay.md)
QUANTILE = 1.645  # of both sides of 90 %
MOST_MESSAGES = 100_000


def interval(setting: Setting, replay: Replay, seed: int = 0) -> tuple[float, float] | None:
    """Return the least and the most seconds of nine runs in ten; None where that is not known."""
    is_known = replay.model == TCP and not replay.shortfall and replay.messages <= MOST_MESSAGES
    if setting.trace.requires_offsets.size or not is_known:
        return None
    times = setting.replay(is_compared=False, is_recorded=True)
    took = times.end - times.start
    rng = np.random.default_rng(seed)
    seconds = [replay.seconds]
    for scale in LATER:
        late = scale * np.abs(rng.normal(size=took.size)) * took
        other = replace(setting, trace=_later(setting.trace, late))
        seconds.append(other.replay(is_compared=False).seconds)
    beside = np.exp(QUANTILE * ERROR)
    return float(min(seconds) / beside), float(max(seconds) * beside)


def _later(trace: Trace, late: Floats) -> Trace:
    """The trace with each call that much longer, as seconds before the next one of its rank."""
    seconds = trace.seconds.copy()
    seconds[1:] += np.where(trace.rank[1:] == trace.rank[:-1], late[:-1], 0.0)
    return replace(trace, seconds=seconds)
