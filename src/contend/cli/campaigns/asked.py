"""The options of contend measure."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer

from contend.cli import completion, options
from contend.cli.campaigns.measuring import Repeating, Where
from contend.errors import InvalidInputError
from contend.measure.limits import Limits

SAMPLES, LINKS = Path("samples.jsonl"), Path("links.jsonl")
MOST = "4MiB"
TIMEOUT, FORCED_TIMEOUT = 60.0, 20.0  # seconds; an algorithm that is forced is likelier to hang


@dataclass(frozen=True)
class Asked(Repeating, Where):
    """What is measured, how often and where; None for what the place or the plan decides."""

    max_seconds: Annotated[
        float | None,
        typer.Option(
            parser=options.duration(0.001),
            metavar="TIME",
            help="Most time for one point of one launch; default 500ms, of levels 2s.",
        ),
    ] = None  # type: ignore[assignment]
    max_repetitions: Annotated[
        int | None,
        typer.Option(min=1, help="Most repetitions of a point; default 500, of levels 10."),
    ] = None  # type: ignore[assignment]
    output_file: Annotated[
        Path | None,
        typer.Option(
            "-o",
            "--output",
            help="File of samples; continued if it exists. Default samples.jsonl, with --levels "
            "links.jsonl.",
        ),
    ] = None
    levels: Annotated[
        bool,
        typer.Option(
            "--levels",
            help="Measure the links between groups of hosts instead: latency and bandwidth inside "
            "and across, buffer, and what a loss costs.",
        ),
    ] = False
    groups_file: Annotated[
        Path | None,
        typer.Option("--groups", help="Groups file (TOML), for --levels; else the level of nodes."),
    ] = None
    most: Annotated[
        str | None,
        typer.Option(
            help="Bytes at once over a link, with --levels; fewer if some get lost. Default 4MiB."
        ),
    ] = None
    plan_file: Annotated[
        Path | None,
        typer.Option("--plan", help="Measure what contend plan has proposed, and nothing else."),
    ] = None
    experiment: Annotated[
        list[str] | None,
        typer.Option(
            "-e",
            "--experiment",
            help="Experiment, may be repeated; default pingpong, plogp, alltoall_native and "
            "alltoall_rotated.",
        ),
    ] = None
    collective: Annotated[
        str | None,
        typer.Option(
            "--collective",
            metavar="NAME,NAME,...",
            autocompletion=completion.measured_collectives,
            help="The MPI library's own collective operations, e.g. bcast,allreduce,alltoall.",
        ),
    ] = None
    library_algorithms: Annotated[
        bool,
        typer.Option(
            "--library-algorithms",
            help="Each algorithm that the MPI library has for the operations of --collective, "
            "forced in turn, beside its default.",
        ),
    ] = False
    segments: Annotated[
        str | None,
        typer.Option(
            help="Also with these segments, where an algorithm takes them, e.g. 8KiB,64KiB; with "
            "--library-algorithms."
        ),
    ] = None
    fanouts: Annotated[
        str | None,
        typer.Option(
            metavar="K,K,...",
            help="Also with these numbers of children, chains or branches, where an algorithm "
            "takes them, e.g. 2,8; with --library-algorithms.",
        ),
    ] = None
    processes: options.Counts = None
    sizes: options.Sizes = None
    start: options.Start = options.StartBy.auto
    per_rank: Annotated[bool, typer.Option("--per-rank", help="Keep the time of every rank.")] = (
        False
    )
    refine: options.Refine = 4
    seed: options.Seed = 1
    max_minutes: Annotated[
        float | None,
        typer.Option(
            min=0.1,
            help="Most minutes to measure; what is not done then is left to the same command.",
        ),
    ] = None
    timeout: Annotated[
        float | None,
        typer.Option(
            parser=options.duration(1.0),
            metavar="TIME",
            help="Time of the network without a new point after which a launch hangs; default "
            "60s, under --library-algorithms 20s once it has begun.",
        ),
    ] = None  # type: ignore[assignment]

    @property
    def path(self) -> Path:
        """Return the file of samples."""
        return self.output_file or (LINKS if self.levels else SAMPLES)

    @property
    def limits(self) -> Limits:
        """Return the time that there is."""
        return Limits.of(self.max_minutes)

    @property
    def others(self) -> dict[str, Any]:
        """Return options of a launch, with the defaults of what is measured."""
        repetitions, seconds = (10, 2.0) if self.levels else (500, 0.5)
        return {
            "max_repetitions": self.max_repetitions or max(repetitions, self.min_repetitions or 0),
            "max_seconds": self.max_seconds or seconds,
            "start": self.start.value,
            "per_rank": self.per_rank,
            **self.launched,
            "timeout": self.timeout or TIMEOUT,
        }

    @property
    def counts(self) -> list[int] | None:
        """Return the numbers of processes that were given."""
        counts = options.named_counts(self.processes)
        if counts and counts[0] < 2:
            raise InvalidInputError(f"n = {counts[0]}", "messages take at least 2 processes")
        return counts

    def require_sense(self) -> None:
        """Raise an error for options that say nothing together."""
        counts, of_levels = self.counts, {"--groups": self.groups_file, "--most": self.most}
        if self.plan_file:
            others = (self.experiment, counts, self.sizes, self.launches, self.collective)
            if self.levels or any(others) or any(of_levels.values()):
                raise InvalidInputError(
                    "--plan with what it says itself, or with --levels",
                    "leave out -n, -m, -e, --launches and what belongs to --levels",
                )
            return
        if self.levels:
            if self.experiment or self.collective or self.per_rank:
                raise InvalidInputError(
                    "--levels with --experiment, --collective or --per-rank", "leave these out"
                )
            if counts is not None and len(counts) > 1:
                raise InvalidInputError(
                    f"{len(counts)} numbers of processes", "give one with --levels"
                )
            return
        _require(of_levels, "--levels", "give --levels, or leave it out")
        if not self.library_algorithms:
            varied = {"--segments": self.segments, "--fanouts": self.fanouts}
            _require(varied, "--library-algorithms", "give both, or leave it out")
        elif not self.collective:
            raise InvalidInputError(
                "--library-algorithms without --collective", "give --collective bcast,alltoall"
            )
        elif self.experiment:
            raise InvalidInputError(
                "--library-algorithms with --experiment", "name operations with --collective alone"
            )


def _require(given: dict[str, Any], word: str, remedy: str) -> None:
    """Raise an error where any is given, which say nothing without another word."""
    for name, value in given.items():
        if value is not None:
            raise InvalidInputError(f"{name} without {word}", remedy)
