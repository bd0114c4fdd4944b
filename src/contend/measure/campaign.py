"""A campaign: a plan carried out into a samples file, resumed where it was stopped."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timezone
from typing import Any

from contend import __version__
from contend.errors import ContendError, InvalidInputError
from contend.measure import machine
from contend.measure.launch import LaunchOptions, command_line, run, settings
from contend.measure.mpi import MPI
from contend.measure.plan import Launch, Point, worst_intervals
from contend.samples import Provenance, Sample, SampleStore, table

SOURCE = f"contend {__version__}"


@dataclass(frozen=True)
class Progress:
    """What has just been measured, and how far the campaign is."""

    sample: Sample
    done: int
    planned: int


Report = Callable[[Progress], None]


class Campaign:
    """Launches of one MPI library into one samples file.

    Every point is stored as soon as it is measured; a point that the file holds already is not
    measured again, so that running the same campaign again continues it.
    """

    def __init__(
        self, mpi: MPI, store: SampleStore, options: LaunchOptions, report: Report | None = None
    ) -> None:
        self.mpi = mpi
        self.options = options
        self._store = store
        self._report = report
        self.samples = store.existing()
        self._done: set[Point] = {sample.point for sample in self.samples}
        self._planned = 0
        self._measured = 0

    def carry_out(self, launches: Iterable[Launch]) -> int:
        """Measure what is not yet done of `launches`; the number of new samples."""
        pending = [launch.without(self._done) for launch in launches]
        pending = [launch for launch in pending if launch.sizes]
        self._planned += sum(len(launch.points() - self._done) for launch in pending)
        before = self._measured
        for launch in pending:
            self._carry_out_one(launch)
        return self._measured - before

    def refine(self, launches: Sequence[Launch], extra_sizes: int) -> int:
        """Add `extra_sizes` sizes to the pLogP launches where interpolation is worst.

        The number is fixed and the places are chosen, half of them after the first half has been
        seen, so that two campaigns of one plan measure equally much.
        """
        train = [launch for launch in launches if launch.program.experiment == "plogp"]
        if not train or extra_sizes < 1:
            return 0
        planned = {size for launch in train for size in launch.sizes}
        before = self._measured
        while True:
            extra = self._sizes_of_plogp(train[0].n) - planned
            self.carry_out(replace(launch, sizes=tuple(sorted(extra))) for launch in train)
            left = extra_sizes - len(extra)
            chosen = self._worst(min(left, (extra_sizes + 1) // 2)) if left > 0 else []
            if not chosen:
                return self._measured - before
            self.carry_out(replace(launch, sizes=tuple(chosen)) for launch in train)

    def _sizes_of_plogp(self, n: int) -> set[int]:
        return {s.m for s in self.samples if s.experiment == "plogp" and s.n == n}

    def _worst(self, count: int) -> list[int]:
        rows = table.medians(table.select(self.samples, "plogp", "round_trip")).sort_values("m")
        return worst_intervals(rows["m"].tolist(), rows["seconds"].tolist(), count)

    def _carry_out_one(self, launch: Launch) -> None:
        command = command_line(self.mpi, launch.program, launch.n, launch.sizes, self.options)
        variables = settings(self.mpi, launch.n, self.options)
        provenance = Provenance(source=SOURCE)
        try:
            for data in run(command, variables, self.options.timeout):
                if data["kind"] == "launch":
                    provenance = _provenance(data, command, variables)
                    self._require_same_campaign(provenance)
                elif data["kind"] == "point":
                    self._keep(_sample(data, launch, self.options, provenance))
        except ContendError as error:
            where = f"{launch.program.name} with n={launch.n}, launch {launch.number}"
            error.args = (f"{where}: {error.message}",)
            error.message = error.args[0]
            raise

    def _keep(self, sample: Sample) -> None:
        if sample.point in self._done:
            return
        self._store.append(sample)
        self._done.add(sample.point)
        self.samples.append(sample)
        self._measured += 1
        if self._report:
            self._report(Progress(sample, self._measured, self._planned))

    def _require_same_campaign(self, new: Provenance) -> None:
        for sample in self.samples:
            old = sample.provenance
            if old.mpi_library == new.mpi_library:
                continue
            raise InvalidInputError(
                f"{self._store.path} was measured with {old.mpi_library or old.source}, "
                f"this launch uses {new.mpi_library}",
                "name another samples file for another MPI library",
            )


def _sample(
    data: dict[str, Any], launch: Launch, options: LaunchOptions, provenance: Provenance
) -> Sample:
    """The sample of a line of kind "point"."""
    return Sample(
        experiment=data["experiment"],
        algorithm=data["algorithm"],
        n=data["n"],
        processes_per_node=data["processes_per_node"],
        m=data["m"],
        launch=launch.number,
        times_s=tuple(data["times_s"]),
        warmup_s=tuple(data["warmup_s"]),
        rank_times_s=data.get("rank_times_s"),
        start=data["start"],
        late_starts=data["late_starts"],
        stopped=data["stopped"],
        interval_relative=data["interval_relative"],
        precision=options.precision,
        parameters=data.get("parameters"),
        provenance=provenance,
    )


def _provenance(
    data: dict[str, Any], command: Sequence[str], variables: Mapping[str, str]
) -> Provenance:
    """Provenance of a launch, from its first line and from this host."""
    return Provenance(
        source=SOURCE,
        date=datetime.now(timezone.utc).isoformat(timespec="seconds"),
        mpi_library=data["mpi_library"],
        mpi_standard=data["mpi_standard"],
        hosts=tuple(data["hosts"]),
        nodes=data["nodes"],
        kernel=machine.kernel(),
        cpu=machine.cpu(),
        cores_available=data["cores_available"],
        is_oversubscribed=data["oversubscribed"],
        clock_resolution=data["clock_resolution_s"],
        congestion_control=machine.congestion_control(),
        command=tuple(command),
        environment=tuple(f"{name}={value}" for name, value in variables.items()),
    )
