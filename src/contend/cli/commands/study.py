"""contend study: measure, fit, predict, validate and report in one go."""

import time
from pathlib import Path
from typing import Annotated

import typer

from contend import study
from contend.cli import options, output
from contend.cli.campaigns import measuring
from contend.cli.campaigns.contenders import Contest
from contend.cli.campaigns.task import Task
from contend.cli.planned import note_next
from contend.cli.summary import show_answer, show_errors, show_network
from contend.measure.design import design
from contend.measure.mpi import find_mpi
from contend.samples import SampleStore

ORDER = -1
PANEL = "Begin"
EXAMPLE = "contend study -o my-cluster --mpiexec srun -n 4,8,16,32 --at 16"


def command(
    output_folder: Annotated[
        Path, typer.Option("-o", "--output", help="Folder; a stopped study continues there.")
    ] = Path("contend-study"),
    processes: options.Counts = None,
    at: Annotated[
        int | None,
        typer.Option(help="n', the number of processes to fit at; default half the largest."),
    ] = None,
    sizes: options.Sizes = None,
    launches: options.Launches = None,
    precision: options.Precision = "5%",
    max_seconds: options.MaxSeconds = 0.25,
    max_minutes: options.MaxMinutes = None,
    max_repetitions: options.MaxRepetitions = 300,
    min_repetitions: options.MinRepetitions = None,
    warmup: options.Warmup = None,
    start: options.Start = options.StartBy.auto,
    ppn: options.PerNode = None,
    refine: options.Refine = 4,
    seed: options.Seed = 1,
    timeout: options.Timeout = 60.0,
    mpicc: options.Mpicc = None,
    mpiexec: options.Mpiexec = None,
    include_flagged: options.IncludeFlagged = False,
    on: options.On = options.AUTO,
    library_algorithms: Annotated[
        bool,
        typer.Option(help="Also each all-to-all that the MPI library has, beside its own choice."),
    ] = True,
    verbose: Annotated[
        bool, typer.Option("--verbose", "-v", help="Show signatures, warnings and errors too.")
    ] = False,
    as_json: options.AsJson = False,
) -> None:
    """Measure, fit, predict and report: the whole job.

    Measures a network, fits its contention signature, predicts what the fit has not seen, and
    shows how far off that was. The network is an emulated one unless --on, --mpiexec or --ppn say
    otherwise or this is a batch job. The fit sees the given sizes at n' only; sizes half-way
    between, and all other numbers of processes, are measured to check it. Then the algorithms that
    the MPI library has are compared with the one that it takes by itself: what it should take
    instead, where something is surely faster, and by how much.
    """
    counts, wanted = options.named_counts(processes), options.named_sizes(sizes)
    mpi = find_mpi(mpicc, mpiexec)
    files = study.StudyFiles.latest(output_folder)
    with SampleStore(files.samples) as store:
        existing = store.existing()
    place = measuring.place(on, mpi, bool(mpiexec or ppn), existing)
    chosen = design(
        counts,
        at,
        wanted,
        launches or place.launches,
        refine,
        seed,
        place.room(ppn),
    )
    launch_options = place.launch_options(
        precision,
        min_repetitions,
        warmup,
        max_repetitions=max_repetitions,
        max_seconds=max_seconds,
        start=start.value,
        processes_per_node=ppn,
        timeout=timeout,
    )
    task = Task(mpi, place, chosen, launch_options, max_minutes or place.minutes)
    begun = time.monotonic()
    found = task.carry_out(files)
    files, samples = found.files, found.samples
    if library_algorithms:
        samples = Contest(task, found, begun).carry_out()
    output.note("fitting and validating")
    merged = study.learn(
        samples,
        files,
        found.design,
        output_folder.resolve().name,
        include_flagged=include_flagged,
        doubts=found.doubts,
    )
    output.note_merge(files.network, merged)
    network = merged.network
    page = study.publish(network, samples, files, [place.note] if place.note else [])
    decided = study.decide_on(network, files)
    if as_json:
        paths = {"samples": files.samples, "network": files.network, "report": page}
        paths |= {"decisions": decided} if decided else {}
        output.show_json({name: str(path) for name, path in paths.items()})
        return

    if verbose:
        show_network(network)
        for operation in network.operations:
            show_errors(operation)
        note_next(network, samples, files.network, files.samples)
    show_answer(network, samples, files.folder)
    output.console().print(f"report: {page}", markup=False)
