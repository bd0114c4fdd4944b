"""contend run: an unmodified program whose all-to-all knows slow links."""

import os
import sys
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from contend.cli import options, output
from contend.cli.exchange import show_summary
from contend.cli.options import argument, option
from contend.cli.result import show_json
from contend.measure.exchange.run import SUMMARY, ExchangeWishes, Ran, run_exchange

ORDER = 7
PANEL = "Apply"
EXAMPLE = "contend run --explain -- mpiexec -n 24 -f hosts ./my_app"
CONTEXT = {"allow_interspersed_args": False}  # options after the first word are the program's


@dataclass(frozen=True)
class Options:
    """What the options ask for."""

    explain: bool = option(
        "Say which algorithm serves which calls, and why.", "--explain", default=False
    )
    summary: Path | None = option("Write calls and times there.", "--summary", metavar="FILE")
    groups: Path | None = option(
        "Groups file of contend measure hosts; default the site's.", "--groups"
    )
    plan: Path | None = option("Plan of contend exchange plan; default the site's.", "--plan")
    network: Path | None = option("Network file with the links of --groups.", "--network")
    algorithm: str | None = option("Always use this, e.g. 'lg window=2'.", "--algorithm")
    mpicc: options.MpiccOfProgram = None
    as_json: bool = option("Print JSON for machines.", "--json", default=False)

    def wishes(self) -> ExchangeWishes:
        """Return what is asked for."""
        return ExchangeWishes(
            self.explain,
            self.summary or _place_in_environment(),
            self.groups,
            self.plan,
            self.network,
            self.algorithm,
            self.mpicc,
            is_summed_up=self.as_json,
        )


def command(
    wished: Options,
    program: list[str] = argument("Launcher, program and arguments.", metavar="COMMAND..."),
) -> None:
    """Run a program with MPI_Alltoall and MPI_Alltoallv by the algorithm that is the fastest.

    In any doubt the program runs as without contend. The exit code is the program's.
    """
    ran = run_exchange(program, wished.wishes(), output.note)
    with suppress(OSError):
        _show(ran, wished)
    _leave_unsaid()
    raise output.ProgramEnded(ran.code)


def _leave_unsaid() -> None:
    """Forget what no reader or no disk takes, which would become the exit code otherwise."""
    for stream in (sys.stdout, sys.stderr):
        try:
            if stream is not None:  # as it is where contend was started without
                stream.flush()
        except OSError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _place_in_environment() -> Path | None:
    named = os.environ.get(SUMMARY, "")
    return None if named in ("", "0") else Path(named)


def _show(ran: Ran, wished: Options) -> None:
    if wished.as_json:
        known = None if ran.summary is None else ran.summary.to_json()
        about: dict[str, str | None] = dict.fromkeys(("library", "mpi", "origin"))
        if (used := ran.library) is not None:
            about = {"library": str(used.path), "mpi": used.mpi.title, "origin": used.origin}
        show_json({**about, "doubt": ran.doubt, "exit_code": ran.code, "summary": known})
    elif wished.explain and ran.library is not None:
        output.note(f"contend: the ranks had {ran.library.origin}")
        show_summary(ran.summary)
