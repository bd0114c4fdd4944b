"""contend predict: a network file to times."""

from pathlib import Path

from contend.api import bound_messages, parse_bytes_list, parse_counts, predict_file
from contend.cli import completion, options
from contend.cli.options import argument, option
from contend.cli.result import Result

ORDER = 2
PANEL = "Learn"
EXAMPLE = "contend predict network.json -n 64,128 -m 4KiB,1MiB"


def command(
    variant: options.Variant,
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
    second_network: Path | None = option("Network of a second cluster, joined by a backbone."),
    second_processes: int | None = option("Processes on the second cluster.", min=2),
    backbone_alpha: str | None = option("Start-up over the backbone, e.g. 5ms."),
    backbone_beta: str | None = option(
        "Time per byte over the backbone: 12.5GB/s, 0.08ns/B or 8e-11."
    ),
) -> Result:
    """Predict times with an interval, and say where that extrapolates.

    An algorithm that the file holds a fit of is predicted by the form that fits best, any other
    one of 'contend list algorithms' by its schedule. With a second network and a backbone, the time
    of an exchange over both clusters.
    """
    if messages is not None:
        return bound_messages(network_file, messages)
    joined = None
    if second_network is not None:
        joined = second_network, second_processes, backbone_alpha, backbone_beta
    return predict_file(
        network_file, operation, parse_counts(processes), parse_bytes_list(sizes),
        algorithm=algorithm, ports=ports.value, processes_per_node=ppn, form=form,
        groups=variant.groups,
        joined=joined,
        **variant.given,
    )  # fmt: skip
