"""contend sweep: a traced program replayed in many cases, and what each would bring."""

from enum import Enum
from pathlib import Path
from typing import Annotated

import typer

from contend.cli import options, swept
from contend.cli.result import Result
from contend.flows.carriages import ALONE, PORTS
from contend.sweeps.product import read_cases
from contend.sweeps.sweep import sweep

ORDER = 6
PANEL = "Simulate"
EXAMPLE = "contend sweep trace --network network.json --placement block,round-robin -o sweep.jsonl"

Baseline = Enum("Baseline", {name: name for name in (ALONE, PORTS)}, type=str)  # type: ignore[misc]
Scaling = Enum("Scaling", {name: name for name in ("weak", "strong")}, type=str)  # type: ignore[misc]


def command(
    trace: Annotated[
        str,
        typer.Argument(
            help="Trace: a file, or a folder with a file per rank; or a program of any number of "
            "ranks, pattern:NAME:BYTES[:STEPS[:COMPUTE]], as pattern:alltoall:64KiB:10:5ms."
        ),
    ],
    network: Annotated[
        str | None,
        typer.Option(
            metavar="NETWORK,...",
            help="Network files with pLogP parameters, line:LATENCY:BANDWIDTH[:OVERHEAD], or "
            "loggops:L:o:g:G[:O[:S]].",
        ),
    ] = None,
    model: Annotated[
        str | None,
        typer.Option(metavar="MODEL,...", help="How messages share the network; see replay."),
    ] = None,
    topology: Annotated[
        str | None,
        typer.Option(metavar="TOPOLOGY,...", help="switch, fat-tree:4x8x2, or files."),
    ] = None,
    hosts: Annotated[
        str | None, typer.Option(metavar="HOSTS,...", help="Numbers; default one per rank.")
    ] = None,
    placement: Annotated[
        str | None,
        typer.Option(
            "--placement",
            "--map",
            metavar="PLACEMENT,...",
            help="Host of each rank: block, round-robin, random:SEED, random:1-20, or files with "
            "a host per rank.",
        ),
    ] = None,
    algorithm: Annotated[
        list[str] | None,
        typer.Option(
            metavar="OPERATION=ALGORITHM,...",
            help="Of collective operations, each operation a choice; alltoall=default is what the "
            "replay takes. May be repeated.",
        ),
    ] = None,
    compute: Annotated[
        str | None,
        typer.Option(
            "--compute-factor", "--compute", metavar="FACTOR,...", help="For all computation."
        ),
    ] = None,
    eager: Annotated[
        str | None,
        typer.Option(metavar="SIZE,...", help="Largest messages that are sent without asking."),
    ] = None,
    ranks: Annotated[
        str | None,
        typer.Option(
            metavar="RANKS,...",
            help="Other numbers of ranks: of patterns, and of programs that do nothing but "
            "collective calls of all ranks.",
        ),
    ] = None,
    scaling: Annotated[
        Scaling, typer.Option(help="What stays on other numbers of ranks: data of one, or of all.")
    ] = Scaling.weak,  # type: ignore[attr-defined]
    baseline: Annotated[
        Baseline,
        typer.Option(help="What contention is the difference to: messages alone, or in turn."),
    ] = Baseline.alone,  # type: ignore[attr-defined]
    cases_file: Annotated[
        Path | None,
        typer.Option("--cases", help="CSV file with a case per row, in the place of choices."),
    ] = None,
    kept: Annotated[
        Path | None,
        typer.Option("-o", "--output", help="File of results; the same command continues there."),
    ] = None,
    executor: Annotated[
        str,
        typer.Option(metavar="processes|mpi|dask:ADDRESS|here", help="What runs the cases."),
    ] = "processes",
    workers: Annotated[
        int | None, typer.Option(min=1, help="Processes; default the cores of this machine.")
    ] = None,
    speed: options.Speed = None,
    format: Annotated[
        str | None, typer.Option(help="Of the trace, where it does not say it itself.")
    ] = None,
) -> Result:
    """Replay a program in every combination of choices, and rank them by the time of the run.

    The base, which is replayed too, has the first network, model, topology, hosts and eager size,
    and is else as it ran: block by block, by the usual algorithms, computing as long. Cases that
    fail are shown with their reason, and the exit code is 1 then.
    """
    choices = {
        "network": network, "model": model, "topology": topology, "hosts": hosts,
        "placement": placement, "algorithms": algorithm, "compute": compute, "eager": eager,
        "ranks": ranks,
    }  # fmt: skip
    base = swept.base_of(trace, choices, scaling.value, baseline.value, cases_file)
    cases = read_cases(cases_file, base) if cases_file else swept.cases_of(base, choices)
    with swept.progress(len(cases)) as told:
        found = sweep(
            trace, cases, base, executor=executor, workers=workers, kept=kept, format=format,
            speed=options.number_of(speed), told=told,
        )  # fmt: skip
    return swept.swept(found)
