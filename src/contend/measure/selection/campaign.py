"""A campaign of forced settings: one that dies, hangs or gives wrong data is left out from then on.

The launch goes on without it, at the size where it failed. What failed is kept beside the samples,
so that the same campaign, begun again, does not try it again.
"""

import re
from collections.abc import Collection, Generator, Iterable, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import replace
from datetime import UTC, datetime

from contend.base.errors import LaunchError
from contend.base.records import RecordStore
from contend.base.wholefile import write_whole
from contend.measure.build import built_folder
from contend.measure.calls import CallCampaign
from contend.measure.plan import Launch
from contend.measure.runner import Runner
from contend.measure.scratch import scratch
from contend.measure.selection.exclusions import LeftOut
from contend.measure.selection.offer import Offer, without
from contend.samples import Sample, SampleStore
from contend.samples.setting import NATIVE

LONGEST_REASON = 160  # characters
_COMPLAINT = re.compile(r"^\s*(?:contend: )+(?P<cause>.+)$", re.MULTILINE)
_CALL = re.compile(r"\S+:\d+: (\w+)\(.*\) failed with code -?\d+: (.*?)(?:, error stack:)?$")


class ForcedCampaign(CallCampaign):
    """Launches of settings; `left_out` has what failed, now or when the file was written before.

    A default that fails, but not before other settings in its launch, is taken to fail for what the
    one before it left behind.
    """

    def __init__(
        self,
        offers: Collection[Offer],
        failures: RecordStore[LeftOut],
        runner: Runner,
        store: SampleStore,
    ) -> None:
        super().__init__(runner, store)
        self._offers = {offer.operation: offer for offer in offers}
        self._failures = failures
        self.left_out = failures.existing()
        self._suspects: list[LeftOut] = []  # that nothing was measured after

    def carry_out(self, launches: Iterable[Launch], is_refinement: bool = False) -> int:
        new = super().carry_out(self.possible(launches), is_refinement)
        self._confirm()
        return new

    def again(self, launches: Iterable[Launch]) -> int:
        new = super().again(launches)
        self._confirm()
        return new

    def possible(self, launches: Iterable[Launch]) -> list[Launch]:
        return [
            without(launch, self._failed_at(launch.program.experiment, launch.n))
            for launch in launches
        ]

    def _carry_out_one(self, launch: Launch) -> None:
        launch = without(launch, self._failed_at(launch.program.experiment, launch.n))
        while launch.sizes and not self.limits.is_over:
            try:
                self._take(launch)
                return
            except LaunchError as error:
                if self.limits.is_over:
                    return
                launch = self._after_failure(launch, self._taken, error)

    def _after_failure(self, launch: Launch, points: int, error: LaunchError) -> Launch:
        """What is left of a launch that failed after so many points; it is raised for others."""
        settings = launch.program.algorithms
        at, size = points % len(settings), points // len(settings)
        if self._has_begun and size == len(launch.sizes):
            self.loss = reason(error.message)  # at its end, all that it was to measure is there
            return replace(launch, sizes=())
        m = launch.sizes[size] if self._has_begun else None
        failed = {settings[at]} if self._has_begun else set(settings)
        cause = reason(error.message)
        if failed == {NATIVE} and points > 0 and len(settings) > 1:
            failed, cause = {settings[at - 1]}, f"the default fails behind it: {cause}"
        if NATIVE in failed or not (self._has_begun or self._is_changed(launch)):
            raise error
        for setting in sorted(failed):
            self._leave_out(launch, setting, m, cause)
        return without(replace(launch, sizes=launch.sizes[size:]), failed).without(self._done)

    def _is_changed(self, launch: Launch) -> bool:
        """Whether the launch has variables without which the library would perhaps start."""
        controls = self._offers[launch.program.experiment].controls
        return any(controls[setting].fixed for setting in launch.program.algorithms)

    def _leave_out(self, launch: Launch, setting: str, m: int | None, cause: str) -> None:
        library = self.samples[-1].provenance.mpi_library if self.samples else None
        failure = LeftOut(
            operation=launch.program.experiment, setting=setting, n=launch.n, m=m, reason=cause,
            mpi_library=library, date=datetime.now(UTC).isoformat(timespec="seconds"),
        )  # fmt: skip
        self._suspects.append(failure)
        self.left_out.append(failure)
        lost = replace(launch, program=replace(launch.program, algorithms=(setting,))).points()
        self._planned -= len(lost - self._done)

    def _take_in(self, sample: Sample) -> None:
        super()._take_in(sample)
        self._confirm()

    def _confirm(self) -> None:
        """Keep what failed, as launches still succeed; where none does, it was not the setting."""
        while self._suspects:
            self._failures.append(self._suspects.pop(0))

    def _failed_at(self, operation: str, n: int) -> set[str]:
        return {
            failure.setting
            for failure in self.left_out
            if (failure.operation, failure.n) == (operation, n)
        }

    def _samples_of(self, launch: Launch) -> Generator[Sample, None, None]:
        controls = self._offers[launch.program.experiment].controls
        with self._with_file(launch) as ready, closing(super()._samples_of(ready)) as samples:
            for sample in samples:
                yield _forced_by(sample, controls[sample.setting].variables)

    @contextmanager
    def _with_file(self, launch: Launch) -> Iterator[Launch]:
        """The launch with the file that its program reads, while the context lasts.

        The file is in the cache folder, which every host that starts the program sees.
        """
        offer = self._offers[launch.program.experiment]
        lines = [f"contend-forced 1 {offer.experiment}"]
        for setting in launch.program.algorithms:
            written = offer.controls[setting].written
            lines.append(" ".join([setting, *(f"{name}={to}" for name, to in written.items())]))
        with scratch(built_folder(self.runner.mpi).parent, "forced-") as place:
            path = place / offer.operation
            write_whole(path, "\n".join(lines) + "\n")
            program = replace(launch.program, arguments=(str(path),))
            yield replace(launch, program=program)


def _forced_by(sample: Sample, variables: Mapping[str, str]) -> Sample:
    """The sample, whose environment has the variables that do what was done to the library."""
    provenance = sample.provenance
    names = {variable.partition("=")[0] for variable in provenance.environment}
    forced = tuple(f"{name}={text}" for name, text in variables.items() if name not in names)
    environment = (*provenance.environment, *forced)
    return sample.model_copy(
        update={"provenance": provenance.model_copy(update={"environment": environment})}
    )


def reason(message: str) -> str:
    r"""How a launch failed, in a line: with the message of the program or library, if any.

    >>> reason("bcast with n=3, launch 0, at bcast/a:b m=64: the launch ended with status 1:\n  x")
    'the launch ended with status 1'
    """
    first = message.splitlines()[0].rstrip(":")
    _, at, behind = first.partition(", at ")
    short = behind.partition(": ")[2] if at else first.partition(": ")[2] or first
    cause = _COMPLAINT.search(message)
    whole = ": ".join([short, _CALL.sub(r"\1: \2", cause["cause"])] if cause else [short])
    return whole if len(whole) <= LONGEST_REASON else f"{whole[:LONGEST_REASON]}..."
