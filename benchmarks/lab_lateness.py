"""How late frames are on each emulated network that is shipped, while all its hosts exchange.

    python -m benchmarks.lab_lateness [LAB...]

A direct exchange among all hosts at three sizes, two launches of each, as `contend measure` does.
Lateness is that of the network that the lab stands for; a sample over the limits is flagged.
"""

import sys
import tempfile
from pathlib import Path

import numpy as np
import pandas as pd

from contend.base.number_text import count
from contend.base.units import format_bytes, format_seconds
from contend.cli.output import markdown
from contend.measure.command import LaunchOptions
from contend.measure.design import Design, measure
from contend.measure.lab import Lab, profiles, read_lab
from contend.measure.lab.session import start
from contend.measure.mpi import find_mpi
from contend.samples import Sample, SampleStore

SIZES = (1024, 16384, 131072)
OPTIONS = LaunchOptions(min_repetitions=5, max_seconds=2.0, warmup=1)


def samples_on(lab: Lab) -> list[Sample]:
    """Exchanges among all hosts."""
    design = Design((len(lab.hosts),), sizes=SIZES, launches=2, experiments=("alltoall_rotated",))
    with (
        tempfile.TemporaryDirectory() as folder,
        SampleStore(Path(folder) / "samples.jsonl") as store,
        start(lab) as running,
    ):
        return measure(find_mpi(), design, OPTIONS, store, lab=running).samples


def rows(lab: Lab) -> list[dict[str, object]]:
    """A row per size: the mean over all frames, percentile and share of the worse launch."""
    found = []
    samples = samples_on(lab)
    for m in SIZES:
        same = [sample for sample in samples if sample.m == m]
        conditions = [sample.lab for sample in same if sample.lab]
        frames = np.array([one.frames for one in conditions])
        means = np.array([one.lateness_mean_s for one in conditions])
        found.append(
            {
                "lab": f"`{lab.name}`",
                "hosts": len(lab.hosts),
                "m": format_bytes(m),
                "frames": count(float(frames.sum())),
                "mean": format_seconds(float(frames @ means / frames.sum())),
                "99.9 % within": format_seconds(
                    max(one.lateness_999_s or np.inf for one in conditions)
                ),
                "later than 1 ms": f"{max(one.late_share for one in conditions):.3%}",
                "flagged": f"{sum(sample.is_flagged for sample in same)} of {len(same)}",
            }
        )
    return found


if __name__ == "__main__":
    chosen = [read_lab(name) for name in sys.argv[1:]] or list(profiles().values())
    table = pd.DataFrame([row for lab in chosen for row in rows(lab)])
    print(markdown(table))
