"""contend graph compare: the error of every sharing model on every measured graph."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np

from contend.cli import graphs, options
from contend.cli.options import option
from contend.cli.result import Part, Result
from contend.report.canvas.files import check_picture, write_picture
from contend.report.figures.sharing_errors import comparison_drawing
from contend.samples.quality import undisturbed
from contend.simulate.graphs import comparison
from contend.simulate.graphs.measurements import bandwidth_alone, measured_graphs, read_graphs

ORDER = 4
EXAMPLE = "contend graph compare graphs.jsonl --plot errors.svg"


def command(
    graphs_file: options.GraphsFile,
    every: bool = option("Also a row per graph.", "--all", default=False),
    plot: Path | None = option("Figure of times and errors per number of messages."),
    include_flagged: options.IncludeFlagged = False,
) -> Result:
    """Compare predicted with measured ends, each graph by models that have not seen its shape.

    The error of a graph is the average over its messages; beside it the worst of a message. Every
    model is judged by the same graphs; what is left out is said.
    """
    if plot is not None:
        check_picture(plot)
    samples = read_graphs(graphs_file)
    kept = undisturbed(samples, "graphs", include_flagged)
    measured, alone = measured_graphs(kept), bandwidth_alone(kept)
    bandwidth = alone.value if alone else None
    every_row = comparison.cross_validated(measured, bandwidth, np.random.default_rng(graphs.SEED))
    rows, left_out = comparison.common(every_row)
    if len(kept) < len(samples):
        left_out.append(
            f"{len(samples) - len(kept)} of {len(samples)} samples are left out: the emulated "
            "network could not keep up; --include-flagged takes them in"
        )
    if plot is not None:
        write_picture(comparison_drawing(measured, bandwidth, rows), plot)
    data = {
        "models": comparison.summary(rows),
        "edges": comparison.summary(rows, ("model", "edges")),
        "graphs": rows.drop(columns="problem"),
        "left_out": left_out,
    }

    def parts() -> Iterator[Part]:
        yield from graphs.errors(rows, left_out, every=every)
        if plot is not None:
            yield f"figure: {plot}"

    return Result(data, parts())
