"""When tests run: in which of two tiers, and in which order over several workers.

`make test` leaves out what is marked `full`: files named here, MPI libraries beside the first,
tests that compute with the shared data sets of real machines, and those that are marked so
themselves. `make test-all` runs everything.

Files of tests go to whichever worker is free, the longest first; of those that are SPREAD, each
test does. The files that run ALONE, since other work on the machine would change what they see,
form one group, which waits until every other worker has ended and then runs on the worker that is
left, one test after the other. Without workers (-n 0, or none asked for) tests run in their usual
order.
"""

from collections.abc import Iterable
from fnmatch import fnmatch
from typing import Any

from xdist.scheduler import LoadScopeScheduling
from xdist.workermanage import WorkerController

# They time what they emulate or launch, or look for what any launch leaves on the machine.
ALONE = (
    "cli/test_lab_clocks.py",
    "cli/test_left_behind.py",
    "cli/test_measure_on_lab.py",
    "cli/test_slow_job_on_lab.py",
    "lab/test_clocks.py",
    "lab/test_clocks_of_hosts.py",
    "lab/test_losses.py",
    "lab/test_lossless.py",
    "lab/test_neighbours.py",
    "lab/test_patience.py",
    "lab/test_session.py",
    "lab/test_set_up.py",
    "lab/test_switch.py",
    "mpi/test_common_clock.py",
    "mpi/test_counters.py",
)
FULL = (
    # clocks, and labs beside that of lab/test_session.py
    "cli/*_on_lab.py",
    "cli/test_lab_clocks.py",
    "exchange/test_clocks_apart.py",
    "exchange/test_crossing.py",
    "lab/test_clocks*.py",
    "lab/test_loss*.py",
    "lab/test_neighbours.py",
    "lab/test_set_up.py",
    "lab/test_switch.py",
    "mpi/test_common_clock.py",
    "mpi/test_counters.py",
    # what launches often, for each algorithm, rule or signal
    "cli/test_exchange_bench.py",
    "cli/test_left_behind.py",
    "cli/test_study*.py",
    "cli/test_tune_verify*.py",
    "docs/test_launching_commands.py",
    "docs/test_reframe_example.py",
    "exports/test_operand_order.py",
    "exports/test_results.py",
    "measure/test_selection_campaign.py",
    "verification/test_reordered_operands.py",
    # builds
    "core/*.py",
    "packaging/*.py",
    # what breaks a schedule on purpose, to see that the check of all others finds it
    "schedules/test_broken_schedules.py",
    # browsers
    "*_browser.py",
    # coverage by simulation, and kept samples computed anew
    "choose/test_choose_known_algorithms.py",
    "prediction/test_as_run_measured.py",
    "test_coverage.py",
)
FIRST = ("packaging/test_installed.py", "core/*.py", "exports/test_results.py")  # take minutes
SPREAD = ("cli/test_job.py", "docs/test_launching_commands.py")
GROUP = "alone"  # of those that run so


def is_of(name: str, patterns: Iterable[str]) -> bool:
    """Whether a file, by its path from the root, is one of those below tests."""
    return any(fnmatch(name.removeprefix("tests/"), pattern) for pattern in patterns)


class AloneLast(LoadScopeScheduling):
    """Units of work are files of tests, and last the one group of those that need the machine."""

    def _split_scope(self, nodeid: str) -> str:
        name = nodeid.split("::", 1)[0]
        if is_of(name, ALONE):
            return GROUP
        return nodeid if is_of(name, SPREAD) else name

    def _assign_work_unit(self, node: WorkerController) -> None:
        for unit in [unit for unit in self.workqueue if is_of(unit, FIRST)]:
            self.workqueue.move_to_end(unit, last=False)
        if GROUP in self.workqueue:
            self.workqueue.move_to_end(GROUP)
        if next(iter(self.workqueue)) != GROUP:
            super()._assign_work_unit(node)
            return
        others = [other for other in self.nodes if other is not node]
        if not all(other.shutting_down for other in others):
            node.shutdown()  # it ends what it has; one of the others is the last
        elif not any(self._pending_of(self.assigned_work[other]) for other in others):
            super()._assign_work_unit(node)

    def mark_test_complete(self, node: WorkerController, *arguments: Any) -> None:
        """Count a test as run."""
        super().mark_test_complete(node, *arguments)
        self._wake()

    def remove_node(self, node: WorkerController) -> str | None:
        """Take a worker out that has ended."""
        crashed = super().remove_node(node)
        self._wake()
        return crashed

    def _wake(self) -> None:
        """Let the last worker see that the others have ended."""
        if list(self.workqueue) == [GROUP]:
            for node in self.nodes:
                self._reschedule(node)
