"""contend graph measure: when each message of a graph ends, over MPI."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from contend.base.errors import InvalidInputError
from contend.base.records import RecordStore
from contend.base.units import format_bytes, format_seconds, parse_bytes, parse_counts
from contend.cli import options
from contend.cli.campaigns import places
from contend.cli.campaigns.places import Where
from contend.cli.options import argument, option
from contend.cli.result import Cell, Result, Table
from contend.measure.graphs import GraphCampaign
from contend.samples.messages import MessageSample
from contend.simulate.graphs.isomorphism import Edges
from contend.simulate.graphs.random_graphs import random_graphs
from contend.simulate.graphs.reader import PUBLISHED, read_contention_graphs

ORDER = 2
EXAMPLE = "contend graph measure --random 60 --published --on lab:fast-ethernet -o graphs.jsonl"


class Usual(NamedTuple):
    """What is not said; `warmup` comes after the repetition in which the data are checked."""

    size: str
    launches: int
    repetitions: int
    warmup: int


# On a lab connections keep their windows from one repetition to the next, so that launches tell
# more about how times vary than repetitions do.
HERE, LAB = Usual("1MiB", 3, 20, 3), Usual("512KiB", 4, 2, 0)


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
        "Also measure so many later steps of the graphs, which 'graph fit' needs.",
        default=100,
        min=0,
    ),
    output_file: Path = option(
        "File of graphs; continued if it exists.", "-o", "--output", default=Path("graphs.jsonl")
    ),
    size: str | None = option(
        f"Of each message; default {HERE.size}, lab {LAB.size}.", "-m", "--size"
    ),
    launches: int | None = option(
        f"Of each graph; default {HERE.launches}, lab {LAB.launches}.", min=1
    ),
    repetitions: int | None = option(
        f"In each launch; default {HERE.repetitions}, on a lab {LAB.repetitions}.", min=1
    ),
    warmup: int | None = option(
        f"Repetitions left out; default {HERE.warmup}, on a lab {LAB.warmup}.", min=0
    ),
    max_seconds: float = option(
        "Most for a graph in a launch, after 5 repetitions.",
        default=2.0,
        parser=options.duration(0.001),
        metavar="TIME",
    ),
    seed: int = option("Seed of the graphs and of their order.", default=1),
    start: options.Start = options.StartBy.auto,
) -> Result:
    """Measure when each message ends that shares a network with others, from a common start.

    Every graph is stored as soon as it is known; a campaign that was stopped continues when the
    same command is given again. With --ppn, so many processes of a node share its messages; without
    it each process is a node of the graph.
    """
    given = _bytes(size) if size else None
    chosen = _graphs(graphs_file, random, published, edges, nodes, seed)
    mpi = where.mpi
    with RecordStore(MessageSample, output_file) as store:
        existing = store.existing()
        place = where.place(existing)
        usual = LAB if place.lab else HERE
        times = usual.repetitions if repetitions is None else repetitions
        launch_options = place.launch_options(
            0.05,
            times,
            usual.warmup if warmup is None else warmup,
            max_repetitions=times,
            max_seconds=max_seconds,
            start=start.value,
            **where.launched,
        )
        with places.running(place, output_file) as (lab, show):
            m = given or _bytes(usual.size)
            campaign = GraphCampaign(mpi, store, m, launch_options, show, lab, seed)
            campaign.carry_out(chosen, launches or usual.launches)
            if steps:
                campaign.carry_out_steps(launches or usual.launches, steps)
    rows, new = _rows(campaign.samples), len(campaign.samples) - len(existing)
    return Result(
        {"file": output_file, "new": new, "graphs": rows},
        [
            Table(rows, COLUMNS, f"{new} new in {output_file}"),
            f"next: contend graph fit {output_file}",
        ],
    )


def _bytes(text: str) -> int:
    size = parse_bytes(text)
    if size < 1:
        raise InvalidInputError("messages of 0 bytes", "give -m, e.g. -m 1MiB")
    return size


def _graphs(
    path: Path | None, random: int, published: bool, edges: str, nodes: str, seed: int
) -> dict[str, Edges]:
    found = read_contention_graphs(path) if path else {}
    found |= PUBLISHED if published else {}
    if random:
        found |= random_graphs(random, parse_counts(edges), parse_counts(nodes), seed)
    if not found:
        raise InvalidInputError(
            "no graph to measure", "name a file of graphs, or give --random 60 or --published"
        )
    return found


def _rows(samples: list[MessageSample]) -> list[dict[str, Any]]:
    graphs: dict[tuple[str, int], list[MessageSample]] = {}
    for sample in samples:
        graphs.setdefault((sample.graph, sample.m), []).append(sample)
    return [
        {
            "graph": name,
            "m": m,
            "edges": same[0].edges,
            "alone": float(np.median([alone for sample in same for alone in sample.alone_s])),
            "ends": np.median(np.concatenate([sample.times for sample in same]), axis=0).tolist(),
            "launches": len(same),
            "repetitions": sum(len(sample.times_s) for sample in same),
            "flagged": sum(sample.is_flagged for sample in same),
        }
        for (name, m), same in graphs.items()
    ]


def _ends(row: dict[str, Any]) -> str:
    pairs = zip(row["edges"], row["ends"], strict=True)
    return "  ".join(f"{src}>{dst} {end / row['alone']:.2f}" for (src, dst), end in pairs)


COLUMNS: Mapping[str, Cell] = {
    "graph": "graph",
    "m": ("m", format_bytes),
    "alone": ("alone", format_seconds),
    "end of each message / alone": _ends,
    "launches": "launches",
    "repetitions": "repetitions",
    "flagged": "flagged",
}
