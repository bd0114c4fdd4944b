"""contend measure links: the links between groups of hosts."""

from pathlib import Path

from contend.api import InvalidInputError, measure_links, parse_bytes
from contend.cli import options
from contend.cli.campaigns.places import Repeating, counts
from contend.cli.options import option
from contend.cli.result import Result

ORDER = 3
EXAMPLE = "contend measure links --groups clusters.toml -n 16 -o links.jsonl"


def command(
    repeating: Repeating,
    output_file: options.Samples = Path("links.jsonl"),
    groups_file: Path | None = option(
        "Groups file (TOML); without, --ppn makes each node a group.", "--groups"
    ),
    most: str = option("Bytes at once over a link; fewer if some get lost.", default="4MiB"),
    processes: str | None = option("Number of processes.", "-n", "--processes"),
    sizes: options.Sizes = None,
) -> Result:
    """Measure links between groups: latency, bandwidth, buffer, and what a loss costs."""
    numbers = counts(processes)
    if numbers and len(numbers) > 1:
        raise InvalidInputError(f"{len(numbers)} numbers of processes", "give one for links")
    return measure_links(
        output_file, repeating.asked(), numbers[0] if numbers else None, options.named_sizes(sizes),
        groups=groups_file, most=parse_bytes(most),
    )  # fmt: skip
