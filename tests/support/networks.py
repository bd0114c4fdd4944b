"""Networks whose messages obey a known law, and files of them."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from contend.base.document import Quantity
from contend.models.network import Level, Network
from contend.programs.replay import LogGOPS
from contend.samples.origin import Origin
from contend.schedules.pointtopoint import PLogP

FEW = (0.0, 1024.0, 65536.0, 1048576.0)
SIZES = (0, 1, 64, 1024, 4096, 16384, 65536, 262144, 1048576)


def table(values: np.ndarray, unit: str = "s") -> Quantity:
    return Quantity(value=tuple(np.asarray(values, dtype=float).tolist()), unit=unit)


def network(plogp: PLogP | None, hosts: int = 4, name: str = "known", **parts: object) -> Network:
    origin = Origin(
        contend_version="0", created="2026-01-01", samples="none", samples_sha256="0" * 64,
        hosts=tuple(f"node{number}" for number in range(hosts)),
    )  # fmt: skip
    return Network(name=name, levels=(Level(name="all", plogp=plogp),), origin=origin, **parts)


def saved(path: Path, known: Network) -> Path:
    known.save(path)
    return path


def by_loggops(law: LogGOPS, sizes: tuple[int, ...] = SIZES) -> PLogP:
    """pLogP parameters of a network that obeys LogGOPS; above S a sender waits for the transfer."""
    m = np.array(sizes, dtype=float)
    further = np.maximum(m - 1, 0)
    gap = law.g + further * law.G
    overhead = np.where(m <= law.S, law.o + further * law.O, 2 * gap)
    message = law.L + 2 * law.o + further * max(law.O, law.G)
    return PLogP(
        latency=Quantity(value=0.0, unit="s"), latency_growth=table(message - gap),
        size=table(m, "B"), gap=table(gap), send_overhead=table(overhead),
        receive_overhead=table(np.where(m <= law.S, law.o + further * law.O, gap)), method="trains",
    )  # fmt: skip


def parameters(
    latency: float,
    size: Sequence[float],
    gap: Sequence[float],
    overhead: Sequence[float] | None = None,
    method: str = "schedules",
) -> PLogP:
    """pLogP of these numbers, tables over the sizes; an overhead is that of both ends."""
    own = {} if overhead is None else {"send_overhead": overhead, "receive_overhead": overhead}
    tables = {name: table(np.asarray(values)) for name, values in ({"gap": gap} | own).items()}
    return PLogP(
        latency=Quantity(value=latency, unit="s"), size=table(np.asarray(size), "B"),
        method=method, **tables,
    )  # fmt: skip


def plogp(spread: float | None = 0.05, latency: float = 5e-5) -> PLogP:
    """Fast Ethernet: 20 us and 80 ns a byte; `spread` is that of the bounds, None has none."""
    values = tuple(2e-5 + 8e-8 * size for size in FEW)

    def bounds(sign: int) -> tuple[float, ...] | None:
        return None if spread is None else tuple(v * (1 + sign * spread) for v in values)

    gap = Quantity(value=values, unit="s", low=bounds(-1), high=bounds(1))
    edges = {} if spread is None else {"low": latency * 0.9, "high": latency * 1.1}
    return PLogP(
        latency=Quantity(value=latency, unit="s", **edges), size=Quantity(value=FEW, unit="B"),
        gap=gap, send_overhead=gap, receive_overhead=gap, method="kielmann",
    )  # fmt: skip


def write(path: Path, parameters: PLogP | None) -> Path:
    return saved(path, network(parameters, hosts=0, name="test"))
