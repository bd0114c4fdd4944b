"""A case in words and rows: where its bound is from, what is not known, rows for a screen."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from contend.base.errors import InvalidInputError
from contend.base.number_text import rate
from contend.base.units import format_bytes, format_seconds
from contend.models.bounds import TOLERATED
from contend.models.explanation.bound import is_one_node
from contend.models.explanation.case import Case
from contend.models.explanation.commands import measure
from contend.models.explanation.finding import Finding, Try
from contend.samples.setting import is_native
from contend.schedules.libraries import library_of, version_text
from contend.schedules.libraries.span import default_words

MOST_ROWS = 14  # of a table on one screen


@dataclass(frozen=True)
class Gap:
    """What is not known, and the command that would tell."""

    missing: str
    how: Try


def bound_text(case: Case) -> str:
    """Say what the bound is made of, and from where."""
    message, line = case.message, case.message.hockney
    if line is None or not case.has_bound:
        return _own_rate_text(case)
    parts = [f"{format_seconds(float(line.alpha))} a message"] if message.has_alpha else []
    parts.append(f"{rate(float(line.beta))} a process")
    if message.card is not None and case.is_shared:
        parts.append(f"{rate(message.card)} a node's card")
    text = f"Bound: the least time without contention, by {', '.join(parts)}"
    text += f" (from {message.source})."
    if case.is_shared and message.card is None:
        text += " Bytes within a node are not counted."
    if (case.rows["lost"] < TOLERATED).any():
        text += (
            " Times below it are those of messages that the library combines, for which it does "
            "not hold, or of a faster network."
        )
    return text


def _own_rate_text(case: Case) -> str:
    """Say what stands in the place of a bound that nothing tells."""
    where = "alone"
    if case.message.hockney is not None:
        where = "between nodes" if case.message.is_within_node else "within a node"
    text = f"The bound is not known: nothing tells what a message {where} takes."
    if case.rows["bound"].notna().any():
        place = int(np.nanargmin(case.rows["lost"].to_numpy(dtype=np.float64)))
        text += (
            " In its place stand the bytes alone, at the best rate of these times themselves (at "
            f"{format_bytes(case.sizes[place])}), where they take a tenth of the time or more."
        )
    return text


def rates_text(case: Case) -> str:
    """Say what a process and a node's card put through at the size where it is most."""
    if not case.is_exchange:
        return ""
    rates = (case.n - 1) * case.sizes / case.seconds
    place = int(np.argmax(rates))
    text = f"Each process exchanges {rate(1 / float(rates[place]))} at most, at "
    text += format_bytes(case.sizes[place])
    if case.is_shared:
        text += f"; a node sends {rate(1 / float(case.card_rate[place]))} to others there, of "
        text += f"{case.processes_per_node} processes"
    return text + "."


def gaps(case: Case, network_file: str | None = None) -> Iterator[Gap]:
    of_one_node = is_one_node(case.n, case.processes_per_node)
    if case.message.hockney is None or case.message.is_within_node != of_one_node:
        yield Gap(
            "what a message alone takes, and so the bound",
            Try(
                f"contend measure -e pingpong -n 2 --ppn {2 if of_one_node else 1} -o "
                "pingpong.jsonl",
                "then add that file, or what osu_latency printed, to the command; or give "
                "--assume latency=1.3us,bandwidth=12.5GB/s, from the data sheet",
            ),
        )
    elif case.is_shared and case.message.card is None:
        yield Gap(
            "what the network card of a node carries",
            Try("--assume bandwidth=RATE", "gives it, such as 12.5GB/s, from the data sheet"),
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
        counts = sorted({max(2, case.n // 4), max(2, case.n // 2), case.n})
        few = case.sizes[_evenly(case.sizes.size, 5)]
        again = measure(case, few, counts, alone=case.network is None)
        yield Gap(", ".join(missing), Try(again + fit, then))


def shown(case: Case, causes: Sequence[Finding]) -> pd.DataFrame:
    """Rows for one screen: the ends, the sizes that suspicions name, and some between."""
    rows = case.rows
    if len(rows) <= MOST_ROWS:
        return rows
    ends = {m for each in causes for m in each.sizes} | {*rows["m"].iloc[[0, -1]].astype(int)}
    chosen = rows["m"].isin(ends).to_numpy(copy=True)
    free = np.flatnonzero(~chosen)
    more = max(MOST_ROWS - int(chosen.sum()), 0)
    if more and free.size:
        chosen[free[_evenly(free.size, more)]] = True
    thinned: pd.DataFrame = rows[chosen]
    return thinned


def _evenly(size: int, most: int) -> np.ndarray:
    """At most so many places of `size`, from the first to the last."""
    return np.unique(np.linspace(0, size - 1, most).round().astype(int))


def default_text(case: Case) -> str:
    """What the library of the samples runs by itself there, by size; "" where it is not known."""
    title = next((each.provenance.mpi_library or "" for each in case.samples), "")
    if not is_native(case.algorithm):
        return ""
    try:
        library, version = library_of(title)
    except InvalidInputError:
        return ""
    m, most, place = int(case.rows["m"].min()), int(case.rows["m"].max()), case.processes_per_node
    words = default_words(library, case.operation, case.n, m, most + 1, version, place)
    source = library.default(case.operation, case.n, max(m, 1), version, ppn=place).source
    title = f"{library.title} {version_text(version)}"
    return f"By itself {title} runs {words} ({source})." if words else ""
