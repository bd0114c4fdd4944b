"""contend choose: which algorithm of a collective operation is the fastest."""

from math import isnan
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from contend.cli import options, output

if TYPE_CHECKING:
    from contend.choose import Ranking

ORDER = 5
EXAMPLE = "contend choose network.json bcast -n 40 -m 1MiB"
_TABLE_COUNTS, _TABLE_SIZES = (
    "2,3,4,6,8,12,16,24,32,48,64",
    "1,64,1KiB,4KiB,16KiB,64KiB,256KiB,1MiB",
)


def command(
    network_file: options.NetworkFile,
    collective: options.Collective,
    processes: Annotated[
        str, typer.Option("-n", "--processes", help="Numbers of processes, e.g. 16,32-34.")
    ] = "",
    sizes: Annotated[str, typer.Option("-m", "--sizes", help="Sizes, e.g. 64,1MiB.")] = "",
    is_table: Annotated[
        bool, typer.Option("--table", help="The best algorithm over n (down) and m (across).")
    ] = False,
    is_plot: Annotated[
        bool, typer.Option("--plot", help="Draw the table, for every n and finer sizes.")
    ] = False,
    output_file: Annotated[
        Path | None,
        typer.Option(
            "-o",
            "--output",
            help="Picture: .svg, .png, .pdf, or .html to point at; default COLLECTIVE-map.svg.",
        ),
    ] = None,
    groups: options.Groups = None,
    ports: options.Ports = options.PortsAre.single,
    as_json: options.AsJson = False,
) -> None:
    """Rank all algorithms for a call: best segment and degree, by how much, and how sure.

    Each is timed by its schedule, with the options that are best without contention. Algorithms
    whose intervals overlap with that of the best do not differ significantly from it.
    """
    from contend.choose import decision_map, rank
    from contend.cli import maps
    from contend.cli.scheduled import INTERVALS, grouping_of
    from contend.errors import InvalidInputError
    from contend.network import Network
    from contend.prediction.scheduled import TIMINGS, parameters_of
    from contend.schedules import algorithms
    from contend.units import parse_bytes_list, parse_counts

    entries = algorithms(collective).all()  # an unknown operation is the first thing to say
    grouping = grouping_of(groups)
    if ports != options.PortsAre.single and (is_table or is_plot or output_file):
        raise InvalidInputError("a map gives ports to one message at a time", "leave --ports out")
    network = Network.load(network_file)
    known = parameters_of(network, collective)
    if is_plot or output_file:
        path, drawn = maps.draw(
            collective, known, (processes, sizes), network.name, output_file, grouping
        )
        if as_json:
            output.show_json({"picture": str(path), "map": maps.records(drawn)})
            return
        output.console().print(f"picture: {path}", markup=False)
        if not is_table:
            return
    if is_table:
        processes, sizes = processes or _TABLE_COUNTS, sizes or _TABLE_SIZES
    counts = parse_counts(processes)
    wanted = [0] if collective == "barrier" else parse_bytes_list(sizes)
    if not counts or not wanted:
        raise InvalidInputError("no n or no m", "give both, e.g. -n 40 -m 1MiB, or --table")
    if is_table:
        found = decision_map(collective, known, counts, wanted, grouping)
        if as_json:
            output.show_json(maps.records(found))
        else:
            maps.show(found)
        return
    rankings = [
        rank(collective, known, n, m, TIMINGS[ports.value], grouping)
        for n in counts
        for m in wanted
    ]
    if as_json:
        output.show_json([_ranking_json(ranking) for ranking in rankings])
        return
    for ranking in rankings:
        _show_ranking(ranking)
    output.note(INTERVALS[ports])
    others = [] if grouping else [one.name for one in entries if one.needs_groups]
    if others:
        output.note(f"--groups says which ranks are close, for {', '.join(others)}")


def _ranking_json(ranking: "Ranking") -> dict[str, object]:
    from dataclasses import asdict

    rows = [asdict(one) for one in ranking.ranked]
    for row in rows:
        row.update({name: None for name in ("low", "high", "ratio") if isnan(row[name])})
    return asdict(ranking) | {"ranked": rows, "as_fast_as_best": ranking.as_fast_as_best}


def _show_ranking(ranking: "Ranking") -> None:
    import pandas as pd

    from contend.cli.scheduled import interval_text
    from contend.schedules.option_text import options_text
    from contend.units import format_bytes, format_seconds

    remarks = {None: "", True: "", False: "no significant difference"}
    rows = [
        {
            "algorithm": one.algorithm,
            "options": options_text(one.options),
            "time": format_seconds(one.seconds),
            "interval": interval_text(one.low, one.high),
            "to the best": f"{one.ratio:.3g}" if place else "best",
            "form": one.claim,
            "parameters of": one.parameters,
            "remarks": remarks[one.is_told_from_best] if place else "",
        }
        for place, one in enumerate(ranking.ranked)
    ]
    head = f"{ranking.collective}, n = {ranking.n}, m = {format_bytes(ranking.m)}"
    output.show_table(pd.DataFrame(rows), head)
    output.note(_verdict(ranking))
    for name, reason in ranking.refused.items():
        output.note(f"left out: {name}: {reason}")


def _verdict(ranking: "Ranking") -> str:
    best = ranking.ranked[0].algorithm
    if isnan(ranking.ranked[0].low):
        return f"{best} is the fastest; how sure that is cannot be said without bounds of pLogP"
    if others := ranking.as_fast_as_best:
        return f"no significant difference between {best} and {', '.join(others)}"
    return f"{best} is the fastest: no other interval overlaps with its own"
