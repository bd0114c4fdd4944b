"""Where an algorithm is significantly better than the library's default, over a grid of n and m.

Idea: an algorithm takes the place of the default where it gains 5 % or more and the interval of its
gain, of 90 %, does not reach below 1. Of several the one that gains the most is taken. As the best
of many is often so by chance, its gain also has to stand out of the noise of what was measured by
as much as the best of that many that are all alike does in 5 %.
In a program ranks come to a call apart, which samples of calls that all begin together do not have:
there gains differ by `IN_A_PROGRAM` more, at all points, which is added to their doubt.
Where a size at or around was measured as slower at that n, it is not taken, whatever curves say.
Beyond the n that were measured a library often takes another algorithm than it did there, at best
the fastest there is. So the interval there is of a mixture, in equal parts, of a default that stays
what it was and of one that has become as fast as the fastest algorithm. Against the second nothing
is gained, by the fastest nothing lost, and by one that is taken for it 5 % at most. A library may
also choose worse than it did: above, the doubts of both times count in full. There an algorithm is
taken only where it was no slower than the default at the nearest n, at the sizes around it and up
to that of the same total size n m; where, if several n were measured, the next one has such sizes
too, and either they or those beside say the same, so that no odd size decides; where its interval
is within a factor of 2; and where it does not send to all others at once, which collapses at some
n. A default that took the same times as several algorithms may be any of these, and is departed
from only where it loses more than that is likely to change.
In production an algorithm is taken only at an n at which jobs had both, and at sizes less than a
factor of two from one at which they had: a program tells of its own calls.
Restrictions: algorithms that were measured where the default was, at sizes between those measured;
without measured noise that of usual launches counts.

Sending to all at once: each rank posts n-1 sends that wait for nothing, so that n (n-1) messages
share the switches and their buffers. Up to some n that is the fastest; beyond, retransmissions and
full buffers make it many times as slow, of which no smaller n says anything. It is known of
algorithms whose schedule is known, by their name or a word of it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np

from contend.base.document import Floats
from contend.models.signature.algorithm_growth import entries_of
from contend.samples.setting import split_conditions
from contend.schedules.libraries import LIBRARIES, Version
from contend.tune.choose.gain import APART
from contend.tune.choose.rivals import Contest, Rival

_BYTES = 1024  # a size at which every algorithm sends its messages whole
_SHARE = 0.5  # of the other ranks that a rank sends to at once


@cache
def floods(operation: str, setting: str) -> bool:
    """Return whether some rank starts sends to half of the others or more, and every rank does."""
    entries, _ = entries_of(operation, split_conditions(setting)[0])
    if not entries or any(entry.needs_groups for entry in entries.values()):
        return False
    n = max(entries)
    entry = entries[n]
    size = np.full((n, n), _BYTES) if entry.collective == "alltoallv" else _BYTES
    schedule = entry.build(n, size, with_blocks=False)
    waits = np.diff(schedule.requires_offsets) > 0
    at_once = np.bincount(schedule.rank[schedule.is_send & ~waits], minlength=n)
    return bool(at_once.min() >= _SHARE * (n - 1))


LEAST_GAIN = 1.05
IN_A_PROGRAM = 0.05  # standard deviation of the logarithm, by what rules gained (docs/choosing.md)
LEVEL = 0.05  # share of gains below the lower end of an interval, and above the upper
ALIKE = 0.05  # logarithm of what two gains differ by where they are the same
STAYS = 0.5  # share of machines on which the default stays what it is beyond the n measured
WIDEST = 2.0  # factor from a gain to the lower end of its interval, beyond the n measured
AMBIGUOUS = 5.0  # factor by which a default that may be one of several algorithms may change
Flags = np.ndarray


@dataclass(frozen=True)
class Grid:
    """Gains of the rivals over n (rows) and m (columns); arrays (rivals, counts, sizes).

    Gains are factors, NaN where a rival does not serve an n or was not measured around an m.
    """

    contest: Contest
    n: tuple[int, ...]
    m: tuple[int, ...]
    gain: Floats
    low: Floats
    high: Floats
    is_safe: Flags
    extrapolates: Flags  # in n
    noise: Floats  # standard deviations of logarithms at the nearest n that was measured
    held: np.ndarray  # (counts, sizes): why the default stays whatever samples say, "" else

    @property
    def best(self) -> np.ndarray:
        """Place of the safe rival that gains the most, -1 where none is safe; (counts, sizes)."""
        if not self.contest.rivals:
            return np.full((len(self.n), len(self.m)), -1)
        gains = np.where(self.is_safe, self.gain, -np.inf)
        return np.where(self.is_safe.any(axis=0), gains.argmax(axis=0), -1)


def safe_grid(
    contest: Contest, n: tuple[int, ...], m: tuple[int, ...], version: Version = ()
) -> Grid:
    """The gains of a contest at all pairs of `n` and `m`, and which are safe to take."""
    counts, sizes = (each.ravel() for each in np.meshgrid(n, m, indexing="ij"))
    shape = (len(contest.rivals), len(n), len(m))
    mean, deviation, noise = np.full((3, len(contest.rivals), counts.size), np.nan)
    beyond = np.zeros(mean.shape, dtype=bool)
    for place, rival in enumerate(contest.rivals):
        served = np.array(
            [serves(rival, contest.operation, int(count), version) for count in counts]
        )
        served_within = served & ~_outside(sizes, rival.pairs.m)
        mean[place, served_within], deviation[place, served_within] = rival.gain.predict(
            counts[served_within].astype(float), sizes[served_within].astype(float)
        )
        near = _nearest(counts[served_within], rival.pairs.n)
        noise[place, served_within] = rival.gain.predict(near, sizes[served_within].astype(float))[
            1
        ]
        beyond[place] = _outside(counts, rival.pairs.n)
    deviation = np.hypot(deviation, IN_A_PROGRAM)
    behind = mean - np.fmax.reduce(mean, axis=0) if mean.size else mean  # of the fastest
    further = _normal(LEVEL / STAYS)
    reach = np.where(beyond, further, _normal(LEVEL)) * deviation
    least = np.log(LEAST_GAIN)
    by_chance = best_of(len(contest.rivals)) * noise
    with np.errstate(invalid="ignore"):
        is_safe = (mean - reach >= 0) & (mean >= np.maximum(least, by_chance))
        needed = _needed(contest, counts, sizes)
        is_borne = (reach <= np.log(WIDEST)) & (mean - reach >= needed) & (behind >= -least)
        is_safe &= (~beyond | is_borne) & _has_evidence(contest, counts, sizes, beyond)
    held = np.full(counts.size, "", dtype=object)
    if contest.default.is_of_production and contest.rivals:
        has_both = np.array([_has_both(rival, counts, sizes) for rival in contest.rivals])
        is_safe &= has_both
        held[~has_both.any(axis=0)] = "no watched job had both the default and another there"
    least_of_fastest = behind - further * noise
    low = np.where(beyond, np.minimum(mean - reach, least_of_fastest), mean - reach)
    high = mean + np.where(beyond, reach / APART, reach)
    gain, lower, upper = (np.exp(logarithm).reshape(shape) for logarithm in (mean, low, high))
    return Grid(
        contest, n, m, gain, lower, upper, is_safe.reshape(shape), beyond.reshape(shape),
        noise.reshape(shape), held.reshape(shape[1:]),
    )  # fmt: skip


def _needed(contest: Contest, counts: np.ndarray, sizes: np.ndarray) -> Floats:
    """Least logarithm of the lower end of a gain at each pair (k,), beyond the n measured."""
    if not contest.counts:
        return np.zeros(counts.size)
    near = _nearest(counts, np.array(contest.counts, float)).astype(int)
    is_open = [
        contest.is_ambiguous(int(n), int(m)) for n, m in zip(near, sizes.tolist(), strict=True)
    ]
    return np.where(is_open, np.log(AMBIGUOUS), 0.0)


def _has_evidence(contest: Contest, counts: np.ndarray, sizes: np.ndarray, beyond: Flags) -> Flags:
    """Return whether what was measured around each pair bears a gain there; (rivals, k)."""
    has_evidence = np.ones(beyond.shape, dtype=bool)
    for place, rival in enumerate(contest.rivals):
        for k, (n, m) in enumerate(zip(counts.tolist(), sizes.tolist(), strict=True)):
            if beyond[place, k]:
                has_evidence[place, k] = _is_supported(rival, contest, n, m)
            elif n in rival.pairs.n:
                has_evidence[place, k] = _is_no_slower(rival, n, m, [m, m], ALIKE)
    return has_evidence


def _has_both(rival: Rival, counts: np.ndarray, sizes: np.ndarray) -> Flags:
    """Whether it was run beside the default at each n, at a size near each m; (k,)."""
    octaves = np.log2(np.maximum(sizes, 1))[:, None] - np.log2(np.maximum(rival.pairs.m, 1))
    is_near = (counts[:, None] == rival.pairs.n) & (np.abs(octaves) < 1)
    return np.asarray(is_near.any(axis=1))


def _is_supported(rival: Rival, contest: Contest, n: int, m: float) -> bool:
    """Return whether it is no slower at the nearest n, by sizes that are not odd ones there.

    From `m` to the size of the same total size n m. Where several n were measured, the next one or
    the sizes beside must not say that it is slower.
    """
    if floods(contest.operation, rival.setting):
        return False
    nearest = float(_nearest(np.array([n]), np.array(contest.counts, float))[0])
    ends = sorted((m, m * n / nearest))
    if not _is_no_slower(rival, nearest, m, ends, 0.0):
        return False
    measured = contest.default.measured
    others = {float(count) for count in measured.n if count != n} - {nearest} if measured else set()
    if not others:
        return True
    next_one = float(_nearest(np.array([nearest]), np.array(sorted(others)))[0])
    at_next = rival.pairs.m[rival.pairs.n == next_one]
    if not at_next.size or _outside(np.array([m]), at_next)[0]:
        return False
    return _is_no_slower(rival, next_one, m, [m, m], ALIKE) or _is_no_slower(
        rival, nearest, m, ends, ALIKE, beside=1
    )


def _is_no_slower(
    rival: Rival, n: float, m: float, ends: Sequence[float], slack: float, beside: int = 0
) -> bool:
    """Return whether all gains at `n` are above -`slack`, at sizes around `ends` and between them.

    And so many sizes further on either side. False where `m` is not within the sizes measured.
    """
    at = rival.pairs.n == n
    order = np.argsort(rival.pairs.m[at])
    sizes, gains = rival.pairs.m[at][order], rival.pairs.gain[at][order]
    if not sizes.size or _outside(np.array([m]), sizes)[0]:
        return False
    first = np.searchsorted(sizes, ends[0], "right") - 1 - beside
    last = np.searchsorted(sizes, ends[1], "left") + beside
    return bool(gains[max(first, 0) : last + 1].min() >= -slack)


def serves(rival: Rival, operation: str, n: int, version: Version = ()) -> bool:
    """Whether its library runs that algorithm on n ranks, as far as that is known."""
    if rival.library not in LIBRARIES.names():
        return True
    library = LIBRARIES.get(rival.library)
    return library.runs(operation, rival.algorithm, n, version or library.oldest)


def _outside(values: np.ndarray, seen: Floats) -> Flags:
    return np.asarray((values < seen.min()) | (values > seen.max()))


def _nearest(counts: np.ndarray, seen: Floats) -> Floats:
    """To each number of processes the one measured that is the nearest by ratio."""
    measured = np.unique(seen)
    apart = np.abs(np.log(counts[:, None] / measured))
    return np.asarray(measured[apart.argmin(axis=1)])


def best_of(count: int) -> float:
    """Deviations that the best of so many alike exceeds in 5 % of cases."""
    return _normal(1 - (1 - LEVEL) ** (1 / max(count, 1)))


def _normal(above: float) -> float:
    """Deviations that a normal value exceeds with that probability."""
    from statistics import NormalDist

    return -NormalDist().inv_cdf(above)
