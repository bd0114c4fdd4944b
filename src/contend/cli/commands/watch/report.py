"""contend watch report: who loses how much in which collective operation, over all jobs."""

from pathlib import Path

from contend.api import Result, watch_report
from contend.cli.options import argument, option

ORDER = 1
EXAMPLE = "contend watch report site.jsonl --network network.json"


def command(
    files: list[Path] = argument("Sites' files of 'contend watch'.", metavar="FILE..."),
    network: Path | None = option("Network file: bounds and predictions.", "--network"),
    prometheus: Path | None = option(
        "Also write metrics for Prometheus' textfile collector; -: instead, on standard output.",
        "--prometheus",
        metavar="FILE|-",
    ),
) -> Result:
    """Say which collective calls cost most over all jobs, and what could be gained.

    Each line is of the calls of one operation, number of ranks, class of sizes and algorithm.
    """
    return watch_report(files, network, prometheus)
