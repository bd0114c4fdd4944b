"""contend measure messages: when each of several messages at once ends, over MPI."""

from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from contend.api import InvalidInputError, contention_graphs, measure_messages, parse_bytes
from contend.cli import options
from contend.cli.campaigns.places import Repeating
from contend.cli.options import argument, option
from contend.cli.pairs import named_pairs, whole
from contend.cli.result import Result

ORDER = 4
EXAMPLE = "contend measure messages --random 60 --published --on lab:fast-ethernet"


@dataclass(frozen=True)
class OfGraphs(Repeating):
    """Options of where to measure, and how often."""

    launches: int | None = option("Of each graph; default 3, lab 4.", min=1)
    repeat: list[str] | None = option(
        "max=20 repetitions in each launch (on a lab 2) or time=2s, after warmup=3 others (on a "
        "lab 0); start, timeout and seed as of collectives. The seed is that of random graphs too.",
        metavar="NAME=VALUE,...",
    )
    repeated: ClassVar[tuple[str, ...]] = ("max", "time", "warmup", "start", "timeout", "seed")


def command(
    repeating: OfGraphs,
    graphs_file: Path | None = argument(
        "Graphs: CSV with src,dst, or JSON with many by name.", default=None
    ),
    random: list[str] | None = option(
        "So many random graphs, no two of the same shape, of edges=2-8 messages among nodes=4-8.",
        metavar="COUNT[,NAME=VALUE...]",
    ),
    published: bool = option(
        "The graphs of Martinasso and Méhaut, 2011.", "--published", default=False
    ),
    steps: int = option(
        "Also measure so many later steps of the graphs, which fits need.", default=100, min=0
    ),
    output_file: options.Samples = Path("graphs.jsonl"),
    size: str | None = option("Of each message; default 1MiB, lab 512KiB.", "-m", "--size"),
) -> Result:
    """Measure when each message ends that shares a network with others, from a common start.

    With --ppn, so many processes of a node share its messages; without it each process is a node of
    the graph.
    """
    m = parse_bytes(size) if size else None
    if m == 0:
        raise InvalidInputError("messages of 0 bytes", "give -m, e.g. -m 1MiB")
    asked = repeating.asked(max_seconds=2.0)
    among = named_pairs(random, "--random", ("count", "edges", "nodes"), "count")
    graphs = contention_graphs(
        graphs_file, published=published, seed=asked.seed,
        random=whole("--random", among.get("count", "0"), 0),
        edges=among.get("edges", "2-8"), nodes=among.get("nodes", "4-8"),
    )  # fmt: skip
    return measure_messages(
        output_file, asked, graphs, m, repetitions=asked.max_repetitions, steps=steps
    )
