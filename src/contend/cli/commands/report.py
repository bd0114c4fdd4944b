"""contend report: one page, and figures for papers."""

from pathlib import Path

from contend.api import Result, write_report
from contend.cli import options
from contend.cli.options import argument, option

ORDER = 1
PANEL = "Show"
EXAMPLE = "contend report network.json samples.jsonl -o report"


def command(
    network_file: options.NetworkFile = Path("network.json"),
    samples_file: options.SamplesFile = Path("samples.jsonl"),
    schedule_files: list[Path] | None = argument(
        "Files with samples of schedules, to compare.", default=None
    ),
    output_folder: Path = option("Folder to write to.", "-o", "--output", default=Path("report")),
    graphs_file: Path | None = option(
        "Measured contention graphs (JSON Lines) to show as well.", "--graphs"
    ),
) -> Result:
    """Write one self-contained HTML page, and PNG and SVG figures.

    What it says of fits and errors is what the network file holds: nothing is fitted or validated
    again. Where the file lacks something, the page says which command adds it.
    """
    return write_report(
        network_file, samples_file, output_folder, schedules=schedule_files or (),
        graphs=graphs_file,
    )  # fmt: skip
