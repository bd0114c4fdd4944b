"""contend batch: one script for one allocation in which a whole campaign is measured."""

import shlex
import sys
from collections.abc import Iterator
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import typer.main

from contend.api import JobRequest, batch_job, next_step
from contend.cli import options
from contend.cli.folder import renewed_options
from contend.cli.options import argument, option
from contend.cli.pairs import named_pairs, whole
from contend.cli.result import Line, Part, Result

ORDER = 4
PANEL = "Measure"
EXAMPLE = "contend batch --scheduler slurm -n 4,8,16 --ppn 4 --job partition=debug -o job.sh"


JOB = ("nodes", "time", "partition", "queue", "account", "name")


@dataclass(frozen=True)
class JobOptions:
    """What the command line says; empty or None for what it leaves open."""

    scheduler: str = option(
        "slurm or pbs; default the one whose command is on PATH.",
        "--scheduler",
        default="",
        show_default=False,
    )
    counts: options.Counts = None
    ppn: int | None = option(
        "Processes per node; default 1, with --job nodes= as the launcher places them.",
        "--ppn",
        "--processes-per-node",
        min=1,
    )
    at: int | None = option("n', as of 'contend study'; default half the largest n.")
    sizes: options.Sizes = None
    launches: options.Launches = None
    max_seconds: float = option(
        "Most time for one point of one launch.",
        "--max-seconds",
        default=0.25,
        parser=options.duration(0.001),
        metavar="TIME",
    )
    folder: Path = option(
        "Folder of the study, which is gone on with.", "--study", default=Path("contend-study")
    )
    plan_file: Path | None = option(
        "Measure what contend design has proposed, and nothing else.", "--plan"
    )
    samples_file: Path = option(
        "Samples file, gone on with; for --plan.", "--samples", default=Path("samples.jsonl")
    )
    launcher: str | None = option(
        "With its options; default 'srun --cpu-bind=cores' or 'mpiexec'. {hosts} stands for a file "
        "with the nodes, e.g. 'mpiexec -f {hosts}'.",
        "--launcher",
        "--mpiexec",
    )
    mpicc: str | None = option("MPI compiler wrapper that the job uses; default as there.")
    job: list[str] | None = option(
        "What the batch system is asked for: nodes=4 (default as many as --ppn and -n take; "
        "without -n all, half and a quarter of them are measured), time=2h (default what the "
        "campaign takes, up to 24h), partition=debug or queue=workq, account=project, name=contend "
        "(of the job and its output).",
        metavar="NAME=VALUE,...",
    )
    modules: list[str] | None = option("Module to load; may be repeated.", "--module")
    directives: list[str] | None = option(
        "Another line for the batch system, without its mark: --constraint=ib.",
        "--directive",
        metavar="LINE",
    )
    lines: list[str] | None = option("Line of the shell before contend, may be repeated.", "--line")
    others: list[str] | None = argument(
        "Further options of 'contend study', or of measure.",
        default=None,
        metavar="[-- OPTIONS...]",
    )

    def request(self) -> JobRequest:
        """Return the same for `batch_job`."""
        given = {each.name: getattr(self, each.name) for each in fields(self)}
        job = named_pairs(given.pop("job"), "--job", JOB)
        for name in ("modules", "directives", "lines", "others"):
            given[name] = tuple(given[name] or ())
        given["nodes"] = whole("--job nodes", job["nodes"]) if "nodes" in job else None
        given["seconds"] = options.duration(180.0)(job["time"]) if "time" in job else None
        given["queue"] = job.get("partition", job.get("queue"))
        given |= {name: job[name] for name in ("account", "name") if name in job}
        given["counts"] = tuple(options.named_counts(self.counts) or ())
        given["sizes"] = tuple(options.named_sizes(self.sizes) or ())
        return JobRequest(**given)


def command(
    asked: JobOptions,
    output_file: Path = option(
        "Script to write; -: print it, and write nothing.",
        "-o",
        "--output",
        default=Path("contend-job.sh"),
    ),
) -> Result:
    """Write a script that measures a whole campaign in one allocation, not a queue per launch.

    It does what 'contend study' does, or with --plan 'contend measure --plan'. When its time is
    over it stops and keeps what was measured; submitted again it goes on. Nothing is submitted.
    """
    request, dry_run = asked.request(), str(output_file) == "-"
    job = batch_job(request, shlex.join(sys.argv[1:]))
    _require_options(request.words)
    text = job.script.text()
    if not dry_run:
        job.save(output_file)

    def parts() -> Iterator[Part]:
        if dry_run:
            yield Line(text, end="")
        yield from job.description()
        if not dry_run:
            yield next_step(job.script.scheduler.submit, output_file)

    return Result({"script": text if dry_run else output_file, **job.data()}, parts())


def _require_options(words: list[str]) -> None:
    """Raise the error of the command line where the job's own command is none."""
    from contend.cli.app import make_app  # which commands are part of

    command: Any = typer.main.get_command(make_app())
    words = renewed_options(words)
    while hasattr(command, "commands"):
        name = words.pop(0) if words[0] in command.commands else command.default
        command = command.commands[name]
    command.make_context(command.name, words)
