"""By what launches are run, where, for how long, and who hears of it."""

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field

from contend.measure.command import LaunchOptions
from contend.measure.lab.session import RunningLab
from contend.measure.limits import Limits
from contend.measure.mpi import MPI


@dataclass(frozen=True)
class Progress:
    """What has just been measured, its median, and how far the campaign is."""

    title: str
    seconds: float
    done: int
    planned: int


Report = Callable[[Progress], None]


@dataclass(frozen=True)
class Listener:
    """Who hears of campaigns while they run; by itself nobody.

    `note` takes a sentence; `progress` a title, and gives what is called with each point.
    """

    note: Callable[[str], object] = lambda _: None
    progress: Callable[[str], AbstractContextManager[Report | None]] = lambda _: nullcontext()


SILENT = Listener()


@dataclass(frozen=True)
class Runner:
    """By what and how the launches of a campaign are run, where, and for how long."""

    mpi: MPI
    options: LaunchOptions
    report: Report | None = None
    lab: RunningLab | None = None
    limits: Limits = field(default_factory=Limits)
