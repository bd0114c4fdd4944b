"""An unmodified program under the exchange library: in any doubt as without it."""

import os
from collections.abc import Callable
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from pathlib import Path

from contend.alltoall.clusters.file import GroupsFile, read_groups
from contend.alltoall.clusters.plan import (
    FIRST_LINE,
    Plan,
    parse_plan,
    plan_of,
    plan_text,
    read_plan,
)
from contend.alltoall.clusters.site import VARIABLE as SITE
from contend.alltoall.clusters.site import site_file
from contend.base.errors import ContendError, FileFormatError, InvalidInputError, StorageError
from contend.base.result import Result
from contend.base.wholefile import is_special, write_whole
from contend.measure.build import cache_folder, exchange_algorithms
from contend.measure.exchange.contenders import MODE
from contend.measure.exchange.summary import ExchangeSummary, read_summary, summary_parts
from contend.measure.foreground import run_in_foreground
from contend.measure.launcher import parse_launch, with_variables
from contend.measure.preload import FittingLibrary, fitting_library
from contend.measure.scratch import scratch

_VARIABLE = f"{MODE}_"
SUMMARY = f"{_VARIABLE}SUMMARY"
Note = Callable[[str], object]


@dataclass(frozen=True)
class ExchangeWishes:
    """What is asked for: files of groups, of a plan (not both) or of links, where nothing is None.

    `algorithm` always, `explain` on the program's standard error, `summary` into a file;
    `is_summed_up` also in what comes back.
    """

    explain: bool = False
    summary: Path | None = None
    groups: Path | None = None
    plan: Path | None = None
    network: Path | None = None
    algorithm: str | None = None
    mpicc: str | None = None
    is_summed_up: bool = False

    def require_sense(self) -> None:
        if self.plan and (self.groups or self.network):
            raise InvalidInputError(
                "--plan holds groups and links", "leave out --groups and --network"
            )
        if self.algorithm is not None:
            try:
                parse_plan(f"{FIRST_LINE}\nchoose node 0 {self.algorithm}\n")
            except FileFormatError as error:
                raise InvalidInputError(
                    f"--algorithm {self.algorithm!r} is none: {error.message}",
                    "name one of the portfolio, e.g. 'lg_balanced window=2'",
                ) from None


@dataclass(frozen=True)
class Ran:
    """How a program ended. `doubt`: why it ran without the library, which else is named."""

    code: int
    doubt: str | None
    library: FittingLibrary | None
    summary: ExchangeSummary | None

    def result(self) -> Result:
        used, summary = self.library, self.summary
        data = {
            "library": used and str(used.path),
            "mpi": used and used.mpi.title,
            "origin": used and used.origin,
            "doubt": self.doubt,
            "exit_code": self.code,
            "summary": summary and summary.to_json(),
        }
        origin = [f"contend: the ranks had {used.origin}"] if used else []
        return Result(data, [*origin, *summary_parts(summary)] if used else ())


@dataclass
class _Run:
    """What is run: the words as given, or with the library. `doubt`: why without."""

    command: list[str]
    variables: dict[str, str] = field(default_factory=dict)
    library: FittingLibrary | None = None
    summary: Path | None = None
    doubt: str | None = None


def run_exchange(program: list[str], wishes: ExchangeWishes, note: Note = lambda _: None) -> Ran:
    """Run a launcher with a program whose all-to-all is by the algorithm that is the fastest.

    What is in doubt goes to `note`, and the program runs as without contend.

    >>> run_exchange(["mpiexec", "./my_app"], ExchangeWishes(explain=True)).code
    0
    """
    wishes.require_sense()
    with ExitStack() as stack:
        try:
            run = _prepared(program, wishes, stack)
        except (ContendError, OSError) as error:
            run = _Run(program, doubt=_one_line(error))
            with suppress(OSError):
                note(f"contend: without the exchange library: {run.doubt}")
        code = run_in_foreground(run.command, run.variables)
        summary = None
        with suppress(OSError):
            if run.doubt is None and wishes.summary:
                _keep(run, wishes.summary, note)
            summary = _read(run, note) if wishes.explain or wishes.is_summed_up else None
    return Ran(code, run.doubt, run.library, summary)


def _one_line(error: ContendError | OSError) -> str:
    if isinstance(error, OSError):
        return f"{error.filename}: {error.strerror}" if error.filename else str(error)
    return "; ".join(filter(None, (error.message.splitlines()[0], error.remedy)))


def _prepared(program: list[str], wishes: ExchangeWishes, stack: ExitStack) -> _Run:
    """The run with the library; an error where anything is in doubt."""
    launch = parse_launch(program)
    plan = _plan_text(wishes)
    if wishes.summary:
        _clear(wishes.summary)
    library = fitting_library(launch, wishes.mpicc)
    variables = {**library.variables, MODE: "1"}
    variables |= {name: value for name, value in os.environ.items() if name.startswith(_VARIABLE)}
    variables.pop(f"{_VARIABLE}HOST", None)  # which differs by host
    if SITE in os.environ:
        site = site_file()
        variables[SITE] = "0" if site is None else str(site.absolute())
    if plan is None and not os.environ.get(f"{_VARIABLE}PLAN"):
        variables[f"{_VARIABLE}RUN"] = "1"
    is_summed_up = wishes.summary is not None or wishes.explain or wishes.is_summed_up
    folder = _shared_folder(stack) if is_summed_up or plan is not None else None
    if folder is not None and plan is not None:
        write_whole(folder / "plan", plan)
        variables[f"{_VARIABLE}PLAN"] = str(folder / "plan")
    if wishes.algorithm:
        variables[f"{_VARIABLE}ALGORITHM"] = wishes.algorithm
    if wishes.explain:
        variables[f"{_VARIABLE}EXPLAIN"] = "1"
    path = folder / "summary.json" if folder is not None and is_summed_up else None
    if path is not None:
        variables[SUMMARY] = str(path)
    words, environment = with_variables(launch, variables)
    return _Run(words, environment, library, path)


def _clear(path: Path) -> None:
    """Remove the summary of another run; an error where none can be written."""
    if is_special(path):
        return
    try:
        target = path.resolve()  # of a link, which stays
        if target.exists():
            _require_no_stream(path, target.stat())
        write_whole(path, "")
        target.unlink()
    except OSError as error:
        raise StorageError.of(path, error) from None


def _require_no_stream(path: Path, status: os.stat_result) -> None:
    """An error for /dev/stdout where that is a file, which the program writes to."""
    for stream in (1, 2):
        with suppress(OSError):
            if os.path.samestat(status, os.fstat(stream)):
                raise InvalidInputError(
                    f"{path} is where the program's output goes", "name another place"
                )


def _shared_folder(stack: ExitStack) -> Path:
    """A folder beside the built library, which all hosts have to see anyway."""
    parent = cache_folder()
    try:
        parent.mkdir(parents=True, exist_ok=True)
        return stack.enter_context(scratch(parent, "run-"))
    except OSError as error:
        raise StorageError.of(parent, error) from None


def _plan_text(wishes: ExchangeWishes) -> str | None:
    """The plan for the library, None where it needs none."""
    plan = read_plan(wishes.plan) if wishes.plan else _planned(wishes)
    return None if plan is None else plan_text(plan)


def _planned(wishes: ExchangeWishes) -> Plan | None:
    from contend.alltoall.plan.make import usual_plan
    from contend.models.network import Network  # most runs need none, and are not to wait for it

    if wishes.groups is None and wishes.network is None:
        return None
    declared = read_groups(wishes.groups) if wishes.groups else GroupsFile()
    if wishes.network is None:
        return plan_of(declared)
    return usual_plan(declared, Network.load(wishes.network), exchange_algorithms())


def _keep(run: _Run, place: Path, note: Note) -> None:
    try:
        if run.summary and run.summary.exists():
            write_whole(place, run.summary.read_bytes())
    except ContendError as error:  # what the program did stands above all
        note(f"contend: {error}")


def _read(run: _Run, note: Note) -> ExchangeSummary | None:
    try:
        return read_summary(run.summary) if run.summary else None
    except ContendError as error:
        note(f"contend: {error}")
        return None
