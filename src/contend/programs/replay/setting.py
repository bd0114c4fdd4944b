"""What a replay is of: a trace, a network, and where and how; with the command that runs it."""

import shlex
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from contend.base.document import Floats
from contend.base.errors import InvalidInputError
from contend.programs.replay.carriage import Carriage
from contend.programs.replay.faster import Faster
from contend.programs.replay.message_times import MessageTimes
from contend.programs.replay.replay import Replay, replay
from contend.programs.traces.trace import Trace
from contend.simulate.flows.models import ALONE, DEFAULT


@dataclass(frozen=True, eq=False)
class Setting:
    """What `replay` takes; `words` are those of the command, options by name with their values."""

    trace: Trace
    times: MessageTimes
    model: str = DEFAULT
    carriage: Carriage | None = None
    parameters: Mapping[str, float] | None = None
    algorithms: Mapping[str, str] = field(default_factory=dict)
    library: str = ""
    compute: float = 1.0
    baseline: str = ALONE
    faster: float = 1.0  # links, by that factor
    is_balanced: bool = False
    files: tuple[str, ...] = ("trace",)
    words: Mapping[str, str | bool] = field(default_factory=dict)

    def replay(self, *, is_compared: bool = True, is_recorded: bool = False,
               has_traffic: bool = False, has_derivatives: bool = False) -> Replay:  # fmt: skip
        """The replay; without comparison what contention costs is not known, in half the time."""
        times = self.times if self.faster == 1.0 else Faster(self.times, self.faster)
        carriage = self.carriage
        if carriage is None:
            places = np.arange(self.trace.ranks, dtype=np.int64)
            carriage = Carriage(self.trace.ranks, places, min(self.times.bandwidth, 1e300))
        return replay(
            balanced(self.trace) if self.is_balanced else self.trace,
            times,
            self.model,
            carriage=carriage,
            parameters=self.parameters,
            algorithms=self.algorithms,
            library=self.library,
            compute=self.compute,
            baseline=self.baseline if is_compared else self.model,
            is_recorded=is_recorded,
            has_traffic=has_traffic,
            has_derivatives=has_derivatives,
        )

    @property
    def command(self) -> str:
        line = ["contend", "replay", *self.files]
        for name, value in self.words.items():
            if value is True:
                line.append(name)
            elif value is not False:
                line += [name, str(value)]
        line += [f"--algorithm={name}={algorithm}" for name, algorithm in self.algorithms.items()]
        return shlex.join(line)

    def changed(self, words: Mapping[str, str | bool], **fields: object) -> "Setting":
        """The same with other fields, and the options that say so."""
        return replace(self, words={**self.words, **words}, **fields)  # type: ignore[arg-type]


def computation(trace: Trace) -> Floats:
    """Seconds of computation of each rank, (ranks,)."""
    seconds = np.where(trace.is_computation, trace.seconds, 0.0)
    return np.asarray(np.bincount(trace.rank, seconds, minlength=trace.ranks), dtype=np.float64)


def balanced(trace: Trace) -> Trace:
    """The trace with the computation of each rank scaled to the mean of all.

    Raises
    ------
    InvalidInputError
        For a trace whose operations require each other: it has no computation between calls.
    """
    if trace.requires_offsets.size:
        raise InvalidInputError(
            "computation of a schedule is an operation like others", "balance it where it is made"
        )
    seconds = computation(trace)
    factor = np.divide(seconds.mean(), seconds, out=np.ones_like(seconds), where=seconds > 0)
    scaled = np.where(trace.is_computation, trace.seconds * factor[trace.rank], trace.seconds)
    return replace(trace, seconds=scaled)
