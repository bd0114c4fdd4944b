"""contend design: a network file, or nothing, to the measurements that would help most."""

from pathlib import Path

from contend.api import design_file
from contend.cli import completion, options
from contend.cli.options import argument, option
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
    budget: float | None = option(
        "Time to measure in.", parser=options.duration(0.001), metavar="TIME"
    ),
    points: int | None = option("Most points; default 6, of a first design no limit.", min=1),
    until: float | None = option(
        "Stop where intervals are so narrow, e.g. 1.5.", metavar="HIGH/LOW"
    ),
    largest: bool = option(
        "Narrow the widest interval, not the mean one.", "--largest", default=False
    ),
    operation: str = option("Operation.", default="alltoall", autocompletion=completion.operations),
    algorithm: options.Algorithm = None,
    ppn: options.PerNode = None,
    launches: int = option("Launches of each point.", default=1, min=1),
    alpha: str | None = option("Start-up that a first design assumes, e.g. 5us; default 20us."),
    beta: str | None = option("Time per byte, likewise; default 1GB/s."),
    output_file: Path | None = option("Plan to write, for measure --plan.", "-o", "--output"),
) -> Result:
    """Propose the measurements that would narrow predictions most per second.

    How wide an interval is depends on where points are, not on what they will tell, so that it is
    known before they are measured. Without a network file: a first design for predictions at -n.
    """
    return design_file(
        network_file, samples_file, output_file, n=processes, m=options.named_sizes(sizes), at=at,
        budget=budget, points=points, until=until, largest=largest, operation=operation,
        algorithm=algorithm, processes_per_node=ppn, launches=launches, alpha=alpha, beta=beta,
    )  # fmt: skip
