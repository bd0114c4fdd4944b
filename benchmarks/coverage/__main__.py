"""How often the intervals that contend prints hold the truth, by simulation.

    python benchmarks/coverage [CAMPAIGNS] [SEED] [LAUNCHES] [MODULE...]

Campaigns of known truth (simulated.py) are fitted as measured ones are. Every other module of this
folder has a function `campaign`, which gives the intervals of one campaign: name, truth, value, low
and high; a new one is a file with such a function, and with `NOMINAL` where that is not 95 %.
Prints a row for each kind of interval: how many there were, the share that hold the truth, and the
median of high over low.
"""

import importlib
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import numpy as np

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


def main(
    campaigns: int = 400,
    seed: int = 1,
    launches: int = simulated.LAUNCHES,
    modules: Sequence[str] = (),
) -> None:
    """Print the table."""
    simulated.LAUNCHES = launches
    print("| interval | number | nominal | covered | median of high / low |")
    print("|---|---|---|---|---|")
    for module in modules or MODULES:
        found = summary(rows_of(module, campaigns, seed))
        nominal = getattr(importlib.import_module(module), "NOMINAL", NOMINAL)
        for name, (count, covered, width) in found.items():
            ratio = "lower end 0" if np.isinf(width) else f"{width:.3f}"
            print(f"| {name} | {count} | {nominal:.0%} | {covered:.1%} | {ratio} |", flush=True)


if __name__ == "__main__":
    words = sys.argv[1:]
    numbers = [int(word) for word in words if word.isdigit()]
    main(*numbers, modules=[word for word in words if not word.isdigit()])
