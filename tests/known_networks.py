"""Networks whose messages obey a law that is known."""

from pathlib import Path

import numpy as np

from contend.document import Quantity
from contend.network import Level, Network
from contend.pointtopoint import PLogP
from contend.replay import LogGOPS
from contend.samples.origin import Origin

SIZES = (0, 1, 64, 1024, 4096, 16384, 65536, 262144, 1048576)


def table(values: np.ndarray, unit: str = "s") -> Quantity:
    return Quantity(value=tuple(np.asarray(values, dtype=float).tolist()), unit=unit)


def network(plogp: PLogP | None, hosts: int = 4, name: str = "known", **parts: object) -> Network:
    origin = Origin(
        contend_version="0",
        created="2026-01-01",
        samples="none",
        samples_sha256="0" * 64,
        hosts=tuple(f"node{number}" for number in range(hosts)),
    )
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
        latency=Quantity(value=0.0, unit="s"),
        latency_growth=table(message - gap),
        size=table(m, "B"),
        gap=table(gap),
        send_overhead=table(overhead),
        receive_overhead=table(np.where(m <= law.S, law.o + further * law.O, gap)),
        method="trains",
    )
