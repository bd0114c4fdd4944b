"""contend predict: a network file to times."""

from pathlib import Path

from contend.api import (
    InvalidInputError,
    bound_messages,
    parse_bytes_list,
    parse_counts,
    predict_file,
)
from contend.cli import completion, options
from contend.cli.options import argument, option
from contend.cli.pairs import Variant, named_pairs, whole
from contend.cli.result import Result

ORDER = 2
PANEL = "Learn"
EXAMPLE = "contend predict network.json -n 64,128 -m 4KiB,1MiB"


def command(
    variant: Variant,
    network_file: options.NetworkFile = Path("network.json"),
    operation: str = argument(
        "Operation.", default="alltoall", autocompletion=completion.operations
    ),
    processes: str = option(
        "Numbers of processes, e.g. 16,32-34.", "-n", "--processes", default=""
    ),
    sizes: str = option("Sizes, e.g. 64,1MiB.", "-m", "--sizes", default=""),
    messages: Path | None = option(
        "Instead the least time of any exchange of these messages, without forwarding: CSV with "
        "the columns src, dst, bytes."
    ),
    algorithm: options.Algorithm = None,
    ports: options.Ports = options.PortsAre.auto,
    ppn: options.PerNode = None,
    form: options.Form = None,
    join: list[str] | None = option(
        "A second cluster behind a backbone: its network=second.json, so many processes=16 on it, "
        "and of the backbone the start-up alpha=5ms and the time per byte beta=12.5GB/s (or "
        "0.08ns/B, 8e-11).",
        "--join",
        metavar="NAME=VALUE,...",
    ),
) -> Result:
    """Predict times with an interval, and say where that extrapolates.

    An algorithm that the file holds a fit of is predicted by the form that fits best, any other
    one of 'contend list algorithms' by its schedule. With --join, the time
    of an exchange over both clusters.
    """
    if messages is not None:
        return bound_messages(network_file, messages)
    second = named_pairs(join, "--join", ("network", "processes", "alpha", "beta"))
    joined = None
    if second:
        if "network" not in second:
            raise InvalidInputError("--join without a network", "give --join network=second.json")
        n = second.get("processes")
        joined = (
            Path(second["network"]), whole("--join processes", n, 2) if n else None,
            second.get("alpha"), second.get("beta"),
        )  # fmt: skip
    return predict_file(
        network_file, operation, parse_counts(processes), parse_bytes_list(sizes),
        algorithm=algorithm, ports=ports.value, processes_per_node=ppn, form=form,
        groups=variant.groups, joined=joined, **variant.given,
    )  # fmt: skip
