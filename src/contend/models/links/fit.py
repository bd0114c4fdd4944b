"""Measured links to what is known of each level, a pure function of the samples.

Idea: latency and rate of one pair alone come from `contend.models.links.single`. The bandwidth of a
link is the slope of bursts that lost nothing (`contend.models.links.loss`). While a burst comes in
at the rate R of its senders the link drains it at B, so that of V bytes V (1 - B/R) are in its
buffer at most: with V between the largest burst without a loss and the smallest with one, that is
the buffer. Intervals are over launches. The buffer has none, as all launches try the same bursts:
the two on either side of it stand beside it.
Restrictions: the slowest way is that with the least bandwidth. A buffer is known to no better than
the two bursts are apart, and counts bytes of messages, not those of their headers.
"""

from collections.abc import Iterator, Sequence
from functools import partial

import numpy as np

from contend.base.document import Floats, Quantity
from contend.base.errors import InvalidInputError
from contend.models.links import single
from contend.models.links.loss import POINTS, Burst, Divided, divided
from contend.models.links.nesting import nested
from contend.models.links.record import GroupSize, LevelLinks, Way
from contend.models.links.single import Launches
from contend.samples.messages import MessageSample
from contend.samples.origin import Source, origin_of
from contend.samples.quality import undisturbed
from contend.samples.warnings import QualityWarning, warning
from contend.schedules.pointtopoint import Hockney

SATURATED = 0.9  # of what all senders bring, above which the link is not what slows them
LEAST_KEPT = 0.1  # share of a burst that is taken to be in the buffer where none should be


def fit_links(
    samples: Sequence[MessageSample], source: Source, *, include_flagged: bool = False
) -> tuple[LevelLinks, ...]:
    """What is known of each level from samples that were read from the file `source`.

    Samples during which an emulated network could not keep up are left out, unless they are to be
    included.

    Raises
    ------
    InvalidInputError
        Where that leaves none of a level, or not what it needs: ping-pongs, trains and bursts; and
        for links of different hosts, or of hosts that were in other groups.
    """
    if len({sample.hosts for sample in samples}) > 1:
        raise InvalidInputError(
            "links of different hosts, or of the same in another order", "fit files of one each"
        )
    names = list(dict.fromkeys(sample.level for sample in samples))
    levels = (
        _level([sample for sample in samples if sample.level == name], source, include_flagged)
        for name in names
    )
    return nested(levels, samples)


def _level(samples: Sequence[MessageSample], source: Source, include_flagged: bool) -> LevelLinks:
    """What is known of a level from all its samples."""
    _require_same_groups(samples)
    name = samples[0].level
    kept = undisturbed(samples, f"samples of level {name!r}", include_flagged)
    launches = _by_launch(kept)
    for experiment in ("pingpong", "train", "burst"):
        if not any(_only(launches, experiment, False)):
            raise InvalidInputError(
                f"no {experiment} between the groups of level {name!r}",
                "let 'contend measure links' go on to its end: the same command continues it",
            )
    near = [[sample for sample in launch if sample.is_inside] for launch in launches]
    far = [[sample for sample in launch if not sample.is_inside] for launch in launches]
    inside, inside_rate = single.plogp(near), single.over(near, single.rate, "B/s")
    sender, between = inside_rate or single.over(far, single.rate, "B/s"), single.plogp(far)
    if sender is None or between is None:
        raise InvalidInputError(
            f"links ({name}): no ping-pongs and trains of one size that differ in time",
            "measure longer messages too, e.g. -m 8,64KiB",
        )
    shortest = min(sample.m for sample in kept if sample.experiment == "pingpong")
    ways = _ways(launches, float(sender), shortest)
    slowest = min(ways, key=lambda way: float(way.bandwidth))
    volumes = [sample.volume for sample in kept if sample.experiment == "burst"]
    return LevelLinks(
        name=name,
        groups=_groups(kept[0]),
        latency=slowest.latency,
        bandwidth=slowest.bandwidth,
        buffer=min((way.buffer for way in ways if way.buffer), key=float, default=None),
        clean_bytes=min(way.clean_bytes for way in ways),
        timeout=max((way.timeout for way in ways if way.timeout), key=float, default=None),
        inside_latency=single.over(near, partial(single.one_way, m=shortest), "s"),
        inside_bandwidth=inside_rate,
        inside=inside,
        between=between,
        ways=tuple(ways),
        m_seen=tuple(sorted({sample.m for sample in kept if sample.experiment != "burst"})),
        volumes_seen=(min(volumes), max(volumes)),
        launches=len(launches),
        points=len(kept),
        warnings=tuple(_doubts(samples, kept, ways, has_inside=inside is not None)),
        origin=origin_of([sample.provenance for sample in kept], source),
    )


def _require_same_groups(samples: Sequence[MessageSample]) -> None:
    """Raise an error where a host of a level was moved to another group."""
    for sample in samples:
        if moved := sample.moved(samples[0].groups):
            host, after, before = moved
            raise InvalidInputError(
                f"links of level {sample.level!r} measured with host {host!r} in group {before!r}, "
                f"others with it in {after!r}",
                "fit files of one grouping each",
            )


def _by_launch(samples: Sequence[MessageSample]) -> Launches:
    numbers = sorted({sample.launch for sample in samples})
    return [[sample for sample in samples if sample.launch == number] for number in numbers]


def _only(launches: Launches, experiment: str, is_inside: bool) -> Launches:
    """The samples of an experiment by launch, inside groups or between them."""
    return [
        [
            sample
            for sample in launch
            if sample.experiment == experiment and sample.is_inside == is_inside
        ]
        for launch in launches
    ]


def _ways(launches: Launches, sender: float, shortest: int) -> list[Way]:
    """All ways that bursts went, in order.

    `sender` is the rate of one sender alone, `shortest` the bytes of the shortest ping-pongs.
    """
    bursts, trips = _only(launches, "burst", False), _only(launches, "pingpong", False)
    ways = []
    for way in _ways_of([sample for launch in bursts for sample in launch]):
        sent = [
            [sample for sample in part if (sample.source, sample.destination) == way]
            for part in bursts
        ]
        pairs = [
            [sample for sample in part if {sample.source, sample.destination} == {*way}]
            for part in trips
        ]
        ways.append(_way(way, sent, pairs, sender, shortest))
    return ways


def _way(
    way: tuple[str, str], parts: Launches, pairs: Launches, sender: float, shortest: int
) -> Way:
    """One link from its bursts and ping-pongs by launch."""
    samples = [sample for launch in parts for sample in launch]
    clean, lossy = divided(bursts_of(samples)).between
    by_launch = [_as_divided(bursts_of(launch), clean) for launch in parts if launch]
    fitted = [(launch, line) for launch in by_launch if (line := _line(launch)) is not None]
    where = f"links ({samples[0].level}), {way[0]} > {way[1]}"
    latency = single.over(pairs, partial(single.one_way, m=shortest), "s")
    if latency is None:
        raise InvalidInputError(
            f"{where}: no ping-pong of {shortest} B",
            "let the same 'contend measure links' measure it, or give --include-flagged",
        )
    bandwidth = single.mean([1 / float(line.beta) for _, line in fitted], "B/s")
    if bandwidth is None:
        raise InvalidInputError(
            f"{where}: no launch has bursts of {POINTS} sizes whose times grow",
            "let the same 'contend measure links' measure them, with a larger --most",
        )
    costs = [launch.cost(line) for launch, line in fitted if launch.clean]
    arrival = sender * len({src for src, _ in samples[0].edges})
    return Way(
        source=way[0],
        destination=way[1],
        latency=latency,
        bandwidth=bandwidth,
        is_saturated=float(bandwidth) < SATURATED * arrival,
        clean_bytes=clean,
        lossy_bytes=lossy,
        buffer=None if lossy is None else _buffer(clean, lossy, float(bandwidth) / arrival),
        timeout=single.mean(costs, "s"),
        points=len(samples),
    )


def bursts_of(samples: Sequence[MessageSample]) -> list[Burst]:
    """Bursts by bytes, repetitions of all samples together."""
    times_of: dict[int, list[Floats]] = {}
    for sample in samples:
        times_of.setdefault(sample.volume, []).append(sample.times.max(axis=1))
    return [Burst(volume, np.concatenate(times)) for volume, times in sorted(times_of.items())]


def _as_divided(bursts: Sequence[Burst], clean: int) -> Divided:
    """The bursts of a launch, divided where those of all launches are."""
    return Divided(
        tuple(burst for burst in bursts if burst.volume <= clean),
        tuple(burst for burst in bursts if burst.volume > clean),
    )


def _line(launch: Divided) -> Hockney | None:
    """Return the line of a launch; None for one that stopped before it reported."""
    try:
        return launch.line()
    except InvalidInputError:
        return None


def _buffer(clean: int, lossy: int, drained: float) -> Quantity:
    volume = float(np.sqrt(float(clean) * lossy))
    return Quantity(value=volume * max(1 - drained, LEAST_KEPT), unit="B")


def _groups(sample: MessageSample) -> tuple[GroupSize, ...]:
    hosts: dict[str, list[str]] = {}
    for group, host in zip(sample.groups, sample.hosts, strict=True):
        hosts.setdefault(group, []).append(host)
    return tuple(
        GroupSize(name=name, hosts=len(set(names)), ranks=len(names))
        for name, names in hosts.items()
    )


def _doubts(
    samples: Sequence[MessageSample],
    kept: Sequence[MessageSample],
    ways: Sequence[Way],
    *,
    has_inside: bool,
) -> Iterator[QualityWarning]:
    """Doubts about the ways of a level, by all its samples and by those that were used."""
    where = f"links ({kept[0].level})"
    if points := len({sample.point for sample in samples}) - len(kept):
        yield warning("flagged_left_out:links", where, count=points)
    if lost := [" > ".join(way) for way in _ways_of(samples) if way not in _ways_of(kept)]:
        yield warning("flagged_left_out:way", f"{where}, {lost[0]}", len(lost))
    if not has_inside and any(sample.is_inside for sample in samples):
        yield warning("not_fitted:inside", f"{where}, inside")
    if len({sample.launch for sample in kept}) < 2:
        yield warning("one_launch", where)
    if unfilled := [way.title for way in ways if not way.is_saturated]:
        yield warning("not_saturated:link", f"{where}, {unfilled[0]}", len(unfilled))


def _ways_of(samples: Sequence[MessageSample]) -> list[tuple[str, str]]:
    """The ways that bursts went, in order."""
    return list(
        dict.fromkeys(
            (sample.source, sample.destination)
            for sample in samples
            if sample.experiment == "burst"
        )
    )
