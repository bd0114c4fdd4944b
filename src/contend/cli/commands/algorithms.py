"""contend algorithms: the catalogue of collective algorithms."""

from collections.abc import Iterator

from contend.cli import completion
from contend.cli.options import argument
from contend.cli.result import Cell, Line, Part, Result, Table
from contend.schedules.catalogue import Entry, catalogue, first_sentence

ORDER = 5
PANEL = "Decide"
EXAMPLE = "contend algorithms bcast"
COLUMNS: dict[str, Cell] = {
    "collective": "collective",
    "algorithm": "name",
    "options": lambda entry: " ".join(["groups"] * entry.needs_groups + list(entry.options)),
    "source": "source",
    "restrictions": lambda entry: first_sentence(entry.restrictions),
    "form": lambda entry: " or ".join(entry.claims),
    "Open MPI": "openmpi",
    "MPICH": "mpich",
}


def command(
    collective: str | None = argument(
        "Operation; default all.", default=None, autocompletion=completion.collectives
    ),
) -> Result:
    """List collective algorithms: source, restrictions, closed form, ids in the MPI libraries.

    The form says what the closed form is to the time of the schedule without contention.
    """
    entries = catalogue(collective)
    return Result(entries, _parts(entries, with_details=collective is not None))


def _parts(entries: list[Entry], *, with_details: bool) -> Iterator[Part]:
    yield Table(entries, COLUMNS)
    if not with_details:
        yield "closed forms and all restrictions: contend algorithms COLLECTIVE"
        return
    for entry in entries:
        yield Line(
            f"{entry.name}: {entry.title}\n    time: {entry.cost}\n"
            f"    restrictions: {entry.restrictions}"
        )
