"""contend export: samples and networks in the formats of other tools."""

from pathlib import Path

from contend.api import Result, export_as
from contend.cli import options
from contend.cli.options import argument, option

ORDER = 3
PANEL = "Show"
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
    return export_as(
        format, file, output_file, operation=operation, algorithm=algorithm,
        processes_per_node=ppn, m=options.named_sizes(sizes), by=by, topology=topology,
        hosts=hosts,
    ).result(format, output_file)  # fmt: skip
