"""Which figures there are, and how their files are named."""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from contend.network import Network, Operation
from contend.prediction.validate import summary
from contend.report.curves import curves, error_grid, points
from contend.report.figures.curve import curve_figure
from contend.report.figures.error import error_figure
from contend.report.figures.forms import forms_figure
from contend.samples import Sample
from contend.signature import EXCHANGES
from contend.wholefile import make_folder, replacing

RESOLUTION = 200  # dots per inch of the PNG
LONGEST_NAME = 80  # file systems allow 255 bytes with what is added


def write_figures(network: Network, samples: Sequence[Sample], folder: Path) -> list[Path]:
    """Paths of all figures written."""
    make_folder(folder)
    paths: list[Path] = []
    stems = file_names([operation.title for operation in network.operations])
    for operation, stem in zip(network.operations, stems, strict=True):
        for subject, figure in _figures(network, operation, samples):
            paths += [folder / f"{stem}-{subject}.png", folder / f"{stem}-{subject}.svg"]
            with replacing(paths[-2]) as new:
                figure.savefig(new, dpi=RESOLUTION)
            with replacing(paths[-1]) as new:
                figure.savefig(new, metadata={"Date": None})
    return paths


def _figures(
    network: Network, operation: Operation, samples: Sequence[Sample]
) -> Iterator[tuple[str, Any]]:
    if operation.operation not in EXCHANGES or not operation.forms:
        return
    rows = points(network, operation, samples)
    if (rows["m"] > 0).any():
        yield "curves", curve_figure(curves(network, operation, rows))
    if (grid := error_grid(network, operation)) is not None:
        yield "errors", error_figure(grid)
    found = summary(operation)
    if not found.empty:
        yield "forms", forms_figure(operation, found)


def file_names(titles: Sequence[str]) -> list[str]:
    """Names without anything that a file system may refuse or a shell interpret, all different.

    >>> file_names(["alltoall/native, 4 per node", "../alltoall native 4 per node", "/"])
    ['alltoall-native-4-per-node', 'alltoall-native-4-per-node-2', 'operation']
    """
    names: list[str] = []
    for title in titles:
        stem = re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")[:LONGEST_NAME] or "operation"
        name, count = stem, 1
        while name in names:
            count += 1
            name = f"{stem}-{count}"
        names.append(name)
    return names
