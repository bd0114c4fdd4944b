"""contend graph compare: the error of every sharing model on every measured graph."""

from pathlib import Path
from typing import Annotated

import typer

from contend.cli import options, output

ORDER = 4
EXAMPLE = "contend graph compare graphs.jsonl --plot errors.svg"


def command(
    graphs_file: options.GraphsFile,
    every: Annotated[bool, typer.Option("--all", help="Also a row per graph.")] = False,
    plot: Annotated[
        Path | None, typer.Option(help="Figure of times and errors per number of messages.")
    ] = None,
    folds: options.Folds = 5,
    seed: options.FoldSeed = 1,
    include_flagged: options.IncludeFlagged = False,
    as_json: options.AsJson = False,
) -> None:
    """Compare predicted with measured ends, each graph by models that have not seen its shape.

    The error of a graph is the average over its messages; beside it the worst of a message. Every
    model is judged by the same graphs; what is left out is said.
    """
    import numpy as np

    from contend.canvas.files import check_picture, write_picture
    from contend.cli import graphs
    from contend.figures.sharing_errors import comparison_drawing
    from contend.graphs import comparison
    from contend.graphs.measured import bandwidth_alone, measured_graphs, read_graphs
    from contend.samples.quality import undisturbed

    if plot is not None:
        check_picture(plot)
    samples = read_graphs(graphs_file)
    kept = undisturbed(samples, "graphs", include_flagged)
    measured, alone = measured_graphs(kept), bandwidth_alone(kept)
    bandwidth = alone.value if alone else None
    every_row = comparison.cross_validated(measured, bandwidth, np.random.default_rng(seed), folds)
    rows, left_out = comparison.common(every_row)
    if len(kept) < len(samples):
        left_out.append(
            f"{len(samples) - len(kept)} of {len(samples)} samples are left out: the emulated "
            "network could not keep up; --include-flagged takes them in"
        )
    if plot is not None:
        write_picture(comparison_drawing(measured, bandwidth, rows), plot)
    if as_json:
        output.show_json(
            {
                "models": output.records(comparison.summary(rows)),
                "edges": output.records(comparison.summary(rows, ("model", "edges"))),
                "graphs": output.records(rows.drop(columns="problem")),
                "left_out": left_out,
            }
        )
        return
    graphs.show_errors(rows, left_out, every)
    if plot is not None:
        output.note(f"figure: {plot}")
