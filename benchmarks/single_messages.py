"""Messages alone on machines that others measured: what a fit says of them.

    python -m benchmarks.single_messages FOLDER

FOLDER holds the files of SimGrid's platform-calibration, `..._PingPong.csv.gz`, `..._Isend.csv.gz`
and `..._Recv.csv.gz` for each machine. Prints the parameters beside the two ends of the measured
line, and the errors of pLogP tables made of every other size at the sizes left out.
"""

import sys
from pathlib import Path

import numpy as np
import pandas as pd

import contend
from contend.base.document import Quantity
from contend.base.number_text import with_bounds
from contend.base.units import format_seconds
from contend.cli.output import markdown
from contend.samples import Sample, table
from contend.samples.reader import READERS, ReadOptions
from contend.schedules.pointtopoint import Hockney, PLogP, plogp

TITLES = {"taurus": "10 GbE", "graphene": "1 GbE", "stampede": "FDR"}
PARTS = {"one_way": "PingPong", "send_overhead": "Isend", "receive_overhead": "Recv"}
KNOWN_TO = 0.05  # of a median, half of its interval


def read(stem: str) -> dict[str, list[Sample]]:
    """Samples of a machine by what they hold."""
    reader = READERS.get("platform_calibration")
    return {
        name: list(reader.read(Path(f"{stem}_{part}.csv.gz"), ReadOptions()))
        for name, part in PARTS.items()
    }


def parameters(name: str, samples: dict[str, list[Sample]]) -> dict[str, str]:
    """A row: the line with its step, the pLogP latency, and the ends of what was measured."""
    (level,) = contend.fit([one for part in samples.values() for one in part]).document.levels
    rows = table.medians(samples["one_way"])
    line, known = level.hockney, level.plogp
    assert isinstance(line, Hockney) and isinstance(known, PLogP)
    large = rows[rows["m"] > 200_000]
    flags = ", ".join(warning.kind for warning in known.warnings)
    return {
        "machine": f"{name} ({TITLES[name]})",
        "alpha": _shown(line.alpha),
        "beta": _shown(line.beta),
        "step": _shown(line.step),
        "from": _shown(line.step_from),
        "residual": f"{line.relative_residual:.1%}",
        "median below 64 B": format_seconds(rows[rows["m"] < 64]["seconds"].median()),
        "slope above 200 kB": f"{np.polyfit(large['m'], large['seconds'], 1)[0] * 1e9:.3f} ns/B",
        "pLogP, L": _shown(known.latency) + (f", flagged: {flags}" if flags else ""),
    }


def _shown(known: Quantity | None) -> str:
    return "none" if known is None else with_bounds(known)


def left_out(tables: dict[str, pd.DataFrame], known_to: float = np.inf) -> pd.Series:
    """Errors, by size, at the sizes that a pLogP table of every other size and the last has not.

    `tables` of medians by the names of `PARTS`; only sizes take part whose own median is known to
    the share `known_to`.
    """
    rows = tables["one_way"]
    rows = rows[(rows["high"] - rows["low"]) / 2 <= known_to * rows["seconds"]]
    kept = {*rows["m"][::2], rows["m"].iloc[-1]}
    fitted = plogp.fit({name: some[some["m"].isin(kept)] for name, some in tables.items()})
    others = rows[~rows["m"].isin(kept)].set_index("m")["seconds"]
    return (fitted.seconds(others.index) / others - 1).abs()


def _summary(samples: dict[str, list[Sample]], known_to: float = np.inf) -> str:
    errors = left_out({name: table.medians(part) for name, part in samples.items()}, known_to)
    return f"{errors.median():.2%} / {errors.quantile(0.9):.1%} ({len(errors)} sizes)"


def main(folder: Path) -> None:
    """Print both tables."""
    suffix = f"_{PARTS['one_way']}.csv.gz"
    stems = {path.parent.name.partition("_")[0]: str(path).removesuffix(suffix)
             for path in sorted(folder.glob(f"*/*{suffix}"))}  # fmt: skip
    machines = {name: read(stems[name]) for name in TITLES if name in stems}
    if not machines:
        raise SystemExit(f"{folder} holds no folder of {', '.join(TITLES)}: name that of the files")
    rows = [parameters(name, samples) for name, samples in machines.items()]
    print(f"{markdown(pd.DataFrame(rows))}\n")
    errors = [
        {
            "machine": name,
            "all sizes: median / 90 %": _summary(samples),
            f"sizes whose own median is known to {KNOWN_TO:.0%}": _summary(samples, KNOWN_TO),
        }
        for name, samples in machines.items()
    ]
    print(markdown(pd.DataFrame(errors)))


if __name__ == "__main__":
    if len(sys.argv) != 2:
        raise SystemExit(__doc__)
    main(Path(sys.argv[1]))
