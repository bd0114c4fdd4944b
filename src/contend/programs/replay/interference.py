"""What jobs that run at the same time lose to each other, and to other traffic, on one network.

Idea: all jobs are one replay, of ranks that know nothing of each other; what a job loses is the
time that it takes among the others, less that which it takes on the same hosts without them. A
run without one of the others shows to whom.
Background: every host sends messages of `SIZE` bytes to hosts drawn at random, at times drawn at
random as well (Poisson's), such that its port is busy for a share of the time. It is drawn several
times, as one draw says little; those that it meets receive whatever comes.
Restrictions: all jobs begin together, and each once, so that a long one is alone when a short one
is done. Background traffic does not wait for anybody, and is not slowed by what it loses.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from contend.base.document import Floats
from contend.base.errors import InvalidInputError
from contend.programs.replay.carriage import Carriage
from contend.programs.replay.replay import Replay
from contend.programs.replay.setting import Setting, balanced
from contend.programs.traces.builder import TraceBuilder
from contend.programs.traces.concurrent_jobs import joined
from contend.programs.traces.kinds import ANY, OpKind
from contend.programs.traces.trace import Trace
from contend.schedules.ragged_rows import Ints

SIZE = 65536  # bytes of a message of the background
DRAWS = 3
MOST_MESSAGES = 5_000_000  # of the background
_LONGER = 1.5  # than the jobs, so that the background lasts until they end


@dataclass(frozen=True, eq=False)
class Interference:
    """Seconds of each job in the whole run, alone and among the others.

    `jobs` has a row for each: job, ranks, alone, together, lost and share (of the time alone); with
    a background `low` and `high`, the least and most of `together` over its draws, of which
    `together` is the median. `to` is what a job (row) loses to each (column), `background` among
    them; negative where it gains. `replay` is the replay of all jobs without a background.
    """

    jobs: pd.DataFrame
    to: pd.DataFrame
    replay: Replay


@dataclass(frozen=True, eq=False)
class Job:
    """A program, by the name that it is called, and the host of each rank, (ranks,)."""

    name: str
    trace: Trace
    host: Ints


def jobs_of(names: Sequence[str], traces: Sequence[Trace], host: Ints) -> list[Job]:
    """Jobs whose ranks follow each other in `host`, (all ranks,); names are made different."""
    ends = np.cumsum([trace.ranks for trace in traces])
    if len(host) != ends[-1]:
        raise InvalidInputError(
            f"{len(host)} hosts for {ends[-1]} ranks", "give one for each rank of all jobs"
        )
    hosts = np.split(host, ends[:-1])
    stated = [
        name if list(names).count(name) == 1 else f"{name} ({place})"
        for place, name in enumerate(names, start=1)
    ]
    return [Job(*fields) for fields in zip(stated, traces, hosts, strict=True)]


def interference(setting: Setting, jobs: Sequence[Job], background: float = 0.0) -> Interference:
    """Replay the jobs together and apart, on the network of a setting.

    Parameters
    ----------
    setting
        Network and model; its trace and the hosts of its ranks are those of the jobs.
    background
        The share of the time that other traffic keeps the port of each host busy, below 1.
    """
    if not 0 <= background < 1:
        raise InvalidInputError(
            f"a background of {background:g}", "give the share of a host's port, from 0 to below 1"
        )
    libraries = {job.trace.library: job.name for job in jobs}
    if len(libraries) > 1 and not setting.library:
        (first, name), (second, other), *_ = sorted(libraries.items())
        raise InvalidInputError(
            f"{name} ran by {first or 'no library that is named'}, and {other} by {second}",
            "say by --library whose algorithms are taken for all",
        )
    alone = np.array([_ends(setting, [job])[0][0] for job in jobs])
    ends, replay = _ends(setting, jobs, is_compared=True)
    to = pd.DataFrame(np.nan, index=[job.name for job in jobs], columns=[job.name for job in jobs])
    for place, job in enumerate(jobs if len(jobs) > 1 else ()):
        others = [rival for rival in jobs if rival is not job]
        without = _ends(setting, others)[0] if len(others) > 1 else np.delete(alone, place)
        to.loc[[rival.name for rival in others], job.name] = np.delete(ends, place) - without
    rows = pd.DataFrame({"job": [job.name for job in jobs],
                         "ranks": [job.trace.ranks for job in jobs], "alone": alone})  # fmt: skip
    if background:
        drawn = np.sort([_beside(setting, jobs, background, seed) for seed in range(DRAWS)], axis=0)
        rows["together"] = drawn[DRAWS // 2]
        rows["low"], rows["high"] = drawn[0], drawn[-1]
        to["background"] = rows["together"].to_numpy() - ends
    else:
        rows["together"] = ends
    rows["lost"] = rows["together"] - rows["alone"]
    rows["share"] = rows["lost"] / rows["alone"].where(rows["alone"] > 0, np.nan)
    return Interference(rows, to, replay)


def _ends(
    setting: Setting, jobs: Sequence[Job], is_compared: bool = False
) -> tuple[Floats, Replay]:
    """Seconds until each job is done, (jobs,), all begun together; and the replay."""
    replay = _of(setting, jobs).replay(is_compared=is_compared)
    first = np.concatenate([[0], np.cumsum([job.trace.ranks for job in jobs])])[:-1]
    return np.maximum.reduceat(replay.rank_end, first), replay


def _of(setting: Setting, jobs: Sequence[Job]) -> Setting:
    """The setting with these jobs alone; the computation of each is balanced by itself."""
    assert setting.carriage is not None
    traces = [balanced(job.trace) if setting.is_balanced else job.trace for job in jobs]
    return replace(
        setting,
        trace=replace(joined(traces), library=jobs[0].trace.library),
        carriage=replace(setting.carriage, host=np.concatenate([job.host for job in jobs])),
        is_balanced=False,
    )


def _beside(setting: Setting, jobs: Sequence[Job], share: float, seed: int) -> Floats:
    """Seconds until each job is done, beside one draw of other traffic."""
    assert setting.carriage is not None
    carriage, seconds = setting.carriage, float(_ends(setting, jobs)[0].max())
    while True:
        other = background_of(carriage, share, seconds * _LONGER, seed)
        ends = _ends(setting, [*jobs, other])[0][:-1]
        if ends.max() <= seconds * _LONGER:
            return ends
        seconds = 2 * float(ends.max())


def background_of(carriage: Carriage, share: float, seconds: float, seed: int) -> Job:
    """Random traffic for so many seconds, as a job with a rank on each host.

    Raises
    ------
    InvalidInputError
        For more messages than `MOST_MESSAGES`, or a single host.
    """
    hosts = max(carriage.hosts, int(carriage.host.max(initial=0)) + 1)
    every = share * seconds * carriage.bandwidth / SIZE  # of a host, on average
    if hosts < 2 or every * hosts > MOST_MESSAGES:
        raise InvalidInputError(
            f"a background of {every * hosts:.3g} messages among {hosts} hosts",
            f"name a network of several hosts, and less than {MOST_MESSAGES} messages",
        )
    rng = np.random.default_rng(seed)
    count = rng.poisson(every, hosts)
    builder = TraceBuilder(hosts)
    sent = []
    for src in range(hosts):
        dst = (src + rng.integers(1, hosts, count[src])) % hosts
        gaps = np.diff(np.sort(rng.uniform(0.0, seconds, count[src])), prepend=0.0)
        sent.append((dst, gaps))
    received = np.bincount(np.concatenate([dst for dst, _ in sent]), minlength=hosts)
    for rank, (dst, gaps) in enumerate(sent):
        program = builder.rank(rank)
        for number in range(int(received[rank])):
            program.add(OpKind.RECEIVE, "background", peer=ANY, tag=ANY, bytes=SIZE, request=number)
        for number, (peer, gap) in enumerate(zip(dst.tolist(), gaps.tolist(), strict=True)):
            program.spend("background", gap)
            program.add(OpKind.SEND, "background", peer=peer, bytes=SIZE,
                    request=int(received[rank]) + number)  # fmt: skip
    return Job("background", builder.trace(), np.arange(hosts, dtype=np.int64))
