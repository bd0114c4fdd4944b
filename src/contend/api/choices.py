"""Choices: rules for a library, algorithms ranked for calls, and maps of the fastest."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path

from contend.base.errors import InvalidInputError
from contend.base.result import Line, Result
from contend.base.units import parse_bytes_list, parse_counts
from contend.models.network import Network
from contend.models.prediction.catalogue import parameters_of
from contend.schedules import algorithms
from contend.schedules.groups import grouping_of
from contend.tune.choose import decision_map, map_counts, map_sizes
from contend.tune.choose.answers import rank_calls
from contend.tune.choose.decide import decide
from contend.tune.choose.rivals import contests
from contend.tune.choose.summary import map_cells, map_parts, result_of
from contend.tune.choose.timing import AUTO, Placement
from contend.tune.choose.verified_gains import VerifiedGains

SIZE = 6.0, 3.9  # inches of a map by itself
COUNTS = "2,3,4,6,8,12,16,24,32,48,64"  # of a table
SIZES = "1,64,1KiB,4KiB,16KiB,64KiB,256KiB,1MiB"


@dataclass(frozen=True)
class ChoiceOptions:
    """Which calls are chosen for, and by what: numbers of processes and sizes as text.

    `is_table` and `is_drawn` ask for the best over n and m; `verified` are files of gains.
    """

    n: str = ""
    m: str = ""
    is_table: bool = False
    is_drawn: bool = False
    verified: Sequence[str | Path] | None = None
    all_commute: bool = False
    groups: str | None = None
    processes_per_node: int | None = None
    ports: str = AUTO

    @property
    def has_placement(self) -> bool:
        """Whether anything is given on where ranks are, or on what their messages meet."""
        return bool(self.groups or self.processes_per_node or self.ports != AUTO)

    def calls(self, collective: str) -> list[tuple[int, int]]:
        """Return pairs of n and m."""
        counts = parse_counts(self.n)
        sizes = [0] if collective == "barrier" else parse_bytes_list(self.m)
        if not counts or not sizes:
            raise InvalidInputError("no n or no m", "give both, e.g. -n 40 -m 1MiB, or --table")
        return [(n, m) for n in counts for m in sizes]


def choose(
    network_file: str | Path,
    operations: Sequence[str] = (),
    path: str | Path | None = None,
    options: ChoiceOptions = ChoiceOptions(),
) -> Result:
    """Choose algorithms: by what was measured of a library, else by schedules.

    Rules for a library are written to `path` (.json), maps are drawn to it.

    >>> choose("network.json", path="new.json").data["rules"][1]["algorithm"]
    'chain'

    Raises
    ------
    ContendError
        For what the network does not know, and for options that say nothing together.
    """
    network, path = Network.load(network_file), None if path is None else Path(path)
    if _is_of_library(network, operations, path, is_table=options.is_table):
        return _decided(network, operations, path, options)
    if options.verified:
        raise InvalidInputError(
            "--verified is for decisions on the library's own algorithms, not for a ranking",
            "add --table, or -o decisions.json, or leave it out",
        )
    (collective,) = operations
    algorithms(collective)  # an unknown operation is the first thing to say
    where = Placement(options.processes_per_node, grouping_of(options.groups))
    if options.is_drawn or options.is_table or path:
        if options.ports != AUTO or options.processes_per_node:
            raise InvalidInputError(
                "a map gives ports to one message at a time", "leave --ports and --ppn out"
            )
        return _map(network, collective, path, where, options)
    calls = options.calls(collective)
    return rank_calls(
        network, collective, calls, options.ports, where, all_commute=options.all_commute
    )


def _is_of_library(
    network: Network, operations: Sequence[str], path: Path | None, *, is_table: bool
) -> bool:
    """Whether decisions are wanted, and not a ranking or a map of the catalogue's algorithms."""
    if len(operations) != 1 or (path and path.suffix == ".json"):
        return True
    if path or (network.parameters(operations[0]) and not is_table):
        return False
    return any(contest.rivals for contest in contests(network, operations))


def _decided(
    network: Network, operations: Sequence[str], path: Path | None, options: ChoiceOptions
) -> Result:
    if options.is_drawn or options.has_placement:
        raise InvalidInputError(
            "decisions are by measured times of the library's own algorithms, where they were "
            "placed as they were",
            "leave --plot, --with, --ppn and --ports out, or name one operation and no .json",
        )
    if path and path.suffix != ".json":
        raise InvalidInputError(
            f"decisions of several operations in {path}", "name a .json file, or one operation"
        )
    decisions = decide(
        network, operations, parse_counts(options.n), parse_bytes_list(options.m),
        [VerifiedGains.load(file) for file in options.verified or ()],
        all_commute=options.all_commute,
    )  # fmt: skip
    if path:
        decisions.save(path)
    notes = [f"decisions: {path}"] if path else []
    return replace(result_of(decisions, network, operations), notes=notes)


def _map(
    network: Network, collective: str, path: Path | None, where: Placement, options: ChoiceOptions
) -> Result:
    """Draw the fastest algorithm over n and m, or show it as a table, or both.

    Without ranges a drawing is of every n to 64 and of the sizes that pLogP has seen.
    """
    parameters = parameters_of(network, collective)
    picture: list[Line] = []
    if is_drawn := bool(options.is_drawn or path):
        from contend.report.canvas.files import check_picture, write_picture
        from contend.report.figures.decisions import map_drawing

        if collective == "barrier":
            raise InvalidInputError(
                "a barrier has no size to draw it over", "leave --plot out, or give --table alone"
            )
        path = check_picture(path or Path(f"{collective}-map.svg"))
        counts = sorted(set(_numbers(options.n, parse_counts, "number of processes", map_counts())))
        sizes = sorted(
            set(_numbers(options.m, parse_bytes_list, "message size", map_sizes(parameters)))
        )
        drawn = decision_map(collective, parameters, counts, sizes, where.groups)
        write_picture(map_drawing(drawn, network.name, *SIZE), path)
        picture = [Line(f"picture: {path}")]
        data = {"picture": path, "map": map_cells(drawn)}
        if not options.is_table:
            return Result(data, picture)
    usual = replace(options, n=options.n or COUNTS, m=options.m or SIZES)
    pairs = zip(*usual.calls(collective), strict=True)
    counts, sizes = (list(dict.fromkeys(each)) for each in pairs)
    decisions = decision_map(collective, parameters, counts, sizes, where.groups)
    return Result(data if is_drawn else map_cells(decisions), chain(picture, map_parts(decisions)))


def _numbers(
    text: str, parse: Callable[[str], list[int]], kind: str, usual: Iterable[int]
) -> list[int]:
    """Return the numbers of a text; the usual ones where it is empty."""
    numbers = parse(text)
    if text and not numbers:
        raise InvalidInputError(f"{text!r} holds no {kind}", "give one, or leave it out")
    return numbers or list(usual)
