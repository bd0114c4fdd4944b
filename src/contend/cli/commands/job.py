"""contend job: one batch script for one allocation in which a whole campaign is measured."""

import shlex
import sys
from collections.abc import Iterator
from pathlib import Path

from contend.cli import output
from contend.cli.batch import JobOptions, require_options
from contend.cli.options import option
from contend.cli.result import Line, Part, Result
from contend.measure.jobs.job import batch_job

ORDER = 4
PANEL = "Measure"
EXAMPLE = "contend job --scheduler slurm -n 4,8,16 --ppn 4 --partition debug -o job.sh"


def command(
    asked: JobOptions,
    output_file: Path = option(
        "Script to write.", "-o", "--output", default=Path("contend-job.sh")
    ),
    dry_run: bool = option("Print the script, and write nothing.", "--dry-run", default=False),
) -> Result:
    """Write a script that measures a whole campaign in one allocation, not a queue per launch.

    It does what 'contend study' does, or with --plan 'contend measure --plan'. When its time is
    over it stops and keeps what was measured; submitted again it goes on. Nothing is submitted.
    """
    wanted = asked.request()
    job = batch_job(wanted, shlex.join(sys.argv[1:]))
    require_options(wanted.words)
    text = job.script.text()
    if not dry_run:
        job.save(output_file)

    def parts() -> Iterator[Part]:
        if dry_run:
            yield Line(text, end="")
        yield from job.description()
        if not dry_run:
            yield output.following(job.script.scheduler.submit, output_file)

    return Result({"script": text if dry_run else output_file, **job.data()}, parts())
