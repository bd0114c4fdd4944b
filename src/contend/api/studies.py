"""The whole job: measure, fit, predict, validate, decide and report.

>>> import contend
>>> done = contend.study("my-cluster", n=[2, 4, 8], on="lab:fast-ethernet")  # doctest: +SKIP
>>> done.network.predict("alltoall", n=12, m="1MiB")  # doctest: +SKIP
"""

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from contend.api.amounts import Amounts, counts, sizes
from contend.api.arguments import NONE, NUMBER, PATH, TEXT, WHOLE, takes
from contend.api.network import Network
from contend.api.samples import Samples
from contend.base.errors import InvalidInputError
from contend.base.result import Line, Part, Result
from contend.measure.design import Design, design
from contend.measure.lab.utilisation import path_beside, read_utilisation
from contend.measure.mpi import find_mpi
from contend.measure.place import AUTO
from contend.measure.place import place as place_of
from contend.measure.probes.design import next_parts
from contend.measure.runner import SILENT, Listener
from contend.measure.study.contest import Contest
from contend.measure.study.files import StudyFiles
from contend.measure.study.task import Task
from contend.models.fitting import warnings
from contend.models.fitting.estimator import FitOptions
from contend.models.fitting.fit import fit_network
from contend.models.network import Network as Document
from contend.models.network.merge import Merged
from contend.models.prediction import validate
from contend.report.answer import DECISIONS
from contend.report.page import write_report
from contend.report.summary import answered, errors, network_parts
from contend.samples import Sample, SampleStore, quality
from contend.samples.origin import origin_of
from contend.samples.setting import OF_LIBRARY
from contend.samples.warnings import QualityWarning, group
from contend.tune.choose.decide import decide


@dataclass(frozen=True)
class Study:
    """What a study found, and where it is kept; `decisions` where algorithms were compared."""

    files: StudyFiles
    samples: Samples
    network: Network
    report: Path
    decisions: Path | None

    def result(self, *, verbose: bool = False) -> Result:
        """Return files and the answer in sentences; with signatures and errors if `verbose`."""
        network, files = self.network.document, self.files
        paths = {"samples": files.samples, "network": files.network, "report": self.report}
        paths |= {"decisions": self.decisions} if self.decisions else {}

        def parts() -> Iterator[Part]:
            if verbose:
                yield from network_parts(network)
                for operation in network.operations:
                    yield from errors(operation)
                yield from next_parts(network, self.samples, files.network, files.samples)
            yield from answered(network, self.samples, files.folder)
            yield Line(f"report: {self.report}")

        return Result(paths, parts())


@takes(
    folder=PATH, at=WHOLE | NONE, on=TEXT, mpicc=TEXT | NONE, mpiexec=TEXT | NONE,
    processes_per_node=WHOLE | NONE, launches=WHOLE | NONE, minutes=NUMBER | NONE, refine=WHOLE,
    precision=NUMBER, min_repetitions=WHOLE | NONE, max_repetitions=WHOLE, warmup=WHOLE | NONE,
    max_seconds=NUMBER, start=TEXT, timeout=NUMBER,
)  # fmt: skip
def study(
    folder: str | Path,
    n: Amounts | None = None,
    m: Amounts | None = None,
    *,
    at: int | None = None,
    on: str = AUTO,
    mpicc: str | None = None,
    mpiexec: str | None = None,
    processes_per_node: int | None = None,
    launches: int | None = None,
    minutes: float | None = None,
    refine: int = 4,
    library_algorithms: bool = True,
    include_flagged: bool = False,
    precision: float = 0.05,
    min_repetitions: int | None = None,
    max_repetitions: int = 300,
    warmup: int | None = None,
    max_seconds: float = 0.25,
    start: str = "auto",
    timeout: float = 60.0,
    listener: Listener = SILENT,
) -> Study:
    """Measure a network, fit it, validate the fit on what it has not seen, and report.

    A study that was stopped continues in its folder.

    Parameters
    ----------
    n, m
        Numbers of processes and sizes to measure; default those that the place has room for.
    at
        n', the number of processes to fit at; default half the largest.
    on
        "here", "lab:NAME", or "auto": an emulated network, unless processes are placed by
        `mpiexec` or `processes_per_node`, or this is a batch job.
    mpicc, mpiexec
        Of which MPI library; default the one that is found.
    minutes
        Most minutes to measure; default 15 on a lab, else no limit.
    refine
        Sizes that pLogP may measure besides, where its times bend.
    library_algorithms
        Also each all-to-all that the MPI library has, beside its own choice.
    precision, min_repetitions, max_repetitions, warmup, max_seconds, start, timeout
        How often and how long a point is repeated in a launch, and when that hangs (seconds).
    listener
        Hears what is measured, and is called with each point.

    Raises
    ------
    ContendError
        Where no MPI library is found or nothing can be launched.

    >>> done = study("my-cluster", n=[2, 3], m="64,1KiB,4KiB,16KiB", minutes=0.1, on="here")
    >>> done.network.predict("alltoall", n=12, m="1MiB")["extrapolates"].tolist()
    ['n m']
    """
    begun = time.monotonic()
    wanted = None if n is None else counts(n), at, None if m is None else sizes(m)
    mpi, files = find_mpi(mpicc, mpiexec), StudyFiles.latest(Path(folder))
    with SampleStore(files.samples) as store:
        existing = store.existing()
    place = place_of(on, mpi, bool(mpiexec or processes_per_node), existing, listener)
    room, repeated = place.room(processes_per_node), launches or place.launches
    chosen = design(*wanted, repeated, refine, hosts=room)
    options = place.launch_options(
        precision, min_repetitions, warmup, max_repetitions=max_repetitions, start=start,
        max_seconds=max_seconds, processes_per_node=processes_per_node, timeout=timeout,
    )  # fmt: skip
    task = Task(mpi, place, chosen, options, minutes or place.minutes, listener)
    measured = task.carry_out(files)
    files, samples = measured.files, measured.samples
    if library_algorithms:
        samples = Contest(task, measured, begun).carry_out()
    listener.note("fitting and validating")
    name = Path(folder).resolve().name
    merged = learn(
        samples,
        files,
        measured.design,
        name,
        include_flagged=include_flagged,
        doubts=measured.doubts,
    )
    if merged.text:
        listener.note(f"{files.network}: {merged.text}")
    report = publish(merged.network, samples, files, [place.note] if place.note else [])
    decisions = decide_on(merged.network, files)
    source = str(files.samples)
    return Study(files, Samples(samples, source), Network(merged.network), report, decisions)


def learn(
    samples: Sequence[Sample],
    files: StudyFiles,
    chosen: Design,
    name: str,
    *,
    include_flagged: bool = False,
    doubts: Sequence[QualityWarning] = (),
) -> Merged:
    """What the network file then holds: what the design lets the fit see, and its errors.

    What the samples do not allow is left out with a warning; `doubts` are added to these.
    """
    options = FitOptions(n_fit=chosen.n_fit, sizes=chosen.sizes, name=name, is_wish=True)
    raised = list(doubts)
    try:
        network = fit_network(samples, files.samples, options, include_flagged=include_flagged)
    except InvalidInputError as problem:
        raised.append(warnings.not_fitted("network", problem))
        network = _empty(samples, files.samples, name)
    try:
        network = validate.record(network, samples, include_flagged=include_flagged)
    except InvalidInputError as problem:
        raised.append(warnings.about_problem("not_validated", "network", problem, "measure more"))
    network = network.model_copy(update={"warnings": (*raised, *network.warnings)})
    return network.merge_into(files.network)


def _empty(samples: Sequence[Sample], source: Path, name: str) -> Document:
    """A network of which nothing is known but where its samples come from."""
    return Document(
        name=name,
        sample_warnings=tuple(group(quality.check(samples))),
        origin=origin_of([sample.provenance for sample in samples], source),
    )


def decide_on(network: Document, files: StudyFiles) -> Path | None:
    """The file of decisions, written; None where no algorithm of the library was compared."""
    if not any(OF_LIBRARY in operation.algorithm for operation in network.operations):
        return None
    path = files.folder / DECISIONS
    decide(network).save(path)
    return path


def publish(
    network: Document,
    samples: Sequence[Sample],
    files: StudyFiles,
    notes: Sequence[str] = (),
) -> Path:
    """Write the report; its path."""
    utilisation = read_utilisation(path_beside(files.samples))
    return write_report(network, samples, files.folder, notes, utilisation)
