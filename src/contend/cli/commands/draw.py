"""contend draw: who sends what when in a collective algorithm, or messages that share a network."""

from pathlib import Path

from contend.api import Result, draw_flows, draw_lab, draw_schedule, write_lab_links
from contend.cli import completion, options
from contend.cli.options import argument, option
from contend.cli.pairs import RootedVariant

ORDER = 2
PANEL = "Show"
EXAMPLE = "contend draw bcast binomial -n 16 -o binomial.svg"


def command(
    variant: RootedVariant,
    subject: str = argument(
        "Collective operation, one of 'contend list algorithms'; a file of messages, as of "
        "'contend solve'; or an emulated network, as lab:two-clusters or lab:FILE.toml.",
        metavar="WHAT",
        autocompletion=completion.collectives,
    ),
    algorithm: str | None = argument(
        "Algorithm of the operation.", default=None, autocompletion=completion.algorithms
    ),
    processes: int = option("Processes.", "-n", "--processes", default=16, min=2),
    size: str = option("Size, e.g. 64KiB.", "-m", "--size", default="64KiB"),
    network_file: Path | None = option("Network file; default: Fast Ethernet.", "--network"),
    bandwidth: options.Bandwidth = None,
    model: options.SharingModel = None,
    output_file: Path | None = option(
        ".svg, .png, .pdf, .html, of an emulated network .json; default by what is drawn, .svg.",
        "-o",
        "--output",
    ),
) -> Result:
    """Draw who sends what when: ranks as rows, time to the right, an arrow to each receiver.

    Times are those of pLogP without contention, of a network file or of a typical Fast Ethernet.

    Of a file of messages: who sends to whom, and the rate of each message over time, on one switch
    of --bandwidth, or --network with sharing models. Of an emulated network: hosts, switches,
    rates, latencies and buffers; as .json its links as a topology for 'contend replay'.
    """
    if subject.startswith("lab:"):
        if output_file and output_file.suffix == ".json":
            path = write_lab_links(subject.removeprefix("lab:"), output_file)
            text = f"written to {path}; next: contend replay trace --network FILE --topology {path}"
            return Result({"topology": path}, [text])
        return draw_lab(subject.removeprefix("lab:"), output_file)
    if algorithm is None:
        return draw_flows(
            subject, output_file, model=model, network=network_file, bandwidth=bandwidth
        )
    return draw_schedule(
        subject, algorithm, output_file, n=processes, m=size, root=variant.root,
        network=network_file, groups=variant.groups, options=variant.given,
    )  # fmt: skip
