"""A study's second part: the library's own algorithms beside its choice of an all-to-all."""

import time
from dataclasses import dataclass
from functools import cached_property

from contend.base.errors import ContendError, LaunchError
from contend.measure.duration import expected_seconds, in_words, remaining
from contend.measure.limits import Limits
from contend.measure.place import Place
from contend.measure.plan import Launch
from contend.measure.runner import Runner
from contend.measure.selection.measure import ForcedDesign, ForcedPlan, measure_forced, plan_of
from contend.measure.study.task import Measured, Task
from contend.samples import Sample, SampleStore

OPERATION = "alltoall"


@dataclass(frozen=True)
class Contest:
    """What a study has measured, of what task; `begun` by the monotonic clock, in seconds."""

    task: Task
    measured: Measured
    begun: float

    def carry_out(self) -> list[Sample]:
        """All samples with those of the algorithms; as they were where none can be forced.

        At n' and the largest n; where there is no time for both at the largest alone, or at none.
        """
        note = self.task.listener.note
        try:
            plan = self._plan()
        except ContendError as problem:
            note(f"the library's algorithms are not compared: {problem.message}")
            return self.measured.samples
        if plan is None:
            note("the library's algorithms are not compared: no time is left for that")
            return self.measured.samples
        if not self._remaining(plan):
            return self.measured.samples
        others = ", ".join(setting.name for setting in plan.offers[0].settings[1:])
        note(f"beside the library's own choice: {others}; {in_words(self._seconds(plan))}")
        limits, path = Limits.of(self._minutes), self.measured.files.samples
        with SampleStore(path) as store:
            try:
                running = self._place.running(path, self.task.listener)
                with running as lab, self.task.listener.progress("comparing") as show:
                    runner = Runner(self.task.mpi, self.task.options, show, lab, limits)
                    measure_forced(runner, plan, store)
            except LaunchError as problem:
                note(f"comparing the library's algorithms ended early: {problem.message}")
            return store.existing()

    def _plan(self) -> ForcedPlan | None:
        """The largest plan that there is time for; None where there is for none."""
        chosen = self.measured.design
        largest = max(chosen.counts)
        both = tuple(sorted({chosen.n_fit or largest, largest}))
        for counts in dict.fromkeys((both, (largest,))):
            design = ForcedDesign(
                (OPERATION,), counts, chosen.sizes, launches=chosen.launches, seed=chosen.seed
            )
            plan = plan_of(self.task.mpi, design)
            if self._minutes is None or self._seconds(plan) <= 60.0 * self._minutes:
                return plan
        return None

    def _remaining(self, plan: ForcedPlan) -> list[Launch]:
        return remaining(plan.launches, self.measured.samples)

    def _seconds(self, plan: ForcedPlan) -> float:
        return expected_seconds(self._remaining(plan), self.task.options, self._place.lab)

    @cached_property
    def _place(self) -> Place:
        return self.task.place.slowed(self.measured.files.slower)

    @property
    def _minutes(self) -> float | None:
        """Return the minutes left; None for as long as it takes."""
        if self.task.minutes is None:
            return None
        return max(self.task.minutes - (time.monotonic() - self.begun) / 60.0, 0.0)
