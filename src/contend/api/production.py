"""Collective calls in production, summed up over all jobs."""

from collections.abc import Sequence
from pathlib import Path

from contend.base.result import Line, Result
from contend.base.wholefile import write_whole
from contend.samples.watch.prometheus import exposition
from contend.samples.watch.report import losses
from contend.samples.watch.store import Site
from contend.samples.watch.text import remarks, result_of
from contend.samples.watch.totals import totals_of

STREAM = Path("-")


def watch_report(
    files: Sequence[str | Path],
    network: str | Path | None = None,
    prometheus: str | Path | None = None,
) -> Result:
    """Return which collective calls cost most over all jobs, and what could be gained.

    Parameters
    ----------
    files
        Sites' files of `watch_program`.
    network
        Network file, for bounds and predictions.
    prometheus
        File of metrics for Prometheus' textfile collector; "-": they are the result.

    >>> watch_report(["site.jsonl"], "network.json").data["calls"][0].operation
    'alltoall'
    """
    references = None
    if network:
        from contend.models.explanation.references import references as references_of

        references = references_of(network)
    paths = [Path(file) for file in files]
    site = Site(paths)
    totals = totals_of(site)
    if prometheus is not None:
        text = exposition(totals, len(site.killed))
        if Path(prometheus) == STREAM:
            return Result({"prometheus": text}, [Line(text, end="")], warnings=remarks(site))
        write_whole(Path(prometheus), text)
    for job in site.killed:
        totals.add(job)
    rows = losses(totals, references)
    return result_of(paths[0], site, totals, rows, has_network=network is not None)
