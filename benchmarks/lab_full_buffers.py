"""What full buffers do to an exchange: that of deep ones, of shallow ones, and of those that stop.

    python -m benchmarks.lab_full_buffers

A direct exchange on the network `lossless`, whose full buffers stop their senders, and on the same
one with buffers that drop, of the same size and of 256 KiB. Times are those of the network that
the lab stands for; "wire" is what the (n-1) m bytes of a host and their headers occupy its link.
"""

import tempfile
from pathlib import Path

import numpy as np
import pandas as pd

from contend.base.units import format_bytes, format_seconds
from contend.cli.output import markdown
from contend.measure.command import LaunchOptions
from contend.measure.design import Design, measure
from contend.measure.duration import WIRE
from contend.measure.lab import Lab, read_lab
from contend.measure.lab.session import start
from contend.measure.mpi import find_mpi
from contend.samples import Sample, SampleStore

LABS = {
    "deep": "lossless,flow_control=none,buffer=256KiB",
    "shallow": "lossless,flow_control=none",
    "stop": "lossless",
}
COUNTS, SIZES = (2, 4, 8), (16384, 65536)
OPTIONS = LaunchOptions(min_repetitions=10, max_seconds=5.0, warmup=1)


def samples_on(lab: Lab) -> list[Sample]:
    """Exchanges among the first hosts."""
    design = Design(COUNTS, sizes=SIZES, launches=1, experiments=("alltoall_rotated",))
    with (
        tempfile.TemporaryDirectory() as folder,
        SampleStore(Path(folder) / "samples.jsonl") as store,
        start(lab) as running,
    ):
        return measure(find_mpi(), design, OPTIONS, store, lab=running).samples


def row(kind: str, lab: Lab, sample: Sample) -> dict[str, object]:
    """A point: its time, and what happened at the buffers."""
    (cluster,) = lab.clusters
    assert cluster.rate is not None and sample.lab is not None
    wire = (sample.n - 1) * sample.m * WIRE * 8 / cluster.rate
    times = np.asarray(sample.times_s)
    return {
        "buffers": kind,
        "n": sample.n,
        "m": format_bytes(sample.m),
        "median": format_seconds(float(np.median(times))),
        "over wire": f"{np.median(times) / wire:.2f}",
        "slowest": format_seconds(float(times.max())),
        "drops": sample.lab.drops,
        "time-outs": sample.lab.timeouts,
        "links stood still": format_seconds(sample.lab.paused_s),
        "late": format_seconds(sample.lab.lateness_mean_s),
        "flagged": "yes" if sample.is_flagged else "no",
    }


if __name__ == "__main__":
    rows = []
    for kind, name in LABS.items():
        lab = read_lab(name)
        found = sorted(samples_on(lab), key=lambda sample: (sample.n, sample.m))
        rows += [row(kind, lab, sample) for sample in found]
    print(markdown(pd.DataFrame(rows)))
