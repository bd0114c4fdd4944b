"""Command lines that a suspicion or a gap leads to."""

from collections.abc import Iterable

from contend.base.errors import InvalidInputError
from contend.base.result import command_line
from contend.base.units import format_bytes
from contend.models.explanation.case import Case
from contend.models.explanation.finding import Try
from contend.schedules.libraries import library_of


def sizes_text(sizes: Iterable[float]) -> str:
    """Sizes as -m takes them: exact, without blanks.

    >>> sizes_text([64, 1024, 1000])
    '64,1KiB,1000'
    """
    return ",".join(_exact(int(m)) for m in sizes)


def _exact(m: int) -> str:
    """The size with a unit where that is exact."""
    units = {30: "GiB", 20: "MiB", 10: "KiB", 0: ""}
    power = next(power for power in units if (m and m % (1 << power) == 0) or not power)
    return f"{m >> power}{units[power]}"


def _placed(
    case: Case, n: Iterable[int] | None = None, per_node: int | None = None
) -> tuple[object, ...]:
    counts = ",".join(map(str, n or (case.n,)))
    ppn = per_node or case.processes_per_node
    return ("-n", counts, *(() if ppn is None else ("--ppn", ppn)))


def measure(
    case: Case,
    sizes: Iterable[float],
    n: Iterable[int] | None = None,
    *,
    per_node: int | None = None,
    alone: bool = False,
) -> str:
    """Measure the operation again, and a message alone where that is asked for."""
    option = "-e" if case.operation == "alltoall" else "--collective"
    message = ("-e", "pingpong") if alone else ()
    return command_line(
        "contend", "measure", option, case.operation, *message, *_placed(case, n, per_node), "-m",
        sizes_text(sizes), "-o", "samples.jsonl",
    )  # fmt: skip


def choose(case: Case, sizes: Iterable[float]) -> tuple[Try, ...]:
    """From the library's own algorithms, measured, to a rules file."""
    return (
        Try(
            command_line("contend", "measure", "library", "--collective", case.operation,
                   *_placed(case), "-m", sizes_text(sizes), "-o", "samples.jsonl"),
            "times each algorithm of the library and its default",
        ),
        Try(
            f"contend fit samples.jsonl --operation {case.operation} -o network.json && "
            "contend choose network.json --table -o decisions.json",
            "says which is faster, and where the default is kept",
        ),
        Try(
            f"contend tune export decisions.json --library {library_name(case)} -o rules.conf",
            "makes the library obey: openmpi-4, openmpi-5, openmpi-6, mpich, intel or ucc",
        ),
    )  # fmt: skip


def library_name(case: Case) -> str:
    """The MPI library as `tune export` names it, by what the samples say; LIBRARY for none."""
    title = next((each.provenance.mpi_library or "" for each in case.samples), "")
    try:
        library, version = library_of(title)
    except InvalidInputError:
        return "LIBRARY"
    return f"{library.name}-{version[0]}" if library.name == "openmpi" else library.name


def exchange(case: Case) -> Try:
    """The exchange library in the place of the MPI library's exchange."""
    return Try(
        f"contend alltoall run --explain -- mpiexec -n {case.n} ./my_app",
        "runs the program with contend's exchange, which paces messages and combines those of a "
        "node where that is faster",
    )


def size_range(sizes: tuple[int, int]) -> str:
    """Sizes in words.

    >>> size_range((1024, 1024)), size_range((64, 2048))
    ('At 1 KiB', 'From 64 B to 2 KiB')
    """
    low, high = map(format_bytes, sizes)
    return f"At {low}" if sizes[0] == sizes[1] else f"From {low} to {high}"
