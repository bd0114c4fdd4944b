"""contend choose: which algorithm of a collective operation is the fastest."""

from math import isnan
from typing import TYPE_CHECKING, Annotated

import typer

from contend.cli import options, output

if TYPE_CHECKING:
    from contend.choose import DecisionMap, Ranking

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
    as_json: options.AsJson = False,
) -> None:
    """Rank all algorithms for a call: best segment and degree, by how much, and how sure.

    Each is timed by its schedule without contention. Algorithms whose intervals overlap with that
    of the best do not differ significantly from it.
    """
    from contend.choose import decision_map, rank
    from contend.cli.scheduled import INTERVALS, parameters_of
    from contend.errors import InvalidInputError
    from contend.network import Network
    from contend.schedules import algorithms
    from contend.units import parse_bytes_list, parse_counts

    algorithms(collective)  # an unknown operation is the first thing to say
    if is_table:
        processes, sizes = processes or _TABLE_COUNTS, sizes or _TABLE_SIZES
    counts = parse_counts(processes)
    wanted = [0] if collective == "barrier" else parse_bytes_list(sizes)
    if not counts or not wanted:
        raise InvalidInputError("no n or no m", "give both, e.g. -n 40 -m 1MiB, or --table")
    known = parameters_of(Network.load(network_file), network_file, collective)
    if is_table:
        _show_map(decision_map(collective, known, counts, wanted), as_json=as_json)
        return
    rankings = [rank(collective, known, n, m) for n in counts for m in wanted]
    if as_json:
        output.show_json([_ranking_json(ranking) for ranking in rankings])
        return
    for ranking in rankings:
        _show_ranking(ranking)
    output.note(INTERVALS)


def _ranking_json(ranking: "Ranking") -> dict[str, object]:
    from dataclasses import asdict

    rows = [asdict(one) for one in ranking.ranked]
    for row in rows:
        row.update({name: None for name in ("low", "high", "ratio") if isnan(row[name])})
    return asdict(ranking) | {"ranked": rows, "as_fast_as_best": ranking.as_fast_as_best}


def _show_ranking(ranking: "Ranking") -> None:
    import pandas as pd

    from contend.cli.scheduled import interval_text, options_text
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
    output.console().print(output.table(pd.DataFrame(rows), head))
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


def _show_map(found: "DecisionMap", *, as_json: bool) -> None:
    import pandas as pd

    from contend.cli.scheduled import INTERVALS, options_text
    from contend.units import format_bytes

    if as_json:
        output.show_json(_map_json(found))
        return
    cells = {
        format_bytes(m): [
            f"{name}\n{options_text(chosen).replace('segment ', '')}".strip()
            for name, chosen in zip(found.algorithm[:, i], found.options[:, i], strict=True)
        ]
        for i, m in enumerate(found.m)
    }
    rows = pd.DataFrame({"n \\ m": found.n} | cells)
    width = 10 + sum(_widest(column) + 3 for column in cells.values())
    output.console(width).print(
        output.table(rows, f"{found.collective}: the fastest algorithm and its segment")
    )
    output.note(INTERVALS.partition(";")[0])


def _widest(column: list[str]) -> int:
    return max(len(line) for cell in column for line in cell.splitlines())


def _map_json(found: "DecisionMap") -> list[dict[str, object]]:
    return [
        {
            "collective": found.collective,
            "n": int(n),
            "m": int(m),
            "algorithm": found.algorithm[row, column],
            "options": found.options[row, column],
            "seconds": float(found.seconds[row, column]),
        }
        for row, n in enumerate(found.n)
        for column, m in enumerate(found.m)
    ]
