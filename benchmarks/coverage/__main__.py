"""How often the intervals that contend prints hold the truth, by simulation.

    python benchmarks/coverage [CAMPAIGNS] [SEED] [MODULE...]

Campaigns of known truth (campaign.py) are fitted as measured ones are. Every other module of this
folder has a function `claims`, which gives the intervals of one campaign and what they should hold;
a new one is a file with such a function. Prints a row for each kind of interval: how many claims,
the share that hold the truth, and the median of high over low.
"""

import importlib
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parent))

from campaign import Claim

NOMINAL = 0.95
MODULES = sorted(
    path.stem
    for path in Path(__file__).parent.glob("*.py")
    if path.stem not in ("__main__", "campaign")
)


def simulated(module: str, campaigns: int, seed: int) -> Iterator[Claim]:
    """Claims of a module over campaigns, each with random numbers of its own."""
    claims = importlib.import_module(module).claims
    for number in range(campaigns):
        yield from claims(np.random.default_rng([seed, number]))


def rows(claims: Iterable[Claim]) -> list[tuple[str, int, float, float]]:
    """Interval, number of claims, share that hold the truth, and median of high over low."""
    groups: defaultdict[str, list[Claim]] = defaultdict(list)
    for claim in claims:
        groups[claim.interval].append(claim)
    return [
        (
            name,
            len(group),
            float(np.mean([one.low <= one.truth <= one.high for one in group])),
            float(np.median([one.high / one.low if one.low > 0 else np.inf for one in group])),
        )
        for name, group in groups.items()
    ]


def main(campaigns: int = 400, seed: int = 1, *modules: str) -> None:
    """Print the table."""
    print("| interval | claims | nominal | covered | median of high / low |")
    print("|---|---|---|---|---|")
    for module in modules or MODULES:
        for name, count, covered, width in rows(simulated(module, campaigns, seed)):
            ratio = "lower end 0" if np.isinf(width) else f"{width:.3f}"
            print(f"| {name} | {count} | {NOMINAL:.0%} | {covered:.1%} | {ratio} |", flush=True)


if __name__ == "__main__":
    numbers, names = sys.argv[1:3], sys.argv[3:]
    main(*map(int, numbers), *names)
