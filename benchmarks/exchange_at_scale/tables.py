"""The results as tables of Markdown."""

from collections.abc import Mapping, Sequence

from benchmarks.exchange_at_scale.libraries import LIBRARIES
from benchmarks.exchange_at_scale.loss import TIME_OUT, first_overflow, flights
from benchmarks.exchange_at_scale.results import Row, Scenario, Timed

from contend.units import format_bytes

CLAIMED = 8.0  # times faster at most, Jeannot and Steffenel
LARGE = 2**18  # bytes from which a time is called that of a large message
BUFFERS = (2**18, 2**20, 2**22)


def times(rows: Sequence[Row]) -> str:
    """Milliseconds of the bound, the libraries and the members, and what the best gains."""
    members = list(rows[0].members)
    heads = ["m", "bound", *LIBRARIES, *members, "best", *(f"{name} / best" for name in LIBRARIES)]
    lines = [_line(heads), _line(["---"] * len(heads))]
    for row in rows:
        cells = [format_bytes(row.m), _ms(row.bound)]
        cells += [_shown(timed) for timed in row.libraries.values()]
        cells += [_shown(timed) for timed in row.members.values()]
        gains = [f"{row.gain(name):.2f}" for name in LIBRARIES]
        lines.append(_line([*cells, row.best.pick.name, *gains]))
    return "\n".join(lines)


def claims(rows: Sequence[Row]) -> str:
    """Where the best member has the published gains over each library, and LG without more."""
    lines = []
    for name in LIBRARIES:
        large = [row for row in rows if row.m >= LARGE]
        gains = {row.m: row.gain(name) for row in rows}
        eight = [m for m, gain in gains.items() if gain >= CLAIMED]
        change = [1 / gains[row.m] - 1 for row in large]
        lg = [row.libraries[name].seconds / row.members["lg_balanced"].seconds for row in rows]
        lines.append(
            f"* {name}: best {_range(gains.values())}, LG {_range(lg)} times faster; best 8 times "
            f"at {_sizes(eight)}; its time from {format_bytes(LARGE)} on {min(change):+.0%} to "
            f"{max(change):+.0%}"
        )
    return "\n".join(lines)


def overflows(scenario: Scenario, rows: Sequence[Row]) -> str:
    """From which size on a first flight overflows a buffer, and what LG gains by the time-outs."""
    first = flights(scenario.network)
    heads = ["buffer", *first, "LG 8 times faster than linear at"]
    lines = [_line(heads), _line(["---"] * len(heads))]
    for buffer in BUFFERS:
        found = {name: first_overflow(scenario.network, one, buffer) for name, one in first.items()}
        eight = [row.m for row in rows if _gain_with_time_outs(row, found) >= CLAIMED]
        shown = [format_bytes(m) if m else "never" for m in found.values()]
        lines.append(_line([format_bytes(buffer), *shown, _sizes(eight)]))
    return "\n".join(lines)


def _gain_with_time_outs(row: Row, first: Mapping[str, int | None]) -> float:
    """Linear over LG, each with one time-out from the size on where its flight overflows."""
    taken = {"linear": row.libraries["linear"], "LG": row.members["lg_balanced"]}
    linear, lg = (
        timed.seconds + (TIME_OUT if first[name] and row.m >= first[name] else 0.0)
        for name, timed in taken.items()
    )
    return linear / lg


def _shown(timed: Timed) -> str:
    pick = timed.pick
    return _ms(timed.seconds) + (f" ({pick.value})" if pick.option else "")


def _ms(seconds: float) -> str:
    return f"{seconds * 1e3:.3g}" if seconds < 1 else f"{seconds * 1e3:.0f}"


def _range(values: object) -> str:
    found = list(values)
    return f"{min(found):.2f} to {max(found):.2f}"


def _sizes(sizes: Sequence[int]) -> str:
    if not sizes:
        return "no size"
    ends = dict.fromkeys(format_bytes(size) for size in (min(sizes), max(sizes)))
    return " to ".join(ends)


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"
