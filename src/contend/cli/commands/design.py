"""contend design: a network file, or nothing, to the measurements that would help most."""

from pathlib import Path

from contend.api import design_file
from contend.cli import completion, options
from contend.cli.options import argument, option
from contend.cli.pairs import named_pairs, number, whole
from contend.cli.result import Result

ORDER = 3
PANEL = "Measure"
EXAMPLE = "contend design network.json -n 64,128 --budget 60s -o plan.json"


def command(
    network_file: Path | None = argument(
        "Network file; without, a first design for -n is proposed.", default=None
    ),
    samples_file: Path | None = argument(
        "Its samples: they tell what launches cost, and how often to repeat.", default=None
    ),
    processes: str | None = option(
        "Numbers of processes to predict, e.g. 64,128, or 4..64 for each doubling; default twice "
        "and four times as many as were measured.",
        "-n",
        "--processes",
    ),
    sizes: str | None = option("Sizes to predict; default those measured.", "-m", "--sizes"),
    at: str | None = option(
        "Numbers of processes that can be had; default those measured, those of -n, and doublings "
        "between.",
        metavar="N,N",
    ),
    budget: list[str] | None = option(
        "When to stop: after 60s of measuring, points=6 (the default; of a first design no limit), "
        "or where intervals, high/low, are as narrow as width=1.5. With widest it is the widest "
        "interval that is narrowed, not the mean one.",
        metavar="TIME[,NAME=VALUE...]",
    ),
    operation: str = option("Operation.", default="alltoall", autocompletion=completion.operations),
    algorithm: options.Algorithm = None,
    ppn: options.PerNode = None,
    launches: int = option("Launches of each point.", default=1, min=1),
    assume: options.Assumed = None,
    output_file: Path | None = option("Plan to write, for measure --plan.", "-o", "--output"),
) -> Result:
    """Propose the measurements that would narrow predictions most per second.

    How wide an interval is depends on where points are, not on what they will tell, so that it is
    known before they are measured. Without a network file: a first design for predictions at -n,
    which assumes alpha=20us and beta=1GB/s.
    """
    stop = named_pairs(budget, "--budget", ("time", "points", "width", "widest"), "time")
    assumed = named_pairs(assume, "--assume", ("alpha", "beta"))
    return design_file(
        network_file, samples_file, output_file, n=processes, m=options.named_sizes(sizes), at=at,
        budget=options.duration(0.001)(stop["time"]) if "time" in stop else None,
        points=whole("--budget points", stop["points"]) if "points" in stop else None,
        until=number("--budget width", stop["width"]) if "width" in stop else None,
        largest="widest" in stop, operation=operation, algorithm=algorithm, processes_per_node=ppn,
        launches=launches, **assumed,
    )  # fmt: skip
