"""contend measure: experiments to samples, or links between groups to measured links."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from contend.cli import completion, options, output

if TYPE_CHECKING:
    from contend.measure.mpi import MPI

ORDER = 1
PANEL = "Measure"
EXAMPLE = "contend measure -n 2,4,8 -m 64,4KiB,256KiB -o samples.jsonl"
LINKS = Path("links.jsonl")
MOST = "4MiB"
OF_LEVELS = 10, 2.0  # most repetitions of a point, and seconds
TIMEOUT, PATIENCE = 60.0, 20.0  # seconds; an algorithm that is forced is more likely to hang


def command(
    output_file: Annotated[
        Path | None,
        typer.Option(
            "-o",
            "--output",
            help="File of samples; continued if it exists. Default samples.jsonl, with --levels "
            "links.jsonl.",
        ),
    ] = None,
    levels: Annotated[
        bool,
        typer.Option(
            "--levels",
            help="Measure the links between groups of hosts instead: latency and bandwidth inside "
            "and across, buffer, and what a loss costs.",
        ),
    ] = False,
    groups_file: Annotated[
        Path | None,
        typer.Option("--groups", help="Groups file (TOML), for --levels; else the level of nodes."),
    ] = None,
    most: Annotated[
        str | None,
        typer.Option(
            help="Bytes at once over a link, with --levels; fewer if some get lost. Default 4MiB."
        ),
    ] = None,
    plan_file: Annotated[
        Path | None,
        typer.Option("--plan", help="Measure what contend plan has proposed, and nothing else."),
    ] = None,
    experiment: Annotated[
        list[str] | None,
        typer.Option(
            "-e",
            "--experiment",
            help="Experiment, may be repeated; default pingpong, plogp, alltoall_native and "
            "alltoall_rotated.",
        ),
    ] = None,
    collective: Annotated[
        str | None,
        typer.Option(
            "--collective",
            metavar="NAME,NAME,...",
            autocompletion=completion.measured_collectives,
            help="The MPI library's own collective operations, e.g. bcast,allreduce,alltoall.",
        ),
    ] = None,
    library_algorithms: Annotated[
        bool,
        typer.Option(
            "--library-algorithms",
            help="Each algorithm that the MPI library has for the operations of --collective, "
            "forced in turn, beside its default.",
        ),
    ] = False,
    segments: Annotated[
        str | None,
        typer.Option(
            help="Also with these segments, where an algorithm takes them, e.g. 8KiB,64KiB; with "
            "--library-algorithms."
        ),
    ] = None,
    fanouts: Annotated[
        str | None,
        typer.Option(
            metavar="K,K,...",
            help="Also with these numbers of children, chains or branches, where an algorithm "
            "takes them, e.g. 2,8; with --library-algorithms.",
        ),
    ] = None,
    processes: options.Counts = None,
    sizes: options.Sizes = None,
    launches: options.Launches = None,
    precision: options.Precision = "5%",
    max_seconds: Annotated[
        float | None,
        typer.Option(
            parser=options.duration(0.001),
            metavar="TIME",
            help="Most time for one point of one launch; default 500ms, of levels 2s.",
        ),
    ] = None,
    max_repetitions: Annotated[
        int | None,
        typer.Option(min=1, help="Most repetitions of a point; default 500, of levels 10."),
    ] = None,
    min_repetitions: options.MinRepetitions = None,
    warmup: options.Warmup = None,
    start: options.Start = options.StartBy.auto,
    ppn: options.PerNode = None,
    per_rank: Annotated[bool, typer.Option(help="Keep the time of every rank.")] = False,
    refine: options.Refine = 4,
    seed: options.Seed = 1,
    max_minutes: Annotated[
        float | None,
        typer.Option(
            min=0.1,
            help="Most minutes to measure; what is not done then is left to the same command.",
        ),
    ] = None,
    timeout: Annotated[
        float | None,
        typer.Option(
            parser=options.duration(1.0),
            metavar="TIME",
            help="Time of the network without a new point after which a launch hangs; default "
            "60s, under --library-algorithms 20s once it has begun.",
        ),
    ] = None,
    mpicc: options.Mpicc = None,
    mpiexec: options.Mpiexec = None,
    on: options.On = options.HERE,
    as_json: options.AsJson = False,
) -> None:
    """Measure, and append every point to a file as soon as it is known.

    A campaign that was stopped continues when the same command is given again.
    """
    from contend.cli.campaigns import measuring
    from contend.cli.campaigns.task import Task, in_words
    from contend.errors import InvalidInputError
    from contend.measure.design import EXPERIMENTS, Design, design, measure
    from contend.measure.limits import Limits
    from contend.measure.mpi import find_mpi
    from contend.samples import SampleStore
    from contend.units import parse_bytes

    usual = OF_LEVELS if levels else (500, 0.5)
    others: dict[str, Any] = {
        "max_repetitions": max_repetitions or max(usual[0], min_repetitions or 0),
        "max_seconds": max_seconds or usual[1],
        "start": start.value,
        "timeout": timeout or TIMEOUT,
    }
    counts, wanted_sizes = options.named_counts(processes), options.named_sizes(sizes)
    if counts and counts[0] < 2:
        raise InvalidInputError(f"n = {counts[0]}", "messages take at least 2 processes")
    if plan_file:
        from contend.cli.campaigns import planned_campaign

        if (
            levels or experiment or counts or wanted_sizes or launches or groups_file or most
            or collective
        ):  # fmt: skip
            raise InvalidInputError(
                "--plan with what it says itself, or with --levels",
                "leave out -n, -m, -e, --launches and what belongs to --levels",
            )
        del others["max_repetitions"]  # the plan has its own
        planned = planned_campaign.Wanted(
            plan_file, on, mpicc, mpiexec, ppn, min_repetitions, max_repetitions, warmup, seed
        )
        planned_campaign.measure_plan(
            output_file or Path("samples.jsonl"), planned, precision, as_json=as_json,
            per_rank=per_rank, **others,
        )  # fmt: skip
        return
    if levels:
        from contend.cli.campaigns.levels import Wanted, measure_levels
        from contend.links.experiments import SIZES

        if experiment or collective or per_rank:
            raise InvalidInputError(
                "--levels with --experiment, --collective or --per-rank", "leave these out"
            )
        if counts is not None and len(counts) > 1:
            raise InvalidInputError(f"{len(counts)} numbers of processes", "give one with --levels")
        wanted = Wanted(
            groups_file, counts[0] if counts else None, ppn or 1, launches,
            tuple(sorted(wanted_sizes or SIZES)), parse_bytes(most or MOST), on, mpicc, mpiexec,
        )  # fmt: skip
        measure_levels(
            output_file or LINKS, wanted, precision, min_repetitions, warmup, as_json=as_json,
            **others,
        )  # fmt: skip
        return
    for name, given in {"--groups": groups_file, "--most": most}.items():
        if given is not None:
            raise InvalidInputError(f"{name} without --levels", "give --levels, or leave it out")
    if library_algorithms and not collective:
        raise InvalidInputError(
            "--library-algorithms without --collective", "give --collective bcast,alltoall"
        )
    for name, given in {"--segments": segments, "--fanouts": fanouts}.items():
        if given and not library_algorithms:
            raise InvalidInputError(
                f"{name} without --library-algorithms", "give both, or leave it out"
            )
    path = output_file or Path("samples.jsonl")
    mpi = find_mpi(mpicc, mpiexec)
    if library_algorithms:
        from contend.cli.campaigns import forced

        if experiment:
            raise InvalidInputError(
                "--library-algorithms with --experiment", "name operations with --collective alone"
            )
        forced.measure_library(
            path,
            mpi,
            forced.Wanted(
                collective or "", counts, wanted_sizes, options.named_sizes(segments),
                options.named_fanouts(fanouts), launches, seed, on, bool(mpiexec or ppn),
                max_minutes,
            ),
            precision, min_repetitions, warmup, as_json=as_json, processes_per_node=ppn,
            per_rank=per_rank, patience=timeout or PATIENCE, **others,
        )  # fmt: skip
        return
    with SampleStore(path) as store:
        existing = store.existing()
        place = measuring.place(on, mpi, bool(mpiexec or ppn), existing)
        there = design(hosts=place.room(ppn))
        chosen = Design(
            counts=tuple(counts or there.counts),
            sizes=tuple(wanted_sizes or there.sizes),
            message_sizes=() if wanted_sizes else there.message_sizes,
            launches=launches or place.launches,
            extra_sizes=refine,
            seed=seed,
            experiments=_experiments(mpi, experiment, collective) or tuple(sorted(EXPERIMENTS)),
        )
        launch_options = place.launch_options(
            precision,
            min_repetitions,
            warmup,
            processes_per_node=ppn,
            per_rank=per_rank,
            **others,
        )
        expected = Task(mpi, place, chosen, launch_options, None).seconds(existing)
        output.note(in_words(expected))
        with place.running(path) as lab, measuring.progress("measuring") as show:
            limits = Limits.of(max_minutes)
            samples = measure(mpi, chosen, launch_options, store, show, lab, limits).samples
    before = len(existing)
    if as_json:
        output.show_json({"samples": str(path), "new": len(samples) - before, "all": len(samples)})
    else:
        output.console().print(
            f"{len(samples) - before} new samples, {len(samples)} in {path}", markup=False
        )
        output.note(f"next: contend fit {path}")


def _experiments(mpi: "MPI", named: list[str] | None, collective: str | None) -> tuple[str, ...]:
    """The experiments that were named, and those of the operations; empty for neither."""
    if not collective:
        return tuple(named or ())
    from contend.cli.campaigns.forced import named_operations
    from contend.measure.build import build
    from contend.measure.forced.measure import named_experiments

    found = named_experiments(build(mpi), named_operations(collective))
    return tuple(dict.fromkeys([*(named or ()), *found]))
