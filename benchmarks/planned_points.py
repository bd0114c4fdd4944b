"""Intervals foreseen before points are measured, against those that came about.

    python -m benchmarks.planned_points FOLDER

Of the measured machines in FOLDER ($CONTEND_DATA): what is fitted at n', or at two n, is to predict
the largest n of all; some points there are proposed, looked up, and the rest is predicted again.
"""

import sys
from collections import defaultdict
from pathlib import Path

import numpy as np
import pandas as pd
from benchmarks.unseen_counts import SOURCE, Series, of_fugaku, of_lassen

from contend.cli.output import markdown
from contend.fitting.fit import FitOptions, fit_network
from contend.prediction.predict import predict
from contend.probes.greedy import Limits
from contend.probes.propose import propose

POINTS = (1, 6)


def compared(series: Series, points: int) -> dict[str, float]:
    """High/low before, foreseen and then, errors before and then, and the share inside 90 %."""
    few = [one for one in series.samples if one.n in series.counts]
    first, *more = series.counts
    options = FitOptions(n_fit=first, n_second=more[0] if more else None)
    network = fit_network(few, SOURCE, options)
    (operation,) = network.operations
    every = fit_network(series.samples, SOURCE, options).operations[0].measured
    assert every is not None and operation.measured is not None
    measured = every.table()
    own = measured[measured["n"] == measured["n"].max()]
    n, sizes = int(own["n"].iloc[0]), own["m"].tolist()
    found = propose(network, operation, [n], sizes, Limits(points=points), at=[n])
    chosen = own["m"].isin([step.m for step in found.steps])
    known = pd.concat([operation.measured.table(), own[chosen]])
    then = operation.model_copy(update={"measured": type(every).of(known)})
    told = predict(network, then, n, sizes, "growth")
    left = own[~chosen]
    before = predict(network, operation, n, left["m"], "growth")
    after = predict(network, then, n, left["m"], "growth")
    error = np.abs(np.log(after["seconds"].to_numpy() / left["seconds"].to_numpy()))
    old = np.abs(np.log(before["seconds"].to_numpy() / left["seconds"].to_numpy()))
    half = np.log(after["high"] / after["seconds"]).to_numpy()
    return {
        "before": found.before,
        "foreseen": found.after,
        "then": float(np.exp(2 * np.log(told["high"] / told["seconds"]).median())),
        "off by, before": float(np.expm1(np.median(old))),
        "off by, then": float(np.expm1(np.median(error))),
        "inside": float(np.mean(error <= half)),
    }


def main(folder: Path) -> None:
    """Print the table: medians over the series of a machine."""
    found: defaultdict[tuple[str, str, int], list[dict[str, float]]] = defaultdict(list)
    for series in (*of_lassen(folder), *of_fugaku(folder)):
        counts = ", ".join(map(str, sorted(series.counts)))
        for points in POINTS:
            machine = series.title.split()[0]
            found[machine, counts, points].append(compared(series, points))
    rows = []
    for (machine, counts, points), parts in found.items():
        table = pd.DataFrame(parts)
        middle, inside = table.median(), table["inside"].mean()
        rows.append(
            {
                "machine": machine,
                "fitted at": counts,
                "series": str(len(parts)),
                "points": str(points),
                "high/low before": f"{middle['before']:.2f}",
                "foreseen": f"{middle['foreseen']:.2f}",
                "then": f"{middle['then']:.2f}",
                "off by, before": f"{middle['off by, before']:.1%}",
                "off by, then": f"{middle['off by, then']:.1%}",
                "inside 90 %, then": f"{inside:.0%}",
            }
        )
    print(markdown(pd.DataFrame(rows)))


if __name__ == "__main__":
    if len(sys.argv) != 2:
        raise SystemExit(__doc__)
    main(Path(sys.argv[1]))
