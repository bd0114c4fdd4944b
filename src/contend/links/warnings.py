"""Warnings about a level's links: what was not measured well enough, and what was left out."""

from collections.abc import Sequence

from contend.links.record import Way
from contend.samples.messages import MessageSample
from contend.samples.quality import QualityWarning


def doubts(
    samples: Sequence[MessageSample],
    kept: Sequence[MessageSample],
    ways: Sequence[Way],
    *,
    has_inside: bool,
) -> list[QualityWarning]:
    """Doubts about the ways of a level, by all its samples and by those that were used."""
    where = f"links ({kept[0].level})"
    found = _left_out(samples, kept, where)
    if not has_inside and any(one.is_inside for one in samples):
        found.append(
            QualityWarning(
                kind="not_fitted",
                where=f"{where}, inside",
                message="no ping-pongs and trains of one size, so that plans take what is between",
                hint="measure them again with the same command",
            )
        )
    if len({one.launch for one in kept}) < 2:
        found.append(
            QualityWarning(
                kind="one_launch",
                where=where,
                message="one launch says nothing of others",
                hint="give --launches 3 or more for intervals",
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


def ways_of(samples: Sequence[MessageSample]) -> list[tuple[str, str]]:
    """The ways that bursts went, in order."""
    return list(
        dict.fromkeys((one.source, one.destination) for one in samples if one.experiment == "burst")
    )


def _left_out(
    samples: Sequence[MessageSample], kept: Sequence[MessageSample], where: str
) -> list[QualityWarning]:
    found, hint = [], "measure them again with the same command"
    if points := len({one.point for one in samples}) - len(kept):
        message = f"{points} points in which the emulated network was late are left out"
        found.append(
            QualityWarning(kind="flagged_left_out", where=where, message=message, hint=hint)
        )
    if ways := [" > ".join(way) for way in ways_of(samples) if way not in ways_of(kept)]:
        found.append(
            QualityWarning(
                kind="flagged_left_out",
                where=f"{where}, {ways[0]}",
                message="all bursts this way are among them, so that it is not known",
                hint=hint,
                count=len(ways),
            )
        )
    return found
