"""contend watch report: who loses how much in which collective operation, over all jobs."""

from collections.abc import Iterator
from pathlib import Path

from contend.base.wholefile import write_whole
from contend.cli import output, watch
from contend.cli.options import argument, option
from contend.cli.result import Line, Part, Result, Table
from contend.samples.watch.prometheus import exposition
from contend.samples.watch.report import Loss, losses
from contend.samples.watch.store import Site
from contend.samples.watch.totals import Totals, totals_of

ORDER = 1
EXAMPLE = "contend watch report site.jsonl --network network.json"
MOST_ROWS = 30  # of kinds of calls on the console
MOST_REMARKS = 5
STREAM = Path("-")


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
    references = watch.references(network) if network else None
    site = Site(files)
    totals = totals_of(site)
    if prometheus is not None:
        text = exposition(totals, len(site.killed))
        if prometheus == STREAM:
            return Result({"prometheus": text}, [Line(text, end="")], warnings=_remarks(site))
        write_whole(prometheus, text)
    for job in site.killed:
        totals.add(job)
    rows = losses(totals, references)
    data = {
        "jobs": totals.jobs,
        "without_record": [
            {"job": one.job, "began": one.began, "seconds": one.seconds, "ranks": one.ranks}
            for one in site.killed
        ],
        "rank_seconds": totals.seconds,
        "collective_seconds": totals.collective,
        "not_kept": totals.not_kept,
        "other_calls": totals.others,
        "calls": rows,
    }
    parts = _parts(files[0], site, totals, rows, has_network=network is not None)
    return Result(data, parts, warnings=_remarks(site))


def _remarks(site: Site) -> list[str]:
    more = len(site.remarks) - MOST_REMARKS
    return site.remarks[:MOST_REMARKS] + ([f"{more} more lines like these"] if more > 0 else [])


def _parts(
    file: Path, site: Site, totals: Totals, rows: list[Loss], *, has_network: bool
) -> Iterator[Part]:
    yield from map(Line, watch.overview(totals, rows))
    if site.killed:
        yield Line(watch.without_record(site.killed))
    if rows:
        yield Table(rows[:MOST_ROWS], watch.columns(rows, has_network=has_network))
        if (more := len(rows) - MOST_ROWS) > 0:
            yield f"{more} more kinds of calls; --json shows all"
        yield watch.NOTE
    yield output.following("contend", "fit", file, "-o", file.with_suffix(".json"))
