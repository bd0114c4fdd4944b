"""The results as tables of Markdown."""

from collections.abc import Sequence

from benchmarks.exchange_at_scale.libraries import LIBRARIES
from benchmarks.exchange_at_scale.loss import TIME_OUT, first_overflow, flights
from benchmarks.exchange_at_scale.results import Row, Scenario, Timed

from contend.units import format_bytes, format_seconds

CLAIMED, LEAST_LESS, MOST_LESS = 8.0, 0.4, 0.6  # of Jeannot and Steffenel
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
        less = [1 - 1 / gains[row.m] for row in large]
        lg = [row.libraries[name].seconds / row.members["lg_balanced"].seconds for row in rows]
        lines.append(
            f"* {name}: best {_range(gains.values())}, LG {_range(lg)} times faster; 8 times at "
            f"{_sizes(eight)}; from {format_bytes(LARGE)} on {min(less):.0%} to {max(less):.0%} "
            f"less time"
        )
    return "\n".join(lines)


def with_time_out(rows: Sequence[Row]) -> str:
    """What LG gains over the linear exchange if that pays one time-out and LG none."""
    gains = {
        row.m: (row.libraries["linear"].seconds + TIME_OUT) / row.members["lg_balanced"].seconds
        for row in rows
    }
    eight = [m for m, gain in gains.items() if gain >= CLAIMED]
    large = [1 - 1 / gain for m, gain in gains.items() if m >= LARGE]
    return (
        f"With one time-out of {format_seconds(TIME_OUT)} in the linear exchange and none in LG: "
        f"8 times at {_sizes(eight)}; from {format_bytes(LARGE)} on {max(large):.0%} less time at "
        f"most."
    )


def overflows(scenario: Scenario) -> str:
    """From which size on the first flight of each algorithm is more than a buffer holds."""
    lines = [_line(["buffer", *flights(scenario.network)]), _line(["---"] * 5)]
    for buffer in BUFFERS:
        found = [
            first_overflow(scenario.network, flight, buffer)
            for flight in flights(scenario.network).values()
        ]
        shown = [format_bytes(m) if m else "never" for m in found]
        lines.append(_line([format_bytes(buffer), *shown]))
    return "\n".join(lines)


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
    return f"{format_bytes(min(sizes))} to {format_bytes(max(sizes))} ({len(sizes)} sizes)"


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"
