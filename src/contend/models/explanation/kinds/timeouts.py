"""Retransmission time-outs: some repetitions wait for a lost frame, or averages hold such waits.

Source: `contend.models.timeouts`; RFC 6298 for the wait, whose usual least is 200 ms on Linux.
Idea: of single repetitions two groups with the same gap at several points are distinguished. Means
show it as steps of milliseconds that no other size leads to expect.
Restrictions: a mean tells neither the wait nor how often; what else makes an exchange as much
longer looks the same in it, and is reported beside. Means are not asked where a message starts, or
bytes pass, faster than they do over TCP.
"""

from collections.abc import Iterator, Sequence
from itertools import chain

import numpy as np

from contend.base.number_text import percent
from contend.base.units import format_bytes, format_seconds
from contend.models.explanation.case import Case
from contend.models.explanation.commands import exchange, measure, size_range
from contend.models.explanation.finding import Finding, Kind, Try

STEP = 2e-3  # s, of a mean: one wait of 200 ms in a hundred repetitions
TIMES = 2.0  # of what neighbours lead to expect
USUAL_WAIT = 0.2  # s, TCP_RTO_MIN of Linux
STARTS, PASSES = 5e-6, 2.5e9  # s and B/s of a process; networks beyond lose no frames as a rule


class Timeouts(Kind):
    name, order = "time-outs", 1

    def causes(self, case: Case, before: Sequence[Finding]) -> Iterator[Finding]:
        yield from (_of_repetitions if case.has_repetitions else _of_means)(case)


def _of_repetitions(case: Case) -> Iterator[Finding]:
    cost = case.separated.cost
    late: dict[int, tuple[int, int]] = {}
    for labelled in chain.from_iterable(case.separated.labelled.values()):
        sample = labelled.sample
        if (sample.n, sample.algorithm) == (case.n, case.algorithm):
            some, of_all = late.get(sample.m, (0, 0))
            late[sample.m] = some + labelled.late, of_all + int(labelled.waits.size)
    shares = {m: some / of_all for m, (some, of_all) in sorted(late.items()) if some}
    if cost is None or not shares:
        return
    worst = max(shares, key=lambda m: shares[m])
    where = min(shares), max(shares)
    yield case.finding(
        Timeouts.name,
        where,
        f"{size_range(where)} some repetitions take {format_seconds(cost.seconds)} longer than the "
        f"others, the same at all sizes: they wait for a retransmission time-out of TCP, at "
        f"{format_bytes(worst)} {percent(shares[worst])} of them. Frames are lost in full buffers.",
        None,
        exchange(case),
        Try("contend fit samples.jsonl -o network.json && contend predict network.json -n N "
            "-m SIZE", "says how often time-outs strike at other n and sizes"),
    )  # fmt: skip


def _of_means(case: Case) -> Iterator[Finding]:
    sizes, seconds = case.sizes, case.seconds
    line = case.message.hockney
    is_fast = line is not None and case.message.has_alpha and float(line.alpha) < STARTS
    if sizes.size < 3 or is_fast or _fastest(case) > PASSES:
        return
    expected = np.array([_from_neighbours(sizes, seconds, place) for place in range(sizes.size)])
    excess = seconds - expected
    is_step = (excess > STEP) & (seconds > TIMES * expected)
    if not is_step.any():
        return
    place = int(np.argmax(np.where(is_step, seconds / expected, 0.0)))
    places = np.flatnonzero(is_step)
    where = int(sizes[places[0]]), int(sizes[places[-1]])
    share = min(1.0, float(excess[place]) / USUAL_WAIT)
    yield case.finding(
        Timeouts.name,
        where,
        f"At {format_bytes(sizes[place])} the mean is {format_seconds(seconds[place])}, "
        f"{format_seconds(float(excess[place]))} more than its neighbours lead to expect. If "
        "frames are lost (TCP), retransmission time-outs do that: a wait of 200 ms in "
        f"{percent(share)} of the repetitions would. A mean cannot tell; single repetitions can.",
        float(seconds[place] / expected[place]),
        Try(measure(case, sizes[places]), "keeps every repetition: waits show as a second group"),
        exchange(case),
    )  # fmt: skip


def _fastest(case: Case) -> float:
    """Bytes of a message a second at most, in any of the times at this n and placement."""
    curves = [(case.sizes, case.seconds), *case.others.values(), *case.rivals.values()]
    return max(float(np.max(sizes / seconds, initial=0.0)) for sizes, seconds in curves)


def _from_neighbours(sizes: np.ndarray, seconds: np.ndarray, place: int) -> float:
    """What the size before leads to expect at most, at its cost of a byte; the next is no less."""
    before = seconds[place - 1] * sizes[place] / sizes[place - 1] if place else np.inf
    after = seconds[place + 1] if place + 1 < sizes.size else np.inf
    return float(min(before, after)) if np.isfinite([before, after]).any() else np.inf
