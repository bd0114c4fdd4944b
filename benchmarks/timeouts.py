"""Time-outs predicted at numbers of processes that were left out of everything.

    python -m benchmarks.timeouts SAMPLES

Each n in turn is left out of the samples; a network fitted to the rest predicts it, as `contend
predict` would: share of the repetitions with a time-out, and times without and with one. Shares are
off by percentage points, times relative to the measured medians of each mode.
"""

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pandas as pd

from contend.base.number_text import percent
from contend.cli.output import markdown
from contend.models.fitting.estimator import FitOptions
from contend.models.fitting.fit import fit_network
from contend.models.network import Network, Operation
from contend.models.prediction.predict import predict
from contend.models.prediction.timeouts import measured_modes, separated
from contend.samples import Sample, quality, read_samples

OPERATION = "alltoall"


def predicted(samples: Sequence[Sample], path: Path, full: Network) -> Iterator[pd.DataFrame]:
    """Measured and predicted points of each algorithm and n left out."""
    for n in sorted({one.n for one in samples if one.experiment == OPERATION}):
        rest = [one for one in samples if one.experiment != OPERATION or one.n != n]
        network = fit_network(rest, path, FitOptions())
        for known in full.operations:
            if known.timeouts is None:
                continue
            rows = _modes(known, samples)
            rows = rows[rows["n"] == n].reset_index(drop=True)
            found = network.find(known.operation, known.algorithm, known.processes_per_node)
            if rows.empty or found.timeouts is None:
                continue
            times = predict(network, found, rows["n"], rows["m"])
            names = {"share": "share_predicted", "seconds": "clean_predicted"}
            names |= {"with_timeout": "late_predicted"}
            times = times.rename(columns=names).drop(columns=["n", "m"])
            yield pd.concat([rows, times], axis=1).assign(title=known.title)


def _modes(operation: Operation, samples: Sequence[Sample]) -> pd.DataFrame:
    series = operation.algorithm, operation.processes_per_node
    return measured_modes(separated(operation, samples).labelled.get(series, []))


def errors(rows: pd.DataFrame) -> dict[str, str | int]:
    """A line of the table."""
    share = 100 * np.abs(rows["share_predicted"] - rows["share"])
    times = {
        mode: np.abs(rows[f"{mode}_predicted"] / rows[mode] - 1).dropna()
        for mode in ("clean", "late")
    }
    return {
        "points": len(rows),
        "share, mean": f"{share.mean():.1f}",
        "median": f"{share.median():.1f}",
        "worst": f"{share.max():.1f}",
        **{
            f"{name} a time-out, {what}": percent(value)
            for mode, name in (("clean", "without"), ("late", "with"))
            for what, value in (("median", times[mode].median()), ("worst", times[mode].max()))
        },
    }


def main(path: Path) -> None:
    """Print the table."""
    samples = quality.trusted(read_samples(path), {OPERATION})
    full = fit_network(samples, path, FitOptions())
    rows = pd.concat(predicted(samples, path, full))
    late = {
        known.title: sum(known.timeouts.points.late) / sum(known.timeouts.points.repetitions)
        for known in full.operations
        if known.timeouts
    }
    print(
        f"repetitions with a time-out: {', '.join(f'{n} {percent(v)}' for n, v in late.items())}\n"
    )
    lines = [
        {"operation": title, "n left out": n, **errors(part)}
        for title, own in rows.groupby("title")
        for n, part in [*own.groupby("n"), ("each", own)]
    ]
    print(markdown(pd.DataFrame(lines)))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
