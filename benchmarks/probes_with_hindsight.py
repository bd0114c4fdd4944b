"""How little a machine's other points tell of one: what no choice of probes can mend.

    python -m benchmarks.probes_with_hindsight FOLDER

Of the measured machines in FOLDER ($CONTEND_DATA), each point at an n not fitted that lies between
two other sizes is told in three ways: by `growth` from three points at that n, of TRIPLES chosen by
chance those that turn out to serve best there, not counting their own; by `growth` from every other
point at every n; and from its two neighbours at that n alone, on the line between them in
logarithms. High/low is that of an interval around what all other points tell, as wide for all, that
would hold SHARE of them, with hindsight too.
"""

import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pandas as pd
from benchmarks.unseen_counts import SOURCE, Series, errors_told, of_fugaku, of_lassen

from contend.cli.output import markdown
from contend.models.fitting.estimator import FitOptions
from contend.models.fitting.fit import fit_network
from contend.models.network.evidence import MeasuredPoints
from contend.models.network.network import Network, Operation
from contend.models.prediction.predict import predict

TRIPLES = 100
SHARE = 0.82  # the least that may be called 90 % of so few points
WAYS = {
    "triple": "best of three points with hindsight",
    "others": "from all other points",
    "neighbours": "between both neighbours",
}


def errors(
    network: Network, operation: Operation, known: pd.DataFrame, left: pd.DataFrame
) -> pd.Series:
    """Logarithms of predicted over measured of `left`, points at one n, where `known` are known."""
    seen = operation.model_copy(update={"measured": MeasuredPoints.of(known)})
    (n,) = set(left["n"])
    told = predict(network, seen, int(n), left["m"].tolist(), "growth")["seconds"]
    return pd.Series(np.log(told.to_numpy() / left["seconds"]), index=left.index)


def of_series(series: Series, rng: np.random.Generator) -> Iterator[pd.DataFrame]:
    """For each n not fitted, a row for each inner size, a column of logarithms for each way."""
    first, *more = series.counts
    few = [one for one in series.samples if one.n in series.counts]
    options = FitOptions(n_fit=first, n_second=more[0] if more else None)
    network = fit_network(few, SOURCE, options)
    (operation,) = network.operations
    every = fit_network(series.samples, SOURCE, options).operations[0].measured
    assert every is not None and operation.measured is not None
    measured, fitted = every.table(), operation.measured.table()
    for n in sorted(set(measured["n"]) - set(series.counts)):
        own = measured[measured["n"] == n].sort_values("m")
        inner = own.iloc[1:-1]
        triples = []
        for _ in range(TRIPLES):
            probed = own.sample(3, random_state=rng)
            left = inner.drop(index=probed.index, errors="ignore")
            triples.append(errors(network, operation, pd.concat([fitted, probed]), left))
        found = {"triple": min(triples, key=lambda one: np.expm1(one).abs().quantile(0.9))}
        each = [inner.loc[[place]] for place in inner.index]
        found["others"] = pd.concat(
            errors(network, operation, measured.drop(index=one.index), one) for one in each
        )
        times = np.log(own["seconds"])
        below, above = times.shift(), times.shift(-1)
        sizes = np.log(own["m"])
        place = (sizes - sizes.shift()) / (sizes.shift(-1) - sizes.shift())
        found["neighbours"] = (below + place * (above - below) - times).loc[inner.index]
        yield pd.DataFrame(found)


def row(title: str, rows: pd.DataFrame) -> dict[str, str]:
    """What is told of the points of a series."""
    cells = {"series": title, "points": str(len(rows))}
    for way, words in WAYS.items():
        told = errors_told(rows[way].dropna())  # a triple tells nothing of its own
        cells |= zip((words, f"{words}, 90th percentile"), told, strict=True)
    half = rows["others"].abs().quantile(SHARE)
    return cells | {f"high/low that holds {SHARE:.0%}": f"{np.exp(2 * half):.2f}"}


def main(folder: Path) -> None:
    """Print the table."""
    rng = np.random.default_rng(1)
    found: defaultdict[str, list[pd.DataFrame]] = defaultdict(list)
    wide = [series for series in of_lassen(folder) if len(series.counts) == 2]
    for series in (*wide, *of_fugaku(folder)):
        found[series.title] += of_series(series, rng)
    rows = [row(title, pd.concat(parts)) for title, parts in found.items()]
    print(markdown(pd.DataFrame(rows)))


if __name__ == "__main__":
    if len(sys.argv) != 2:
        raise SystemExit(__doc__)
    main(Path(sys.argv[1]))
