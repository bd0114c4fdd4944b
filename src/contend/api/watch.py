"""Collective calls in production, noted while a program runs."""

import os
import secrets
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from contend.base.errors import ContendError, FileFormatError, InvalidInputError
from contend.base.kinds import mistaken
from contend.base.textfile import open_file
from contend.base.wholefile import make_folder, require_place
from contend.measure.foreground import run_in_foreground
from contend.measure.launcher import parse_launch, with_variables
from contend.measure.preload import fitting_library
from contend.samples.watch.record import JobRecord
from contend.samples.watch.store import JOBS, appended_jobs
from contend.samples.watch.text import summary
from contend.samples.watch.totals import totals_of

VARIABLE = "CONTEND_WATCH"
FILE = "contend-watch.jsonl"
HEAD = 2**16  # bytes of the first line of a file, which say what it is
_START = 4  # bytes that ids of the jobs of a command begin with
Note = Callable[[str], object]


@dataclass(frozen=True)
class WatchOptions:
    """Where calls are noted and under which name, and whether other algorithms are tried.

    `site` is by default $CONTEND_WATCH, else contend-watch.jsonl; `summary` notes what the calls
    cost.
    """

    site: Path | None = None
    name: str | None = None
    summary: bool = False
    tries: bool = False
    mpicc: str | None = None


@dataclass
class _Run:
    """What is run: the words as given, or with the library. `doubt`: why without."""

    command: list[str]
    site: Path
    variables: dict[str, str] = field(default_factory=dict)
    doubt: str | None = None
    start: str = field(default_factory=lambda: secrets.token_hex(_START))  # of ids of its jobs
    size: int = 0  # of the site's file before


def watch_program(
    program: list[str],
    options: WatchOptions = WatchOptions(),
    note: Note = lambda _: None,
) -> int:
    """Run a launcher with a program, append what its collective calls cost, return its exit code.

    What was appended, or why nothing, goes to `note`.

    >>> watch_program(["mpiexec", "./my_app"], WatchOptions(Path("new.jsonl")))
    0
    """
    run = _Run(program, options.site or Path(os.environ.get(VARIABLE) or FILE))
    try:
        _prepare(run, options)
    except (ContendError, OSError) as error:
        message, *_ = getattr(error, "message", str(error)).splitlines()  # of a compiler many
        run.doubt = "; ".join(filter(None, (message, getattr(error, "remedy", ""))))
    code = run_in_foreground(run.command, run.variables)
    with suppress(OSError):  # what the program did stands above all
        _show(run, options, note)
    return code


def _prepare(run: _Run, options: WatchOptions) -> None:
    """Put the library before the program; an error where anything is in doubt."""
    if options.name is not None and not options.name.isprintable():
        raise InvalidInputError(f"--name {options.name!r}", "give a name of letters and blanks")
    make_folder(run.site.parent)
    require_place(run.site)
    run.size = run.site.stat().st_size if run.site.is_file() else 0
    if run.size:
        _require_site(run.site)
    launch = parse_launch(run.command)
    variables = fitting_library(launch, options.mpicc).variables
    variables |= {
        name: value for name, value in os.environ.items() if name.startswith(f"{VARIABLE}_")
    }
    variables |= {VARIABLE: str(run.site.absolute()), f"{VARIABLE}_JOB": run.start}
    variables |= {f"{VARIABLE}_NAME": options.name} if options.name else {}
    if options.tries:
        variables |= {"CONTEND_TRY": "1"} | (
            {"CONTEND_TRY_EXPLAIN": "1"} if options.summary else {}
        )
    run.command, run.variables = with_variables(launch, variables)


def _require_site(path: Path) -> None:
    """Raise an error for a file that is no site's, to which no job may be appended."""
    with open_file(path, allow_pipe=False) as file:
        first = file.readline(HEAD).decode(errors="replace").strip()
    if error := mistaken(str(path), first, "contend-watch"):
        raise error
    if first and not first.startswith('{"'):  # a document over several lines, or anything else
        raise FileFormatError(f"{path} exists and is no site's file", "name a new file")


def _show(run: _Run, options: WatchOptions, note: Note) -> None:
    """Say what was appended where, or why nothing was."""
    if run.doubt:
        note(f"contend: nothing was noted: {run.doubt}")
        return
    try:
        jobs = appended_jobs(run.site, run.size, run.start)
    except ContendError as error:
        note(f"contend: {error}")
        return
    unfinished = sorted(Path(f"{run.site}{JOBS}").glob(f"{run.start}*.jsonl"))
    note(f"contend: {_appended(run, jobs, unfinished)}")
    if options.summary and jobs:
        for line in summary(totals_of(jobs)):
            note(line)


def _appended(run: _Run, jobs: list[JobRecord], unfinished: list[Path]) -> str:
    if jobs:
        calls = sum(row.calls for job in jobs for row in job.calls)
        ranks = sum(job.ranks for job in jobs)
        counted = "1 job" if len(jobs) == 1 else f"{len(jobs)} jobs"
        return f"{run.site}: appended {counted} of {ranks} ranks, {calls} collective calls of ranks"
    if unfinished:
        return (
            f"{run.site} has no record, as MPI was not finalized; what the ranks noted is in "
            f"{unfinished[0]}, which 'contend report {run.site}' counts as killed"
        )
    return (
        f"{run.site}: nothing was appended, as no MPI program of this command came to MPI_Finalize "
        "with the library: it was killed early, makes no call of MPI, or is linked statically"
    )
