"""How busy each host was over time: the rates of many messages, summed up in intervals."""

import re
from dataclasses import dataclass

import numpy as np

from contend.base.document import Floats
from contend.simulate.flows.messages import Messages

Ints = np.ndarray
ROUNDING = 1e-6  # of a link's rate, which differences of long sums leave behind
DIGITS = "0123456789"


@dataclass(frozen=True, eq=False)
class Load:
    """Mean rates of rows of hosts, (rows, intervals), in bytes per second of each host.

    `edges` are the intervals' ends, (intervals + 1,); `hosts` those of each row; `under_way` is
    the mean number of messages that have started and not ended, (intervals,); `reference` is the
    rate of a link.
    """

    edges: Floats
    hosts: list[list[int]]
    sent: Floats
    received: Floats
    under_way: Floats
    reference: float


def load(messages: Messages, intervals: int, most_rows: int) -> Load:
    """Rates in equal intervals, hosts by name; neighbours share a row where hosts are too many."""
    flows, rates = messages.solution.flows, messages.rates
    order = _by_name(messages)
    per_row = -(-len(order) // most_rows)
    hosts = [order[first : first + per_row] for first in range(0, len(order), per_row)]
    row_of = np.zeros(flows.hosts, dtype=np.int64)
    row_of[order] = np.arange(len(order)) // per_row
    edges = np.linspace(0.0, messages.seconds, intervals + 1)
    width = np.diff(edges)
    reference = float((rates["rate"] * rates["penalty"]).max()) if len(rates) else 1.0
    begin, until, rate = (rates[name].to_numpy() for name in ("begin", "until", "rate"))
    per_host = np.array([len(row) for row in hosts])[:, None] * width
    sent, received = (
        _moved(begin, until, rate, row_of[end[rates["flow"]]], len(hosts), edges) / per_host
        for end in (flows.src, flows.dst)
    )
    ones, alone = np.ones(len(flows)), np.zeros(len(flows), dtype=np.int64)
    under_way = _moved(flows.start, messages.solution.end, ones, alone, 1, edges)[0] / width
    for values, unit in ((sent, reference), (received, reference), (under_way, 1.0)):
        values[values < ROUNDING * unit] = 0.0
    return Load(edges, hosts, sent, received, under_way, reference)


def _by_name(messages: Messages) -> list[int]:
    """Hosts that send or receive, node2 before node10."""
    flows = messages.solution.flows
    hosts = np.union1d(flows.src, flows.dst).tolist()
    return sorted(hosts, key=lambda host: _digits_as_numbers(flows.name(host)))


def _digits_as_numbers(name: str) -> list[tuple[int, str]]:
    pieces = re.findall("[0-9]+|[^0-9]+", name)
    return [(int(piece), "") if piece[0] in DIGITS else (-1, piece) for piece in pieces]


def _moved(
    begin: Floats, until: Floats, rate: Floats, row: Ints, rows: int, edges: Floats
) -> Floats:
    """Amount that each row gains in each interval, from constant rates between two times.

    Up to a time t that is the sum of rate (t - begin) over what has begun by then, less the same of
    what has ended: t times one sum, less another.
    """
    time = np.concatenate([begin, until])
    change = np.concatenate([rate, np.negative(rate)])
    column = np.minimum(np.searchsorted(edges, time), len(edges) - 1)
    cell = np.tile(row, 2) * len(edges) + column
    shape = rows, len(edges)
    sums = (
        np.bincount(cell, weights, rows * len(edges)).reshape(shape).cumsum(axis=1)
        for weights in (change, change * time)
    )
    rates, moments = sums
    gained: Floats = np.diff(edges * rates - moments, axis=1)
    return gained
