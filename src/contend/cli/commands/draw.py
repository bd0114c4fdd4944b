"""contend draw: who sends what when in a collective algorithm."""

from pathlib import Path

from contend.base.units import format_bytes, format_seconds, parse_bytes
from contend.cli import completion, options
from contend.cli.options import argument, option
from contend.cli.result import Result, picture
from contend.models.network import Network
from contend.models.prediction.catalogue import parameters_of
from contend.report.canvas.files import check_picture, write_picture
from contend.report.figures.schedule import schedule_drawing
from contend.schedules import Algorithm, Call, algorithms
from contend.schedules.option_text import options_text
from contend.schedules.pointtopoint import PLogP
from contend.schedules.timing.timeline import fast_ethernet, timeline

ORDER = 5
PANEL = "Inspect"
EXAMPLE = "contend draw bcast binomial -n 16 -o binomial.svg"


def command(
    variant: options.Variant,
    collective: options.Collective,
    algorithm: str = argument(
        "Algorithm, one of 'contend list algorithms'.", autocompletion=completion.algorithms
    ),
    processes: int = option("Processes.", "-n", "--processes", default=16, min=2),
    size: str = option("Size, e.g. 64KiB.", "-m", "--size", default="64KiB"),
    root: int = option("Root, where the operation has one.", default=0),
    network_file: Path | None = option("Network file; default: Fast Ethernet.", "--network"),
    output_file: Path | None = option(
        ".svg, .png, .pdf, .html; default NAME.svg.", "-o", "--output"
    ),
) -> Result:
    """Draw who sends what when: ranks as rows, time to the right, an arrow to each receiver.

    Times are those of pLogP without contention, of a network file or of a typical Fast Ethernet.
    """
    entry, m = variant.on(algorithms(collective).get(algorithm)), parse_bytes(size)
    path = check_picture(output_file or Path(f"{collective}-{algorithm}.svg"))
    given = variant.given
    plogp, of = _parameters(network_file, entry)
    schedule = entry.build(
        processes, entry.uniform(processes, m), root=root, with_blocks=True, **given
    )
    messages = timeline(schedule, plogp)
    title = f"{entry.defines.title}, {entry.title}: {processes} ranks, {format_bytes(m)}"
    used = {name: given.get(name, getattr(Call, name)) for name in entry.options}
    largest = int(schedule.bytes.max(initial=0))
    note = (
        f"{options_text(used)}; "
        * bool(used)
        + f"{format_seconds(messages.seconds)} without contention, with L = "
        f"{format_seconds(float(plogp.latency))} and g({format_bytes(largest)}) = "
        f"{format_seconds(float(plogp.gap_at(largest)))} of {of}"
    )
    write_picture(schedule_drawing(messages, title, note), path)
    return picture(path, seconds=messages.seconds, messages=messages.src.size)


def _parameters(network_file: Path | None, entry: Algorithm) -> tuple[PLogP, str]:
    """The parameters, and whose they are."""
    if network_file is None:
        return fast_ethernet(), "a typical Fast Ethernet"
    network = Network.load(network_file)
    known = parameters_of(network, entry.collective)
    return known.of(entry), network.name
