"""A campaign of calls: a plan carried out into a samples file."""

from collections.abc import Generator, Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from typing import Any

from pydantic import ValidationError

from contend.base.errors import InvalidInputError, LostLaunchError
from contend.base.units import format_bytes
from contend.measure.build import Program
from contend.measure.campaign import Campaign
from contend.measure.command import LaunchOptions
from contend.measure.limits import FRUITLESS, FRUITLESS_OF_LAUNCH, TooBusyError
from contend.measure.plan import Launch, Point, planned_point, worst_intervals
from contend.measure.points import points_of
from contend.measure.runner import Runner
from contend.samples import Provenance, Sample, SampleStore, table
from contend.samples.setting import split_setting

# What a line of a program says as a sample does.
_ALWAYS = (
    "experiment", "n", "processes_per_node", "m", "times_s", "warmup_s", "start", "late_starts",
    "start_skew_s", "start_skew_bound_s", "stopped", "interval_relative",
)  # fmt: skip
_SOMETIMES = ("rank_times_s", "cpu_busy", "cpu_wait", "lab")
SETUP = "setup"  # of parameters: the setup of a program, as a number


class CallCampaign(Campaign[Sample]):
    """Launches of one MPI library into one samples file.

    Only `again` measures anew what an emulated network disturbed. When the time of `limits` is
    over, nothing more is measured. Where these bear losses, a launch that dies or hangs at a point
    goes on without its size, and `lost` names what lacks.
    """

    def __init__(self, runner: Runner, store: SampleStore) -> None:
        super().__init__(runner, store)
        self._require_same_placement()
        self.lost: set[Point] = set()
        self.loss = ""  # how the last one was lost, in a line
        self._fruitless = 0  # losses in a row without a point between them
        self._has_begun = False  # the launch under way: its first line has come
        self._taken = 0  # points of it

    def carry_out(self, launches: Iterable[Launch], is_refinement: bool = False) -> int:
        """Measure what is not yet done of `launches`; the number of new samples."""
        launches = list(launches)
        self._require_room({launch.n for launch in launches if launch.program.processes_max != 2})
        self._require_same_setup(launches)
        pending = [launch.without(self._done) for launch in launches]
        pending = [launch for launch in pending if launch.sizes]
        count = sum(len(launch.points() - self._done) for launch in pending)
        self._planned += count
        self._ahead = max(self._ahead - count, 0) if is_refinement else self._ahead
        before = self._measured
        for launch in pending:
            self._carry_out_one(launch)
        return self._measured - before

    def again(self, launches: Iterable[Launch]) -> int:
        """Measure anew what was disturbed or lost, in rounds within the limits; new samples."""
        before, self.limits = self._measured, self.limits.for_another_try()
        launches = list(launches)
        for _ in range(self.limits.rounds):
            bad = self._flagged | self.lost
            self._planned += len(bad)
            for launch in launches:
                self._carry_out_one(launch.only(bad))
            if len(self._flagged | self.lost) in (0, len(bad)):
                break  # all is well, or the machine is as busy as before
        return self._measured - before

    def announce(self, launches: Sequence[Launch], extra_sizes: int) -> None:
        """Count the points that `refine` will add as planned, before they can be named."""
        train = [launch for launch in launches if launch.program.experiment == "plogp"]
        if train:
            sizes = self._sizes_of_plogp(train[0].n) - _sizes(train)
            points = sum(len(launch.program.algorithms) for launch in train)
            self._ahead = max(extra_sizes - len(sizes), 0) * points

    def refine(self, launches: Sequence[Launch], extra_sizes: int) -> int:
        """Add `extra_sizes` sizes to the pLogP launches where interpolation is worst.

        The number is fixed and the places are chosen, half of them after the first half has been
        seen, so that two campaigns of one plan measure equally much.
        """
        train = [launch for launch in launches if launch.program.experiment == "plogp"]
        if not train or extra_sizes < 1:
            return 0
        planned = _sizes(train)
        before = self._measured
        while not self.limits.is_over:
            extra = self._sizes_of_plogp(train[0].n) - planned
            again = [replace(launch, sizes=tuple(sorted(extra))) for launch in train]
            self.carry_out(again, is_refinement=True)
            remaining = extra_sizes - len(extra)
            chosen = self._worst(min(remaining, (extra_sizes + 1) // 2)) if remaining > 0 else []
            if not chosen:
                return self._measured - before
            more = [replace(launch, sizes=tuple(chosen)) for launch in train]
            if not self.carry_out(more, is_refinement=True):
                break
        return self._measured - before

    def refined(self, launches: Sequence[Launch]) -> list[Launch]:
        return [
            replace(
                launch,
                sizes=tuple(
                    dict.fromkeys((*launch.sizes, *sorted(self._sizes_of_plogp(launch.n))))
                ),
            )
            if launch.program.experiment == "plogp"
            else launch
            for launch in launches
        ]

    def _with_added(self, launch: Launch) -> tuple[int, ...]:
        return (*launch.sizes, *sorted(self._sizes_of_plogp(launch.n) - {*launch.sizes}))

    def _sizes_of_plogp(self, n: int) -> set[int]:
        return {s.m for s in self.samples if s.experiment == "plogp" and s.n == n}

    def _worst(self, count: int) -> list[int]:
        trips = [s for s in self.samples if (s.experiment, s.algorithm) == ("plogp", "round_trip")]
        rows = table.medians(table.timed(trips)).sort_values("m")
        return worst_intervals(rows["m"].tolist(), rows["seconds"].tolist(), count)

    def _carry_out_one(self, launch: Launch) -> None:
        """Measure a launch; where it is lost, begin it again with the sizes after that one."""
        fruitless = 0
        while launch.sizes and not self.limits.is_over and self._fruitless < FRUITLESS:
            try:
                self._take(launch)
                self._fruitless = 0
                return
            except LostLaunchError as loss:
                if self.limits.is_over:
                    return
                if not (self.limits.bears_losses and self.samples):
                    raise
                self.loss = loss.message.splitlines()[0]
            has_some = self._taken > 0
            fruitless = 0 if has_some else fruitless + 1
            self._fruitless = 0 if has_some else self._fruitless + 1
            under_way = self._taken // len(launch.program.algorithms)
            after = under_way + 1 if fruitless < FRUITLESS_OF_LAUNCH else len(launch.sizes)
            self.lost |= replace(launch, sizes=launch.sizes[under_way:after]).points() - self._done
            launch = replace(launch, sizes=launch.sizes[after:])

    def _take(self, launch: Launch) -> None:
        self._taken = 0
        with closing(self._samples_of(launch)) as samples:
            for sample in samples:
                self._take_in(sample)
                self._taken += 1
                if self.limits.is_over:
                    break

    def _samples_of(self, launch: Launch) -> Generator[Sample, None, None]:
        self._has_begun = False
        options = replace(
            self.options,
            warmup=max(self.options.warmup, launch.program.warmup),
            seconds_left=self.limits.seconds_left,
        )
        name = f"{launch.program.name} with n={launch.n}, launch {launch.number}"
        points = points_of(
            replace(self.runner, options=options), launch.program, launch.n, launch.sizes,
            self._accept, name, launch.in_order(),
        )  # fmt: skip
        with closing(points):
            for point, provenance in points:
                yield _sample(point, launch, options, provenance)

    def _accept(self, data: Mapping[str, Any], new: Provenance) -> None:
        self._has_begun = True
        super()._accept(data, new)

    def _take_in(self, sample: Sample) -> None:
        if planned_point(sample) in self._good:
            return
        title = f"{sample.experiment}/{sample.setting} n={sample.n} {format_bytes(sample.m)}"
        self._keep(sample, title, sample.median)
        self.lost.discard(planned_point(sample))
        if self.limits.is_too_busy(self._disturbed, self._measured):
            raise TooBusyError(
                f"the emulated network could not keep up in {self._disturbed} of "
                f"{self._measured} points",
                "measure on a quiet machine, or with a larger time_dilation",
            )

    def _point(self, sample: Sample) -> Point:
        return planned_point(sample)

    def is_wanted(self, sample: Sample) -> bool:
        """Whether the sample has the placement asked for, so that it need not be taken again."""
        return self._per_node(sample) in (None, sample.processes_per_node)

    def _per_node(self, sample: Sample) -> int | None:
        """Processes per node asked for at the sample's n; None where that is left open."""
        per_node = self.options.processes_per_node
        if per_node is None:
            return None
        return 1 if sample.start == "local" else min(per_node, sample.n)

    def _require_same_placement(self) -> None:
        """A plan tells points apart by n, not by placement, so a file holds one of its own."""
        for sample in self.samples:
            if sample.start != "unknown" and not self.is_wanted(sample):
                wanted = self._per_node(sample)
                raise InvalidInputError(
                    f"{self._store.path} holds {sample.experiment} at n={sample.n} with "
                    f"{sample.processes_per_node} processes per node, not {wanted}",
                    "name another samples file for another --ppn",
                )

    def _require_same_setup(self, launches: Iterable[Launch]) -> None:
        setups = {launch.program.algorithms[0]: launch.program.setup for launch in launches}
        for sample in self.samples:
            before = (sample.parameters or {}).get(SETUP)
            if before is not None and setups.get(sample.algorithm, before) != before:
                raise InvalidInputError(
                    f"{self._store.path} holds {sample.algorithm!r} with another plan or groups",
                    "name another samples file for another plan or other groups",
                )


def _sizes(launches: Iterable[Launch]) -> set[int]:
    return {size for launch in launches for size in launch.sizes}


def _sample(
    data: dict[str, Any], launch: Launch, options: LaunchOptions, provenance: Provenance
) -> Sample:
    program = launch.program
    algorithm, forced = split_setting(
        program.algorithms[0] if program.is_renamed else data["algorithm"]
    )
    fields: dict[str, Any] = dict(
        algorithm=algorithm, launch=launch.number, precision=options.precision,
        parameters={**_parameters(data, program), **forced} or None, provenance=provenance,
        **{name: data[name] for name in _ALWAYS}, **{name: data.get(name) for name in _SOMETIMES},
    )  # fmt: skip
    try:
        return Sample(**fields)
    except ValidationError as error:
        raise LostLaunchError(
            f"a point of m={data['m']} cannot be: {error.errors()[0]['msg']}",
            "clocks that differ or a clock too coarse do this; try --repeat start=barrier",
        ) from None


def _parameters(data: dict[str, Any], program: Program) -> dict[str, Any]:
    setup = {} if program.setup is None else {SETUP: program.setup}
    return {**(data.get("parameters") or {}), **setup}
