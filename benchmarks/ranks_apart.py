"""All-to-alls whose ranks begin apart, measured in a lab and replayed.

    python -m benchmarks.ranks_apart FOLDER [--mpicc WRAPPER]

FOLDER is that of `benchmarks.replayed_programs`, which has the parameters of the network. Prints
what a call of 64 KiB blocks takes from its last start to its last end, ms, medians of eight calls.
"""

import argparse
import subprocess
from pathlib import Path
from shutil import rmtree

import numpy as np
import pandas as pd
from benchmarks.replayed_programs import LABS, NETWORK, RANKS_OF_KERNELS, lab_of, links_file, record

from contend.base.document import Floats
from contend.cli.output import markdown
from contend.measure.mpi import find_mpi
from contend.programs.sweeps.options import ReplayOptions
from contend.programs.traces.reader import read_trace

BYTES, CALLS = 64 * 1024, 8
APART = (0.0, 0.0005, 0.004, 0.03)  # seconds


def took(start: Floats, end: Floats) -> float:
    """Median over calls, ms, of times (ranks, calls) in seconds."""
    return 1e3 * float(np.median(end.max(axis=0) - start.max(axis=0)))


def replayed(trace: Path, folder: Path, lab: str) -> float:
    options = ReplayOptions(
        network=str(folder / NETWORK), topology=str(links_file(folder, lab)), model="tcp"
    )
    read = read_trace(trace)
    found = options.setting([read], [trace], has_tcp=True).replay(
        is_compared=False, is_recorded=True
    )
    is_call = found.trace.call == found.trace.calls.index("MPI_Alltoall")
    shape = (found.trace.ranks, CALLS)
    return took(found.start[is_call].reshape(shape), found.end[is_call].reshape(shape))


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--mpicc")
    given = parser.parse_args()
    mpi, folder = find_mpi(given.mpicc), given.folder / LABS[0].partition(",")[0]
    program, lab = given.folder.resolve() / "ranks_apart", lab_of(LABS[0], "fourier")
    source = Path(__file__).with_name("ranks_apart.c")
    subprocess.run([mpi.mpicc, "-O2", "-o", program, source], check=True)
    rows = []
    for seconds in APART:
        trace = folder / f"apart-{seconds:g}"
        rmtree(trace, ignore_errors=True)
        trace.with_suffix(".txt").unlink(missing_ok=True)
        record(lab, trace, mpi, [program, BYTES, CALLS, seconds], RANKS_OF_KERNELS)
        times = np.loadtxt(trace.with_suffix(".txt"))
        rows.append(
            {
                "ranks begin apart by up to": f"{1e3 * seconds:g} ms",
                "measured, ms": f"{took(times[:, ::2], times[:, 1::2]):.1f}",
                "replayed, ms": f"{replayed(trace, folder, lab):.1f}",
            }
        )
    print(markdown(pd.DataFrame(rows)))


if __name__ == "__main__":
    main()
