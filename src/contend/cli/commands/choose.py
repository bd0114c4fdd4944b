"""contend choose: which algorithm of a collective operation to take."""

from collections.abc import Iterator, Sequence
from itertools import chain
from math import isnan
from pathlib import Path
from typing import Any, NamedTuple

from contend.base.errors import InvalidInputError
from contend.base.units import format_bytes, format_seconds, parse_bytes_list, parse_counts
from contend.cli import completion, maps, options, output
from contend.cli.catalogue import described, interval_note, interval_text
from contend.cli.decisions import call_parts, decided, default_rows, of_call, of_conditions
from contend.cli.options import argument, option
from contend.cli.result import Cell, Line, Part, Result, Table
from contend.models.network import Network
from contend.models.prediction.catalogue import parameters_of
from contend.schedules import algorithms
from contend.schedules.groups import Grouping, grouping_of
from contend.schedules.option_text import options_text
from contend.tune.choose import Ranking, decision_map, rank
from contend.tune.choose.decide import decide
from contend.tune.choose.rivals import contests
from contend.tune.choose.rules import Decisions
from contend.tune.choose.timing import Placement, timing_of
from contend.tune.choose.verified_gains import VerifiedGains

ORDER = 5
PANEL = "Decide"
EXAMPLE = "contend choose network.json bcast -n 40 -m 1MiB"
_TABLE_COUNTS, _TABLE_SIZES = (
    "2,3,4,6,8,12,16,24,32,48,64",
    "1,64,1KiB,4KiB,16KiB,64KiB,256KiB,1MiB",
)


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
    is_plot: bool = option("Draw the table, for every n and finer sizes.", "--plot", default=False),
    output_file: Path | None = option(
        "Decisions: .json. Picture: .svg, .png, .pdf, or .html to point at; default "
        "COLLECTIVE-map.svg.",
        "-o",
        "--output",
    ),
    verified_files: list[Path] | None = option(
        "Gains in a program, of 'contend tune verify -o': where it was slower by a rule, the "
        "default stays. May be repeated.",
        "--verified",
    ),
    all_commute: options.AllCommute = False,
    groups: options.Groups = None,
    ppn: options.PerNode = None,
    ports: options.Ports = options.PortsAre.auto,
) -> Result:
    """Rank all algorithms for a call: best segment and degree, by how much, and how sure.

    Each is timed by its schedule, as that foretells best what was measured of the operation, with
    the options that are best without contention. Algorithms whose intervals overlap with that of
    the best do not differ significantly from it.

    Where the library's default was measured, and its algorithms, these are decided on by what was
    measured: the default stays unless something is surely better.
    """
    wanted_operations = collectives or []
    if is_decided(network_file, wanted_operations, output_file, is_table=is_table):
        if is_plot or groups or ppn or ports != options.PortsAre.auto:
            raise InvalidInputError(
                "decisions are by measured times of the library's own algorithms, where they were "
                "placed as they were",
                "leave --plot, --groups, --ppn and --ports out, or name one operation and no .json",
            )
        return _decide(Network.load(network_file), wanted_operations, (processes, sizes),
                       output_file, verified_files or (), all_commute=all_commute)  # fmt: skip
    if verified_files:
        raise InvalidInputError(
            "--verified is for decisions on the library's own algorithms, not for a ranking",
            "add --table, or -o decisions.json, or leave it out",
        )
    (collective,) = wanted_operations
    algorithms(collective)  # an unknown operation is the first thing to say
    where = Placement(ppn, grouping_of(groups))
    if is_plot or is_table or output_file:
        if ports != options.PortsAre.auto or ppn:
            raise InvalidInputError(
                "a map gives ports to one message at a time", "leave --ports and --ppn out"
            )
        is_drawn = bool(is_plot or output_file)
        return _map(
            Network.load(network_file), collective, (processes, sizes), output_file, where.groups,
            is_drawn=is_drawn, is_table=is_table,
        )  # fmt: skip
    network = Network.load(network_file)
    calls, known = _calls(collective, processes, sizes), parameters_of(network, collective)
    timing = timing_of(network, collective, ports.value, where)
    rankings = [rank(collective, known, n, m, timing, where.groups) for n, m in calls]
    told = [_Told.of(network, one, all_commute=all_commute) for one in rankings]
    about = {"timing": described(timing)}

    def parts() -> Iterator[Part]:
        for one in told:
            yield from one.parts()
        yield from of_conditions(network, [collective])
        claims = [each.claim for one in rankings for each in one.ranked]
        yield interval_note(timing, ports, calls, claims)
        others = [one.name for one in algorithms(collective).all() if one.needs_groups]
        if others and not where.groups:
            yield f"--groups says which ranks are close, for {', '.join(others)}"

    return Result([one.data() | about for one in told], parts())


def _calls(collective: str, processes: str, sizes: str) -> list[tuple[int, int]]:
    counts = parse_counts(processes)
    wanted = [0] if collective == "barrier" else parse_bytes_list(sizes)
    if not counts or not wanted:
        raise InvalidInputError("no n or no m", "give both, e.g. -n 40 -m 1MiB, or --table")
    return [(n, m) for n in counts for m in wanted]


def _map(
    network: Network,
    collective: str,
    ranges: tuple[str, str],
    file: Path | None,
    grouping: Grouping | None,
    *,
    is_drawn: bool,
    is_table: bool,
) -> Result:
    """Draw the fastest algorithm over n and m, or show it as a table, or both."""
    known = parameters_of(network, collective)
    usual = (ranges[0] or _TABLE_COUNTS, ranges[1] or _TABLE_SIZES)
    if is_drawn:
        path, drawn = maps.draw(collective, known, ranges, network.name, file, grouping)
        picture = [Line(f"picture: {path}")]
        data = {"picture": path, "map": maps.cells(drawn)}
        if not is_table:
            return Result(data, picture)
    calls = _calls(collective, *usual)
    counts, wanted = (list(dict.fromkeys(one)) for one in zip(*calls, strict=True))
    found = decision_map(collective, known, counts, wanted, grouping)
    if is_drawn:
        return Result(data, chain(picture, maps.parts(found)))
    return Result(maps.cells(found), maps.parts(found))


def is_decided(
    network_file: Path, collectives: Sequence[str], output_file: Path | None, *, is_table: bool
) -> bool:
    """Whether decisions are wanted, and not a ranking or a map of the catalogue's algorithms."""
    if len(collectives) != 1 or (output_file and output_file.suffix == ".json"):
        return True
    network, (collective,) = Network.load(network_file), collectives
    if output_file or (network.parameters(collective) and not is_table):
        return False
    return any(one.rivals for one in contests(network, [collective]))


def _decide(
    network: Network,
    collectives: Sequence[str],
    ranges: tuple[str, str],
    file: Path | None,
    verified_files: Sequence[Path],
    *,
    all_commute: bool,
) -> Result:
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
        found.save(file)
        output.note(f"decisions: {file}")
    return decided(found, network, collectives)


class _Told(NamedTuple):
    """A ranking, the times of the library's default, and what is decided of it."""

    ranking: Ranking
    defaults: list[dict[str, float]]
    decisions: list[Decisions]

    @classmethod
    def of(cls, network: Network, ranking: Ranking, *, all_commute: bool) -> "_Told":
        """Return a ranking with what was measured of the library."""
        call = network, ranking.collective, ranking.n, ranking.m
        return cls(ranking, default_rows(*call), of_call(*call, all_commute=all_commute))

    def data(self) -> dict[str, Any]:
        """Return it for machines."""
        return vars(self.ranking) | {
            "as_fast_as_best": self.ranking.as_fast_as_best,
            "default": self.defaults,
            "decisions": [rule for found in self.decisions for rule in found.rules],
        }

    def parts(self) -> Iterator[Part]:
        """Show the ranking, below it the library's default."""
        ranking, best = self.ranking, self.ranking.ranked[0]
        default = {"algorithm": "the library's default", "claim": "measured"}
        rows = [vars(one) | {"is_best": one is best} for one in ranking.ranked]
        rows += [default | one | {"ratio": one["seconds"] / best.seconds} for one in self.defaults]
        title = f"{ranking.collective}, n = {ranking.n}, m = {format_bytes(ranking.m)}"
        yield Table(rows, COLUMNS, title)
        yield _verdict(ranking)
        for found in self.decisions:
            yield from call_parts(found)
        for name, reason in ranking.refused.items():
            yield f"left out: {name}: {reason}"


def _remarks(row: dict[str, Any]) -> str:
    is_told = row.get("is_best") or row.get("is_told_from_best") is not False
    return "" if is_told else "no significant difference"


COLUMNS: dict[str, Cell] = {
    "algorithm": "algorithm",
    "options": lambda row: options_text(row.get("options", {})),
    "time": ("seconds", format_seconds),
    "interval": interval_text,
    "to the best": lambda row: "best" if row.get("is_best") else f"{row['ratio']:.3g}",
    "form": "claim",
    "parameters of": lambda row: row.get("parameters") or "",
    "remarks": _remarks,
}


def _verdict(ranking: Ranking) -> str:
    best = ranking.ranked[0].algorithm
    if isnan(ranking.ranked[0].low):
        return f"{best} is the fastest; how sure that is cannot be said without bounds of pLogP"
    if others := ranking.as_fast_as_best:
        return f"no significant difference between {best} and {', '.join(others)}"
    return f"{best} is the fastest: no other interval overlaps with its own"
