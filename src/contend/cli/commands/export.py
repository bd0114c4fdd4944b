"""contend export: samples and networks in the formats of other tools."""

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from contend.cli import options, output

if TYPE_CHECKING:
    from contend.interchange import Format, Written

ORDER = 4
PANEL = "Inspect"
EXAMPLE = "contend export csv samples.jsonl -o samples.csv"


def command(
    format: Annotated[
        str, typer.Argument(metavar="FORMAT", help="The format; an unknown one names all.")
    ],
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Samples file or network file.")],
    output_file: Annotated[
        Path | None,
        typer.Option("-o", "--output", help="File; one of the same format is replaced."),
    ] = None,
    operation: Annotated[
        str | None, typer.Option(help="Operation, where the file has several.")
    ] = None,
    algorithm: options.Algorithm = None,
    ppn: options.PerNode = None,
    by: Annotated[
        str | None, typer.Option(help="What a row of samples is: repetition (default) or point.")
    ] = None,
    sizes: Annotated[
        str | None, typer.Option("-m", "--sizes", help="First and last size to approximate.")
    ] = None,
    topology: Annotated[
        str | None,
        typer.Option(
            metavar="switch|fat-tree:4x8x2|FILE",
            help="Links between the hosts; default what the network file knows, or one switch.",
        ),
    ] = None,
    hosts: Annotated[
        int | None, typer.Option(min=2, help="Hosts; default as many as were measured.")
    ] = None,
    as_json: options.AsJson = False,
) -> None:
    """Write samples or a network for other tools; without -o, show it.

    Of samples: csv (pandas, R; 'contend import' reads it back) and extrap (Extra-P).

    Of a network file: simgrid (platform, and options for smpirun) and loggops (options of
    LogGOPSim).

    contend export extrap samples.jsonl --operation alltoall -o alltoall.json

    contend export simgrid network.json --hosts 16 -o platform.xml

    contend export loggops network.json -m 1,64KiB
    """
    from contend.interchange import FORMATS, Wanted

    chosen = FORMATS.get(format)
    m = options.named_sizes(sizes)
    wanted = Wanted(
        operation=operation,
        algorithm=algorithm,
        processes_per_node=ppn,
        m=tuple(m) if m else None,
        by=by,
        topology=topology,
        hosts=hosts,
    )
    written = chosen.write(file, wanted)
    if output_file is not None:
        _write(output_file, chosen, written)
    if as_json:
        output.show_json(
            {"format": chosen.name, "text": written.text, "beside": dict(written.beside),
             "notes": written.notes, "figures": dict(written.figures)}
        )  # fmt: skip
        return
    if output_file is None:
        output.console().print(written.text, markup=False, end="")
    for note in written.notes:
        output.note(f"note: {note}")
    for line in written.usage if output_file is not None else ():
        output.note(f"next: {line.replace('FILE', shlex.quote(str(output_file)))}")


def _write(path: Path, format: "Format", written: "Written") -> None:
    """Write the file and what belongs to it, unless something else is there."""
    from contend.errors import InvalidInputError
    from contend.textfile import read_text
    from contend.wholefile import is_special, make_folder, write_whole

    make_folder(path.parent)
    if path.is_file() and not is_special(path):
        old = read_text(path, errors="replace")
        if old.strip() and not format.recognises(old):
            raise InvalidInputError(
                f"{path} exists and is no {format.name} file", "name a new file, or remove it"
            )
    write_whole(path, written.text)
    for behind, text in written.beside.items():
        write_whole(path.with_name(path.name + behind), text)
