"""How much longer an exchange takes in an emulated network whose ranks wait for processors.

    python -m benchmarks.waiting_ranks [LAB]

One exchange among all hosts of a lab (`fast-ethernet` unless another is named) while its time is
dilated more and more, which leaves the ranks more of the processors: two launches at each size.
Times are those of the network that the lab stands for, so that but for the processors they would
be the same. "Waited" is the share of their time for which ranks that had work had no core, the
larger of the launches; "told" is how many samples are therefore doubted (`cpu_awaited`).
"""

import sys
import tempfile
from pathlib import Path

import numpy as np
import pandas as pd

from contend.base.units import format_bytes, format_seconds
from contend.cli.output import markdown
from contend.measure.command import LaunchOptions
from contend.measure.design import Design, measure
from contend.measure.lab import read_lab
from contend.measure.lab.session import start
from contend.measure.mpi import find_mpi
from contend.samples import Sample, SampleStore, quality

DILATIONS = (2, 4, 8, 16, 32)  # the last is what the others are compared with
SIZES = (64, 1024, 16384)
OPTIONS = LaunchOptions(min_repetitions=5, max_seconds=2.0, warmup=1)


def samples_on(name: str) -> list[Sample]:
    """Exchanges among all hosts."""
    lab = read_lab(name)
    design = Design((len(lab.hosts),), sizes=SIZES, launches=2, experiments=("alltoall_rotated",))
    with (
        tempfile.TemporaryDirectory() as folder,
        SampleStore(Path(folder) / "samples.jsonl") as store,
        start(lab) as running,
    ):
        return measure(find_mpi(), design, OPTIONS, store, lab=running).samples


def table(name: str) -> pd.DataFrame:
    """A row for each size and dilation."""
    every = {dilation: samples_on(f"{name},time_dilation={dilation}") for dilation in DILATIONS}
    found = []
    for m in SIZES:
        medians: dict[int, float] = {}
        rows = []
        for dilation, samples in every.items():
            same = [sample for sample in samples if sample.m == m]
            medians[dilation] = float(np.median([sample.median for sample in same]))
            doubts = quality.check(same)
            rows.append(
                {
                    "m": format_bytes(m),
                    "time dilation": str(dilation),
                    "median": format_seconds(medians[dilation]),
                    "waited": f"{max(sample.cpu_wait or 0.0 for sample in same):.0%}",
                    "told": f"{sum(one.kind == 'cpu_awaited' for one in doubts)} of {len(same)}",
                    "flagged": f"{sum(sample.is_flagged for sample in same)} of {len(same)}",
                }
            )
        for dilation, row in zip(DILATIONS, rows, strict=True):
            longer = round(medians[dilation] / medians[DILATIONS[-1]] - 1, 2) + 0.0  # no -0
            row["longer by"] = f"{longer:.0%}"
        found += rows
    return pd.DataFrame(found)


if __name__ == "__main__":
    print(markdown(table(sys.argv[1] if len(sys.argv) > 1 else "fast-ethernet")))
