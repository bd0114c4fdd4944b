"""A stand-in for launches on a lab: points come at once, disturbed or not as a test says."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from contend.base.errors import LostLaunchError
from contend.measure import calls, design
from contend.measure.build import Program
from contend.measure.place import Place
from contend.samples import LabConditions, Provenance

PROGRAMS = {
    "pingpong": Program("pingpong", Path("p"), "pingpong", ("half_round_trip",), 2, 2),
    "plogp": Program(
        "plogp", Path("p"), "plogp",
        ("saturation_gap", "round_trip", "send_overhead", "receive_overhead"), 2, 2,
    ),
    "alltoall_native": Program("alltoall_native", Path("a"), "alltoall", ("native",), 2, None),
    "alltoall_rotated": Program("alltoall_rotated", Path("a"), "alltoall", ("rotated",), 2, None),
}  # fmt: skip
TRAIN = 16


@dataclass
class Emulation:
    """`is_late` is asked for each point: its number, its dilation of time, and its data.

    So is `is_lost`, with its data, for whether the launch dies there.
    """

    is_late: Callable[[int, float, dict[str, Any]], bool]
    is_lost: Callable[[dict[str, Any]], bool] = lambda _: False
    points: list[dict[str, Any]] = field(default_factory=list)
    dilations: list[float] = field(default_factory=list)
    losses: int = 0

    def points_of(self, runner, program, n, sizes, accept, name, in_order=()):  # type: ignore[no-untyped-def]
        """As contend.measure.points.points_of."""
        lab, dilation = runner.lab.lab, runner.lab.lab.time_dilation
        known = Provenance(
            source="contend", mpi_library="none", lab=lab.name, time_dilation=dilation
        )
        accept({}, known)
        for m in sizes:
            for algorithm in program.algorithms:
                data = point(program.experiment, algorithm, n, m)
                if self.is_lost(data):
                    self.losses += 1
                    raise LostLaunchError(f"{name}: the launch ended with status 139\n  a rank")
                is_late = self.is_late(len(self.points), dilation, data)
                counters = {"frames": 10, "late_ns": 10**9 if is_late else 0}
                self.points.append(data)
                self.dilations.append(dilation)
                yield data | {"lab": LabConditions.from_counters(counters)}, known


def seconds(experiment: str, algorithm: str, n: int, m: int) -> float:
    """What a point takes: a message 50 us and 100 us per KiB, and contention by 2."""
    message = 5e-5 + 1e-7 * m
    return {
        "half_round_trip": message,
        "round_trip": message + 5e-5,
        "saturation_gap": (message + 5e-5 + (TRAIN - 1) * (2e-5 + 1e-7 * m)) / TRAIN,
        "send_overhead": 1e-5,
        "receive_overhead": 1e-5,
    }.get(algorithm, (n - 1) * (5e-5 + 2e-7 * m))


def point(experiment: str, algorithm: str, n: int, m: int) -> dict[str, Any]:
    """A line of kind "point"."""
    return {
        "experiment": experiment, "algorithm": algorithm, "n": n, "processes_per_node": 1, "m": m,
        "times_s": [seconds(experiment, algorithm, n, m)] * 5, "warmup_s": [], "start": "window",
        "late_starts": 0, "start_skew_s": 0.0, "start_skew_bound_s": 0.0, "stopped": "precision",
        "interval_relative": 0.01,
        "parameters": {"train": TRAIN} if algorithm == "saturation_gap" else None,
    }  # fmt: skip


def replace_launches(patch: pytest.MonkeyPatch, emulation: Emulation) -> None:
    """Let all that measures do so by the emulation."""

    @contextmanager
    def running(place: Place, *_: object) -> Iterator[object]:
        yield SimpleNamespace(lab=place.lab)

    patch.setattr(calls, "points_of", emulation.points_of)
    patch.setattr(design, "build", lambda mpi: PROGRAMS)
    patch.setattr(Place, "running", running)
