"""contend choose: which algorithm of a collective operation to take."""

from pathlib import Path

from contend.api import ChoiceOptions, Result, choose
from contend.cli import completion, options
from contend.cli.options import argument, option
from contend.cli.pairs import named_pairs

ORDER = 1
PANEL = "Act"
EXAMPLE = "contend choose network.json bcast -n 40 -m 1MiB"


def command(
    network_file: options.NetworkFile,
    collectives: list[str] | None = argument(
        "Operations of 'contend list algorithms'; default all whose default was measured.",
        default=None,
        metavar="[COLLECTIVE]...",
        autocompletion=completion.collectives,
    ),
    processes: str = option(
        "Numbers of processes, e.g. 16,32-34.", "-n", "--processes", default=""
    ),
    sizes: str = option("Sizes, e.g. 64,1MiB.", "-m", "--sizes", default=""),
    is_table: bool = option(
        "The best algorithm over n (down) and m (across).", "--table", default=False
    ),
    is_plot: bool = option("As -o COLLECTIVE-map.svg.", "--plot", default=False, hidden=True),
    output_file: Path | None = option(
        "Decisions: .json. Picture of the table, for every n and finer sizes: .svg, .png, .pdf, or "
        ".html to point at.",
        "-o",
        "--output",
    ),
    verified_files: list[Path] | None = option(
        "Gains in a program, of 'contend tune verify -o': where it was slower by a rule, the "
        "default stays. May be repeated.",
        "--verified",
    ),
    all_commute: options.AllCommute = False,
    variant: list[str] | None = option(
        "For algorithms that look at it, which ranks are close to each other: groups=0-2/3-7, "
        "ranks of three and of five; 0,2/1,3: two groups that take turns.",
        "--with",
        metavar="groups=RANKS/RANKS/...",
    ),
    ppn: options.PerNode = None,
    ports: options.Ports = options.PortsAre.auto,
) -> Result:
    """Rank all algorithms for a call: best segment and degree, by how much, and how sure.

    Each is timed by its schedule, as that predicts best what was measured of the operation, with
    the options that are best without contention. Algorithms whose intervals overlap with that of
    the best do not differ significantly from it.

    Where the library's default was measured, and its algorithms, these are decided on by what was
    measured: the default stays unless something is significantly better.
    """
    groups = named_pairs(variant, "--with", ("groups",)).get("groups")
    wanted = ChoiceOptions(
        processes, sizes, is_table, is_plot, verified_files, all_commute, groups, ppn, ports.value
    )
    return choose(network_file, collectives or (), output_file, wanted)
