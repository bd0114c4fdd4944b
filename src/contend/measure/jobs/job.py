"""A batch job: the campaign that it measures, its cost, and its script."""

import shlex
import shutil
import sys
from collections.abc import Callable
from dataclasses import dataclass, replace
from math import ceil
from pathlib import Path
from typing import Any

from contend import __version__
from contend.base.errors import InvalidInputError
from contend.base.units import format_seconds
from contend.base.wholefile import write_whole
from contend.measure.build import Program
from contend.measure.command import LaunchOptions
from contend.measure.design import design
from contend.measure.duration import POINT_SECONDS
from contend.measure.jobs.estimate import Estimate, estimate, nodes_of, study_launches
from contend.measure.jobs.scheduler import SCHEDULERS, Request, Scheduler
from contend.measure.jobs.script import Script
from contend.measure.plan import Launch
from contend.measure.probes.campaign import launches_of
from contend.measure.probes.commands import experiment_of
from contend.measure.probes.file import PlanFile, read_plan
from contend.measure.study.files import StudyFiles
from contend.samples import Sample, read_samples

LONGEST_MINUTES = 24 * 60  # of a job whose time nobody gave
ROUNDED_MINUTES = 5
EXTRA_SIZES = 4  # of pLogP, as 'contend study' adds them


@dataclass(frozen=True)
class JobRequest:
    """What is asked for; empty or None for what is left open.

    A study of `counts` and `sizes` in a folder, or what `plan_file` has proposed. Without counts
    those that fill the `nodes`, half of them and a quarter; without a scheduler the one whose
    command is on PATH. `others` are further options of the command that the job runs.
    """

    scheduler: str = ""
    counts: tuple[int, ...] = ()
    sizes: tuple[int, ...] = ()
    at: int | None = None
    launches: int | None = None
    ppn: int | None = None
    nodes: int | None = None
    max_seconds: float = 0.25
    folder: Path = Path("contend-study")
    plan_file: Path | None = None
    samples_file: Path = Path("samples.jsonl")
    launcher: str | None = None
    mpicc: str | None = None
    seconds: float | None = None
    queue: str | None = None
    account: str | None = None
    modules: tuple[str, ...] = ()
    directives: tuple[str, ...] = ()
    lines: tuple[str, ...] = ()
    name: str = "contend"
    others: tuple[str, ...] = ()

    @property
    def per_node(self) -> int | None:
        """Processes per node; None where the launcher places them."""
        return self.ppn or (None if self.nodes else 1)

    @property
    def words(self) -> list[str]:
        measuring = ["--repeat", f"time={self.max_seconds:g}"]
        measuring += ["--ppn", str(self.per_node)] if self.per_node else []
        if self.plan_file:
            words = [
                "measure",
                "collectives",
                "--plan",
                str(self.plan_file),
                "-o",
                str(self.samples_file),
            ]
        else:
            words = ["study", "-o", str(self.folder), "-n", ",".join(map(str, self.counts))]
            for option, value in {"--at": self.at, "--launches": self.launches}.items():
                words += [option, str(value)] if value else []
            words += ["-m", ",".join(map(str, self.sizes))] if self.sizes else []
        return [*words, *measuring, "--on", "here", *self.others]


@dataclass(frozen=True)
class Job:
    """A script and what it costs."""

    script: Script
    cost: Estimate
    minutes: int
    done: int  # samples that are there already

    def data(self) -> dict[str, Any]:
        cost = self.cost
        return {
            "nodes": cost.nodes,
            "launches": cost.launches,
            "points": cost.points,
            "minutes": {"expected": cost.expected, "at_most": cost.most, "limit": self.minutes},
            "node_minutes": {
                "expected": cost.node_minutes,
                "at_most": cost.nodes * cost.most,
                "limit": cost.nodes * self.minutes,
            },
            "idle": cost.idle,
            "submissions": cost.submissions(self.minutes),
        }

    def description(self) -> list[str]:
        cost, nodes = self.cost, self.cost.nodes
        existing = f"{self.done} samples are there already; " if self.done else ""
        lines = [
            f"{existing}{cost.launches} launches and {cost.points} points are left, on {nodes} "
            f"{'node' if nodes == 1 else 'nodes'}",
            f"expected {format_minutes(cost.expected)} ({nodes * cost.expected:.0f} node-minutes), "
            f"at most {format_minutes(cost.most)} ({nodes * cost.most:.0f}); the limit of the job "
            f"is {format_minutes(self.minutes)} ({nodes * self.minutes:.0f})",
            f"in {cost.idle:.0%} of these node-minutes no rank runs: the nodes are those of the "
            "largest n, and wait while others are measured",
        ]
        if (times := cost.submissions(self.minutes)) > 1:
            lines.append(f"that is about {times} submissions; each goes on where one stopped")
        return lines

    def save(self, path: Path) -> None:
        write_whole(path, self.script.text())
        path.chmod(path.stat().st_mode | 0o100)


def batch_job(asked: JobRequest, made_by: str = "from Python") -> Job:
    """The script of a campaign, and its cost; `made_by` stands in the script.

    >>> job = batch_job(JobRequest("slurm", counts=(4, 8), ppn=4))
    >>> job.cost.nodes, "#SBATCH --ntasks-per-node=4" in job.script.text()
    (2, True)

    Raises
    ------
    InvalidInputError
        For what contradicts itself, or is no word of a batch system.
    """
    scheduler = SCHEDULERS.get(asked.scheduler) if asked.scheduler else _scheduler_here()
    asked = replace(asked, counts=asked.counts or _counts_on(asked))
    launches, launch_options, done = _planned(asked) if asked.plan_file else _study(asked)
    plan = read_plan(asked.plan_file) if asked.plan_file else None
    nodes = _nodes(asked, launches, launch_options)
    per_node = asked.per_node or ceil(max(launch.n for launch in launches) / nodes)
    launch_options = replace(launch_options, processes_per_node=per_node)
    extra = 0 if plan else EXTRA_SIZES
    cost = estimate(launches, launch_options, nodes, done, extra, _seconds(plan) if plan else None)
    minutes = _minutes(asked, cost)
    request = Request(
        nodes, per_node, minutes, asked.name, asked.queue, asked.account, asked.directives
    )
    script = Script(
        scheduler,
        request,
        (sys.executable, "-m", "contend"),
        tuple(asked.words),
        asked.launcher or scheduler.launcher,
        asked.modules,
        (*asked.lines, *([f"export MPICC={shlex.quote(asked.mpicc)}"] if asked.mpicc else [])),
    )
    job = Job(script, cost, minutes, len(done))
    comments = (f"made by contend {__version__}: {made_by}", *job.description())
    return replace(job, script=replace(script, comments=comments))


def _scheduler_here() -> Scheduler:
    """The batch system whose command for submitting is on PATH."""
    here = [each for each in SCHEDULERS.all() if shutil.which(each.submit.split()[0])]
    if len(here) == 1:
        return here[0]
    commands = " and ".join(each.submit.split()[0] for each in here or SCHEDULERS.all())
    raise InvalidInputError(
        f"no batch system is named, and {commands} are {'both' if here else 'not'} on PATH",
        f"give {' or '.join(f'--scheduler {name}' for name in SCHEDULERS.names())}",
    )


def _counts_on(asked: JobRequest) -> tuple[int, ...]:
    """Numbers of processes that fill the nodes of a job, half of them and a quarter."""
    if asked.plan_file or not asked.nodes:
        return ()
    nodes = {max(1, asked.nodes // part) for part in (4, 2, 1)}
    return tuple(sorted(n for count in nodes if (n := count * (asked.ppn or 1)) > 1))


def _nodes(asked: JobRequest, launches: list[Launch], launch_options: LaunchOptions) -> int:
    if asked.per_node is None and asked.nodes:
        return asked.nodes
    needed = max(nodes_of(launch, launch_options) for launch in launches)
    if asked.nodes and asked.nodes < needed:
        raise InvalidInputError(
            f"{asked.nodes} nodes, where {needed} are taken by {asked.per_node} per node",
            "a single message crosses nodes where --ppn is given; give more nodes, or leave it out",
        )
    return asked.nodes or needed


def _minutes(asked: JobRequest, cost: Estimate) -> int:
    """The limit as it was given, or what is enough."""
    if asked.seconds is not None:
        return ceil(asked.seconds / 60)
    enough = ROUNDED_MINUTES * ceil((cost.most + 1) / ROUNDED_MINUTES)
    return min(enough, LONGEST_MINUTES)


def _study(asked: JobRequest) -> tuple[list[Launch], LaunchOptions, list[Sample]]:
    if not asked.counts:
        raise InvalidInputError(
            "a study of no number of processes",
            "give -n, e.g. -n 4,8,16, or how many nodes: --job nodes=4",
        )
    chosen = design(asked.counts, asked.at, asked.sizes or None, asked.launches or 3)
    launch_options = LaunchOptions(max_seconds=asked.max_seconds, processes_per_node=asked.per_node)
    path = StudyFiles.latest(asked.folder).samples
    return study_launches(chosen), launch_options, _existing(path)


def _existing(path: Path) -> list[Sample]:
    return read_samples(path) if path.exists() and path.stat().st_size else []


def _planned(asked: JobRequest) -> tuple[list[Launch], LaunchOptions, list[Sample]]:
    if asked.counts or asked.at or asked.sizes or asked.launches:
        raise InvalidInputError(
            "--plan with what it says itself", "leave out -n, -m, --at and --launches"
        )
    assert asked.plan_file is not None
    plan = read_plan(asked.plan_file)
    name = experiment_of(plan.operation, plan.algorithm) or plan.operation
    program = Program(name, Path(name), plan.operation, (plan.algorithm,), 2, None)
    launch_options = LaunchOptions(max_seconds=asked.max_seconds, processes_per_node=asked.per_node)
    return launches_of(plan, program), launch_options, _existing(asked.samples_file)


def _seconds(plan: PlanFile) -> Callable[[Launch, int], float]:
    """What a point of a plan takes in one launch: repetitions, warm-ups, a check, and its start."""
    seconds_of = {(point.n, point.m): point.seconds for point in plan.points}
    passes = plan.repetitions + plan.warmup + 1
    return lambda launch, m: passes * seconds_of[launch.n, m] + POINT_SECONDS


def format_minutes(minutes: float) -> str:
    """A time for people.

    >>> format_minutes(0.4), format_minutes(12.3), format_minutes(150)
    ('24 s', '12 min', '2 h 30 min')
    """
    if minutes < 1:
        return format_seconds(60 * minutes)
    hours, rest = divmod(round(minutes), 60)
    return f"{hours} h {rest} min" if hours else f"{rest} min"
