"""The options of contend job, which writes one script for one allocation."""

from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import typer.main

from contend.cli import options
from contend.cli.app import make_app
from contend.cli.options import argument, option
from contend.measure.jobs.job import JobRequest

_COUNTED = ("processes", "given_sizes")


@dataclass(frozen=True)
class JobOptions:
    """What the command line says; empty or None for what it leaves open."""

    scheduler: str = option(
        "slurm or pbs; has to be given.", "--scheduler", default="", show_default=False
    )
    processes: options.Counts = None
    ppn: int | None = option(
        "Processes per node; default 1, with --nodes as the launcher places them.",
        "--ppn",
        "--processes-per-node",
        min=1,
    )
    nodes: int | None = option("Nodes; default as many as --ppn and -n take.", min=1)
    at: int | None = option("n', as of 'contend study'; default half the largest n.")
    given_sizes: options.Sizes = None
    launches: options.Launches = None
    max_seconds: options.MaxSeconds = 0.25
    folder: Path = option(
        "Folder of the study, which is gone on with.", "--study", default=Path("contend-study")
    )
    plan_file: Path | None = option(
        "Measure what contend plan has proposed, and nothing else.", "--plan"
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
    mpicc: options.Mpicc = None
    seconds: float | None = option(
        "Limit of the job; default what the campaign takes at most, up to 24h.",
        "--time",
        parser=options.duration(180.0),
        metavar="TIME",
    )
    queue: str | None = option("Partition or queue.", "--partition", "--queue")
    account: str | None = option("Account of the job.")
    modules: list[str] | None = option("Module to load; may be repeated.", "--module")
    directives: list[str] | None = option(
        "Another line for the batch system, without its mark: --constraint=ib.",
        "--directive",
        metavar="LINE",
    )
    lines: list[str] | None = option("Line of the shell before contend; may be repeated.", "--line")
    name: str = option("Name of the job, and of its output.", default="contend")
    others: list[str] | None = argument(
        "Further options of 'contend study', or of measure.",
        default=None,
        metavar="[-- OPTIONS...]",
    )

    def request(self) -> JobRequest:
        """Return what is asked for; an error of the job's own command where that is none."""
        said = {one.name: getattr(self, one.name) for one in fields(self)}
        for name in ("modules", "directives", "lines", "others"):
            said[name] = tuple(said[name] or ())
        counts, sizes = (said.pop(name) for name in _COUNTED)
        said["counts"] = tuple(options.named_counts(counts) or ())
        said["sizes"] = tuple(options.named_sizes(sizes) or ())
        return JobRequest(**said)


def require_options(words: list[str]) -> None:
    """Raise the error of the command line where the job's own command is none."""
    name, *arguments = words
    group: Any = typer.main.get_command(make_app())
    group.commands[name].make_context(name, arguments)
