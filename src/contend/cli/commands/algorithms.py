"""contend algorithms: the catalogue of collective algorithms."""

from dataclasses import asdict
from typing import Annotated

import typer

from contend.cli import completion, options, output
from contend.schedules.catalogue import Entry, catalogue, first_sentence

ORDER = 5
PANEL = "Decide"
EXAMPLE = "contend algorithms bcast"


def command(
    collective: Annotated[
        str | None,
        typer.Argument(help="Operation; default all.", autocompletion=completion.collectives),
    ] = None,
    as_json: options.AsJson = False,
) -> None:
    """List collective algorithms: source, restrictions, closed form, ids in the MPI libraries.

    The form says what the closed form is to the time of the schedule without contention.
    """
    entries = catalogue(collective)
    if as_json:
        output.show_json([asdict(entry) for entry in entries])
        return
    output.show_table(output.by_columns([_row(entry) for entry in entries]))
    if collective is None:
        output.note("closed forms and all restrictions: contend algorithms COLLECTIVE")
        return
    for entry in entries:
        output.console().print(_details(entry), markup=False)


def _row(entry: Entry) -> dict[str, object]:

    return {
        "collective": entry.collective,
        "algorithm": entry.name,
        "options": " ".join(["groups"] * entry.needs_groups + list(entry.options)),
        "source": entry.source,
        "restrictions": first_sentence(entry.restrictions),
        "form": " or ".join(entry.claims),
        "Open MPI": "" if entry.openmpi is None else entry.openmpi,
        "MPICH": entry.mpich or "",
    }


def _details(entry: Entry) -> str:
    return (
        f"{entry.name}: {entry.title}\n    time: {entry.cost}\n"
        f"    restrictions: {entry.restrictions}"
    )
