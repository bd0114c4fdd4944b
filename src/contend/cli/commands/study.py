"""contend study: measure, fit, predict, validate and report in one go."""

from pathlib import Path
from typing import Annotated

import typer

from contend.cli import options, output

ORDER = -1
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
    launches: options.Launches = 3,
    precision: options.Precision = "5%",
    max_seconds: options.MaxSeconds = 0.25,
    max_repetitions: options.MaxRepetitions = 300,
    min_repetitions: options.MinRepetitions = None,
    warmup: options.Warmup = 3,
    start: options.Start = options.StartBy.auto,
    ppn: options.PerNode = None,
    refine: options.Refine = 4,
    seed: options.Seed = 1,
    timeout: options.Timeout = 60.0,
    mpicc: options.Mpicc = None,
    mpiexec: options.Mpiexec = None,
    include_flagged: options.IncludeFlagged = False,
    on: options.On = options.HERE,
    as_json: options.AsJson = False,
) -> None:
    """Measure, fit, predict and report: the whole job.

    Measures a network, fits its contention signature, predicts what the fit has not seen, and
    shows how far off that was. The fit sees the given sizes at n' only; sizes half-way between,
    and all other numbers of processes, are measured to check it.
    """
    from contend import study
    from contend.cli import measuring
    from contend.lab import read_lab
    from contend.lab.utilisation import FILE_NAME, read_utilisation
    from contend.measure.command import LaunchOptions
    from contend.measure.design import design, measure
    from contend.measure.mpi import find_mpi
    from contend.samples import SampleStore
    from contend.units import parse_bytes_list, parse_counts

    emulated = None if on == options.HERE else read_lab(on)
    chosen = design(
        parse_counts(processes) if processes else None,
        at,
        parse_bytes_list(sizes) if sizes else None,
        launches,
        refine,
        seed,
        len(emulated.hosts) if emulated else None,
    )
    launch_options = LaunchOptions(
        precision=options.parse_share(precision),
        min_repetitions=measuring.min_repetitions(min_repetitions, on),
        max_repetitions=max_repetitions,
        max_seconds=max_seconds,
        warmup=warmup,
        start=start.value,
        processes_per_node=ppn,
        timeout=timeout,
    )
    mpi = find_mpi(mpicc, mpiexec)
    files = study.StudyFiles(output_folder)
    output.note(f"measuring with {mpi.title}, n = {', '.join(map(str, chosen.counts))}")
    with (
        SampleStore(files.samples) as store,
        measuring.place(on, output_folder) as lab,
        measuring.progress("measuring") as show,
    ):
        if there := len(store.existing()):
            output.note(f"{there} samples are there already")
        samples = measure(mpi, chosen, launch_options, store, show, lab)
    output.note("fitting and validating")
    name = output_folder.resolve().name
    network = study.learn(samples, files, chosen, name, include_flagged=include_flagged)
    utilisation = read_utilisation(output_folder / FILE_NAME) if emulated else []
    page = study.publish(network, samples, files, emulated, utilisation)
    if as_json:
        output.show_json(
            {"samples": str(files.samples), "network": str(files.network), "report": str(page)}
        )
        return
    from contend.cli.summary import show_errors, show_network

    show_network(network)
    for operation in network.operations:
        show_errors(operation)
    paths = f"samples: {files.samples}\nnetwork: {files.network}\nreport:  {page}"
    output.console().print(paths, markup=False)
