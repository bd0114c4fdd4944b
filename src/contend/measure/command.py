"""The command of a launch: launcher, placement, program and arguments, and its environment."""

import math
import os
from collections.abc import Sequence
from dataclasses import dataclass

from contend.base.errors import InvalidInputError
from contend.measure import machine
from contend.measure.build import Program
from contend.measure.mpi import MPI

MOST_PER_CORE = 64  # processes, beyond which a host swaps or refuses; a campaign needs far fewer
QUEUE_SECONDS = 3600.0  # a launcher of a batch system may wait for nodes
LEAST_PATIENCE = 1.0  # seconds, where hardly any are left


@dataclass(frozen=True)
class LaunchOptions:
    precision: float = 0.05
    min_repetitions: int = 20
    max_repetitions: int = 500
    max_seconds: float = 0.5
    warmup: int = 3
    start: str = "auto"
    processes_per_node: int | None = None
    per_rank: bool = False
    timeout: float = 60.0
    patience: float | None = None  # seconds to wait for a further point, where not the timeout
    seconds_left: float = math.inf  # for a campaign; no launch is waited for any longer

    def arguments(self, sizes: Sequence[int]) -> list[str]:
        pairs = {
            "--sizes": ",".join(map(str, sizes)),
            "--precision": self.precision,
            "--min-repetitions": self.min_repetitions,
            "--max-repetitions": self.max_repetitions,
            "--max-seconds": self.max_seconds,
            "--warmup": self.warmup,
            "--start": self.start,
        }
        flags = ["--per-rank"] if self.per_rank else []
        return [str(part) for pair in pairs.items() for part in pair] + flags

    def start_timeout(self, mpi: MPI) -> float:
        """Seconds until the first line: a launcher of a batch system may have to queue."""
        patience = max(self.timeout, QUEUE_SECONDS) if mpi.family == "Slurm" else self.timeout
        return self._at_most_left(patience)

    def point_timeout(self, dilation: float = 1.0) -> float:
        """Seconds between two lines: the time allowed, beyond what a point may use.

        Where time is dilated the network has as long, and the clock on the wall the longer.
        """
        patience = self.timeout if self.patience is None else self.patience
        return self._at_most_left(dilation * patience + 2 * self.max_seconds)

    def _at_most_left(self, seconds: float) -> float:
        return min(seconds, max(self.seconds_left, LEAST_PATIENCE))


def command_line(
    mpi: MPI, program: Program, n: int, sizes: Sequence[int], options: LaunchOptions
) -> list[str]:
    """The whole command of a launch; an error for one that would fill this host with processes."""
    most = MOST_PER_CORE * machine.cores()
    if n > most and is_local(mpi, options):
        raise InvalidInputError(
            f"{n} processes on this host of {machine.cores()} cores, where {most} are the most",
            "give fewer, or --mpiexec with a list of hosts",
        )
    placement = _placement(mpi, n, placement_of(program, options))
    start = [*mpi.launcher, *placement, "-n", str(n), *program.before, str(program.path)]
    return [*start, *program.arguments, *options.arguments(sizes)]


def placement_of(program: Program, options: LaunchOptions) -> int | None:
    """Processes per node asked for; where it is given at all, a single message crosses nodes."""
    if options.processes_per_node and program.processes_max == 2:
        return 1
    return options.processes_per_node


def _placement(mpi: MPI, n: int, per_node: int | None) -> list[str]:
    if per_node is None:
        return []
    nodes = -(-n // per_node)
    return {
        # What maps also says whether slots are counted: 5.x forgets its default then.
        "Open MPI": ["--map-by", f"ppr:{per_node}:node:oversubscribe"],
        "Slurm": ["-N", str(nodes), f"--ntasks-per-node={min(n, per_node)}"],
    }.get(mpi.family, ["-ppn", str(per_node)])


def settings(mpi: MPI, n: int, options: LaunchOptions) -> dict[str, str]:
    """Environment variables that contend sets for a launch; samples record them.

    More ranks than cores, and root where it is the user, are allowed: Open MPI refuses both by
    default, and contend flags oversubscribed samples itself. On a host with too few cores MPICH
    is set to sleep when it waits, as Open MPI does unasked: ranks that spin would otherwise hold
    the cores against those that have work, for whole slices of the scheduler.
    """
    variables = {}
    if mpi.family == "Open MPI":
        variables["OMPI_MCA_rmaps_base_oversubscribe"] = "1"  # 4.x
        variables["PRTE_MCA_rmaps_default_mapping_policy"] = ":oversubscribe"  # 5.x
        if os.geteuid() == 0:
            variables["OMPI_ALLOW_RUN_AS_ROOT"] = "1"
            variables["OMPI_ALLOW_RUN_AS_ROOT_CONFIRM"] = "1"
    if mpi.family == "Intel MPI" and options.processes_per_node:
        variables["I_MPI_JOB_RESPECT_PROCESS_PLACEMENT"] = "0"  # else -ppn is ignored in jobs
    if mpi.family == "MPICH" and n > machine.cores() and is_local(mpi, options):
        variables["MPIR_CVAR_CH4_PROGRESS_THROTTLE"] = "1"
        variables["MPIR_CVAR_CH4_PROGRESS_THROTTLE_NO_PROGRESS_COUNT"] = "100"
    return variables


def is_local(mpi: MPI, options: LaunchOptions) -> bool:
    """Whether all ranks run on this host, as far as the command tells."""
    is_plain = len(mpi.launcher) == 1 and options.processes_per_node is None
    return is_plain and not machine.in_batch_job()
