"""Runs of a replayed program as hosts are noisy: one that stands for all, and an interval.

Source: ensembles of weather forecasts, runs from states that differ a little (Leith 1974); of the
noise of hosts and of exchanges that come out of step, Hoefler, Schneider, Lumsdaine (SC 2010).
Idea: where messages meet follows from when ranks come, and a rank that is late by little can let
all that follows take longer. The trace is replayed some times more, each call of each rank ending
a little later or earlier, by a normal share of the time that it does not wait for others.

* **How noisy hosts are** is what the trace says of how far apart the ranks of a collective call
  end, of the time of all such calls. Of the runs that come close to it, that of median time stands
  for all; one without noise is among them.
* **The interval** is from the shortest to the longest run of any scale, and on either side what
  replays were wrong that were recorded there.

Cost: `RUNS` replays for each of `SCALES`.
Restrictions: by TCP alone, where replays were compared with what they are of; parameters of the
network are taken as they are. None of traces that end early or whose operations require each other,
and of runs of more than `MOST_MESSAGES`; no noise without times of calls. On a network where ranks
come apart by themselves, as behind a slow link, a trace says little of the noise of its hosts.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from contend.base.document import Floats
from contend.programs.replay.replay import Replay
from contend.programs.replay.setting import Setting
from contend.programs.traces.collective_calls import collective_calls
from contend.programs.traces.trace import Trace
from contend.schedules.ragged_rows import Ints
from contend.simulate.flows.models import TCP

SCALES = (0.001, 0.01, 0.03)  # of the time of a call; the largest is that of labs
RUNS = 5  # of each scale
ALIKE = 1.35  # factor by which runs differ that are as close as the closest
ERROR = 0.04  # of replayed over measured, of programs without such calls (docs/results/replay.md)
QUANTILE = 1.645  # of both sides of 90 %
MOST_MESSAGES = 100_000


@dataclass(frozen=True, eq=False)
class NoisyRuns:
    """Hold the setting of a typical run, and the seconds within which nine runs of ten are."""

    typical: Setting
    interval: tuple[float, float] | None = None


def noisy_runs(setting: Setting, seed: int = 0) -> NoisyRuns:
    """Replay a trace as hosts are noisy.

    Returns the setting as it is where that is not done, without an interval.
    """
    trace = setting.trace
    if setting.model != TCP or trace.requires_offsets.size:
        return NoisyRuns(setting)
    first = setting.replay(is_compared=False, is_recorded=True)
    if first.shortfall or first.messages > MOST_MESSAGES:
        return NoisyRuns(setting)
    rows, call = collective_calls(trace)
    settings = [setting, *_noisy(setting, first, np.random.default_rng(seed))]
    replays = [first] + [
        other.replay(is_compared=False, is_recorded=True) for other in settings[1:]
    ]
    seconds = np.array([run.seconds for run in replays])
    apart = np.array([_apart(rows, call, run.start, run.end) for run in replays])
    recorded = _apart(rows, call, trace.start, trace.end) if trace.end.size else apart[0]
    off = np.abs(np.log(apart / recorded))
    alike = np.flatnonzero(off <= off.min() + np.log(ALIKE))
    typical = settings[alike[np.argsort(seconds[alike])[alike.size // 2]]]
    least, most = seconds.min(), seconds.max()
    beside = np.exp(QUANTILE * ERROR)
    return NoisyRuns(typical, (float(least / beside), float(most * beside)))


def _noisy(setting: Setting, first: Replay, rng: np.random.Generator) -> Iterator[Setting]:
    """Yield the setting of each run."""
    busy = np.maximum(first.end - first.start - first.waited, 0.0)
    for scale in np.repeat(SCALES, RUNS):
        late = scale * rng.normal(size=busy.size) * busy
        yield replace(setting, trace=_later(setting.trace, late))


def _later(trace: Trace, late: Floats) -> Trace:
    """Return the trace with each call that much longer, taken from what its rank does next."""
    seconds = trace.seconds.copy()
    seconds[1:] += np.where(trace.rank[1:] == trace.rank[:-1], late[:-1], 0.0)
    return replace(trace, seconds=np.maximum(seconds, 0.0))


def _apart(rows: Ints, call: Ints, start: Floats, end: Floats) -> float:
    """Return how far apart ranks end collective calls, of the time of these calls; above 0."""
    count = int(call.max(initial=-1)) + 1
    begun, first, last = np.full(count, np.inf), np.full(count, np.inf), np.full(count, -np.inf)
    np.minimum.at(begun, call, start[rows])
    np.minimum.at(first, call, end[rows])
    np.maximum.at(last, call, end[rows])
    least = 1e-9
    return float(((last - first).sum() + least) / ((last - begun).sum() + least))
