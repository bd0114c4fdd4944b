"""What a campaign costs in node-minutes: expected, at most, and how much of it nodes idle.

Idea: a launch takes its start, and each of its points a part of the seconds that it may take. What
that part is nobody knows before the first message: expected is what `contend.measure.duration`
assumes, at most is all of it and as much again, for repetitions that have begun when it is over.
One allocation holds the nodes of the largest number of processes all the time, so that they idle
while fewer are measured.
Restrictions: at most holds where a repetition takes less than a tenth of a point's seconds, and a
launch starts within `START_AT_MOST`; the time that a job waits in the queue is not counted.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import ceil
from pathlib import Path

from contend.measure.build import Program
from contend.measure.command import LaunchOptions, placement_of
from contend.measure.design import Design
from contend.measure.duration import LAUNCH_SECONDS, PART_OF_MAX, POINT_SECONDS, remaining
from contend.measure.plan import Launch, plan
from contend.samples import Sample

BESIDE_SECONDS = 120.0  # to compile the programs where they are not yet, to fit and to report
START_AT_MOST = 10.0  # seconds, for srun or mpiexec to start the ranks of a launch
AT_MOST = 2.0  # times the seconds that a point may take
# What the experiments of a study say of themselves when they are built: names of their algorithms,
# and whether they are of two processes. A login node need not have the MPI library.
OF_A_STUDY = {
    "pingpong": (("half_round_trip",), True),
    "plogp": (("saturation_gap", "round_trip", "send_overhead", "receive_overhead"), True),
    "alltoall_native": (("native",), False),
    "alltoall_rotated": (("rotated",), False),
}


@dataclass(frozen=True)
class Estimate:
    """Minutes that a campaign takes in an allocation of `nodes`, and its points and launches."""

    nodes: int
    launches: int
    points: int
    expected: float
    most: float
    used: float  # node-minutes of these expected that ranks run on

    @property
    def node_minutes(self) -> float:
        """Return nodes times expected minutes, as centres of computation bill them."""
        return self.nodes * self.expected

    @property
    def idle(self) -> float:
        """Share of the node-minutes in which no rank of the campaign runs."""
        return 1 - self.used / self.node_minutes if self.expected else 0.0

    def submissions(self, minutes: int) -> int:
        """How often a script with so many minutes is expected to be submitted."""
        return max(ceil(self.expected / max(minutes - 1, 1)), 1)


def study_programs() -> list[Program]:
    """The experiments of a study as they describe themselves, not built."""
    return [
        Program(name, Path(name), name.partition("_")[0], algorithms, 2, 2 if of_two else None)
        for name, (algorithms, of_two) in OF_A_STUDY.items()
    ]


def study_launches(chosen: Design) -> list[Launch]:
    sizes = [*chosen.sizes, *chosen.check_sizes]
    programs = study_programs()
    return plan(programs, chosen.counts, sizes, chosen.launches, chosen.seed, chosen.message_sizes)


def estimate(
    launches: Sequence[Launch],
    options: LaunchOptions,
    nodes: int,
    done: Sequence[Sample] = (),
    extra_sizes: int = 0,
    point_seconds: Callable[[Launch, int], float] | None = None,
) -> Estimate:
    """What is left of the launches once the samples `done` are there.

    `point_seconds` tells what a point of a launch takes at a size, where that is foreseen.
    """
    points, expected, used = 0, BESIDE_SECONDS, 0.0
    pending = remaining(launches, done)
    for launch in pending:
        algorithms = len(launch.program.algorithms)
        extra = extra_sizes if launch.program.experiment == "plogp" else 0
        count = algorithms * (len(launch.sizes) + extra)
        usual = POINT_SECONDS + PART_OF_MAX * options.max_seconds
        seconds = LAUNCH_SECONDS + algorithms * extra * usual
        for m in launch.sizes:
            seconds += algorithms * (point_seconds(launch, m) if point_seconds else usual)
        points += count
        expected += seconds
        used += seconds * min(nodes_of(launch, options), nodes)
    most = len(pending) * START_AT_MOST + points * (POINT_SECONDS + AT_MOST * options.max_seconds)
    return Estimate(
        nodes, len(pending), points, expected / 60, (BESIDE_SECONDS + most) / 60, used / 60
    )


def nodes_of(launch: Launch, options: LaunchOptions) -> int:
    return ceil(launch.n / (placement_of(launch.program, options) or launch.n))
