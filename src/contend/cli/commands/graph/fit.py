"""contend graph fit: measured contention graphs to sharing models in a network file."""

from pathlib import Path

import numpy as np

from contend.cli import options, output
from contend.cli.graphs import SEED, sharing_parts
from contend.cli.options import option
from contend.cli.result import Result
from contend.models.network import Network
from contend.simulate.graphs.fit import fit_sharing
from contend.simulate.graphs.measurements import read_graphs

ORDER = 3
EXAMPLE = "contend graph fit graphs.jsonl -o network.json"


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
