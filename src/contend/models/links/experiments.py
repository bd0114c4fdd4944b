"""Which messages tell what a link is, for ranks in groups.

Idea: a ping-pong of one pair alone gives latency; a train of messages from one rank to another the
gap between them; both inside a group and between two. Bursts over the link, from each rank of one
group to each of the other as in an exchange, begin together and grow until a message is lost: many
short streams, as a long one mends its own losses before a time-out. What is inside is measured
between ranks that share no group of a deeper level, where there are such. A rank of a host speaks
for it, but at the level of nodes, where all of them share its link.
Restrictions: of more than `MOST_PAIRS` pairs of groups some neighbours are measured, within each
group of the level above, in turns over these. Links are measured one at a time: what several of
them share is not seen.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain, combinations, pairwise, zip_longest

from contend.samples.messages import Experiment, Sent

MOST_PAIRS = 6  # of groups of a level
TRAIN = 5  # messages that follow each other
SIZES = (8, 1024, 8192, 65536)  # of ping-pongs and trains
SINGLE: tuple[tuple[Experiment, int], ...] = (("pingpong", 1), ("train", TRAIN))  # and messages
MOST_MESSAGES = 256  # of a burst
FIRST_BURST = 8  # bytes of a message of the smallest one, which is all latency
SECOND_BURST = 8192  # bytes of the next one; from there on they double
LEAST_BURST = 2 * SECOND_BURST  # bytes of the largest one at least: a line takes three
FINER = 3  # bursts between the last without a loss and the first with one


@dataclass(frozen=True)
class Ranks:
    """Ranks of a level: `groups[r]` and `hosts[r]` of rank r; `outer` is that of the level above.

    `inner[r]` is the group of the level below, the host where there is none.
    """

    level: str
    hosts: tuple[str, ...]
    groups: tuple[str, ...]
    outer: tuple[str, ...]
    inner: tuple[str, ...]
    is_of_nodes: bool = False

    @property
    def names(self) -> list[str]:
        """Groups in the order of their first ranks."""
        return list(dict.fromkeys(self.groups))

    def speakers(self, group: str) -> list[int]:
        """The ranks of a group that are measured: the first of each host, of a node all."""
        ranks = [rank for rank, name in enumerate(self.groups) if name == group]
        if self.is_of_nodes:
            return ranks
        return list({self.hosts[rank]: rank for rank in reversed(ranks)}.values())[::-1]

    def pairs(self) -> list[tuple[str, str]]:
        """Pairs of groups that this level divides, in order; of many some neighbours."""
        home = dict(zip(self.groups, self.outer, strict=True))
        pairs = [pair for pair in combinations(self.names, 2) if home[pair[0]] == home[pair[1]]]
        if len(pairs) <= MOST_PAIRS:
            return pairs
        beside = [
            pairwise([name for name in self.names if home[name] == outer])
            for outer in dict.fromkeys(self.outer)
        ]
        in_turns = [pair for pair in chain(*zip_longest(*beside)) if pair is not None]
        return in_turns[:MOST_PAIRS]


def single_pairs(ranks: Ranks) -> list[Sent]:
    """Ping-pongs and trains, inside each group and between two."""
    ways = [(name, name, _inside(ranks, name)) for name in _measured(ranks)]
    ways += [
        (first, second, (ranks.speakers(first)[0], ranks.speakers(second)[0]))
        for first, second in ranks.pairs()
    ]
    return [
        Sent(experiment, edges * times, level=ranks.level, source=source, destination=destination)
        for source, destination, pair in ways
        if pair is not None
        for edges in [(pair,)]
        for experiment, times in SINGLE
    ]


def bursts(ranks: Ranks) -> list[Sent]:
    """A burst each way between two groups, from each rank to each, or to a share of them."""
    sent = []
    for pair in ranks.pairs():
        for source, destination in (pair, pair[::-1]):
            out, into = ranks.speakers(source)[:MOST_MESSAGES], ranks.speakers(destination)
            turns = min(len(into), max(MOST_MESSAGES // len(out), 1))
            edges = tuple(
                (src, into[(place + turn) % len(into)])
                for turn in range(turns)
                for place, src in enumerate(out)
            )
            sent.append(
                Sent("burst", edges, level=ranks.level, source=source, destination=destination)
            )
    return sent


def burst_sizes(messages: int, most: int) -> list[int]:
    """Bytes of a message in rising bursts of so many messages, up to `most` bytes of all.

    >>> burst_sizes(8, 65536)
    [8, 1024, 2048, 4096, 8192]
    """
    sizes, volume = [FIRST_BURST], SECOND_BURST
    while volume <= most:
        sizes.append(volume // messages)
        volume *= 2
    return sorted({size for size in sizes if size >= FIRST_BURST})


def finer_sizes(clean: int, lossy: int) -> list[int]:
    """Bytes of a message between two bursts, of the larger of which one was lost.

    >>> finer_sizes(1024, 2048)
    [1218, 1448, 1722]
    """
    ratio = lossy / clean
    between = [round(clean * ratio ** (step / (FINER + 1))) for step in range(1, FINER + 1)]
    return sorted({size for size in between if clean < size < lossy})


def _measured(ranks: Ranks) -> list[str]:
    """Groups of the pairs that are measured."""
    return list(dict.fromkeys(name for pair in ranks.pairs() for name in pair))


def _inside(ranks: Ranks, group: str) -> tuple[int, int] | None:
    """Two ranks of a group, as far apart as it allows; None of one."""
    speakers: Sequence[int] = ranks.speakers(group)
    if len(speakers) < 2:
        return None
    first = speakers[0]
    apart = [rank for rank in speakers[1:] if ranks.inner[rank] != ranks.inner[first]]
    return first, (apart or speakers[1:])[0]
