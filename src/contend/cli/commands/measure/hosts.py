"""contend measure hosts: groups of hosts from measured latency and bandwidth."""

from pathlib import Path

from contend.api import discover_groups, parse_bytes_list
from contend.cli import options
from contend.cli.campaigns.places import REPEATED, Repeating
from contend.cli.options import option
from contend.cli.result import Result

ORDER = 6
EXAMPLE = "contend measure hosts --on lab:two-clusters"


def command(
    output_file: Path = option(
        "Groups file; never over what a person wrote.",
        "-o",
        "--output",
        default=Path("clusters.toml"),
    ),
    samples_file: Path | None = option(
        "Measured pairs; continued if it exists. Default beside -o.", "-s", "--samples"
    ),
    hosts: int | None = option("Number of hosts; default on a lab all.", "-n", "--hosts", min=2),
    sizes: str = option("Message sizes, two do.", "-m", "--sizes", default="8,64KiB"),
    rounds: int = option(
        "Most hosts that each one meets; fewer than 20 are too few.", default=128, min=1
    ),
    ratio: float = option("A group is so many times slower to leave.", default=1.5, min=1.01),
    launches: int = option("Launches that repeat each pair.", default=1, min=1),
    repeat: list[str] | None = option(REPEATED, metavar="NAME=VALUE,..."),
    mpiexec: options.Mpiexec = None,
    on: options.On = "here",
) -> Result:
    """Measure all pairs of hosts, one process on each, and write which form a group."""
    asked = Repeating(None, mpiexec, on, launches, repeat).asked()
    return discover_groups(
        output_file, asked, hosts, parse_bytes_list(sizes), samples_file=samples_file,
        rounds=rounds, ratio=ratio,
    )  # fmt: skip
