"""contend plan: a network file, or nothing, to the measurements that would help most."""

from pathlib import Path

from contend.base.errors import InvalidInputError
from contend.cli.options import argument, option
from contend.cli.plans import PlanRequest, first_points, next_points, proposed
from contend.cli.result import Result

ORDER = 4
PANEL = "Measure"
EXAMPLE = "contend plan network.json -n 64,128 --budget 60s -o plan.json"


def command(
    asked: PlanRequest,
    network_file: Path | None = argument(
        "Network file; without, a first design for -n is proposed.", default=None
    ),
    samples_file: Path | None = argument(
        "Its samples: they tell what launches cost, and how often to repeat.", default=None
    ),
    alpha: str | None = option("Start-up that a first design assumes, e.g. 5us; default 20us."),
    beta: str | None = option("Time per byte, likewise; default 1GB/s."),
    output_file: Path | None = option("Plan to write, for measure --plan.", "-o", "--output"),
) -> Result:
    """Propose the measurements that would narrow predictions most per second.

    How wide an interval is depends on where points are, not on what they will tell, so that it is
    known before they are measured. Without a network file: a first design for predictions at -n.
    """
    if network_file is None:
        found = first_points(asked, alpha, beta)
    elif alpha or beta:
        raise InvalidInputError(
            "--alpha or --beta with a network file, which knows them", "leave them out"
        )
    else:
        found = next_points(network_file, samples_file, asked)
    return proposed(found, samples_file or Path("samples.jsonl"), network_file, output_file)
