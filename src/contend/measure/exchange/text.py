"""What is shown of exchanges: times of algorithms over the size, and the bound."""

from collections.abc import Callable, Iterator, Sequence

from contend.base.result import Part, Table
from contend.base.units import format_bytes, format_seconds
from contend.measure.exchange.table import CUT, LATE, RATIOS, Cell, Row, algorithms, means

_TITLES = {
    "default_over_auto": "native\n/ auto",
    "native_over_auto": "best native\n/ auto",
    "auto_over_bound": "auto\n/ bound",
    "default_over_bound": "native\n/ bound",
}
_FACTOR = "{:.2f}".format
_LONG = 12  # letters of a word that is folded


def bench_parts(rows: Sequence[Row], title: str, lost: Sequence[str], loss: str) -> Iterator[Part]:
    columns = columns_of(rows)
    width = 12 + sum(_widest([name, *column]) + 3 for name, column in columns.items())
    yield Table(columns, title=f"{title}: median, 90 % of the repetitions", width=width)
    cells = [cell for row in rows for cell in row.cells.values()]
    if any(cell.is_flagged for cell in cells):
        yield f"{LATE}: the emulated network was late; the same command measures it again"
    if any(cell.is_cut for cell in cells):
        yield (
            f"{CUT}: fewer repetitions than were asked for, since a launch may take no longer for "
            "a size; measure it with a larger --repeat time=, into another file"
        )
    if lost:
        yield f"lost: {', '.join(lost)}: {loss}"


def columns_of(rows: Sequence[Row]) -> dict[str, list[str]]:
    """Return the text of the table: a line for each size, at its end the geometric means."""
    of_all = means(rows)
    return {
        "m": [*(format_bytes(row.m) for row in rows), "mean"],
        **{
            _folded(name): [*(_text(row.cells.get(name)) for row in rows), ""]
            for name in algorithms(rows)
        },
        "bound": [*(_or_dash(row.bound, format_seconds) for row in rows), ""],
        **{
            _TITLES[name]: [
                *(_or_dash(row.ratios[name], _FACTOR) for row in rows),
                _or_dash(of_all[name], _FACTOR),
            ]
            for name in RATIOS
        },
    }


def _folded(name: str) -> str:
    """Over several lines, so that the column is hardly wider than its times."""
    words = name.replace(":", ": ").split()
    folded = (word if len(word) < _LONG else word.replace("_", "_\n", 1) for word in words)
    return "\n".join(folded)


def _text(cell: Cell | None) -> str:
    if cell is None:
        return "–"
    return f"{cell.marked}\n{format_seconds(cell.high)}"


def _or_dash(value: float | None, text: Callable[[float], str]) -> str:
    return "–" if value is None else text(value)


def _widest(cells: Sequence[str]) -> int:
    return max(len(line) for cell in cells for line in cell.splitlines() or [""])
