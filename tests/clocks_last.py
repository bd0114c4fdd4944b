"""Order of tests over several workers: those that time something run last, and alone.

Files of tests go to whichever worker is free; of those marked `spread`, each test does. Files with
tests that run against clocks (marked so, in the folder of the lab, or with MPI programs; not those
marked `parallel`) form one group, which waits until every other worker has ended and then runs on
the worker that is left, one test after the other. Without workers (-n 0, or none asked for) all
tests run in their usual order.
"""

import re
from functools import lru_cache
from pathlib import Path
from typing import Any

from xdist.scheduler import LoadScopeScheduling
from xdist.workermanage import WorkerController

CLOCK = "clock"
MARK = re.compile(r"pytest\.mark\.(clock|mpi|lab|browser)\b")
UNTIMED = "pytest.mark.parallel"
SPREAD = "pytest.mark.spread"


@lru_cache
def is_timed(path: Path) -> bool:
    """Whether other work on the machine would change what tests of this file see."""
    text = path.read_text(encoding="utf-8")
    if UNTIMED in text:
        return False
    return path.parent.name == "lab" or MARK.search(text) is not None


@lru_cache
def is_spread(path: Path) -> bool:
    """Whether tests of this file need not run on the same worker."""
    return SPREAD in path.read_text(encoding="utf-8")


class ClocksLast(LoadScopeScheduling):
    """Units of work are files of tests, and last the one group of those that need the machine."""

    def _split_scope(self, nodeid: str) -> str:
        name = nodeid.split("::", 1)[0]
        path = self.config.rootpath / name
        if is_timed(path):
            return CLOCK
        return nodeid if is_spread(path) else name

    def _assign_work_unit(self, node: WorkerController) -> None:
        if CLOCK in self.workqueue:
            self.workqueue.move_to_end(CLOCK)
        if next(iter(self.workqueue)) != CLOCK:
            super()._assign_work_unit(node)
            return
        others = [other for other in self.nodes if other is not node]
        if not all(other.shutting_down for other in others):
            node.shutdown()  # it ends what it has; one of the others is the last
        elif not any(self._pending_of(self.assigned_work[other]) for other in others):
            super()._assign_work_unit(node)

    def mark_test_complete(self, node: WorkerController, *arguments: Any) -> None:
        super().mark_test_complete(node, *arguments)
        self._wake()

    def remove_node(self, node: WorkerController) -> str | None:
        crashed = super().remove_node(node)
        self._wake()
        return crashed

    def _wake(self) -> None:
        """Let the last worker see that the others have ended."""
        if list(self.workqueue) == [CLOCK]:
            for node in self.nodes:
                self._reschedule(node)
