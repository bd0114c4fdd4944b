"""contend export: samples and networks in the formats of other tools."""

import shlex
from collections.abc import Iterator
from pathlib import Path

from contend.api.exports import Written, export_as
from contend.cli import options
from contend.cli.options import argument, option
from contend.cli.result import Line, Part, Result

ORDER = 4
PANEL = "Inspect"
EXAMPLE = "contend export csv samples.jsonl -o samples.csv"


def command(
    format: str = argument("The format; an unknown one names all.", metavar="FORMAT"),
    file: Path = argument("Samples file or network file.", metavar="FILE"),
    output_file: Path | None = option(
        "File; one of the same format is replaced.", "-o", "--output"
    ),
    operation: str | None = option("Operation, where the file has several."),
    algorithm: options.Algorithm = None,
    ppn: options.PerNode = None,
    by: str | None = option("What a row of samples is: repetition (default) or point."),
    sizes: str | None = option("First and last size to approximate.", "-m", "--sizes"),
    topology: str | None = option(
        "Links between the hosts; default what the network file knows, or one switch.",
        metavar="switch|fat-tree:4x8x2|FILE",
    ),
    hosts: int | None = option("Hosts; default as many as were measured.", min=2),
) -> Result:
    """Write samples or a network for other tools; without -o, show it.

    Of samples: csv (pandas, R; 'contend import' reads it back) and extrap (Extra-P).

    Of a network file: simgrid (platform, and options for smpirun) and loggops (options of
    LogGOPSim).

    contend export extrap samples.jsonl --operation alltoall -o alltoall.json

    contend export simgrid network.json --hosts 16 -o platform.xml

    contend export loggops network.json -m 1,64KiB
    """
    written = export_as(
        format,
        file,
        output_file,
        operation=operation,
        algorithm=algorithm,
        processes_per_node=ppn,
        m=options.named_sizes(sizes),
        by=by,
        topology=topology,
        hosts=hosts,
    )
    names = ("text", "beside", "notes", "figures")
    data = {"format": format, **{name: getattr(written, name) for name in names}}
    return Result(data, _parts(written, output_file))


def _parts(written: Written, path: Path | None) -> Iterator[Part]:
    if path is None:
        yield Line(written.text, end="")
    yield from (f"note: {note}" for note in written.notes)
    for line in written.usage if path is not None else ():
        yield f"next: {line.replace('FILE', shlex.quote(str(path)))}"
