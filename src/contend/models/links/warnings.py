"""Warnings about a level's links: what was not measured well enough, and what was left out."""

from collections.abc import Iterator, Sequence

from contend.models.links.record import Way
from contend.samples.messages import MessageSample
from contend.samples.warnings import QualityWarning, warning


def doubts(
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
    if lost := [" > ".join(way) for way in ways_of(samples) if way not in ways_of(kept)]:
        yield warning("flagged_left_out:way", f"{where}, {lost[0]}", len(lost))
    if not has_inside and any(sample.is_inside for sample in samples):
        yield warning("not_fitted:inside", f"{where}, inside")
    if len({sample.launch for sample in kept}) < 2:
        yield warning("one_launch", where)
    if unfilled := [way.title for way in ways if not way.is_saturated]:
        yield warning("not_saturated:link", f"{where}, {unfilled[0]}", len(unfilled))


def ways_of(samples: Sequence[MessageSample]) -> list[tuple[str, str]]:
    """The ways that bursts went, in order."""
    return list(
        dict.fromkeys(
            (sample.source, sample.destination)
            for sample in samples
            if sample.experiment == "burst"
        )
    )
