"""Measured links to what is known of each level, a pure function of the samples.

Idea: latency and rate of one pair alone come from `contend.links.single`. The bandwidth of a link
is the slope of bursts that lost nothing (`contend.links.loss`). While a burst comes in at the rate
R of its senders the link drains it at B, so that of V bytes V (1 - B/R) are in its buffer at most:
with V between the largest burst without a loss and the smallest with one, that is the buffer.
Intervals are over launches. The buffer has none, as all launches try the same bursts: the two on
either side of it stand beside it.
Restrictions: the slowest way is that with the least bandwidth. A buffer is known to no better than
the two bursts are apart, and counts bytes of messages, not those of their headers.
"""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from contend.document import Floats, Quantity
from contend.errors import InvalidInputError
from contend.links import single
from contend.links.loss import Burst, Divided, divided
from contend.links.nesting import nested
from contend.links.record import GroupSize, LevelLinks, Way
from contend.links.sample import LinkSample
from contend.links.single import Launches
from contend.pointtopoint import Hockney
from contend.samples.origin import origin_of
from contend.samples.quality import QualityWarning

SATURATED = 0.9  # of what all senders bring, above which the link is not what slows them
LEAST_KEPT = 0.1  # share of a burst that is taken to be in the buffer where none should be


def fit_links(
    samples: Sequence[LinkSample], source: str | Path, *, include_flagged: bool = False
) -> tuple[LevelLinks, ...]:
    """What is known of each level from samples that were read from the file `source`.

    Samples during which an emulated network could not keep up are left out, unless they are to be
    included.

    Raises
    ------
    InvalidInputError
        Where that leaves none, or not what a level needs: ping-pongs, trains and bursts.
    """
    kept = trusted(samples, include_flagged)
    left_out = len({sample.point for sample in samples}) - len(kept)
    names = list(dict.fromkeys(sample.level for sample in kept))
    levels = (
        _level([sample for sample in kept if sample.level == name], source, left_out)
        for name in names
    )
    return nested(levels, samples)


def trusted(samples: Sequence[LinkSample], include_flagged: bool = False) -> list[LinkSample]:
    """The last sample of each point, without flagged ones unless they are to be included."""
    if len({sample.hosts for sample in samples}) > 1:
        raise InvalidInputError(
            "links of different hosts, or of the same in another order", "fit files of one each"
        )
    found = {sample.point: sample for sample in samples if include_flagged or not sample.is_flagged}
    if not found:
        raise InvalidInputError(
            f"the emulated network could not keep up in any of the {len(samples)} samples",
            "measure with fewer hosts, a lower rate or time dilation, or give --include-flagged",
        )
    return list(found.values())


def _level(samples: Sequence[LinkSample], source: str | Path, left_out: int) -> LevelLinks:
    numbers = sorted({sample.launch for sample in samples})
    launches = [[one for one in samples if one.launch == number] for number in numbers]
    name = samples[0].level
    for experiment in ("pingpong", "train", "burst"):
        if not any(_only(launches, experiment, False)):
            raise InvalidInputError(
                f"no {experiment} between the groups of level {name!r}",
                "let 'contend measure --levels' go on to its end: the same command continues it",
            )
    near = [[one for one in launch if one.is_inside] for launch in launches]
    far = [[one for one in launch if not one.is_inside] for launch in launches]
    has_inside = {"pingpong", "train"} <= {one.experiment for part in near for one in part}
    inside_rate = single.over(near, single.rate, "B/s") if has_inside else None
    sender = inside_rate or single.over(far, single.rate, "B/s")
    ways = _ways(launches, float(sender))
    slowest = min(ways, key=lambda way: float(way.bandwidth))
    volumes = [sample.volume for sample in samples if sample.experiment == "burst"]
    return LevelLinks(
        name=name,
        groups=_groups(samples[0]),
        latency=slowest.latency,
        bandwidth=slowest.bandwidth,
        buffer=min((way.buffer for way in ways if way.buffer), key=float, default=None),
        clean_bytes=min(way.clean_bytes for way in ways),
        timeout=max((way.timeout for way in ways if way.timeout), key=float, default=None),
        inside_latency=single.over(near, single.shortest, "s") if has_inside else None,
        inside_bandwidth=inside_rate,
        inside=single.plogp(near) if has_inside else None,
        between=single.plogp(far),
        ways=tuple(ways),
        m_seen=tuple(sorted({one.m for one in samples if one.experiment != "burst"})),
        volumes_seen=(min(volumes), max(volumes)),
        launches=len(launches),
        points=len(samples),
        warnings=tuple(_doubts(name, ways, len(launches), left_out)),
        origin=origin_of([sample.provenance for sample in samples], source),
    )


def _only(launches: Launches, experiment: str, is_inside: bool) -> Launches:
    """The samples of an experiment by launch, inside groups or between them."""
    return [
        [one for one in launch if one.experiment == experiment and one.is_inside == is_inside]
        for launch in launches
    ]


def _ways(launches: Launches, sender: float) -> list[Way]:
    """All ways that bursts went, in order; `sender` is the rate of one sender alone."""
    bursts, trips = _only(launches, "burst", False), _only(launches, "pingpong", False)
    names = dict.fromkeys((one.source, one.destination) for launch in bursts for one in launch)
    found = []
    for way in names:
        own = [[one for one in part if (one.source, one.destination) == way] for part in bursts]
        pairs = [[one for one in part if {one.source, one.destination} == {*way}] for part in trips]
        found.append(_way(way, own, pairs, sender))
    return found


def _way(way: tuple[str, str], parts: Launches, pairs: Launches, sender: float) -> Way:
    """One link from its bursts and ping-pongs by launch."""
    samples = [one for launch in parts for one in launch]
    clean, lossy = divided(bursts_of(samples)).between
    by_launch = [_as_divided(bursts_of(launch), clean) for launch in parts if launch]
    said = [(one, line) for one in by_launch if (line := _line(one)) is not None]
    bandwidth = single.mean([1 / float(line.beta) for _, line in said], "B/s")
    costs = [one.cost(line) for one, line in said if one.clean]
    arrival = sender * len({src for src, _ in samples[0].edges})
    return Way(
        source=way[0],
        destination=way[1],
        latency=single.over(pairs, single.shortest, "s"),
        bandwidth=bandwidth,
        is_saturated=float(bandwidth) < SATURATED * arrival,
        clean_bytes=clean,
        lossy_bytes=lossy,
        buffer=None if lossy is None else _buffer(clean, lossy, float(bandwidth) / arrival),
        timeout=single.mean(costs, "s") if np.isfinite(costs).any() else None,
        points=len(samples),
    )


def bursts_of(samples: Sequence[LinkSample]) -> list[Burst]:
    """Bursts by bytes, repetitions of all samples together."""
    found: dict[int, list[Floats]] = {}
    for sample in samples:
        found.setdefault(sample.volume, []).append(sample.times.max(axis=1))
    return [Burst(volume, np.concatenate(times)) for volume, times in sorted(found.items())]


def _as_divided(bursts: Sequence[Burst], clean: int) -> Divided:
    """The bursts of a launch, divided where those of all launches are."""
    return Divided(
        tuple(one for one in bursts if one.volume <= clean),
        tuple(one for one in bursts if one.volume > clean),
    )


def _line(found: Divided) -> Hockney | None:
    """That of a launch; None of one that was stopped before it said anything."""
    try:
        return found.line()
    except InvalidInputError:
        return None


def _buffer(clean: int, lossy: int, drained: float) -> Quantity:
    volume = float(np.sqrt(float(clean) * lossy))
    return Quantity(value=volume * max(1 - drained, LEAST_KEPT), unit="B")


def _groups(sample: LinkSample) -> tuple[GroupSize, ...]:
    hosts: dict[str, list[str]] = {}
    for group, host in zip(sample.groups, sample.hosts, strict=True):
        hosts.setdefault(group, []).append(host)
    return tuple(
        GroupSize(name=name, hosts=len(set(own)), ranks=len(own)) for name, own in hosts.items()
    )


def _doubts(name: str, ways: Sequence[Way], launches: int, left_out: int) -> list[QualityWarning]:
    where, found = f"links ({name})", []
    if launches < 2:
        found.append(
            QualityWarning(
                kind="one_launch",
                where=where,
                message="one launch says nothing of others",
                hint="give --launches 3 or more for intervals",
            )
        )
    if left_out > 0:
        found.append(
            QualityWarning(
                kind="flagged_left_out",
                where=where,
                message=f"{left_out} points in which the emulated network was late are left out",
                hint="measure them again with the same command",
            )
        )
    if unfilled := [way.title for way in ways if not way.is_saturated]:
        found.append(
            QualityWarning(
                kind="not_saturated",
                where=f"{where}, {unfilled[0]}",
                message="all senders together did not fill the link, which may be faster",
                hint="measure with more hosts on either side",
                count=len(unfilled),
            )
        )
    return found
