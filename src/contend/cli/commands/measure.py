"""contend measure: experiments to samples."""

from pathlib import Path
from typing import Annotated

import typer

from contend.cli import options, output

ORDER = 1
EXAMPLE = "contend measure -n 2,4,8 -m 64,4KiB,256KiB -o samples.jsonl"


def command(
    output_file: Annotated[
        Path, typer.Option("-o", "--output", help="Samples file; continued if it exists.")
    ] = Path("samples.jsonl"),
    experiment: Annotated[
        list[str] | None,
        typer.Option("-e", "--experiment", help="Experiment, may be repeated; default all."),
    ] = None,
    processes: options.Counts = None,
    sizes: options.Sizes = None,
    launches: options.Launches = None,
    precision: options.Precision = "5%",
    max_seconds: options.MaxSeconds = 0.5,
    max_repetitions: options.MaxRepetitions = 500,
    min_repetitions: options.MinRepetitions = None,
    warmup: options.Warmup = None,
    start: options.Start = options.StartBy.auto,
    ppn: options.PerNode = None,
    per_rank: Annotated[bool, typer.Option(help="Keep the time of every rank.")] = False,
    refine: options.Refine = 4,
    seed: options.Seed = 1,
    timeout: options.Timeout = 60.0,
    mpicc: options.Mpicc = None,
    mpiexec: options.Mpiexec = None,
    on: options.On = options.HERE,
    as_json: options.AsJson = False,
) -> None:
    """Measure, and append every point to a samples file as soon as it is known.

    A campaign that was stopped continues when the same command is given again.
    """
    from contend.cli import measuring
    from contend.cli.campaign import Task, in_words
    from contend.measure.build import program_names
    from contend.measure.design import Design, design, measure
    from contend.measure.mpi import find_mpi
    from contend.samples import SampleStore
    from contend.units import parse_bytes_list, parse_counts

    mpi = find_mpi(mpicc, mpiexec)
    with SampleStore(output_file) as store:
        existing = store.existing()
        place = measuring.place(on, mpi, bool(mpiexec or ppn), existing)
        usual = design(hosts=place.room(ppn))
        chosen = Design(
            counts=tuple(parse_counts(processes)) if processes else usual.counts,
            sizes=tuple(parse_bytes_list(sizes)) if sizes else usual.sizes,
            message_sizes=() if sizes else usual.message_sizes,
            launches=launches or place.launches,
            extra_sizes=refine,
            seed=seed,
            experiments=tuple(experiment or program_names()),
        )
        launch_options = place.launch_options(
            precision,
            min_repetitions,
            warmup,
            max_repetitions=max_repetitions,
            max_seconds=max_seconds,
            start=start.value,
            processes_per_node=ppn,
            per_rank=per_rank,
            timeout=timeout,
        )
        expected = Task(mpi, place, chosen, launch_options, None).seconds(existing)
        output.note(in_words(expected))
        with place.running(output_file) as lab, measuring.progress("measuring") as show:
            samples = measure(mpi, chosen, launch_options, store, show, lab).samples
    before = len(existing)
    if as_json:
        output.show_json(
            {"samples": str(output_file), "new": len(samples) - before, "all": len(samples)}
        )
    else:
        output.console().print(
            f"{len(samples) - before} new samples, {len(samples)} in {output_file}", markup=False
        )
        output.note(f"next: contend fit {output_file}")
