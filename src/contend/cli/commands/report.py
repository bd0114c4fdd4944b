"""contend report: one page, and figures for papers."""

from pathlib import Path

from contend.cli import options
from contend.cli.catalogue import read_all
from contend.cli.options import argument, option
from contend.cli.result import Line, Result
from contend.measure.lab.utilisation import path_beside, read_utilisation
from contend.models.network import Network
from contend.report.page import write_report
from contend.samples import read_samples
from contend.simulate.graphs.measurements import read_graphs

ORDER = 7
PANEL = "Inspect"
EXAMPLE = "contend report network.json samples.jsonl -o report"


def command(
    network_file: options.NetworkFile = Path("network.json"),
    samples_file: options.SamplesFile = Path("samples.jsonl"),
    schedule_files: list[Path] | None = argument(
        "Files that contend measure schedule has written, to compare.", default=None
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
    page = write_report(
        Network.load(network_file),
        read_samples(samples_file),
        output_folder,
        utilisation=read_utilisation(path_beside(samples_file)),
        graphs=read_graphs(graphs_file) if graphs_file else [],
        schedules=read_all(schedule_files or []),
    )
    return Result({"report": page}, [Line(f"report: {page}")])
