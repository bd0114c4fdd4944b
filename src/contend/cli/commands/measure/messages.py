"""contend measure messages: when each of several messages at once ends, over MPI."""

from pathlib import Path

from contend.api import InvalidInputError, contention_graphs, measure_messages, parse_bytes
from contend.cli import options
from contend.cli.campaigns.places import Where
from contend.cli.options import argument, option
from contend.cli.result import Result

ORDER = 4
EXAMPLE = "contend measure messages --random 60 --published --on lab:fast-ethernet"


def command(
    where: Where,
    graphs_file: Path | None = argument(
        "Graphs: CSV with src,dst, or JSON with many by name.", default=None
    ),
    random: int = option("So many random graphs, no two of the same shape.", default=0, min=0),
    published: bool = option(
        "The graphs of Martinasso and Méhaut, 2011.", "--published", default=False
    ),
    edges: str = option("Numbers of messages of random graphs.", default="2-8"),
    nodes: str = option("Numbers of nodes of random graphs.", default="4-8"),
    steps: int = option(
        "Also measure so many later steps of the graphs, which fits need.", default=100, min=0
    ),
    output_file: options.Samples = Path("graphs.jsonl"),
    size: str | None = option("Of each message; default 1MiB, lab 512KiB.", "-m", "--size"),
    launches: int | None = option("Of each graph; default 3, lab 4.", min=1),
    repeat: list[str] | None = option(
        "Repetitions in each launch: max=20 (on a lab 2) after warmup=3 others (on a lab 0).",
        "--repeat",
        metavar="NAME=VALUE,...",
    ),
    max_seconds: options.MaxSeconds = 2.0,
    seed: int = option("Seed of the graphs and of their order.", default=1),
) -> Result:
    """Measure when each message ends that shares a network with others, from a common start.

    With --ppn, so many processes of a node share its messages; without it each process is a node of
    the graph.
    """
    m = parse_bytes(size) if size else None
    if m == 0:
        raise InvalidInputError("messages of 0 bytes", "give -m, e.g. -m 1MiB")
    graphs = contention_graphs(
        graphs_file, random=random, published=published, edges=edges, nodes=nodes, seed=seed
    )
    given = options.Repeat.of(repeat)
    asked = where.asked(
        launches=launches,
        warmup=given.warmup,
        max_seconds=max_seconds,
        seed=seed,
        start=given.start,
    )
    return measure_messages(
        output_file, asked, graphs, m, repetitions=given.max_repetitions, steps=steps
    )
