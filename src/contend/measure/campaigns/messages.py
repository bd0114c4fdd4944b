"""When each of several messages at once ends, measured for many contention graphs."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from contend.base.errors import InvalidInputError
from contend.base.records import RecordStore
from contend.base.result import Cell, Result, Table
from contend.base.units import format_bytes, format_seconds, parse_counts
from contend.measure.campaigns.options import MeasureOptions
from contend.measure.graphs import GraphCampaign
from contend.samples.messages import MessageSample
from contend.simulate.graphs.isomorphism import Edges
from contend.simulate.graphs.random_graphs import random_graphs
from contend.simulate.graphs.reader import PUBLISHED, read_contention_graphs


class Usual(NamedTuple):
    """Defaults of a place; `warmup` comes after the repetition in which the data are checked."""

    size: int
    launches: int
    repetitions: int
    warmup: int


# On a lab connections keep their windows from one repetition to the next, so that launches tell
# more about how times vary than repetitions do.
HERE, LAB = Usual(1 << 20, 3, 20, 3), Usual(1 << 19, 4, 2, 0)


def measure_messages(
    path: Path,
    options: MeasureOptions,
    graphs: Mapping[str, Edges],
    m: int | None = None,
    *,
    repetitions: int | None = None,
    steps: int = 100,
) -> Result:
    """Measure when each message of every graph ends, from a common start.

    Parameters
    ----------
    graphs
        Pairs (src, dst) of nodes, by name. With several processes per node, these share the
        messages of their node; else each process is a node.
    m
        Bytes of each message.
    steps
        How many later steps of the graphs are measured too, which fits of penalties need.

    >>> options = MeasureOptions(launches=1, min_repetitions=1, max_repetitions=1)
    >>> measure_messages(Path("new.jsonl"), options, {"fan": ((0, 1), (0, 2))}, 64, steps=1).code
    0
    """
    with RecordStore(MessageSample, path) as store:
        existing = store.existing()
        place = options.place(existing)
        usual = LAB if place.lab else HERE
        times = usual.repetitions if repetitions is None else repetitions
        launches = options.launches or usual.launches
        launched = replace(options, max_seconds=options.max_seconds or 2.0).launch_options(
            place,
            min_repetitions=times,
            max_repetitions=times,
            warmup=usual.warmup if options.warmup is None else options.warmup,
        )
        with options.running(place, path, launched) as runner:
            campaign = GraphCampaign(runner, store, m or usual.size, options.seed)
            campaign.carry_out(graphs, launches)
            if steps:
                campaign.carry_out_steps(launches, steps)
    rows, new = _rows(campaign.samples), len(campaign.samples) - len(existing)
    return Result(
        {"file": path, "new": new, "graphs": rows},
        [Table(rows, COLUMNS, f"{new} new in {path}"), f"next: contend fit {path}"],
    )


def contention_graphs(
    path: Path | None = None,
    *,
    random: int = 0,
    published: bool = False,
    edges: str = "2-8",
    nodes: str = "4-8",
    seed: int = 1,
) -> dict[str, Edges]:
    """Return contention graphs by name: of a file, of the literature, and random ones.

    `edges` and `nodes` are numbers of messages and of nodes of the random graphs.

    >>> sorted(contention_graphs(published=True))[:2]
    ['2.1', '2.2']
    """
    graphs = read_contention_graphs(path) if path else {}
    graphs |= PUBLISHED if published else {}
    if random:
        graphs |= random_graphs(random, parse_counts(edges), parse_counts(nodes), seed)
    if not graphs:
        raise InvalidInputError(
            "no graph to measure", "name a file of graphs, or give --random 60 or --published"
        )
    return graphs


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
