"""contend fit: samples, or measured links, to a network file."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from contend.cli import completion, options, output

if TYPE_CHECKING:
    from contend.network import Network

ORDER = 3
PANEL = "Model"
EXAMPLE = "contend fit samples.jsonl --at 32 -o network.json"


def command(
    samples_file: options.SamplesFile = Path("samples.jsonl"),
    output_file: Annotated[
        Path, typer.Option("-o", "--output", help="Network file to write.")
    ] = Path("network.json"),
    at: Annotated[
        int | None,
        typer.Option(
            help="n', the number of processes to fit at; default the largest with most sizes."
        ),
    ] = None,
    second: Annotated[
        int | None, typer.Option(help="A second n for the baselines that need two.")
    ] = None,
    sizes: options.Sizes = None,
    operation: Annotated[
        str | None,
        typer.Option(
            help="Operation to fit; default alltoall, or the only one that there is.",
            autocompletion=completion.operations,
        ),
    ] = None,
    alpha: Annotated[
        str | None, typer.Option(help="Known start-up, e.g. 1.3us, instead of a ping-pong.")
    ] = None,
    beta: Annotated[
        str | None,
        typer.Option(help="Known time per byte, with --alpha: 12.5GB/s, 0.08ns/B or 8e-11."),
    ] = None,
    name: Annotated[str | None, typer.Option(help="Name of the network.")] = None,
    include_flagged: options.IncludeFlagged = False,
    as_json: options.AsJson = False,
) -> None:
    """Fit point-to-point models, and the forms of an operation; or measured links.

    Of an all-to-all these are the contention signature and the baselines, of other operations how
    they grow with n. What too few sizes were measured for is left out, and that is said.
    """
    from contend.errors import InvalidInputError
    from contend.fitting.fit import FitOptions, fit_network, operations_in, usual_operation
    from contend.kinds import schema_of
    from contend.pointtopoint import hockney
    from contend.samples import read_samples
    from contend.samples.messages import MessageSample
    from contend.samples.table import select
    from contend.units import parse_seconds, parse_seconds_per_byte

    said = schema_of(_first_line(samples_file))
    if said in (MessageSample.schema_name, *MessageSample.former):
        from contend.cli.campaigns.levels import fit_levels

        if any((at, second, sizes, operation, alpha, beta)):
            raise InvalidInputError(
                f"{samples_file} holds measured links, for which nothing is chosen",
                "give it with -o, --name and --include-flagged alone",
            )
        fit_levels(
            samples_file, output_file, name, include_flagged=include_flagged, as_json=as_json
        )
        return
    if (alpha is None) != (beta is None):
        raise InvalidInputError("one of --alpha and --beta", "give both or none")
    known = None
    if alpha and beta:
        known = hockney.given(parse_seconds(alpha), parse_seconds_per_byte(beta))
    wanted = options.named_sizes(sizes)
    samples = read_samples(samples_file)
    fit_options = FitOptions(
        operation=operation or usual_operation(samples),
        n_fit=at,
        n_second=second,
        sizes=tuple(wanted) if wanted else None,
        known_hockney=known,
        name=name or samples_file.stem,
    )
    if operation:
        select(samples, operation)  # what was asked for by name has to be there
    network = fit_network(samples, samples_file, fit_options, include_flagged=include_flagged)
    merged = network.merge_into(output_file, name=name)
    output.note_merge(output_file, merged)
    if as_json:
        output.show_json(merged.network.to_json())
        return
    from contend.cli.summary import show_network

    show_network(network)
    others = sorted(operations_in(samples) - {fit_options.operation})
    if others and not operation:
        again = ("contend", "fit", samples_file, "--operation", others[0], "-o", output_file)
        output.note(f"{samples_file} holds {', '.join(others)} too: {output.command(*again)}")
    output.note(f"written to {output_file}; {_next(network, output_file, samples_file)}")


def _next(network: "Network", path: Path, samples_file: Path) -> str:
    """What can be done with what was fitted."""
    if network.operations:
        return output.following("contend", "validate", path, samples_file)
    if network.point_to_point.plogp:
        return output.following("contend", "choose", path, "bcast", "-n", "64", "-m", "1MiB")
    return output.following("contend", "measure", "alltoall", "plogp", "-o", samples_file)


def _first_line(path: Path) -> str:
    """Of what may be a file of any kind; empty where it cannot be read, which is told later."""
    from contend.textfile import LARGEST

    if not path.is_file():  # a pipe would lose it
        return ""
    try:
        with path.open() as file:
            return file.readline(LARGEST)
    except (OSError, UnicodeDecodeError):
        return ""
