"""Errors and intervals of exchanges at numbers of processes that no fit has seen.

    python -m benchmarks.unseen_counts FOLDER

Of the measured machines in FOLDER ($CONTEND_DATA): what is fitted at n', or at two n, predicts all
others; the form `growth` also with three sizes probed at the n that is predicted, evenly among the
sizes, which then do not count. Beside it stand power laws per size through the two n, in n-1 and in
the number of processes on other nodes, on the same points; then all series together. What crosses
no node is left out. "Tuned on" are series by which the prior of the form was chosen at first; those
of EPCC were looked at when what bytes grow with and which sizes correspond became candidates.

Then how many series have 85 to 97 % of their points inside, and how many would if each point were
inside with a probability of 90 or 91 %: all by themselves, or those of an n or of a series together
(beta-binomial, with the variance of the mean that the design effect makes: the mean square between
n or between series over that of single points).
"""

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pandas as pd
from scipy.stats import betabinom

from contend.cli.output import markdown
from contend.models.fitting.estimator import FitOptions
from contend.models.fitting.fit import fit_network
from contend.models.network import Network
from contend.models.network.evidence import MeasuredPoints
from contend.models.prediction.library_default import predicted_as_run
from contend.models.prediction.predict import predict
from contend.models.timeouts.separate import separate
from contend.samples import Sample
from contend.samples.origin import Unsaved
from contend.samples.reader import READERS, ReadOptions
from contend.samples.table import exchanges

LASSEN = ReadOptions(
    experiment="alltoall",
    algorithm="native",
    columns={
        "m": "msg_bytes_per_pair", "time": "time_s", "n": "n_endpoints",
        "processes_per_node": "gpus_per_node", "launch": "job",
    },
)  # fmt: skip
VARIANTS = {"3step_host": False, "cuda_aware": True, "3step_extra_msg": True}
OWN_CHOICE = ("native", "default-blacc3d", "default-blacc6d", "default-crp", "default-doublespread")
TUNED_ON = ("rotated", "BRUCK-LOG-MPI-0-1", "default-blacc3d")
PROBED = (0.17, 0.5, 0.83)  # places among the sizes
SOURCE = Unsaved("measured machines", b"")
EPCC = {
    "m": "m", "time": "time_s", "n": "n", "processes_per_node": "ppn", "launch": "launch",
}  # fmt: skip
EPCC_NODES = ((8, 2), (16, 2), (8,))  # n' first
RIVALS = {"power_per_size": "(n-1)^p", "power_remote": "(n-ppn)^p"}
ALL = "all series"
LIMITS = (0.85, 0.97)
LEVELS = (0.90, 0.91)


@dataclass(frozen=True)
class Series:
    """Samples of one algorithm, and the two numbers of processes to fit at, the first as n'.

    Those of other algorithms `beside` are known at the same numbers.
    """

    title: str
    samples: Sequence[Sample]
    counts: tuple[int, ...]
    is_tuned_on: bool
    beside: Sequence[Sample] = ()


def of_lassen(folder: Path) -> Iterator[Series]:
    """GPU buffers by way of the host, directly, and with messages of its own for each."""
    path = folder / "lassen_alltoall" / "alltoall.csv"
    for variant, is_tuned_on in VARIANTS.items():
        options = replace(LASSEN, where={"mpi": "spectrum", "variant": variant})
        samples = list(READERS.get("csv_columns").read(path, options))
        for counts in ((32, 8), (32,)):
            yield Series(f"Lassen {variant}", samples, counts, is_tuned_on)


def of_fugaku(folder: Path) -> Iterator[Series]:
    """All that were measured on 8 and on 64 nodes, fixed algorithms and choices of the library."""
    path = folder / "fugaku_collectives" / "collectives.csv.gz"
    samples = [
        one for one in READERS.get("pico").read(path, ReadOptions()) if one.experiment == "alltoall"
    ]
    for algorithm in sorted({one.algorithm for one in samples}):
        own = [one for one in samples if one.algorithm == algorithm]
        if {one.n for one in own} == {8, 64}:
            kind = "library's choices" if algorithm in OWN_CHOICE else "fixed algorithms"
            yield Series(f"Fugaku {kind}", own, (8,), algorithm in TUNED_ON)


def of_epcc(folder: Path) -> Iterator[Series]:
    """Every operation of six series of three machines, as IMB gave it, on two nodes and more."""
    path = folder / "epcc_imb" / "collectives.csv.gz"
    known = pd.read_csv(path)
    for (name, operation), rows in known.groupby(["series", "operation"]):
        options = ReadOptions(
            experiment=str(operation), algorithm="native", columns=EPCC,
            where={"series": str(name), "operation": str(operation)},
        )  # fmt: skip
        samples = READERS.get("csv_columns").read(path, options)
        several = [one for one in samples if one.n > (one.processes_per_node or 0)]
        for nodes in EPCC_NODES:
            counts = tuple(int(one * rows["ppn"].iloc[0]) for one in nodes)
            yield Series(f"{name}, {operation}", several, counts, is_tuned_on=False)


def network_of(series: Series) -> Network:
    """Fit the samples at the numbers of processes of a series."""
    few = [one for one in (*series.samples, *series.beside) if one.n in series.counts]
    first, *more = series.counts
    options = FitOptions(
        series.samples[0].experiment, n_fit=first, n_second=more[0] if more else None
    )
    return fit_network(few, SOURCE, options)


def points(series: Series, probes: int, network: Network | None = None) -> pd.DataFrame:
    """Logarithms of predicted over measured at n not fitted; half the interval in `half`."""
    network = network or network_of(series)
    first, *more = series.counts
    operation, algorithm = series.samples[0].experiment, series.samples[0].algorithm
    fitted = network.find(operation, algorithm)
    every = MeasuredPoints.of(exchanges(separate(series.samples, operation).samples))
    measured, parts = every.table(), []
    for n in sorted(set(measured["n"]) - set(series.counts)):
        own = measured[measured["n"] == n].sort_values("m").reset_index(drop=True)
        places = np.round(np.array(PROBED) * (len(own) - 1)).astype(int)[:probes]
        known = pd.concat([measured[measured["n"].isin(series.counts)], own.iloc[places]])
        seen = fitted.model_copy(update={"measured": MeasuredPoints.of(known)})
        left = own.drop(index=own.index[places])
        found = predicted_as_run(network, seen, left["n"], left["m"], "growth")
        part = pd.DataFrame({"n": n, "error": np.log(found["seconds"] / left["seconds"])})
        part["half"] = np.log(found["high"] / found["seconds"])
        if more:
            times = predict(network, fitted, left["n"], left["m"], "power_per_size")["seconds"]
            part["power_per_size"] = np.log(times.to_numpy() / left["seconds"])
            remote = _power_law(measured, (first, more[0]), fitted.processes_per_node or 1, left)
            part["power_remote"] = remote - np.log(left["seconds"])
        parts.append(part)
    return pd.concat(parts)


def _power_law(
    measured: pd.DataFrame, counts: tuple[int, int], per_node: int, rows: pd.DataFrame
) -> pd.Series:
    """Logarithm of seconds by a line through two n for each size, over log(n - per_node)."""
    table = np.log(measured.pivot(index="m", columns="n", values="seconds")[[*counts]].dropna())
    sizes, way = np.log(table.index.to_numpy(float)), np.log(np.array(counts) - float(per_node))
    slope = (table[counts[1]] - table[counts[0]]) / (way[1] - way[0])
    size = np.log(rows["m"])
    level, power = (np.interp(size, sizes, one) for one in (table[counts[0]], slope))
    beyond = np.maximum(size - sizes[-1], 0)
    return level + power * (np.log(rows["n"] - per_node) - way[0]) + beyond


def row(title: str, counts: tuple[int, ...], probes: int, rows: pd.DataFrame) -> dict[str, str]:
    """What is told of the points of a series or several."""
    cells = {
        "series": title,
        "fitted at": ", ".join(map(str, sorted(counts))) + (", 3 probes" if probes else ""),
        "points": str(len(rows)),
        **_of(rows["error"], "growth"),
        "inside 90 %": f"{(rows['error'].abs() <= rows['half']).mean():.0%}",
        "high/low": f"{np.exp(2 * rows['half']).median():.2f}",
    }
    for name, said in RIVALS.items():
        cells |= _of(rows[name], said) if name in rows else dict.fromkeys(_titles(said), "")
    return cells


def _titles(name: str) -> tuple[str, str]:
    return f"{name} median", "90th percentile" if name == "growth" else f"{name} 90th"


def _of(errors: pd.Series, name: str) -> dict[str, str]:
    return dict(zip(_titles(name), errors_told(errors), strict=True))


def errors_told(errors: pd.Series) -> tuple[str, str]:
    """Median and 90th percentile of |predicted/measured - 1|, from logarithms of the ratio."""
    relative = np.abs(np.expm1(errors))
    return f"{relative.median():.3f}", f"{relative.quantile(0.9):.3f}"


def calibrated(title: str, series: Sequence[pd.DataFrame]) -> dict[str, str]:
    """How many of the series lie within the limits, and how many would by calibrated intervals."""
    every = pd.concat(series, keys=range(len(series)), names=["series"])
    inside = (every["error"].abs() <= every["half"]).astype(float).rename("inside").reset_index()
    inside["n"] = every["n"].to_numpy()
    of_all, of_series = inside["inside"], inside.groupby("series")["inside"]
    of_n = inside.groupby(["series", "n"])["inside"]
    single, sizes = of_all.mean() * (1 - of_all.mean()), of_series.size().to_numpy()
    between_n = ((of_n.transform("mean") - of_series.transform("mean")) ** 2).sum()
    between_series = ((of_series.transform("mean") - of_all.mean()) ** 2).sum()
    effects = {
        "each by itself": 1.0,
        "those of an n": between_n / (of_n.ngroups - of_series.ngroups) / single,
        "those of a series": between_series / (of_series.ngroups - 1) / single,
    }
    cells = {
        "fitted at": title,
        "series": str(sizes.size),
        "within 85 to 97 %": str(of_series.mean().between(*LIMITS).sum()),
    }
    for name, effect in effects.items():
        told = "/".join(f"{_expected(sizes, level, effect):.0f}" for level in LEVELS)
        cells[f"calibrated, {name}"] = f"{told} ({effect:.1f})"
    return cells


def _expected(sizes: np.ndarray, level: float, effect: float) -> float:
    """Of series of so many points the number within the limits, if `level` of all are inside."""
    total = 0.0
    for size in sizes:
        counts = np.arange(size + 1)
        shares = counts / size
        rest = (size - 1) / max(effect - 1, 1e-9) - 1  # 1 / correlation - 1
        probability = betabinom.pmf(counts, size, level * rest, (1 - level) * rest)
        total += probability[(shares >= LIMITS[0]) & (shares <= LIMITS[1])].sum()
    return total


def main(folder: Path) -> None:
    """Print the tables."""
    found: dict[tuple[str, tuple[int, ...], int], list[pd.DataFrame]] = {}
    together: dict[tuple[str, int], list[pd.DataFrame]] = {}
    for series in (*of_lassen(folder), *of_fugaku(folder), *of_epcc(folder)):
        title = f"{series.title}{', tuned on' if series.is_tuned_on else ''}"
        network = network_of(series)
        for probes in (0, len(PROBED)):
            rows = points(series, probes, network)
            found.setdefault((title, series.counts, probes), []).append(rows)
            two = "two n'" if len(series.counts) > 1 else "one n'"
            together.setdefault((two, probes), []).append(rows)
    table = [row(*key, pd.concat(parts)) for key, parts in found.items()]
    for (counts, probes), parts in together.items():
        table.append(
            row(ALL, (), probes, pd.concat(parts))
            | {"fitted at": counts + (", 3 probes" if probes else "")}
        )
    print(markdown(pd.DataFrame(table)))
    of_two = [
        calibrated(counts + (f", {probes} probes" if probes else ""), parts)
        for (counts, probes), parts in together.items()
        if counts == "two n'"
    ]
    print(f"\n{markdown(pd.DataFrame(of_two))}")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        raise SystemExit(__doc__)
    main(Path(sys.argv[1]))
