"""contend validate: predictions against measurements that the fit has not seen."""

from pathlib import Path

from contend.api import (
    InvalidInputError,
    is_of_messages,
    validate_file,
    validate_graphs,
    validate_schedules,
)
from contend.cli import completion, options
from contend.cli.options import argument, option
from contend.cli.result import Result

ORDER = 3
PANEL = "Learn"
EXAMPLE = "contend validate network.json samples.jsonl"


def command(
    network_file: Path = argument(
        "Network file; or measured contention graphs, by which sharing models are compared.",
        default=Path("network.json"),
    ),
    samples_files: list[Path] | None = argument(
        "Samples files (JSON Lines); one, or with --schedules several. Default samples.jsonl.",
        default=None,
    ),
    schedules: bool = option(
        "Compare times of algorithms of the catalogue with their schedules instead, and say what "
        "choosing by these costs.",
        "--schedules",
        default=False,
    ),
    operation: str | None = option(
        "With --schedules this operation alone, e.g. bcast.", autocompletion=completion.operations
    ),
    ports: options.Ports = options.PortsAre.single,
    record: bool = option("Keep the errors in the network file, for the intervals.", default=True),
    every: bool = option("Of graphs also a row per graph.", "--all", default=False),
    plot: Path | None = option("Figure of graphs: times and errors per number of messages."),
    include_flagged: options.IncludeFlagged = False,
) -> Result:
    """Compare every form with the points that its fit has not seen, by regime.

    Where repetitions wait for time-outs, forms are compared with those that do not; how often they
    do, and how long that takes, is compared too. Each contention graph is compared with models that
    have not seen its shape.
    """
    if is_of_messages(network_file):
        if samples_files:
            raise InvalidInputError("graphs and samples", "give the file of graphs alone")
        return validate_graphs(
            network_file, every=every, plot=plot, include_flagged=include_flagged
        )
    files = samples_files or [Path("samples.jsonl")]
    if schedules:
        return validate_schedules(
            network_file, files, operation, ports=ports.value, include_flagged=include_flagged
        )
    if operation or ports != options.PortsAre.single:
        raise InvalidInputError(
            "--operation or --ports without --schedules", "add it, or leave these out"
        )
    if len(files) > 1:
        raise InvalidInputError(
            f"{len(files)} samples files", "give the one that was fitted, or add --schedules"
        )
    return validate_file(network_file, files[0], record=record, include_flagged=include_flagged)
