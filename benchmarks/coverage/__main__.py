"""How often the intervals that contend prints hold the truth, by simulation.

    python -m benchmarks.coverage [MODULE...] [--campaigns N] [--seed S] [--launches K...]

Campaigns of known truth (simulated.py) are fitted as measured ones are. Every other module of this
folder has a function `campaign`, which gives the intervals of one campaign: name, truth, value, low
and high; a new one is a file with such a function, and with `NOMINAL` where that is not 95 %.
Prints a row for each kind of interval: how many there were, and for each number of launches the
share that hold the truth, and the median of high over low.
"""

import argparse
import importlib
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import numpy as np
import pandas as pd

from contend.cli.output import markdown

sys.path.insert(0, str(Path(__file__).parent))

import simulated
from simulated import Row

NOMINAL = 0.95
FOLDER = Path(__file__).parent
MODULES = sorted({path.stem for path in FOLDER.glob("*.py")} - {"__main__", "simulated"})


def rows_of(module: str, campaigns: int, seed: int) -> Iterator[Row]:
    """Rows of a module over campaigns, each with random numbers of its own."""
    campaign = importlib.import_module(module).campaign
    for number in range(campaigns):
        yield from campaign(np.random.default_rng([seed, number]))


def summary(rows: Iterable[Row]) -> dict[str, tuple[int, float, float]]:
    """By interval: how many, the share that hold the truth, and the median of high over low."""
    groups: defaultdict[str, list[tuple[bool, float]]] = defaultdict(list)
    for name, truth, _, low, high in rows:
        groups[name].append((low <= truth <= high, high / low if low > 0 else np.inf))
    return {
        name: (len(group), *_held_and_width(np.array(group, dtype=np.float64)))
        for name, group in groups.items()
    }


def _held_and_width(group: np.ndarray) -> tuple[float, float]:
    return float(group[:, 0].mean()), float(np.median(group[:, 1]))


def table(module: str, campaigns: int, seed: int, launches: Sequence[int]) -> pd.DataFrame:
    """The rows of a module."""
    nominal = getattr(importlib.import_module(module), "NOMINAL", NOMINAL)
    rows: dict[str, dict[str, str]] = {}
    for number in launches:
        simulated.LAUNCHES = number
        for name, (count, held, width) in summary(rows_of(module, campaigns, seed)).items():
            row = rows.setdefault(
                name, {"interval": name, "number": str(count), "nominal": f"{nominal:.0%}"}
            )
            row[f"covered, {number} launches"] = f"{held:.1%}"
            row[f"high / low, {number}"] = "lower end 0" if np.isinf(width) else f"{width:.3f}"
    return pd.DataFrame(rows.values())


def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.coverage",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("modules", metavar="MODULE", nargs="*", help=f"of {', '.join(MODULES)}")
    parser.add_argument("--campaigns", type=int, default=400)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--launches", type=int, nargs="*", default=[3])
    given = parser.parse_args()
    if wrong := set(given.modules) - set(MODULES):
        parser.error(f"there is no {', '.join(wrong)}; modules are {', '.join(MODULES)}")
    parts = [
        table(module, given.campaigns, given.seed, given.launches)
        for module in given.modules or MODULES
    ]
    print(markdown(pd.concat(parts)))


if __name__ == "__main__":
    main()
