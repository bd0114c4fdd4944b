"""Intervals foreseen before points are measured, against those that came about, and errors.

    python -m benchmarks.planned_points FOLDER

Of the measured machines in FOLDER ($CONTEND_DATA): what is fitted at n', or at two n, is to predict
each other n; some points there are proposed, looked up, and the rest is predicted again. "Tuned on"
are series by which the prior of the form was chosen.
"""

import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pandas as pd
from benchmarks.unseen_counts import SOURCE, Series, errors_told, of_fugaku, of_lassen

from contend.cli.output import markdown
from contend.measure.probes.greedy import Limits
from contend.measure.probes.propose import propose
from contend.models.fitting.estimator import FitOptions
from contend.models.fitting.fit import fit_network
from contend.models.prediction.predict import predict

POINTS = (1, 3, 6)


def compared(series: Series, points: int) -> Iterator[pd.DataFrame]:
    """For each n not fitted, a row for each point there that was not proposed, logarithms."""
    few = [one for one in series.samples if one.n in series.counts]
    first, *more = series.counts
    options = FitOptions(n_fit=first, n_second=more[0] if more else None)
    network = fit_network(few, SOURCE, options)
    (operation,) = network.operations
    every = fit_network(series.samples, SOURCE, options).operations[0].measured
    assert every is not None and operation.measured is not None
    measured = every.table()
    for n in sorted(set(measured["n"]) - set(series.counts)):
        own = measured[measured["n"] == n]
        found = propose(
            network, operation, [int(n)], own["m"].tolist(), Limits(points=points), at=[int(n)]
        )
        chosen = own["m"].isin([step.m for step in found.steps])
        known = pd.concat([operation.measured.table(), own[chosen]])
        then = operation.model_copy(update={"measured": type(every).of(known)})
        left = own[~chosen]
        rows = {"foreseen": np.full(len(left), np.log(found.after))}
        for title, one in (("before", operation), ("then", then)):
            told = predict(network, one, int(n), left["m"].tolist(), "growth")
            rows[f"error {title}"] = np.log(told["seconds"].to_numpy() / left["seconds"].to_numpy())
            rows[f"width {title}"] = np.log(told["high"] / told["low"]).to_numpy()
        yield pd.DataFrame(rows)


def row(rows: pd.DataFrame) -> dict[str, str]:
    """What is told of the points of a series or several."""
    cells = {
        "high/low before": f"{np.exp(rows['width before'].median()):.2f}",
        "foreseen": f"{np.exp(rows['foreseen'].median()):.2f}",
        "then": f"{np.exp(rows['width then'].median()):.2f}",
    }
    for title in ("before", "then"):
        told = errors_told(rows[f"error {title}"])
        cells |= zip((f"off by, {title}", f"90th percentile, {title}"), told, strict=True)
    inside = rows["error then"].abs() <= rows["width then"] / 2
    return cells | {"inside 90 %, then": f"{inside.mean():.0%}"}


def main(folder: Path) -> None:
    """Print the table."""
    found: defaultdict[tuple[str, str, int], list[pd.DataFrame]] = defaultdict(list)
    for series in (*of_lassen(folder), *of_fugaku(folder)):
        title = f"{series.title}{', tuned on' if series.is_tuned_on else ''}"
        counts = ", ".join(map(str, sorted(series.counts)))
        for points in POINTS:
            found[title, counts, points] += compared(series, points)
    rows = [
        {"series": title, "fitted at": counts, "probes": str(points), **row(pd.concat(parts))}
        for (title, counts, points), parts in found.items()
    ]
    print(markdown(pd.DataFrame(rows)))


if __name__ == "__main__":
    if len(sys.argv) != 2:
        raise SystemExit(__doc__)
    main(Path(sys.argv[1]))
