"""Decision maps for people, for machines and as pictures."""

from collections.abc import Iterator
from math import isnan
from pathlib import Path

from contend.base.errors import InvalidInputError
from contend.base.units import format_bytes
from contend.cli.catalogue import WAYS
from contend.cli.options import PortsAre, named_counts, named_sizes
from contend.cli.result import Part, Table
from contend.report.canvas.files import check_picture, write_picture
from contend.report.figures.decisions import map_drawing
from contend.schedules.fitting.record import Parameters
from contend.schedules.groups import Grouping
from contend.schedules.option_text import options_text
from contend.tune.choose import DecisionMap, decision_map, map_counts, map_sizes

SIZE = 6.0, 3.9  # inches of a map by itself


def parts(found: DecisionMap) -> Iterator[Part]:
    """Show the map as a table."""
    cells = {
        format_bytes(m): [
            f"{name}\n{options_text(chosen).replace('segment ', '')}".strip()
            for name, chosen in zip(found.algorithm[:, i], found.options[:, i], strict=True)
        ]
        for i, m in enumerate(found.m)
    }
    width = 10 + sum(_widest(column) + 3 for column in cells.values())
    title = f"{found.collective}: the fastest algorithm and its segment"
    yield Table({"n \\ m": found.n} | cells, title=title, width=width)
    yield WAYS[PortsAre.single]


def _widest(column: list[str]) -> int:
    return max(len(line) for cell in column for line in cell.splitlines())


def cells(found: DecisionMap) -> list[dict[str, object]]:
    """Return the cells; nothing where there is no second, or no bounds to judge by."""
    return [
        {
            "collective": found.collective,
            "n": int(n),
            "m": int(m),
            "algorithm": found.algorithm[row, column],
            "options": found.options[row, column],
            "seconds": float(found.seconds[row, column]),
            "second": found.second[row, column] or None,
            "second_ratio": float(found.ratio[row, column]),
            "is_told_from_second": None if isnan(told) else bool(told),
        }
        for row, n in enumerate(found.n)
        for column, m in enumerate(found.m)
        for told in [found.is_told[row, column]]
    ]


def draw(
    collective: str,
    known: Parameters,
    ranges: tuple[str, str],
    network: str,
    file: Path | None,
    grouping: Grouping | None = None,
) -> tuple[Path, DecisionMap]:
    """The picture that was written, and what it shows.

    `ranges` are processes and sizes as given; where they are empty, the map is of every n to 64 and
    of the sizes that pLogP has seen.
    """
    if collective == "barrier":
        raise InvalidInputError(
            "a barrier has no size to draw it over", "leave --plot out, or give --table alone"
        )
    path = check_picture(file or Path(f"{collective}-map.svg"))
    processes, sizes = ranges
    counts = sorted(set(named_counts(processes) or map_counts()))
    wanted = sorted(set(named_sizes(sizes) or map_sizes(known)))
    found = decision_map(collective, known, counts, wanted, grouping)
    write_picture(map_drawing(found, network, *SIZE), path)
    return path, found
