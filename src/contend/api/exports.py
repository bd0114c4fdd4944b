"""Samples and networks in the formats of other tools."""

from pathlib import Path

from contend.api.amounts import Amounts, sizes
from contend.api.arguments import NONE, OPERATION, PATH, TEXT, WHOLE, takes
from contend.export import FORMATS, Wanted
from contend.export.format import Written, save

__all__ = ["Written", "export_as"]


@takes(
    format=TEXT, file=PATH, path=PATH | NONE, operation=OPERATION | NONE, algorithm=TEXT | NONE,
    processes_per_node=WHOLE | NONE, by=TEXT | NONE, topology=PATH | NONE, hosts=WHOLE | NONE,
)  # fmt: skip
def export_as(
    format: str,
    file: str | Path,
    path: str | Path | None = None,
    *,
    operation: str | None = None,
    algorithm: str | None = None,
    processes_per_node: int | None = None,
    m: Amounts | None = None,
    by: str | None = None,
    topology: str | None = None,
    hosts: int | None = None,
) -> Written:
    """Samples file or network file in the format of another tool, written to `path` if given.

    Parameters
    ----------
    format
        Of samples csv (pandas, R) and extrap (Extra-P); of networks simgrid and loggops.
    operation, algorithm, processes_per_node
        Of which samples, where the file has several.
    m
        Of a network, the first and last size to approximate.
    by
        What a row of samples is: "repetition" (default) or "point".
    topology, hosts
        Links between how many hosts; default what the network file knows, or one switch.

    Raises
    ------
    ContendError
        For what the file does not hold, the format cannot say, or where something else stands at
        `path`.

    >>> export_as("csv", "samples.jsonl", "points.csv", by="point").text[:10]
    'experiment'
    """
    chosen = FORMATS.get(format)
    wanted = Wanted(
        operation=operation,
        algorithm=algorithm,
        processes_per_node=processes_per_node,
        m=None if m is None else tuple(sizes(m)),
        by=by,
        topology=topology,
        hosts=hosts,
    )
    written = chosen.write(Path(file), wanted)
    if path is not None:
        save(Path(path), chosen, written)
    return written
