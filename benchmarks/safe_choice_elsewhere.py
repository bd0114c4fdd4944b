"""Whether the safe choice stays safe: regret against the default, on another machine and on many.

    python -m benchmarks.safe_choice_elsewhere FOLDER

Of Lassen in FOLDER ($CONTEND_DATA) the all-to-all of GPU buffers by what the MPI library does
(default) and by three ways to stage it through the host, three jobs each. Simulated machines have a
default and seven algorithms, whose start-ups and bytes grow by exponents drawn around what is usual
of a broadcast, five launches on 4, 8 and 16 processes. On some, beyond those n, the default is
whatever is fastest, or takes an algorithm that nobody has measured; or an algorithm collapses, the
all-at-once one of an all-to-all; or each switches to another at a total size n m; or single points
are odd. A regret is the time of what was chosen over that of the default; a departure is wrong
where it is 1.05 or more.
"""

import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
from benchmarks.safe_choice import WRONG, measured, network_of, safe_choices
from benchmarks.unseen_counts import LASSEN

from contend.cli.output import markdown
from contend.samples import Sample
from contend.samples.reader import READERS, ReadOptions
from contend.samples.sample import Provenance
from contend.samples.setting import NATIVE

VARIANTS = {
    "cuda_aware": NATIVE, "3step_host": "host", "3step_extra_msg": "extra",
    "3step_dup_devptr": "duplicate",
}  # fmt: skip
FEW = {(8, 16): (16, 32, 64, 128), (8, 16, 32): (32, 64, 128), (16, 32, 64): (64, 128)}
SIZES = tuple(4**k for k in range(2, 11))
COUNTS, BEYOND, LAUNCHES, ALGORITHMS, MACHINES = (4, 8, 16), (16, 64, 256), 5, 7, 30
KINDS = (
    "the default stays what it is", "the default becomes the fastest",
    "the default becomes another", "one collapses", "all switch at n m", "points are odd",
)  # fmt: skip
COLLAPSE = 12.0  # times as long, of an algorithm with all messages in flight
ODD = 0.03  # share of points that are odd, by a factor of 4 at most


def of_lassen(folder: Path) -> list[Sample]:
    """All jobs of all variants, the library's own as the default."""
    path, found = folder / "lassen_alltoall" / "alltoall.csv", []
    for variant, name in VARIANTS.items():
        options: ReadOptions = replace(
            LASSEN, where={"mpi": "spectrum", "variant": variant}, algorithm=name
        )
        found += READERS.get("csv_columns").read(path, options)
    return found


def simulated(kind: str, rng: np.random.Generator) -> tuple[list[Sample], list[Sample]]:
    """Samples of a machine at the n to measure, and exact ones beyond."""
    operation = "alltoall" if kind == KINDS[3] else "bcast"
    names = [NATIVE, *(f"library:{k}" for k in range(ALGORITHMS))]
    names[1] = "openmpi:linear" if kind == KINDS[3] else names[1]
    at, after = 10 ** rng.uniform(4, 6.5, len(names)), np.exp(0.8 * rng.standard_normal(len(names)))
    startup, volume = np.exp(0.5 * rng.standard_normal((2, len(names))))
    grows, carries = 0.6 + 0.15 * rng.standard_normal(8), 0.2 + 0.1 * rng.standard_normal(8)
    hidden = np.exp(-0.3 + 0.3 * rng.standard_normal())

    def seconds(k: int, n: int, m: int) -> float:
        own = [
            10e-6 * one * (n - 1) ** a + 1e-9 * m * other * (n - 1) ** b
            for one, other, a, b in zip(startup, volume, grows, carries, strict=True)
        ]
        if kind == KINDS[3] and n > max(COUNTS):
            own[1] *= COLLAPSE
        if kind == KINDS[4]:
            own = [one * (x if n * m > t else 1) for one, x, t in zip(own, after, at, strict=True)]
        if k == 0 and n > max(COUNTS) and kind == KINDS[1]:
            return min(own)
        return own[k] * (hidden if k == 0 and n > max(COUNTS) and kind == KINDS[2] else 1.0)

    def sample(k: int, n: int, m: int, launch: int, noise: float) -> Sample:
        return Sample(
            experiment=operation, algorithm=names[k], n=n, processes_per_node=1, m=m, launch=launch,
            statistic="median", times_s=(seconds(k, n, m) * float(np.exp(noise)),),
            provenance=Provenance(source="simulated"),
        )  # fmt: skip

    share = ODD if kind == KINDS[5] else 0.0
    odd = {
        (k, m, n): (rng.random() < share) * rng.uniform(-1, 1) * np.log(4)
        for k in range(len(names))
        for m in SIZES
        for n in COUNTS
    }
    few = [
        sample(k, n, m, launch, common + odd[k, m, n] + 0.03 * rng.standard_normal())
        for n in COUNTS
        for launch in range(LAUNCHES)
        for m in SIZES
        for common in [0.1 * rng.standard_normal()]
        for k in range(len(names))
    ]
    exact = [sample(k, n, m, 0, 0.0) for n in BEYOND for m in SIZES for k in range(len(names))]
    return few, exact


def rows(known: Sequence[Sample], exact: Sequence[Sample], n: int) -> pd.DataFrame:
    """Regret of each call at n: of the choice against the default, and of the best there was."""
    there = measured(exact, n)
    key = ["operation", "n", "processes_per_node", "m"]
    choice = safe_choices(network_of(known), there, n)
    took = choice.merge(there[[*key, "setting", "seconds"]], on=[*key, "setting"])
    default = there[there["setting"] == NATIVE][[*key, "seconds"]]
    both = took.merge(default, on=key, suffixes=("", "_of_default"))
    least = there.groupby(key)["seconds"].min().rename("least").reset_index()
    both = both.merge(least, on=key)
    return pd.DataFrame(
        {
            "regret": both["seconds"] / both["seconds_of_default"],
            "best": both["least"] / both["seconds_of_default"],
            "departs": both["setting"] != NATIVE,
        }
    )


def line(title: str, n: int, found: pd.DataFrame) -> dict[str, str]:
    """A row of the table."""
    wrong = found["departs"] & (found["regret"] >= WRONG)
    mean, best = (np.exp(np.log(found[name]).mean()) for name in ("regret", "best"))
    return {
        "machine": title,
        "n": str(n),
        "calls": str(len(found)),
        "over the default": f"{mean:.3f}",
        "the best over it": f"{best:.3f}",
        "90 %": f"{found['regret'].quantile(0.9):.2f}",
        "worst": f"{found['regret'].max():.2f}",
        "departures": f"{found['departs'].mean():.0%}",
        "wrong": f"{wrong.sum() / max(found['departs'].sum(), 1):.0%}",
    }


def lines(folder: Path) -> Iterator[dict[str, str]]:
    """All rows."""
    samples = of_lassen(folder)
    for few, many in FEW.items():
        known = [one for one in samples if one.n in few]
        title = f"Lassen, measured at {', '.join(map(str, few))}"
        yield from (line(title, n, rows(known, samples, n)) for n in many)
    for kind in KINDS:
        rng = np.random.default_rng(1)
        machines = [simulated(kind, rng) for _ in range(MACHINES)]
        for n in BEYOND:
            found = pd.concat(rows(*machine, n) for machine in machines)
            yield line(f"simulated, {kind}", n, found)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        raise SystemExit(__doc__)
    print(markdown(pd.DataFrame(lines(Path(sys.argv[1])))))
