"""contend report: one page, and figures for papers; or a table of watched jobs."""

from pathlib import Path

from contend.api import InvalidInputError, Result, is_of_watch, watch_report
from contend.cli import output
from contend.cli.options import argument, option

ORDER = 1
PANEL = "Show"
EXAMPLE = "contend report network.json samples.jsonl -o report"


def command(
    network_file: Path = argument(
        "Network file; or sites' files of 'contend watch', then perhaps a network file.",
        default=Path("network.json"),
    ),
    samples_file: Path | None = argument(
        "Samples file (JSON Lines); default samples.jsonl.", default=None
    ),
    schedule_files: list[Path] | None = argument(
        "Files with samples of schedules, to compare.", default=None
    ),
    output_folder: Path = option("Folder to write to.", "-o", "--output", default=Path("report")),
    graphs_file: Path | None = option(
        "Measured contention graphs (JSON Lines) to show as well.", "--graphs"
    ),
    prometheus: Path | None = option(
        "Of a site's file, also write metrics for Prometheus' textfile collector; -: instead, on "
        "standard output.",
        "--prometheus",
        metavar="FILE|-",
    ),
    references: Path | None = option("As an argument.", "--network", hidden=True),
) -> Result:
    """Write one self-contained HTML page, and PNG and SVG figures.

    What it says of fits and errors is what the network file holds: nothing is fitted or validated
    again. Where the file lacks something, the page says which command adds it.

    Of a site's file of 'contend watch' it says which collective calls cost most over all jobs, and
    what could be gained. Each line is of the calls of one operation, number of ranks, class of
    sizes and algorithm; a network file adds lower bounds and predictions.

    contend report site.jsonl network.json
    """
    files = [network_file, *([samples_file] if samples_file else []), *(schedule_files or [])]
    sites = [path for path in files if is_of_watch(path)]
    if is_of_watch(network_file):
        others = [path for path in files if path not in sites]
        if references:
            output.note("--network is now an argument: contend report SITE NETWORK")
            others.append(references)
        if len(others) > 1:
            raise InvalidInputError(
                f"{' and '.join(map(str, others))} beside sites' files",
                "name one network file; the others are no files of 'contend watch'",
            )
        return watch_report(sites, others[0] if others else None, prometheus)
    if prometheus or references:
        raise InvalidInputError(
            f"--prometheus or --network, and {network_file} is no file of 'contend watch'",
            "name a site's file first, or leave them out",
        )
    from contend.api import write_report  # brings what draws

    return write_report(
        network_file, samples_file or Path("samples.jsonl"), output_folder,
        schedules=schedule_files or (), graphs=graphs_file,
    )  # fmt: skip
