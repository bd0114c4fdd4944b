"""contend graph fit: measured contention graphs to sharing models in a network file."""

from pathlib import Path
from typing import Annotated

import typer

from contend.cli import options, output

ORDER = 3
EXAMPLE = "contend graph fit graphs.jsonl -o network.json"


def command(
    graphs_file: options.GraphsFile,
    output_file: options.MergedNetworkFile = Path("network.json"),
    folds: options.Folds = 5,
    seed: options.FoldSeed = 1,
    penalties: Annotated[
        int,
        typer.Option(min=0, help="Also show the penalties of measured shapes of up to so many."),
    ] = 0,
    name: Annotated[str | None, typer.Option(help="Name of a new network.")] = None,
    include_flagged: options.IncludeFlagged = False,
    as_json: options.AsJson = False,
) -> None:
    """Fit sharing models, choose the closest, and keep the penalties of every measured shape."""
    import numpy as np

    from contend.cli.graphs import show_models, show_penalties
    from contend.cli.summary import show_kinds
    from contend.graphs.fit import fit_sharing
    from contend.graphs.measured import read_graphs
    from contend.network import Network

    fitted = fit_sharing(
        read_graphs(graphs_file),
        graphs_file,
        np.random.default_rng(seed),
        folds=folds,
        include_flagged=include_flagged,
    )
    network = Network(name=name or graphs_file.stem, sharing=fitted, origin=fitted.origin)
    merged = network.merge_into(output_file, name=name)
    output.note_merge(output_file, merged)
    if as_json:
        output.show_json(fitted.model_dump(mode="json", exclude_none=True))
        return
    show_models(fitted)
    if penalties:
        show_penalties(fitted, penalties)
    show_kinds(fitted.warnings)
    output.note(
        f"written to {output_file}; next: contend graph solve flows.csv --network {output_file}"
    )
