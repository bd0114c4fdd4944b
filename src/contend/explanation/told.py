"""A case in words and rows: where its bound is from, what is not known, rows for a screen."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from contend.bounds import TOLERATED
from contend.explanation.bound import is_one_node
from contend.explanation.case import Case
from contend.explanation.cause import Suspicion, Try
from contend.explanation.commands import measure
from contend.number_text import rate
from contend.units import format_bytes, format_seconds

MOST_ROWS = 14  # of a table on one screen


@dataclass(frozen=True)
class Gap:
    """What is not known, and the command that would tell."""

    what: str
    how: Try


def bound_said(case: Case) -> str:
    """What the bound is made of, and from where."""
    message, line = case.message, case.message.hockney
    if line is None or not case.has_bound:
        return _own_rate_said(case)
    what = [f"{format_seconds(float(line.alpha))} a message" if message.has_alpha else ""]
    what.append(f"{rate(float(line.beta))} a process")
    if message.card is not None and case.is_shared:
        what.append(f"{rate(message.card)} a node's card")
    said = f"Bound: the least time without contention, by {', '.join(filter(None, what))}"
    said += f" (from {message.source})."
    if case.is_shared and message.card is None:
        said += " Bytes within a node are not counted."
    if (case.rows["lost"] < TOLERATED).any():
        said += (
            " Times below it are those of messages that the library combines, for which it does "
            "not hold, or of a faster network."
        )
    return said


def _own_rate_said(case: Case) -> str:
    """What stands in the place of a bound that nothing tells."""
    where = "alone"
    if case.message.hockney is not None:
        where = "between nodes" if case.message.is_within_node else "within a node"
    said = f"The bound is not known: nothing tells what a message {where} takes."
    if case.rows["bound"].notna().any():
        place = int(np.nanargmin(case.rows["lost"].to_numpy(dtype=np.float64)))
        said += (
            " In its place stand the bytes alone, at the best rate of these times themselves (at "
            f"{format_bytes(case.sizes[place])}), where they take a tenth of the time or more."
        )
    return said


def rates_said(case: Case) -> str:
    """What a process and a node's card put through at the size where it is most."""
    of_process = case.process_rate
    if not np.isfinite(of_process).any():
        return ""
    place = int(np.nanargmax(of_process))
    said = (
        f"Each process exchanges {rate(1 / float(of_process[place]))} at most, at "
        f"{format_bytes(case.sizes[place])}"
    )
    if case.is_shared:
        said += (
            f"; a node sends {rate(1 / float(case.card_rate[place]))} to others there, of "
            f"{case.processes_per_node} processes"
        )
    return said + "."


def gaps(case: Case, network_file: str | None = None) -> Iterator[Gap]:
    """What would have told more."""
    of_one_node = is_one_node(case.n, case.processes_per_node)
    if case.message.hockney is None or case.message.is_within_node != of_one_node:
        yield Gap(
            "what a message alone takes, and so the bound",
            Try(
                f"contend measure -e pingpong -n 2 --ppn {2 if of_one_node else 1} -o "
                "pingpong.jsonl",
                "then add that file, or what osu_latency printed, to the command; or give "
                "--bandwidth, such as 12.5GB/s, and --latency, such as 1.3us, from the data sheet",
            ),
        )
    elif case.is_shared and case.message.card is None:
        yield Gap(
            "what the network card of a node carries",
            Try("--bandwidth RATE", "gives it, such as 12.5GB/s, from the data sheet"),
        )
    if case.processes_per_node is None and case.n > 2:
        yield Gap("how many processes share a node", Try("--ppn PROCESSES", "says so"))
    if case.network is not None and case.not_expected:
        file = network_file or "network.json"
        yield Gap(
            f"what {file} expects ({case.not_expected})",
            Try(
                f"contend fit samples.jsonl --operation {case.operation} -o {file}",
                "fits it, from samples of this operation",
            ),
        )
    missing = ["what this network usually takes"] if case.network is None else []
    missing += ["how times grow with n"] if len(case.counts) == 1 and case.is_exchange else []
    missing += [] if case.has_repetitions else ["whether single repetitions wait"]
    if missing:
        fit = f" && contend fit samples.jsonl --operation {case.operation} -o network.json"
        fit = fit if case.network is None else ""
        then = "then add network.json to the command" if fit else "then explain samples.jsonl"
        again = measure(case, _few(case.sizes), _counts(case.n), alone=case.network is None)
        yield Gap(", ".join(missing), Try(again + fit, then))


def shown(case: Case, found: Sequence[Suspicion]) -> pd.DataFrame:
    """Rows for one screen: the ends, the sizes that suspicions name, and some between."""
    rows = case.rows
    if len(rows) <= MOST_ROWS:
        return rows
    ends = {m for one in found for m in one.sizes} | {
        int(rows["m"].iloc[0]),
        int(rows["m"].iloc[-1]),
    }
    kept = rows["m"].isin(ends).to_numpy(copy=True)
    free = np.flatnonzero(~kept)
    more = max(MOST_ROWS - int(kept.sum()), 0)
    if more and free.size:
        kept[free[np.unique(np.linspace(0, free.size - 1, more).round().astype(int))]] = True
    thinned: pd.DataFrame = rows[kept]
    return thinned


def _few(sizes: np.ndarray) -> list[float]:
    """At most five of the sizes, from the smallest to the largest."""
    places = np.unique(np.linspace(0, sizes.size - 1, 5).round().astype(int))
    return [float(sizes[place]) for place in places]


def _counts(n: int) -> list[int]:
    """Half and a quarter of n, and n."""
    return sorted({max(2, n // 4), max(2, n // 2), n})
