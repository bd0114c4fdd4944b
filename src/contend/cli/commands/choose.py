"""contend choose: which algorithm of a collective operation to take."""

from math import isnan
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from contend.cli import completion, options, output

if TYPE_CHECKING:
    from collections.abc import Sequence

    from contend.choose import Ranking
    from contend.network import Network

ORDER = 5
PANEL = "Decide"
EXAMPLE = "contend choose network.json bcast -n 40 -m 1MiB"
_TABLE_COUNTS, _TABLE_SIZES = (
    "2,3,4,6,8,12,16,24,32,48,64",
    "1,64,1KiB,4KiB,16KiB,64KiB,256KiB,1MiB",
)


def command(
    network_file: options.NetworkFile,
    collectives: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[COLLECTIVE]...",
            autocompletion=completion.collectives,
            help="Operations of 'contend algorithms'; default all whose default was measured.",
        ),
    ] = None,
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
            help="Decisions: .json. Picture: .svg, .png, .pdf, or .html to point at; default "
            "COLLECTIVE-map.svg.",
        ),
    ] = None,
    verified_files: Annotated[
        list[Path] | None,
        typer.Option(
            "--verified",
            help="Gains in a program, of 'contend tune verify -o': where it was slower by a rule, "
            "the default stays. May be repeated.",
        ),
    ] = None,
    all_commute: options.AllCommute = False,
    groups: options.Groups = None,
    ppn: options.PerNode = None,
    ports: options.Ports = options.PortsAre.auto,
    as_json: options.AsJson = False,
) -> None:
    """Rank all algorithms for a call: best segment and degree, by how much, and how sure.

    Each is timed by its schedule, as that foretells best what was measured of the operation, with
    the options that are best without contention. Algorithms whose intervals overlap with that of
    the best do not differ significantly from it.

    Where the library's default was measured, and its algorithms, these are decided on by what was
    measured: the default stays unless something is surely better.
    """
    from contend.choose import decision_map, rank
    from contend.choose.timing import Placement, timing_of
    from contend.cli.decided import note_of_conditions
    from contend.cli.scheduled import described, interval_note
    from contend.errors import InvalidInputError
    from contend.network import Network
    from contend.prediction.scheduled import parameters_of
    from contend.schedules import algorithms
    from contend.schedules.groups import grouping_of
    from contend.units import parse_bytes_list, parse_counts

    wanted_operations = collectives or []
    if is_decided(network_file, wanted_operations, output_file, is_table=is_table):
        if is_plot or groups or ppn or ports != options.PortsAre.auto:
            raise InvalidInputError(
                "decisions are by measured times of the library's own algorithms, where they were "
                "placed as they were",
                "leave --plot, --groups, --ppn and --ports out, or name one operation and no .json",
            )
        _decide(Network.load(network_file), wanted_operations, (processes, sizes), output_file,
                verified_files or (), all_commute=all_commute, as_json=as_json)  # fmt: skip
        return
    if verified_files:
        raise InvalidInputError(
            "--verified is for decisions on the library's own algorithms, not for a ranking",
            "add --table, or -o decisions.json, or leave it out",
        )
    (collective,) = wanted_operations
    entries = algorithms(collective).all()  # an unknown operation is the first thing to say
    grouping = grouping_of(groups)
    if (ports != options.PortsAre.auto or ppn) and (is_table or is_plot or output_file):
        raise InvalidInputError(
            "a map gives ports to one message at a time", "leave --ports and --ppn out"
        )
    network = Network.load(network_file)
    known = parameters_of(network, collective)
    if is_plot or is_table or output_file:
        from contend.cli import maps  # and what draws them
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
    where = Placement(ppn, grouping)
    timing = timing_of(network, collective, ports.value, where)
    rankings = [rank(collective, known, n, m, timing, where.groups) for n in counts for m in wanted]
    if as_json:
        timed = {"timing": described(timing)}
        rows = [_ranking_json(network, one, all_commute=all_commute) | timed for one in rankings]
        output.show_json(rows)
        return
    for ranking in rankings:
        _show_ranking(network, ranking, all_commute=all_commute)
    note_of_conditions(network, [collective])
    calls = [(one.n, one.m) for one in rankings]
    claims = [each.claim for one in rankings for each in one.ranked]
    output.note(interval_note(timing, ports, calls, claims))
    others = [] if where.groups else [one.name for one in entries if one.needs_groups]
    if others:
        output.note(f"--groups says which ranks are close, for {', '.join(others)}")


def is_decided(
    network_file: Path, collectives: "Sequence[str]", output_file: Path | None, *, is_table: bool
) -> bool:
    """Whether decisions are wanted, and not a ranking or a map of the catalogue's algorithms."""
    from contend.choose.rivals import contests
    from contend.network import Network

    if len(collectives) != 1 or (output_file and output_file.suffix == ".json"):
        return True
    network, (collective,) = Network.load(network_file), collectives
    if output_file or (network.parameters(collective) and not is_table):
        return False
    return any(one.rivals for one in contests(network, [collective]))


def _decide(
    network: "Network",
    collectives: "Sequence[str]",
    ranges: tuple[str, str],
    file: Path | None,
    verified_files: "Sequence[Path]",
    *,
    all_commute: bool,
    as_json: bool,
) -> None:
    from contend.choose.decide import decide
    from contend.choose.verified import VerifiedGains
    from contend.cli import decided
    from contend.errors import InvalidInputError
    from contend.units import parse_bytes_list, parse_counts

    if file and file.suffix != ".json":
        raise InvalidInputError(
            f"decisions of several operations in {file}", "name a .json file, or one operation"
        )
    processes, sizes = ranges
    verified = [VerifiedGains.load(one) for one in verified_files]
    found = decide(
        network, collectives, parse_counts(processes), parse_bytes_list(sizes), verified,
        all_commute=all_commute,
    )  # fmt: skip
    if file:
        decided.save(found, file)
    if as_json:
        output.show_json(found.to_json())
    else:
        decided.show(found)
        decided.note_of_conditions(network, collectives)


def _ranking_json(
    network: "Network", ranking: "Ranking", *, all_commute: bool
) -> dict[str, object]:
    from dataclasses import asdict

    from contend.cli import decided

    call = network, ranking.collective, ranking.n, ranking.m
    rows = [asdict(one) for one in ranking.ranked]
    for row in rows:
        row.update({name: None for name in ("low", "high", "ratio") if isnan(row[name])})
    return asdict(ranking) | {
        "ranked": rows,
        "as_fast_as_best": ranking.as_fast_as_best,
        "default": decided.default_rows(*call),
        "decisions": [
            one.model_dump(mode="json")
            for found in decided.of_call(*call, all_commute=all_commute)
            for one in found.rules
        ],
    }


def _show_ranking(network: "Network", ranking: "Ranking", *, all_commute: bool) -> None:
    from contend.cli import decided
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
    call = network, ranking.collective, ranking.n, ranking.m
    best = ranking.ranked[0].seconds
    table = decided.with_default(rows, decided.default_rows(*call), best)
    output.show_table(output.by_columns(table), head)
    output.note(_verdict(ranking))
    for found in decided.of_call(*call, all_commute=all_commute):
        decided.note_of_call(found)
    for name, reason in ranking.refused.items():
        output.note(f"left out: {name}: {reason}")


def _verdict(ranking: "Ranking") -> str:
    best = ranking.ranked[0].algorithm
    if isnan(ranking.ranked[0].low):
        return f"{best} is the fastest; how sure that is cannot be said without bounds of pLogP"
    if others := ranking.as_fast_as_best:
        return f"no significant difference between {best} and {', '.join(others)}"
    return f"{best} is the fastest: no other interval overlaps with its own"
