"""contend alltoall plan: groups, and a network if there is one, to the exchange library's plan."""

from pathlib import Path

from contend.api import Result, plan_exchange
from contend.cli import options
from contend.cli.options import argument, option

ORDER = 2
EXAMPLE = "contend alltoall plan network.json --groups clusters.toml -n 16 -o plan"


def command(
    network_file: Path | None = argument(
        "Network file with measured links; without, the first calls choose.", default=None
    ),
    groups_file: Path | None = option("Groups file (TOML); else the level of nodes.", "--groups"),
    ranks: int | None = option("Of the exchange; default as measured.", "-n", "--processes", min=2),
    hosts: str | None = option(
        "Those of the job, e.g. red1,red2,blue1; without, groups are as large in proportion as "
        "those that were measured.",
        "--hosts",
    ),
    sizes: str | None = option(
        "Ascending; default 8 B to 1 MiB, each twice the last.", "-m", "--sizes"
    ),
    output_file: Path | None = option(
        "Plan to write; default that of the site, which contend alltoall run reads.",
        "-o",
        "--output",
    ),
) -> Result:
    """Predict every algorithm of the exchange library at every size, and write which to take.

    The library times the best against the MPI library's own before it stays with one.
    """
    named = [name.strip() for name in (hosts or "").split(",") if name.strip()]
    return plan_exchange(
        network_file, groups_file, output_file, n=ranks, hosts=named, m=options.named_sizes(sizes)
    )
