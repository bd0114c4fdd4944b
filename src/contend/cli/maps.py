"""Decision maps for people, for machines and as pictures."""

from math import isnan
from pathlib import Path

import pandas as pd

from contend.canvas.files import check_picture, write_picture
from contend.choose import DecisionMap, decision_map, map_counts, map_sizes
from contend.cli import output
from contend.cli.options import PortsAre, named_counts, named_sizes
from contend.cli.scheduled import WAYS
from contend.errors import InvalidInputError
from contend.figures.decisions import map_drawing
from contend.schedules.fitting.record import Parameters
from contend.schedules.groups import Grouping
from contend.schedules.option_text import options_text
from contend.units import format_bytes

SIZE = 6.0, 3.9  # inches of a map by itself


def show(found: DecisionMap) -> None:
    """The map as a table."""
    cells = {
        format_bytes(m): [
            f"{name}\n{options_text(chosen).replace('segment ', '')}".strip()
            for name, chosen in zip(found.algorithm[:, i], found.options[:, i], strict=True)
        ]
        for i, m in enumerate(found.m)
    }
    rows = pd.DataFrame({"n \\ m": found.n} | cells)
    width = 10 + sum(_widest(column) + 3 for column in cells.values())
    output.show_table(
        rows, f"{found.collective}: the fastest algorithm and its segment", width=width
    )
    output.note(WAYS[PortsAre.single])


def _widest(column: list[str]) -> int:
    return max(len(line) for cell in column for line in cell.splitlines())


def records(found: DecisionMap) -> list[dict[str, object]]:
    """The cells as JSON objects; null where there is no second, or no bounds to judge by."""
    return [
        {
            "collective": found.collective,
            "n": int(n),
            "m": int(m),
            "algorithm": found.algorithm[row, column],
            "options": found.options[row, column],
            "seconds": float(found.seconds[row, column]),
            "second": found.second[row, column] or None,
            "second_ratio": _known(found.ratio[row, column]),
            "is_told_from_second": _told(found.is_told[row, column]),
        }
        for row, n in enumerate(found.n)
        for column, m in enumerate(found.m)
    ]


def _known(value: float) -> float | None:
    return None if isnan(value) else float(value)


def _told(value: float) -> bool | None:
    return None if isnan(value) else bool(value)


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
