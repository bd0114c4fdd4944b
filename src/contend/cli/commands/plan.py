"""contend plan: a network file, or nothing, to the measurements that would help most."""

from pathlib import Path
from typing import Annotated

import typer

from contend.cli import completion, options

ORDER = 4
PANEL = "Measure"
EXAMPLE = "contend plan network.json -n 64,128 --budget 60s -o plan.json"


def command(
    network_file: Annotated[
        Path | None,
        typer.Argument(help="Network file; without, a first design for -n is proposed."),
    ] = None,
    samples_file: Annotated[
        Path | None,
        typer.Argument(help="Its samples: they tell what launches cost, and how often to repeat."),
    ] = None,
    processes: Annotated[
        str | None,
        typer.Option(
            "-n",
            "--processes",
            help="Numbers of processes to predict, e.g. 64,128, or 4..64 for each doubling; "
            "default twice and four times as many as were measured.",
        ),
    ] = None,
    sizes: Annotated[
        str | None,
        typer.Option("-m", "--sizes", help="Sizes to predict; default those measured."),
    ] = None,
    at: Annotated[
        str | None,
        typer.Option(
            metavar="N,N",
            help="Numbers of processes that can be had; default those measured, those of -n, and "
            "doublings between.",
        ),
    ] = None,
    budget: Annotated[
        float | None,
        typer.Option(parser=options.duration(0.001), metavar="TIME", help="Time to measure in."),
    ] = None,
    points: Annotated[
        int | None, typer.Option(min=1, help="Most points; default 6, of a first design no limit.")
    ] = None,
    until: Annotated[
        float | None,
        typer.Option(metavar="HIGH/LOW", help="Stop where intervals are so narrow, e.g. 1.5."),
    ] = None,
    largest: Annotated[
        bool, typer.Option("--largest", help="Narrow the widest interval, not the mean one.")
    ] = False,
    operation: Annotated[
        str, typer.Option(help="Operation.", autocompletion=completion.operations)
    ] = "alltoall",
    algorithm: options.Algorithm = None,
    ppn: options.PerNode = None,
    launches: Annotated[int, typer.Option(min=1, help="Launches of each point.")] = 1,
    alpha: Annotated[
        str | None,
        typer.Option(help="Start-up that a first design assumes, e.g. 5us; default 20us."),
    ] = None,
    beta: Annotated[
        str | None, typer.Option(help="Time per byte, likewise; default 1GB/s.")
    ] = None,
    output_file: Annotated[
        Path | None, typer.Option("-o", "--output", help="Plan to write, for measure --plan.")
    ] = None,
    as_json: options.AsJson = False,
) -> None:
    """Propose the measurements that would narrow predictions most per second.

    How wide an interval is depends on where points are, not on what they will tell, so that it is
    known before they are measured. Without a network file: a first design for predictions at -n.
    """
    from contend.cli.planned import Asked, counts_of, first_points, next_points, show
    from contend.errors import InvalidInputError
    from contend.probes.greedy import Limits

    asked = Asked(
        counts_of(processes),
        options.named_sizes(sizes) or [],
        counts_of(at),
        Limits.of(budget, points, until),
        "largest" if largest else "mean",
        operation,
        algorithm,
        ppn,
        launches,
    )
    if network_file is None:
        found = first_points(asked, alpha, beta)
    elif alpha or beta:
        raise InvalidInputError(
            "--alpha or --beta with a network file, which knows them", "leave them out"
        )
    else:
        found = next_points(network_file, samples_file, asked)
    show(found, samples_file or Path("samples.jsonl"), network_file, output_file, as_json=as_json)
