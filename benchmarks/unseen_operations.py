"""Errors and intervals of collective operations at 64 nodes, predicted from 8.

    python -m benchmarks.unseen_operations FOLDER

Of the collectives of one machine in FOLDER ($CONTEND_DATA), all but the all-to-all, which
`benchmarks.unseen_counts` has: each algorithm that was measured on 8 and on 64 nodes is fitted on
8 by the form `growth`; so again with three sizes probed on 64 nodes, evenly among the sizes, which
then do not count. Series whose name, as "bcast/native", has an even checksum (CRC-32) were looked
at when the priors were chosen ("tuned on"), all others were not. An algorithm of the catalogue is
known by its name or by a word of it; "default" is what the library chooses.
"""

import sys
import zlib
from collections.abc import Iterator
from pathlib import Path

import pandas as pd
from benchmarks.unseen_counts import PROBED, Series, points, row

from contend.cli.output import markdown
from contend.models.signature.algorithm_growth import usual_growth
from contend.models.signature.operations import GROWTH
from contend.samples import Sample
from contend.samples.reader import READERS, ReadOptions

FEW, MANY = 8, 64  # nodes
SHOWN = ("points", "growth median", "90th percentile", "inside 90 %", "high/low")
EVERY = "all operations"


def of_operations(folder: Path) -> Iterator[Series]:
    """All that were measured on both numbers of nodes, with operation and kind for a title."""
    path = folder / "fugaku_collectives" / "collectives.csv.gz"
    found: dict[tuple[str, str], list[Sample]] = {}
    for one in READERS.get("pico").read(path, ReadOptions()):
        found.setdefault((one.experiment, one.algorithm), []).append(one)
    for (operation, algorithm), own in sorted(found.items()):
        if operation != "alltoall" and {one.n for one in own} == {FEW, MANY}:
            title = f"{operation}, {_kind(operation, algorithm)}"
            yield Series(title, own, (FEW,), _is_even(f"{operation}/{algorithm}"))


def _is_even(name: str) -> bool:
    return zlib.crc32(name.encode()) % 2 == 0


def _kind(operation: str, algorithm: str) -> str:
    if algorithm == "native":
        return "default"
    is_known = usual_growth(operation, algorithm) != GROWTH[operation].usual
    return "of the catalogue" if is_known else "not of the catalogue"


def line(title: str, plain: list[pd.DataFrame], probed: list[pd.DataFrame]) -> dict[str, str]:
    """A row of the table: errors without and with probes."""
    cells = {"operation, algorithm": title}
    for parts, said in ((plain, ""), (probed, f", {len(PROBED)} probes")):
        rows = pd.concat(parts)
        known = row(title, (FEW,), 0, rows) if len(rows) else dict.fromkeys(SHOWN, "")
        cells |= {f"{name.removeprefix('growth ')}{said}": known[name] for name in SHOWN}
    return cells


def main(folder: Path) -> None:
    """Print the table."""
    found: dict[str, tuple[list[pd.DataFrame], list[pd.DataFrame]]] = {}
    for series in of_operations(folder):
        both = points(series, 0), points(series, len(PROBED))
        tuned = ", tuned on" if series.is_tuned_on else ""
        for title in (series.title, EVERY):
            for parts, rows in zip(found.setdefault(title + tuned, ([], [])), both, strict=True):
                parts.append(rows)
    ordered = sorted(found, key=lambda title: (title.startswith(EVERY), title))
    print(markdown(pd.DataFrame(line(title, *found[title]) for title in ordered)))


if __name__ == "__main__":
    if len(sys.argv) != 2:
        raise SystemExit(__doc__)
    main(Path(sys.argv[1]))
