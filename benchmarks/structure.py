"""How often the structure of a simulated all-to-all is recognised, and how often one is invented.

    python -m benchmarks.structure [MACHINES]

Machines of each kind with start-ups, bytes, n, sizes, noise of 2 to 10 % and one to three launches
of their own, drawn at random. "Named" are those of which all kinds
of finding that they have are told, "more" those of which another one is told too.
"""

import sys
from collections.abc import Callable

import numpy as np
import pandas as pd

from contend.base.document import Floats
from contend.cli.output import markdown
from contend.models.explanation.exchange import Exchange, exchange_of
from contend.models.explanation.finding import Analysis
from contend.models.signature import PointToPoint
from contend.schedules.pointtopoint import hockney

MACHINES = 200
NOISE = (0.02, 0.1)  # standard deviation of log time
USUAL = {"algorithm", "gamma"}
Factor = Callable[[Floats, Floats], Floats]
PER_NODE = 24


def onset(n: Floats, m: Floats) -> Floats:
    """Saturation beyond 40 processes."""
    return np.maximum(1.0, n / 40)


def torus(n: Floats, m: Floats) -> Floats:
    """By the power 0.3 of n."""
    return np.asarray((n / n.min()) ** 0.3)


def classes(n: Floats, m: Floats) -> Floats:
    """Powers of two take half as long again."""
    whole = n.astype(int)
    return np.where(whole & (whole - 1) == 0, 1.5, 1.0)


def local(n: Floats, m: Floats) -> Floats:
    """A message within a node of 24 processes costs a fifth."""
    inside = np.minimum(n, PER_NODE) - 1
    return np.asarray(1 - 0.8 * inside / (n - 1))


def odd(n: Floats, m: Floats) -> Floats:
    """4 KiB takes 1.6 times as long."""
    return np.where(m == 4096, 1.6, 1.0)


KINDS: dict[str, tuple[tuple[str, ...], tuple[Factor, ...]]] = {
    "straight": ((), ()),
    "Bruck below 512 B": (("algorithm switch",), ()),
    "24 processes per node": (("local messages",), (local,)),
    "saturation beyond n = 40": (("saturation",), (onset,)),
    "powers of two, 1.5": (("powers of two",), (classes,)),
    "torus, n^0.3": (("growth for good",), (torus,)),
    "odd size, 1.6": (("odd size",), (odd,)),
    "half price from 64 KiB": (("falling slope",), ()),
    "Bruck below 512 B, torus": (("algorithm switch", "growth for good"), (torus,)),
    "powers of two, odd size": (("powers of two", "odd size"), (classes, odd)),
    "24 per node, half price": (("local messages", "falling slope"), (local,)),
}


def counts(wanted: tuple[str, ...], rng: np.random.Generator) -> Floats:
    """Numbers of processes that can tell what is wanted; of a straight machine two to five."""
    if "local messages" in wanted:
        found = 48 * 2 ** np.arange(rng.integers(3, 5))
    elif "powers of two" in wanted:
        found = np.array([4, 6, 8, 12, 16, 24, 32, 48])[rng.integers(0, 3) :][: rng.integers(4, 6)]
    elif "saturation" in wanted:
        found = np.array([8, 16, 32, 48, 64, 96])[rng.integers(0, 2) :]
    elif "growth for good" in wanted:
        found = 8 * 2 ** np.arange(rng.integers(4, 6))
    elif wanted:
        found = 8 * 2 ** np.arange(rng.integers(2, 5))
    else:
        found = np.sort(rng.choice([4, 8, 12, 16, 24, 32, 48, 64], rng.integers(2, 6), False))
    return np.asarray(found, dtype=float)


def machine(kind: str, seed: int) -> Exchange:
    """What was measured of a machine of that kind."""
    rng = np.random.default_rng(seed)
    wanted, factors = KINDS[kind]
    known = hockney.given(10 ** rng.uniform(-6, -5), 10 ** rng.uniform(-9.5, -8.5))
    alpha, beta = float(known.alpha), float(known.beta)
    most = 21 if wanted else 10 + rng.integers(0, 11)
    sizes = 2.0 ** np.arange(rng.integers(0, 3), most)
    n, m = (axis.ravel() for axis in np.meshgrid(counts(wanted, rng), sizes, indexing="ij"))
    bytes_ = m if "half" not in kind else np.where(m < 65536, m, 32768 + m / 2)
    times = (n - 1) * (alpha + beta * bytes_)
    for factor in factors:
        times = times * factor(n, m)
    if "Bruck" in kind:
        times = np.where(m < 512, np.ceil(np.log2(n)) * (alpha + beta * m * n / 2), times)
    noise = rng.uniform(*NOISE)
    launches = rng.standard_normal((rng.integers(1, 4), n.size))
    rows = {"n": n, "m": m, "seconds": times * np.exp(np.median(noise * launches, axis=0))}
    per_node = PER_NODE if local in factors else 1
    return exchange_of(pd.DataFrame(rows), per_node, PointToPoint(known))


def row(kind: str, machines: int) -> dict[str, str]:
    """How many are named, and of how many more is told than there is."""
    wanted = set(KINDS[kind][0])
    told = [
        {one.kind for one in Analysis(machine(kind, seed)).findings} - USUAL
        for seed in range(machines)
    ]
    return {
        "machine": kind,
        "named": f"{np.mean([wanted <= found for found in told]):.0%}" if wanted else "",
        "more": f"{np.mean([bool(found - wanted) for found in told]):.1%}",
    }


def main(machines: int) -> None:
    """Print the table."""
    print(markdown(pd.DataFrame(row(kind, machines) for kind in KINDS)))


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else MACHINES)
