"""contend import: other benchmarks' output to samples."""

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from contend.cli import completion, options, output

if TYPE_CHECKING:
    from contend.samples.reader import Reader

ORDER = 2
PANEL = "Measure"
EXAMPLE = "contend import osu_alltoall.txt -n 32 -o samples.jsonl"


class Statistic(StrEnum):
    """What one entry of a column of times may be."""

    repetition = "repetition"
    mean = "mean"
    median = "median"
    minimum = "minimum"


def command(
    files: Annotated[list[Path], typer.Argument(help="Files to read.")],
    output_file: Annotated[
        Path, typer.Option("-o", "--output", help="Samples file to append to.")
    ] = Path("samples.jsonl"),
    reader: Annotated[
        str | None,
        typer.Option(help="Format; recognised when not given.", autocompletion=completion.readers),
    ] = None,
    experiment: Annotated[str | None, typer.Option(help="Where the file does not say.")] = None,
    algorithm: Annotated[str | None, typer.Option(help="Where the file does not say.")] = None,
    processes: Annotated[
        int | None,
        typer.Option("-n", "--n", "--processes", min=2, help="Where the file does not say."),
    ] = None,
    ppn: options.PerNode = None,
    columns: Annotated[
        list[str] | None,
        typer.Option("--map", help="Column of a CSV, as field=column: m, time, n, launch, ..."),
    ] = None,
    where: Annotated[
        list[str] | None, typer.Option(help="Rows of a CSV to read, as column=value.")
    ] = None,
    statistic: Annotated[
        Statistic | None, typer.Option(help="What one time of a CSV is; default a repetition.")
    ] = None,
    as_json: options.AsJson = False,
) -> None:
    """Read what OSU, IMB, ReproMPI and others measured, or any CSV with a column map.

    A file that cannot be read does not keep the others from being added; the exit code tells.
    """
    from contend.samples import SampleStore
    from contend.samples.importing import imported, read_files
    from contend.samples.reader import READERS, ReadOptions

    chosen = ReadOptions(
        experiment=experiment,
        algorithm=algorithm,
        n=processes,
        processes_per_node=ppn,
        columns=options.named_pairs(columns, "--map"),
        where=options.named_pairs(where, "--where"),
        statistic=statistic.value if statistic else None,
    )
    named = READERS.get(reader) if reader else None
    found, unread = read_files(files, chosen, lambda file: named or _reader_of(file))
    with SampleStore(output_file) as store:
        result = imported(store.existing(), found)
        store.extend(result.new)
    for error in unread.values():
        output.note(f"left out: {error}")
    for file, count in result.left_out.items():
        output.note(
            f"warning: {count} samples were there already, left out: those of {file}; another "
            "run with the same figures needs a file of another name"
        )
    for file in result.changed:
        output.note(
            f"warning: a file named {file.name} with other figures was imported before, so this is "
            "another launch; a run that has grown since belongs into a new samples file"
        )
    for file in result.untold:
        output.note(
            f"warning: {file} was imported by a contend that did not tell memory, datatype, ..., "
            "so that they are one series there; import it into a new samples file"
        )
    if as_json:
        left = {str(file): str(error) for file, error in unread.items()}
        output.show_json({"samples": str(output_file), "new": len(result.new), "left_out": left})
    else:
        what = f" of {len(found)} of {len(files)} files" if unread else ""
        output.console().print(
            f"{len(result.new)} samples{what} added to {output_file}", markup=False
        )
    if unread:
        raise typer.Exit(1)


def _reader_of(file: Path) -> "Reader":
    """The reader that recognises a file, which is no set of graphs."""
    from contend.errors import FileFormatError
    from contend.graphs.saturation import is_foreign
    from contend.samples.reader import recognise

    if is_foreign(file):
        raise FileFormatError(
            f"{file} times several messages at once, which are contention graphs",
            f"read it by 'contend graph import {file} -o graphs.jsonl'",
        )
    return recognise(file)
