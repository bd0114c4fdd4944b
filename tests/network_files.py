"""Network files with pLogP parameters, for commands that predict by schedules."""

from pathlib import Path

from contend.document import Quantity
from contend.network import Level, Network
from contend.pointtopoint import PLogP
from contend.samples.origin import Origin

SIZES = (0.0, 1024.0, 65536.0, 1048576.0)


def plogp(spread: float | None = 0.05, latency: float = 5e-5) -> PLogP:
    """Fast Ethernet: 20 us and 80 ns a byte; `spread` is that of the bounds, None has none."""
    values = tuple(2e-5 + 8e-8 * size for size in SIZES)

    def bounds(sign: int) -> tuple[float, ...] | None:
        return None if spread is None else tuple(v * (1 + sign * spread) for v in values)

    gap = Quantity(value=values, unit="s", low=bounds(-1), high=bounds(1))
    edges = {} if spread is None else {"low": latency * 0.9, "high": latency * 1.1}
    return PLogP(
        latency=Quantity(value=latency, unit="s", **edges),
        size=Quantity(value=SIZES, unit="B"),
        gap=gap,
        send_overhead=gap,
        receive_overhead=gap,
        method="kielmann",
    )


def write(path: Path, parameters: PLogP | None) -> Path:
    origin = Origin(
        contend_version="0", created="2026-01-01", samples="none", samples_sha256="0" * 64
    )
    level = Level(name="all", plogp=parameters)
    Network(name="test", levels=(level,), origin=origin).save(path)
    return path
