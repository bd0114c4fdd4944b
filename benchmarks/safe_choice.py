"""What the safe choice costs where nothing was measured, against all that was measured there.

    python -m benchmarks.safe_choice samples.jsonl 8 64

All operations are fitted at the first number of processes alone, the library's default and every
other algorithm, and decided at the second. A regret is the time of what was chosen over the least
time measured in the call, by any algorithm. Beside the safe choice stand the library's default, the
one algorithm of an operation that would have been best always (known afterwards only), and the
choice among the algorithms of the catalogue by their schedules, without the default. An algorithm
takes part in a call where it was measured at the second number too. A departure is wrong where the
default was faster by 5 % or more. The two halves are operations whose name has an even and an odd
checksum (CRC-32); what was chosen by them stands in docs/choosing.md.
"""

import sys
import time
import zlib
from collections.abc import Sequence

import numpy as np
import pandas as pd

from contend.cli.output import markdown
from contend.models.fitting.fit import operations_in
from contend.models.fitting.gains import gains_of
from contend.models.network import Network, Operation
from contend.models.network.evidence import MeasuredPoints
from contend.samples import Sample, read_samples, table
from contend.samples.by_setting import by_setting
from contend.samples.origin import Unsaved, origin_of
from contend.samples.setting import NATIVE
from contend.schedules.fitting.record import fit_schedules, parameters
from contend.schedules.fitting.series import series_of
from contend.tune.choose.compare import compare
from contend.tune.choose.rivals import Contest, contests
from contend.tune.choose.safe import safe_grid
from contend.tune.choose.tile import smoothed

CALL = ["operation", "n", "processes_per_node", "m"]
WAYS = ("safe choice", "default", "best fixed", "by schedules")
WRONG = 1.05
NOISE = 1.01  # of measured times, within which a gain is at the end of its interval
EVERY = "all operations"


def network_of(samples: Sequence[Sample]) -> Network:
    """Points and gains of every series, which is all that a choice takes of a network."""
    found: list[Operation] = []
    trusted = by_setting(samples)
    for operation in sorted(operations_in(trusted)):
        own = [one for one in trusted if one.experiment == operation]
        series = [
            (name, placed, rows)
            for name in sorted({one.algorithm for one in own})
            for placed, rows in table.by_placement(
                table.exchanges(one for one in own if one.algorithm == name)
            )
        ]
        gains = gains_of(own, series)
        found += [
            Operation(
                operation=operation, algorithm=name, processes_per_node=placed, forms={},
                measured=MeasuredPoints.of(rows), gains=gains.get((name, placed)),
            )
            for name, placed, rows in series
        ]  # fmt: skip
    origin = origin_of([one.provenance for one in samples], Unsaved("samples", b""))
    return Network(name="few", operations=tuple(found), origin=origin)


def measured(samples: Sequence[Sample], n: int) -> pd.DataFrame:
    """Median times at n, a row per call and setting."""
    parts = []
    here = by_setting(one for one in samples if one.n == n)
    for operation, setting in sorted({(one.experiment, one.algorithm) for one in here}):
        own = [one for one in here if (one.experiment, one.algorithm) == (operation, setting)]
        parts.append(table.medians(own).assign(operation=operation, setting=setting))
    return pd.concat(parts, ignore_index=True)


def known_there(contest: Contest, names: Sequence[str]) -> Contest:
    """The contest among those that were measured."""
    return Contest(contest.default, tuple(one for one in contest.rivals if one.setting in names))


def safe_choices(network: Network, there: pd.DataFrame, n: int) -> pd.DataFrame:
    """Setting and foretold gain of each call, by the algorithms that have a time in it."""
    rows = []
    for contest in contests(network):
        operation, placed = contest.operation, contest.default.processes_per_node
        calls = there[(there["operation"] == operation) & _is_placed(there, placed)]
        for m, call in calls.groupby("m"):
            known = known_there(contest, list(call["setting"]))
            grid = safe_grid(known, (n,), (int(m),))
            place = int(smoothed(grid)[0, 0])
            told = dict.fromkeys(("gain", "low", "high"), 1.0)
            if place >= 0:
                told = {name: float(getattr(grid, name)[place, 0, 0]) for name in told}
            name = known.rivals[place].setting if place >= 0 else NATIVE
            key = (operation, n, int(call["processes_per_node"].iloc[0]), int(m))
            rows.append(dict(zip(CALL, key, strict=True)) | {"setting": name} | told)
    return pd.DataFrame(rows)


def _is_placed(there: pd.DataFrame, placed: int | None) -> pd.Series:
    own = there["processes_per_node"]
    return own.isin([0]) | (own == there["n"]) if placed is None else own == placed


def by_schedules(samples: Sequence[Sample], few: int, many: int) -> pd.DataFrame:
    """Setting of each call: the algorithm of the catalogue with the least predicted time."""
    fits = fit_schedules(series_of([one for one in samples if one.n == few], few))
    there = [one for one in samples if one.n == many]
    points = compare(lambda operation: parameters(fits, operation), there)
    chosen = points.loc[points.groupby(CALL)["predicted"].idxmin()]
    return chosen[[*CALL, "algorithm"]].rename(columns={"algorithm": "setting"})


def regrets(there: pd.DataFrame, chosen: dict[str, pd.DataFrame]) -> pd.DataFrame:
    """Time of each way over the least of the call; a row per call that has a default."""
    least = there.groupby(CALL)["seconds"].min().rename("least").reset_index()
    default = there[there["setting"] == NATIVE][[*CALL, "seconds"]]
    calls = default.merge(least, on=CALL)
    calls["default"] = calls["seconds"] / calls["least"]
    seconds = there[[*CALL, "setting", "seconds"]].rename(columns={"seconds": "took"})
    for name, choice in chosen.items():
        took = choice.merge(seconds, on=[*CALL, "setting"]).rename(columns={"setting": f"{name}:"})
        calls = calls.merge(took, on=CALL, how="left")
        calls[name] = calls.pop("took") / calls["least"]
    calls["best fixed"] = _best_fixed(there, calls)
    return calls


def _best_fixed(there: pd.DataFrame, calls: pd.DataFrame) -> np.ndarray:
    """Of the algorithms that were measured in every call of an operation the best on average."""
    found = np.full(len(calls), np.nan)
    for operation, own in calls.groupby("operation"):
        times = there[there["operation"] == operation].pivot_table(
            index=CALL, columns="setting", values="seconds"
        )
        times = times.loc[pd.MultiIndex.from_frame(own[CALL])].dropna(axis=1)
        logs = np.log(times.to_numpy() / own["least"].to_numpy()[:, None])
        found[own.index] = np.exp(logs[:, logs.mean(axis=0).argmin()])
    return found


def row(title: str, calls: pd.DataFrame) -> list[dict[str, str]]:
    """A row for each way."""
    departs = calls["safe choice:"] != NATIVE
    wrong = departs & (calls["safe choice"] > WRONG * calls["default"])
    gained = calls["default"] / calls["safe choice"]
    held = (gained * NOISE >= calls["low"]) & (gained <= calls["high"] * NOISE)
    rows = []
    for name in WAYS:
        values = calls[name].dropna()
        cells = {"operation": title, "way": name, "calls": str(len(values))}
        cells |= {
            "geometric mean": f"{np.exp(np.log(values).mean()):.2f}",
            "median": f"{values.median():.2f}",
            "90 %": f"{values.quantile(0.9):.2f}",
            "worst": f"{values.max():.2f}",
        }
        is_safe = name == WAYS[0]
        cells["departures"] = f"{departs.mean():.0%}" if is_safe else ""
        cells["wrong"] = str(int(wrong.sum())) if is_safe else ""
        cells["inside 90 %"] = f"{held[departs].mean():.0%}" if is_safe and departs.any() else ""
        rows.append(cells)
    return rows


def is_even(operation: str) -> bool:
    """Which half an operation belongs to."""
    return zlib.crc32(operation.encode()) % 2 == 0


def choices(calls: pd.DataFrame) -> pd.DataFrame:
    """Each departure, what it was said to gain and what it gained."""
    chosen = calls[calls["safe choice:"] != NATIVE]
    return pd.DataFrame(
        {
            "operation": chosen["operation"],
            "m": chosen["m"].astype(str),
            "chosen": chosen["safe choice:"],
            "said to gain": [
                f"{gain:.2f} ({low:.2f} to {high:.2f})"
                for gain, low, high in chosen[["gain", "low", "high"]].to_numpy()
            ],
            "gained": [f"{one:.2f}" for one in chosen["default"] / chosen["safe choice"]],
            "regret": [f"{one:.2f}" for one in chosen["safe choice"]],
            "of the default": [f"{one:.2f}" for one in chosen["default"]],
        }
    )


def main(path: str, few: int, many: int) -> None:
    """Print the tables."""
    samples = read_samples(path)
    began = time.perf_counter()
    network = network_of([one for one in samples if one.n == few])
    there = measured(samples, many)
    chosen = {
        "safe choice": safe_choices(network, there, many),
        "by schedules": by_schedules(samples, few, many),
    }
    calls = regrets(there, chosen)
    even = calls["operation"].map(is_even)
    parts = [
        *calls.groupby("operation"), ("even half", calls[even]), ("odd half", calls[~even]),
        (EVERY, calls),
    ]  # fmt: skip
    rows = [one for title, part in parts if len(part) for one in row(str(title), part)]
    print(f"regret at n = {many}, decided from n = {few}\n\n{markdown(pd.DataFrame(rows))}\n")
    print(f"departures\n\n{markdown(choices(calls))}")
    print(f"{time.perf_counter() - began:.0f} s", file=sys.stderr)


if __name__ == "__main__":
    if len(sys.argv) != 4:
        raise SystemExit(__doc__)
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
