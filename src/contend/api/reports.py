"""The page of findings, with figures for papers."""

from collections.abc import Sequence
from pathlib import Path

from contend.base.result import Line, Result
from contend.measure.lab.utilisation import path_beside, read_utilisation
from contend.models.network import Network
from contend.report.page import write_report as write_page
from contend.samples import read_samples
from contend.simulate.graphs.measurements import read_graphs


def write_report(
    network: str | Path,
    samples: str | Path,
    folder: str | Path = "report",
    *,
    schedules: Sequence[str | Path] = (),
    graphs: str | Path | None = None,
) -> Result:
    """Write one self-contained HTML page, and PNG and SVG figures, of files.

    `schedules` are samples of algorithms of the catalogue, `graphs` measured contention graphs.

    >>> write_report("lassen.json", "lassen.jsonl").data["report"].name
    'report.html'
    """
    files = [Path(schedule) for schedule in schedules]
    beside = {path_beside(path) for path in files}  # which *.jsonl names too
    page = write_page(
        Network.load(network),
        read_samples(Path(samples)),
        Path(folder),
        utilisation=read_utilisation(path_beside(Path(samples))),
        graphs=read_graphs(Path(graphs)) if graphs else [],
        schedules=[sample for path in files if path not in beside for sample in read_samples(path)],
    )
    return Result({"report": page}, [Line(f"report: {page}")])
