"""The results as tables of Markdown."""

from collections.abc import Iterable, Mapping, Sequence

import pandas as pd
from benchmarks.exchange_at_scale.libraries import LIBRARIES
from benchmarks.exchange_at_scale.loss import TIME_OUT, first_overflow, flights
from benchmarks.exchange_at_scale.results import Row, Scenario, Timed

from contend.base.units import format_bytes
from contend.cli.output import markdown

CLAIMED = 8.0  # times faster at most, Jeannot and Steffenel
LARGE = 2**18  # bytes from which a time is called that of a large message
BUFFERS = (2**18, 2**20, 2**22)


def times(rows: Sequence[Row]) -> str:
    """Milliseconds of the bound, the libraries and the members, and what the best gains."""
    return markdown(
        pd.DataFrame(
            {"m": format_bytes(row.m), "bound": _ms(row.bound)}
            | {name: _shown(timed) for name, timed in (row.libraries | row.members).items()}
            | {"best": row.best.pick.name}
            | {f"{name} / best": f"{row.gain(name):.2f}" for name in LIBRARIES}
            for row in rows
        )
    )


def claims(results: Mapping[str, Sequence[Row]]) -> str:
    """Where the best member has the published gains over each library, in each scenario."""
    found = []
    for name in LIBRARIES:
        line = {"": name}
        for scenario, rows in results.items():
            gains = {row.m: row.gain(name) for row in rows}
            eight = [m for m, gain in gains.items() if gain >= CLAIMED]
            change = [1 / gain - 1 for m, gain in gains.items() if m >= LARGE]
            line[scenario] = _range(
                f"{gain:.2f}" for gain in (min(gains.values()), max(gains.values()))
            )
            line[f"{scenario}: {CLAIMED:.0f} times at"] = _sizes(eight)
            line[f"{scenario}: from {format_bytes(LARGE)}"] = _range(
                f"{100 * part:+.0f} %" for part in (min(change), max(change))
            )
        found.append(line)
    return markdown(pd.DataFrame(found))


def alone(results: Mapping[str, Sequence[Row]]) -> str:
    """Times of each library over those of LG by itself, for large messages."""
    return markdown(
        pd.DataFrame(
            {"": name}
            | {
                scenario: _range(f"{gain:.2f}" for gain in (min(gains), max(gains)))
                for scenario, rows in results.items()
                if (
                    gains := [
                        row.libraries[name].seconds / row.members["lg_balanced"].seconds
                        for row in rows
                        if row.m >= LARGE
                    ]
                )
            }
            for name in LIBRARIES
        )
    )


def overflows(scenario: Scenario, rows: Sequence[Row]) -> str:
    """From which size on a first flight overflows a buffer, and what LG gains by the time-outs."""
    first = flights(scenario.network)
    lines = []
    for buffer in BUFFERS:
        found = {name: first_overflow(scenario.network, one, buffer) for name, one in first.items()}
        eight = [row.m for row in rows if _gain_with_time_outs(row, found) >= CLAIMED]
        shown = {name: format_bytes(m) if m else "never" for name, m in found.items()}
        last = {"LG 8 times faster than linear at": _sizes(eight)}
        lines.append({f"{scenario.name}, buffer": format_bytes(buffer)} | shown | last)
    return markdown(pd.DataFrame(lines))


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


def _range(ends: Iterable[str]) -> str:
    return " to ".join(dict.fromkeys(ends))


def _sizes(sizes: Sequence[int]) -> str:
    if not sizes:
        return "no size"
    return _range(format_bytes(size) for size in (min(sizes), max(sizes)))
