"""contend watch run: a program whose collective calls are noted in a site's file."""

import os
import secrets
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from contend.base.errors import ContendError, InvalidInputError
from contend.base.wholefile import make_folder, require_place
from contend.cli import options, output, watch
from contend.cli.options import argument, option
from contend.measure.foreground import run_in_foreground
from contend.measure.launcher import parse_launch, with_variables
from contend.measure.preload import fitting_library
from contend.samples.watch.record import JobRecord
from contend.samples.watch.store import JOBS, appended_jobs
from contend.samples.watch.totals import totals_of

ORDER = 0
EXAMPLE = "contend watch run -o site.jsonl -- mpiexec -n 16 ./my_app"
CONTEXT = {"allow_interspersed_args": False}  # options after the first word are the program's

VARIABLE = "CONTEND_WATCH"
FILE = "contend-watch.jsonl"
_START = 4  # bytes that ids of the jobs of a command begin with


@dataclass(frozen=True)
class Wishes:
    """What the options ask for."""

    site: Path | None = option(
        f"Site's file, which jobs are appended to; default ${VARIABLE}, else {FILE}.",
        "-o",
        "--output",
        metavar="FILE",
    )
    name: str | None = option("Name for the record; without it, it names nobody.", "--name")
    summary: bool = option("Say what the calls cost, in six lines.", "--summary", default=False)
    tries: bool = option(
        "Let a few calls be made by other algorithms of the MPI library, and keep what is faster.",
        "--try",
        default=False,
    )
    mpicc: options.MpiccOfProgram = None


@dataclass
class _Run:
    """What is run: the words as given, or with the library. `doubt`: why without."""

    command: list[str]
    site: Path
    variables: dict[str, str] = field(default_factory=dict)
    doubt: str | None = None
    start: str = field(default_factory=lambda: secrets.token_hex(_START))  # of ids of its jobs
    size: int = 0  # of the site's file before


def command(
    wishes: Wishes,
    program: list[str] = argument("Launcher, program and arguments.", metavar="COMMAND..."),
) -> None:
    """Run a program and append what its collective calls cost to a site's file.

    In any doubt the program runs as without contend. The exit code is the program's.
    """
    run = _Run(program, wishes.site or Path(os.environ.get(VARIABLE) or FILE))
    try:
        _prepare(run, wishes)
    except (ContendError, OSError) as error:
        message, *_ = getattr(error, "message", str(error)).splitlines()  # of a compiler many
        run.doubt = "; ".join(filter(None, (message, getattr(error, "remedy", ""))))
    code = run_in_foreground(run.command, run.variables)
    with suppress(OSError):  # what the program did stands above all
        _show(run, wishes)
    raise output.ProgramEnded(code)


def _prepare(run: _Run, wishes: Wishes) -> None:
    """Put the library before the program; an error where anything is in doubt."""
    if wishes.name is not None and not wishes.name.isprintable():
        raise InvalidInputError(f"--name {wishes.name!r}", "give a name of letters and blanks")
    make_folder(run.site.parent)
    require_place(run.site)
    run.size = run.site.stat().st_size if run.site.is_file() else 0
    launch = parse_launch(run.command)
    variables = fitting_library(launch, wishes.mpicc).variables
    variables |= {
        name: value for name, value in os.environ.items() if name.startswith(f"{VARIABLE}_")
    }
    variables |= {VARIABLE: str(run.site.absolute()), f"{VARIABLE}_JOB": run.start}
    variables |= {f"{VARIABLE}_NAME": wishes.name} if wishes.name else {}
    if wishes.tries:
        variables |= {"CONTEND_TRY": "1"} | ({"CONTEND_TRY_EXPLAIN": "1"} if wishes.summary else {})
    run.command, run.variables = with_variables(launch, variables)


def _show(run: _Run, wishes: Wishes) -> None:
    """Say what was appended where, or why nothing was."""
    if run.doubt:
        output.note(f"contend: nothing was noted: {run.doubt}")
        return
    try:
        jobs = appended_jobs(run.site, run.size, run.start)
    except ContendError as error:
        output.note(f"contend: {error}")
        return
    left = sorted(Path(f"{run.site}{JOBS}").glob(f"{run.start}*.jsonl"))
    output.note(f"contend: {_appended(run, jobs, left)}")
    if wishes.summary and jobs:
        for line in watch.summary(totals_of(jobs)):
            output.note(line)


def _appended(run: _Run, jobs: list[JobRecord], left: list[Path]) -> str:
    if jobs:
        calls = sum(row.calls for job in jobs for row in job.calls)
        ranks = sum(job.ranks for job in jobs)
        one = "1 job" if len(jobs) == 1 else f"{len(jobs)} jobs"
        return f"{run.site}: appended {one} of {ranks} ranks, {calls} collective calls of ranks"
    if left:
        return (
            f"{run.site} has no record, as MPI was not finalized; what the ranks noted is in "
            f"{left[0]}, which 'contend watch report {run.site}' counts as killed"
        )
    return (
        f"{run.site}: nothing was appended, as no MPI program of this command came to MPI_Finalize "
        "with the library: it was killed early, makes no call of MPI, or is linked statically"
    )
