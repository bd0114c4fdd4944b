"""contend alltoall run: an unmodified program whose all-to-all knows slow links."""

import os
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from contend.api import ExchangeWishes, InvalidInputError, exchange_library, run_exchange
from contend.cli import options, output
from contend.cli.foreground import forget_unwritten, show_aside
from contend.cli.options import argument, option
from contend.cli.result import show, show_json

ORDER = 1
EXAMPLE = "contend alltoall run --explain -- mpiexec -n 24 -f hosts ./my_app"
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
    plan: Path | None = option("Plan of contend alltoall plan; default the site's.", "--plan")
    network: Path | None = option("Network file with the links of --groups.", "--network")
    algorithm: str | None = option("Always use this, e.g. 'lg window=2'.", "--algorithm")
    mpicc: options.MpiccOfProgram = None
    library: bool = option(
        "Run nothing: print the path of the library that programs preload, which works by "
        "CONTEND_EXCHANGE=1; that for a program, if one is named.",
        "--library",
        default=False,
    )
    as_json: bool = option("Print JSON for machines.", "--json", default=False, hidden=True)

    def wishes(self) -> ExchangeWishes:
        """Return what is asked for."""
        named = os.environ.get("CONTEND_EXCHANGE_SUMMARY", "")
        summary = self.summary or (None if named in ("", "0") else Path(named))
        return ExchangeWishes(
            self.explain, summary, self.groups, self.plan, self.network, self.algorithm,
            self.mpicc, is_summed_up=self.as_json,
        )  # fmt: skip


def command(
    wished: Options,
    program: list[str] | None = argument(
        "Launcher, program and arguments.", default=None, metavar="COMMAND..."
    ),
) -> None:
    """Run a program with MPI_Alltoall, v and w by the algorithm that is the fastest.

    In any doubt the program runs as without contend. The exit code is the program's.

    export CONTEND_EXCHANGE=1 LD_PRELOAD=$(contend alltoall run --library)
    """
    if wished.library:
        named = exchange_library(program[0] if program else None, wished.mpicc)
        show(named, as_json=wished.as_json)
        return
    if not program:
        raise InvalidInputError("no program to run", "give -- mpiexec -n 24 ./my_app")
    ran = run_exchange(program, wished.wishes(), output.note)
    with suppress(OSError):
        if wished.as_json:
            show_json(ran.result().data)
        elif wished.explain:
            show_aside(ran.result().parts)
    forget_unwritten()
    raise output.ProgramEnded(ran.code)
