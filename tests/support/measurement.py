"""Fixtures: small synthetic measurements of a known signature, and the network fitted to them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache

import numpy as np
import pytest

from contend.models.fitting.estimator import FitOptions
from contend.models.fitting.fit import fit_network
from contend.models.network import Network
from contend.models.prediction.validate import record
from contend.report.figures import decisions
from contend.samples import Provenance, Sample, SampleStore

ALPHA, BETA = 2e-6, 1e-9
PLOGP = ("saturation_gap", "round_trip", "send_overhead", "receive_overhead")


@dataclass(frozen=True)
class Plan:
    """What is measured, and how the synthetic network behaves."""

    name: str = "lab"
    algorithms: tuple[str, ...] = ("native",)
    host: str = "node"
    counts: tuple[int, ...] = (2, 4, 8)
    sizes: tuple[int, ...] = (0, 1, 64, 1024, 4096, 16384, 65536, 262144)
    gamma: float = 2.5
    delta: float = 40e-6
    threshold: float = 8192
    has_ping_pong: bool = True
    has_plogp: bool = True
    is_validated: bool = True  # where there is a second n


@dataclass(frozen=True)
class Measured:
    """Samples and the network that was fitted to them."""

    network: Network
    samples: Sequence[Sample]


Measure = Callable[..., Measured]


def draw_one_map(patch: pytest.MonkeyPatch) -> None:
    """A decision map of one operation alone, since seven of them take seconds."""
    patch.setattr(decisions, "SHOWN", ("scatter",))


@pytest.fixture(autouse=True)
def one_map(monkeypatch: pytest.MonkeyPatch) -> None:
    draw_one_map(monkeypatch)


@pytest.fixture(scope="session")
def measure(tmp_path_factory: pytest.TempPathFactory) -> Measure:
    """A function from fields of `Plan` to what was measured; of the same fields the same."""

    @cache
    def measured(plan: Plan) -> Measured:
        generator = np.random.default_rng(20070502)
        path = tmp_path_factory.mktemp("measured") / "samples.jsonl"
        with SampleStore(path) as store:
            for experiment, algorithm, n, m, seconds in points(plan):
                for launch in range(2):
                    times = seconds * np.exp(generator.normal(0, 0.01, 12))
                    store.append(sample(plan, experiment, algorithm, n, m, launch, times))
            samples = store.existing()
        options = FitOptions(name=plan.name, n_fit=plan.counts[-1])
        network = fit_network(samples, path, options)
        if plan.is_validated and len(plan.counts) > 1:
            network = record(network, samples)
        return Measured(network, tuple(samples))

    return lambda **fields: measured(replace(Plan(), **fields))


def points(plan: Plan) -> list[tuple[str, str, int, int, float]]:
    """Experiment, algorithm, n, m and true seconds of every point."""
    found = []
    for m in plan.sizes:
        one = ALPHA + BETA * m
        if plan.has_ping_pong:
            found.append(("pingpong", "round_trip", 2, m, one))
        if plan.has_plogp:
            costs = (0.8e-6 + BETA * m, ALPHA + one, 0.3 * one, 0.4 * one)
            found += [("plogp", name, 2, m, s) for name, s in zip(PLOGP, costs, strict=True)]
        jump = plan.delta if m >= plan.threshold else 0.0
        each = ALPHA + BETA * plan.gamma * m + jump
        found += [
            ("alltoall", name, n, m, (n - 1) * each)
            for name in plan.algorithms
            for n in plan.counts
        ]
    return found


def sample(
    plan: Plan, experiment: str, algorithm: str, n: int, m: int, launch: int, times: np.ndarray
) -> Sample:
    """One sample with its provenance."""
    provenance = Provenance(
        source="contend 0.1.0", date=f"2025-03-0{launch + 1}T10:00:00+01:00",
        mpi_library="MPICH Version: 4.2.0\nconfigured with everything",
        hosts=tuple(f"{plan.host}{number}" for number in range(n)), nodes=n, kernel="Linux 6.1",
        cpu="A processor", congestion_control="cubic",
    )  # fmt: skip
    return Sample(
        experiment=experiment, algorithm=algorithm, n=n, processes_per_node=1, m=m, launch=launch,
        times_s=tuple(times.tolist()), provenance=provenance,
    )  # fmt: skip
