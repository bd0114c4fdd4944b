"""A campaign: launches whose points are stored as they come, resumed where it was stopped."""

from collections.abc import Collection, Hashable, Mapping
from typing import Any, Generic

from contend.base.records import RecordStore
from contend.measure.command import LaunchOptions
from contend.measure.emulation import require_hosts
from contend.measure.points import require_same_origin
from contend.measure.runner import Progress, Runner
from contend.samples import Provenance, quality
from contend.samples.quality import AnyRecord


class Campaign(Generic[AnyRecord]):
    """Launches of one MPI library into one file of samples.

    Every point is stored as soon as it is measured; a point that the file holds already is not
    measured again, unless the emulated network was late: the new sample then replaces the old one
    for all who read the file.
    """

    def __init__(self, runner: Runner, store: RecordStore[AnyRecord]) -> None:
        self.runner, self.limits, self._store = runner, runner.limits, store
        self._planned = self._measured = self._disturbed = 0
        self._ahead = 0  # points that will be planned when it is known which
        self.samples = store.existing()
        standing = [sample for sample in quality.standing(self.samples) if self.is_wanted(sample)]
        self._done: set[Any] = {self._point(sample) for sample in standing}
        self._flagged: set[Any] = {self._point(sample) for sample in standing if sample.is_flagged}

    @property
    def options(self) -> LaunchOptions:
        return self.runner.options

    def is_wanted(self, sample: AnyRecord) -> bool:
        """Whether a sample of the file is as this campaign takes its own."""
        return True

    def _point(self, sample: AnyRecord) -> Hashable:
        return sample.point

    @property
    def _good(self) -> set[Any]:
        """Points that need not be measured again."""
        return self._done - self._flagged

    def _require_room(self, counts: Collection[int]) -> None:
        if (lab := self.runner.lab) and counts:
            require_hosts(lab.lab, tuple(counts), self.options.processes_per_node)

    def _accept(self, data: Mapping[str, Any], new: Provenance) -> None:
        """Raise an error where a launch, which begins so, does not belong into the file."""
        require_same_origin(self._store.path, (sample.provenance for sample in self.samples), new)

    def _keep(self, sample: AnyRecord, title: str, seconds: float) -> None:
        self._store.append(sample)
        point = self._point(sample)
        self._done.add(point)
        (self._flagged.add if sample.is_flagged else self._flagged.discard)(point)
        self.samples.append(sample)
        self._measured += 1
        self._disturbed += sample.is_flagged
        if self.runner.report:
            planned = max(self._planned + self._ahead, self._measured)
            self.runner.report(Progress(title, seconds, self._measured, planned))
