"""contend job: one batch script for one allocation in which a whole campaign is measured."""

from pathlib import Path
from typing import Annotated

import typer

from contend.cli import batch, options, output

ORDER = 4
PANEL = "Measure"
EXAMPLE = "contend job --scheduler slurm -n 4,8,16 --ppn 4 --partition debug -o job.sh"


def command(
    scheduler: Annotated[
        str, typer.Option("--scheduler", help="slurm or pbs; has to be given.", show_default=False)
    ] = "",
    processes: options.Counts = None,
    ppn: Annotated[
        int | None,
        typer.Option(
            "--ppn",
            "--processes-per-node",
            min=1,
            help="Processes per node; default 1, with --nodes as the launcher places them.",
        ),
    ] = None,
    nodes: Annotated[
        int | None, typer.Option(min=1, help="Nodes; default as many as --ppn and -n take.")
    ] = None,
    at: Annotated[
        int | None, typer.Option(help="n', as of 'contend study'; default half the largest n.")
    ] = None,
    sizes: options.Sizes = None,
    launches: options.Launches = None,
    max_seconds: options.MaxSeconds = 0.25,
    folder: Annotated[
        Path, typer.Option("--study", help="Folder of the study, which is gone on with.")
    ] = Path("contend-study"),
    plan_file: Annotated[
        Path | None,
        typer.Option("--plan", help="Measure what contend plan has proposed, and nothing else."),
    ] = None,
    samples_file: Annotated[
        Path, typer.Option("--samples", help="Samples file, gone on with; for --plan.")
    ] = Path("samples.jsonl"),
    launcher: Annotated[
        str | None,
        typer.Option(
            "--launcher",
            "--mpiexec",
            help="With its options; default 'srun --cpu-bind=cores' or 'mpiexec'. {hosts} stands "
            "for a file with the nodes, e.g. 'mpiexec -f {hosts}'.",
        ),
    ] = None,
    mpicc: options.Mpicc = None,
    time: Annotated[
        float | None,
        typer.Option(
            "--time",
            parser=options.duration(180.0),
            metavar="TIME",
            help="Limit of the job; default what the campaign takes at most, up to 24h.",
        ),
    ] = None,
    queue: Annotated[
        str | None, typer.Option("--partition", "--queue", help="Partition or queue.")
    ] = None,
    account: Annotated[str | None, typer.Option(help="Account of the job.")] = None,
    modules: Annotated[
        list[str] | None, typer.Option("--module", help="Module to load; may be repeated.")
    ] = None,
    directives: Annotated[
        list[str] | None,
        typer.Option(
            "--directive",
            metavar="LINE",
            help="Another line for the batch system, without its mark: --constraint=ib.",
        ),
    ] = None,
    lines: Annotated[
        list[str] | None,
        typer.Option("--line", help="Line of the shell before contend; may be repeated."),
    ] = None,
    name: Annotated[str, typer.Option(help="Name of the job, and of its output.")] = "contend",
    others: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[-- OPTIONS...]", help="Further options of 'contend study', or of measure."
        ),
    ] = None,
    output_file: Annotated[Path, typer.Option("-o", "--output", help="Script to write.")] = Path(
        "contend-job.sh"
    ),
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Print the script, and write nothing.")
    ] = False,
    as_json: options.AsJson = False,
) -> None:
    """Write a script that measures a whole campaign in one allocation, not a queue per launch.

    It does what 'contend study' does, or with --plan 'contend measure --plan'. When its time is
    over it stops and keeps what was measured; submitted again it goes on. Nothing is submitted.
    """
    asked = batch.Asked(
        scheduler, tuple(options.named_counts(processes) or ()), ppn, nodes, at,
        tuple(options.named_sizes(sizes) or ()), launches, max_seconds, folder, plan_file,
        samples_file, launcher, mpicc, time, queue, account, tuple(modules or ()),
        tuple(directives or ()), tuple(lines or ()), name, tuple(others or ()),
    )  # fmt: skip
    job = batch.job_of(asked)
    text = job.script.text()
    if not dry_run:
        batch.write_script(output_file, text)
    if as_json:
        output.show_json({"script": text if dry_run else str(output_file), **job.as_data()})
        return
    if dry_run:
        output.show_text(text, end="")
    for line in job.said():
        output.note(line)
    if not dry_run:
        output.note(output.following(job.script.scheduler.submit, output_file))
