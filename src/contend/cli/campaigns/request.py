"""The options of contend measure."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from contend.base.errors import InvalidInputError
from contend.cli import completion, options
from contend.cli.campaigns.places import Repeating, Where
from contend.cli.options import option
from contend.measure.limits import Limits

SAMPLES, LINKS = Path("samples.jsonl"), Path("links.jsonl")
MOST = "4MiB"
TIMEOUT, FORCED_TIMEOUT = 60.0, 20.0  # seconds; an algorithm that is forced is likelier to hang


@dataclass(frozen=True)
class Asked(Repeating, Where):
    """What is measured, how often and where; None for what the place or the plan decides."""

    output_file: Path | None = option(
        "File of samples; continued if it exists. Default samples.jsonl, with --levels "
        "links.jsonl.",
        "-o",
        "--output",
    )
    levels: bool = option(
        "Measure the links between groups of hosts instead: latency and bandwidth inside and "
        "across, buffer, and what a loss costs.",
        "--levels",
        default=False,
    )
    groups_file: Path | None = option(
        "Groups file (TOML), for --levels; else the level of nodes.", "--groups"
    )
    most: str | None = option(
        "Bytes at once over a link, with --levels; fewer if some get lost. Default 4MiB."
    )
    plan_file: Path | None = option(
        "Measure what contend plan has proposed, and nothing else.", "--plan"
    )
    experiment: list[str] | None = option(
        "Experiment, may be repeated; default pingpong, plogp, alltoall_native and "
        "alltoall_rotated.",
        "-e",
        "--experiment",
    )
    collective: str | None = option(
        "The MPI library's own collective operations, e.g. bcast,allreduce,alltoall.",
        "--collective",
        metavar="NAME,NAME,...",
        autocompletion=completion.measured_collectives,
    )
    library_algorithms: bool = option(
        "Each algorithm that the MPI library has for the operations of --collective, forced in "
        "turn, beside its default.",
        "--library-algorithms",
        default=False,
    )
    segments: str | None = option(
        "Also with these segments, where an algorithm takes them, e.g. 8KiB,64KiB; with "
        "--library-algorithms."
    )
    fanouts: str | None = option(
        "Also with these numbers of children, chains or branches, where an algorithm takes them, "
        "e.g. 2,8; with --library-algorithms.",
        metavar="K,K,...",
    )
    processes: options.Counts = None
    sizes: options.Sizes = None
    max_seconds: float | None = option(
        "Most time for one point of one launch; default 500ms, of levels 2s.",
        parser=options.duration(0.001),
        metavar="TIME",
    )  # type: ignore[assignment]
    max_repetitions: int | None = option(
        "Most repetitions of a point; default 500, of levels 10.", min=1
    )  # type: ignore[assignment]
    per_rank: bool = option("Keep the time of every rank.", "--per-rank", default=False)
    refine: options.Refine = 4
    seed: options.Seed = 1
    max_minutes: float | None = option(
        "Most minutes to measure; what is not done then is left to the same command.", min=0.1
    )
    timeout: float | None = option(
        "Time of the network without a new point after which a launch hangs; default 60s, under "
        "--library-algorithms 20s once it has begun.",
        parser=options.duration(1.0),
        metavar="TIME",
    )  # type: ignore[assignment]

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
