"""Networks from production and from campaigns, on simulated machines: which predicts better.

    python -m benchmarks.watched_machines [MACHINES]

Each machine has times of its own for three operations over n and m, with algorithms that change at
sizes of its own, and other jobs that slow a launch down by up to a half. Twenty programs run on
it, each with operations, sizes and ranks of its own, some with sizes that never come again; their
ranks come to calls apart, most of them by more than the call takes. What `contend watch` would keep
of them is fitted, and so is a campaign of the usual design: three launches at four n and eight
sizes. Both predict points that neither has run, which are then measured.

"Error" is that of predictions, |predicted / measured - 1|; "within" the share of measured times in
the interval of 90 %. First points at n between those of the programs, then beyond.
"""

import json
import sys
import tempfile
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd

from contend.cli.output import markdown
from contend.models.fitting.estimator import ESTIMATORS, FitOptions, read_any
from contend.models.network import Network
from contend.models.prediction.library_default import predicted_as_run
from contend.samples import Provenance, Sample
from contend.samples.origin import Unsaved

PROGRAMS, MACHINES = 20, 24
COUNTS = (4, 8, 12, 16, 24, 32)  # of ranks that programs have
CAMPAIGN, SIZES = (8, 16, 24, 32), (64, 512, 4096, 16384, 65536, 262144, 1048576, 1 << 21)
BETWEEN, BEYOND = (6, 10, 20, 28), (48, 64)  # n that nobody has run
NEW_SIZES = (200, 3000, 24000, 100000, 500000)
LAUNCHES, REPETITIONS, KEPT = 3, 8, 16
WAVES = 8
LIBRARY = "Open MPI v4.1.4"


@dataclass(frozen=True)
class Machine:
    """What decides the times of a machine; seconds and bytes."""

    alpha: float
    beta: float
    gamma: float  # contention of an exchange, at most
    saturated: float  # n at which half of it is there
    switch: float  # bytes at which algorithms change
    odd: dict[str, float]  # exponents of n beside the usual, by operation
    even: float  # what powers of two take less
    waves: np.ndarray  # (k, 4): deviation, per octave of n and of m, phase; what no formula says

    @classmethod
    def any_of(cls, rng: np.random.Generator) -> "Machine":
        """Return one between an old Ethernet and a network of today."""
        return cls(
            alpha=10 ** rng.uniform(-5.7, -4.3),
            beta=10 ** rng.uniform(-9.7, -8.0),
            gamma=rng.uniform(1.0, 3.0),
            saturated=rng.uniform(3, 20),
            switch=10 ** rng.uniform(2.5, 4.0),
            odd={name: 0.06 * rng.standard_normal() for name in ("alltoall", "allreduce", "bcast")},
            even=rng.uniform(0.9, 1.0),
            waves=np.column_stack(
                [
                    rng.uniform(0.02, 0.08, WAVES),
                    rng.uniform(0.5, 4.0, (WAVES, 2)),
                    rng.uniform(0, 2 * np.pi, WAVES),
                ]
            ),
        )

    def seconds(self, operation: str, n: int, m: float) -> float:
        """Return the time of a call on an idle machine, ranks beginning together."""
        rounds, per_byte = np.log2(n), self.beta
        if operation == "alltoall":
            per_byte *= 1 + (self.gamma - 1) * n / (n + self.saturated)
            forwarded = rounds * (self.alpha + per_byte * m * n / 2)
            direct = (n - 1) * (0.4 * self.alpha + per_byte * m)
            found = forwarded if m < self.switch else direct
        elif operation == "allreduce":
            doubled = rounds * (self.alpha + per_byte * m)
            halved = 2 * rounds * self.alpha + 2 * (n - 1) / n * per_byte * m
            found = doubled if m < 8 * self.switch else halved
        else:
            tree = rounds * (self.alpha + per_byte * m)
            found = (
                tree
                if m < 8 * self.switch
                else (rounds + n - 1) * self.alpha / 2 + (2 * per_byte * m)
            )
        is_even = n & (n - 1) == 0
        deviation, per_n, per_m, phase = self.waves.T
        rough = deviation @ np.cos(per_n * rounds + per_m * np.log2(m) + phase)
        found *= np.exp(rough) * n ** self.odd[operation]
        return float(found * (self.even if is_even else 1.0))

    @staticmethod
    def load(rng: np.random.Generator) -> float:
        """Return by how much other jobs slow a launch down."""
        often = np.exp(abs(0.05 * rng.standard_normal()))
        return float(often * (rng.uniform(1.0, 1.5) if rng.random() < 0.15 else 1.0))


def noisy(rng: np.random.Generator, seconds: float) -> float:
    """Return the time of a call, now and then much longer."""
    long = rng.uniform(1, 3) if rng.random() < 0.03 else 1.0
    return float(seconds * long * np.exp(0.04 * rng.standard_normal()))


@dataclass(frozen=True)
class Program:
    """What a program calls, with how many ranks, and how far apart they come."""

    operations: tuple[str, ...]
    sizes: tuple[int, ...]  # none: any, that never come again
    counts: tuple[int, ...]
    apart: float  # seconds, median

    @classmethod
    def any_of(cls, rng: np.random.Generator) -> "Program":
        """Return one with up to five sizes, or any."""
        chosen = rng.choice(["alltoall", "allreduce", "bcast"], rng.integers(1, 4), replace=False)
        sizes = np.round(2 ** rng.uniform(6, 21, rng.integers(2, 6))).astype(int)
        counts = rng.choice(COUNTS, 2, replace=False)
        return cls(
            operations=tuple(map(str, chosen)),
            sizes=() if rng.random() < 0.3 else tuple(sizes.tolist()),
            counts=tuple(counts.tolist()),
            apart=10 ** rng.uniform(-5.5, -3.5),
        )

    def calls(self, rng: np.random.Generator) -> Iterator[tuple[str, int]]:
        """Yield the operation and bytes of each call that the watcher samples."""
        for operation in self.operations:
            some = self.sizes or np.round(2 ** rng.uniform(6, 21, 5)).astype(int).tolist()
            for m in some:
                for _ in range(KEPT if self.sizes else 3):
                    yield operation, int(m if self.sizes else round(m * rng.uniform(1.0, 1.4)))


def job(machine: Machine, program: Program, n: int, rng: np.random.Generator) -> dict[str, object]:
    """Return the record that a run of a program leaves."""
    load, keys = machine.load(rng), dict[tuple[str, int], list[list[float]]]()
    for operation, m in program.calls(rng):
        seconds = noisy(rng, load * machine.seconds(operation, n, m))
        spread = program.apart * np.exp(1.5 * rng.standard_normal())
        took = max(seconds + spread * rng.uniform(-1.0, 0.5), 0.05 * seconds)
        samples = keys.setdefault((operation, 1 << (m - 1).bit_length()), [])
        first = 2.0 if not samples else 1.0  # connections are opened
        samples.append([m, n, spread, took * first, spread / 2])
    calls = [
        {
            "operation": operation, "n": n, "nodes": n, "ppn": 1, "size": size,
            "algorithm": None, "calls": n * len(samples), "bytes": 0, "seconds": 0.0,
            "bins": [], "samples": samples,
        }
        for (operation, size), samples in keys.items()
    ]  # fmt: skip
    return {
        "format": "contend-watch", "version": 1, "job": f"{rng.integers(2**63):016x}",
        "name": None, "began": 1.7e9 + float(rng.random()), "seconds": 60.0, "ranks": n,
        "nodes": n, "library": LIBRARY, "clock_error": 2e-7, "ended": "finalize",
        "not_kept": 0, "other_calls": {}, "calls": calls,
    }  # fmt: skip


def site(machine: Machine, programs: int, rng: np.random.Generator, path: Path) -> Path:
    """Write the file that so many programs leave, each run with two numbers of ranks."""
    every = [Program.any_of(rng) for _ in range(programs)]
    jobs = [job(machine, one, n, rng) for one in every for n in one.counts]
    path.write_text("".join(json.dumps(one) + "\n" for one in jobs))
    return path


def campaign(machine: Machine, rng: np.random.Generator) -> list[Sample]:
    """Return the samples of a campaign."""
    return [
        one
        for n in CAMPAIGN
        for one in measured(machine, [(name, n, m) for name in machine.odd for m in SIZES], rng)
    ]


def measured(
    machine: Machine, points: Sequence[tuple[str, int, int]], rng: np.random.Generator
) -> list[Sample]:
    """Return samples of points (operation, n, m), each launch with what other jobs do then."""
    return [
        Sample(
            experiment=operation,
            algorithm="native",
            n=n,
            processes_per_node=1,
            m=m,
            launch=launch,
            times_s=tuple(
                noisy(rng, load * machine.seconds(operation, n, m)) for _ in range(REPETITIONS)
            ),
            provenance=Provenance(source="simulated", mpi_library=LIBRARY),
        )
        for launch in range(LAUNCHES)
        for load in [machine.load(rng)]
        for operation, n, m in points
    ]


def fitted(samples: Sequence[Sample]) -> Network:
    """Return the network of all operations in samples."""
    options = FitOptions()
    return ESTIMATORS.get("production").fit(samples, Unsaved("simulated", b""), options)


def of_production(path: Path) -> Network:
    """Return the network of a site's file."""
    with warnings.catch_warnings(action="ignore"):
        return fitted(read_any(path))


def predictions(network: Network, points: pd.DataFrame) -> pd.DataFrame:
    """Return points (operation, n, m, seconds) with error, is_inside and width of predictions."""
    parts = []
    for operation, rows in points.groupby("operation"):
        try:
            default = network.find(str(operation), "native")
        except Exception:  # was never called
            continue
        told = predicted_as_run(network, default, rows["n"], rows["m"])
        seconds = rows["seconds"].to_numpy()
        ratio = told["seconds"] / seconds
        parts.append(
            rows.assign(
                error=np.abs(ratio - 1),
                predicted=told["seconds"],
                is_inside=(told["low"] <= seconds) & (seconds <= told["high"]),
                width=told["high"] / told["low"],
            )
        )
    return pd.concat(parts)


def compared(seed: int, programs: int = PROGRAMS) -> pd.DataFrame:
    """Return predictions of both networks of a machine at points that neither has run."""
    rng = np.random.default_rng(seed)
    machine = Machine.any_of(rng)
    with tempfile.TemporaryDirectory() as folder:
        watched = of_production(site(machine, programs, rng, Path(folder) / "site.jsonl"))
    usual = fitted(campaign(machine, rng))
    wanted = [(name, n, m) for n in BETWEEN + BEYOND for name in machine.odd for m in NEW_SIZES]
    later = pd.DataFrame(
        [(one.experiment, one.n, one.m, one.median) for one in measured(machine, wanted, rng)],
        columns=["operation", "n", "m", "seconds"],
    )
    points = later.groupby(["operation", "n", "m"], as_index=False)["seconds"].median()
    return pd.concat(
        predictions(network, points).assign(network=name, machine=seed)
        for name, network in (("programs", watched), ("campaign", usual))
    )


def table(rows: pd.DataFrame) -> pd.DataFrame:
    """Return a row for each network and kind of point."""
    kinds = {"between": rows["n"].isin(BETWEEN), "beyond": rows["n"].isin(BEYOND)}
    return pd.DataFrame(
        [
            {"points at n": kind, "network of": str(name), **summary(own)}
            for kind, chosen in kinds.items()
            for name, own in rows[chosen].groupby("network")
        ]
    )


def summary(rows: pd.DataFrame) -> dict[str, str]:
    """Return the figures of some predictions."""
    return {
        "points": str(len(rows)),
        "error, median": f"{rows['error'].median():.3f}",
        "90 %": f"{rows['error'].quantile(0.9):.3f}",
        "within": f"{rows['is_inside'].mean():.0%}",
        "high/low": f"{rows['width'].median():.2f}",
    }


def main() -> None:
    """Print the table."""
    machines = int(sys.argv[1]) if len(sys.argv) > 1 else MACHINES
    rows = pd.concat([compared(seed) for seed in range(machines)])
    print(markdown(table(rows)))


if __name__ == "__main__":
    main()
