"""How often `contend diff` is wrong, and what it finds, by campaigns whose truth is known.

    python -m benchmarks.changes

Points of several groups, each group with launches of its own. What launches have in common, what
each point adds, and by how much points differ in that is given; so is how many times the new
campaign scatters as much as the old one.
"""

from collections.abc import Collection, Sequence

import numpy as np
import pandas as pd

from contend.cli.output import markdown
from contend.models.changes.ratios import Pair, holm_reject, ratios

# Standard deviations of what a launch has in common and of each point; logarithm of the factor
# within which points differ in the latter.
SCATTERS = {
    "2 % of each point": (0.0, 0.02, 0.0),
    "2 % of launches, 1.2 to 3.3 % of points": (0.02, 0.02, 0.5),
    "5 % of launches, 0.2 % of points": (0.05, 0.002, 0.0),
    "1 % of launches, 1 to 4 % of points": (0.01, 0.02, 0.7),
}
LAUNCHES = ((3, 3), (2, 2), (5, 2))
GROUPS, SIZES = 6, 10
SLOW = frozenset((5, size) for size in (7, 8, 9))  # group and size of points of one regime
CASES = 400


def pairs(
    rng: np.random.Generator,
    launches: Sequence[int],
    scatter: tuple[float, float, float],
    slower: float = 1.0,
    only: Collection[tuple[int, int]] | None = None,
    noisier: float = 1.0,
) -> list[Pair]:
    """Points of both campaigns; all, or `only` some, take `slower` times in the new one."""
    common, own, apart = scatter
    found = []
    for group in range(GROUPS):
        levels = common, noisier * common
        shared = [level * rng.standard_normal(k) for level, k in zip(levels, launches, strict=True)]
        for size in range(SIZES):
            sigma = own * np.exp(apart * np.cos(3 * size + group))
            old, new = (
                1e-3 * (size + 1) * np.exp(part + times * sigma * rng.standard_normal(part.size))
                for part, times in zip(shared, (1.0, noisier), strict=True)
            )
            is_slower = only is None or (group, size) in only
            found.append(Pair(old, slower * new if is_slower else new, group))
    return found


def share_failed(
    launches: Sequence[int],
    scatter: tuple[float, float, float],
    slower: float,
    limit: float,
    cases: int,
    only: Collection[tuple[int, int]] | None = None,
    noisier: float = 1.0,
) -> float:
    """Share of the cases in which a gate of `limit` fails."""
    rng = np.random.default_rng(11)
    failed = [
        holm_reject(
            ratios(pairs(rng, launches, scatter, slower, only, noisier), limit)["chance_of_worse"]
        ).any()
        for _ in range(cases)
    ]
    return float(np.mean(failed))


def main() -> None:
    """Print the table of `docs/diff.md`."""
    rows = []
    for name, scatter in SCATTERS.items():
        for launches in LAUNCHES:
            shares = (
                share_failed(launches, scatter, 1.0, 0.0, CASES),
                share_failed(launches, scatter, 1.1, 0.1, CASES),
                share_failed(launches, scatter, 1.0, 0.0, CASES, noisier=2.0),
                share_failed(launches, scatter, 1.2, 0.05, CASES, SLOW),
            )
            rows.append([name, "{}, {}".format(*launches), *(f"{one:.1%}" for one in shares)])
    columns = [
        "scatter", "launches", "no change, 0 %", "10 % slower, 10 %", "no change, new twice as "
        "noisy, 0 %", "20 % slower in 3 of 60 points, 5 %",
    ]  # fmt: skip
    print(markdown(pd.DataFrame(rows, columns=columns)))


if __name__ == "__main__":
    main()
