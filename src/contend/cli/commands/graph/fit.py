"""contend graph fit: measured contention graphs to sharing models in a network file."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np

from contend.cli import options, output
from contend.cli.graphs import models
from contend.cli.graphs import penalties as penalties_of
from contend.cli.options import option
from contend.cli.result import Part, Result
from contend.cli.summary import kinds
from contend.graphs.fit import fit_sharing
from contend.graphs.measured import read_graphs
from contend.graphs.record import FittedSharing
from contend.network import Network

ORDER = 3
EXAMPLE = "contend graph fit graphs.jsonl -o network.json"
SEED = 1  # of the division into parts, and of where fits start


def command(
    graphs_file: options.GraphsFile,
    output_file: Path = option(
        "Network file; one that exists keeps what it knows.",
        "-o",
        "--output",
        default=Path("network.json"),
    ),
    penalties: int = option(
        "Also show the penalties of measured shapes of up to so many.", default=0, min=0
    ),
    include_flagged: options.IncludeFlagged = False,
) -> Result:
    """Fit sharing models, choose the closest, and keep the penalties of every measured shape."""
    fitted = fit_sharing(
        read_graphs(graphs_file),
        graphs_file,
        np.random.default_rng(SEED),
        include_flagged=include_flagged,
    )
    network = Network(name=graphs_file.stem, sharing=fitted, origin=fitted.origin)
    output.note_merge(output_file, network.merge_into(output_file))
    data = fitted.model_dump(mode="json", exclude_none=True)
    return Result(data, sharing_parts(fitted, output_file, penalties))


def sharing_parts(fitted: FittedSharing, path: Path, penalties: int = 0) -> Iterator[Part]:
    """Show the fitted models, the penalties that are wanted, and what to do with them."""
    yield from models(fitted)
    if penalties:
        yield from penalties_of(fitted, penalties)
    yield from kinds(fitted.warnings)
    yield f"written to {path}; next: contend graph solve flows.csv --network {path}"
