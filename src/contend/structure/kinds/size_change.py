"""A size at which the exchange changes: another algorithm, a jump, or another cost of a byte."""

from collections.abc import Iterator
from itertools import pairwise

import numpy as np

from contend.structure.change import Change, change
from contend.structure.finding import Analysis, Finding, Kind
from contend.structure.lines import fit_lines
from contend.structure.words import evidence, times
from contend.units import format_bytes


class SizeChange(Kind):
    """Where one regime ends and the next begins."""

    name = "size_change"
    order = 10

    def findings(self, seen: Analysis) -> Iterator[Finding]:
        """One for each change, from the smallest size on."""
        for left, right in pairwise(seen.regimes):
            found = change(left, right)
            kind, said = _said(seen, found)
            error, without = _errors(found)
            yield Finding(
                kind,
                (found.start, right.sizes[-1]),
                seen.counts,
                f"{said} {evidence(error, without)}.",
                {
                    name: seen.factor(value, deviation)
                    for name, value, deviation in (
                        ("jump", found.jump, found.jump_deviation),
                        ("byte", found.slope, found.slope_deviation),
                    )
                    if np.isfinite([value, deviation]).all()
                },
                error,
                without,
            )


def _said(seen: Analysis, found: Change) -> tuple[str, str]:
    """Kind, and the sentence without its evidence."""
    where, several = format_bytes(found.start), seen.exchange.counts.size > 1
    before, after = found.left.explanation.best, found.right.explanation.best
    if several and before.is_forwarded != after.is_forwarded:
        first = format_bytes(found.right.sizes[0])
        return "algorithm switch", (
            f"At {first} the library switches its algorithm, from {before.title} to "
            f"{after.title}{_details(seen, found)}"
        )
    jump = times(seen.factor(found.jump, found.jump_deviation)) if found.is_jump else ""
    if found.is_jump and len(found.right.sizes) == 1:
        return "level jump", (
            f"The largest size, {where}, takes {jump} times what smaller sizes lead to "
            "expect; whether still larger ones do is not known"
        )
    if found.is_jump and len(found.left.sizes) == 1:
        only = format_bytes(found.left.sizes[0])
        known = seen.factor(-found.jump, found.jump_deviation)
        return "level jump", (
            f"The smallest size, {only}, takes {times(known)} times what larger sizes lead to "
            "expect"
        )
    if found.is_jump:
        also = ""
        if found.is_slope:
            slope = seen.factor(found.slope, found.slope_deviation)
            also = f", and a byte costs {times(slope)} times what it does below"
        return "level jump", (
            f"From {where} on an exchange takes {jump} times what smaller sizes lead to "
            f"expect{also}"
        )
    if found.is_slope:
        known = seen.factor(found.slope, found.slope_deviation)
        kind = "falling slope" if found.slope < 0 else "rising slope"
        return kind, (
            f"From {where} on a byte costs {times(known)} times what it does in smaller messages, "
            f"without a jump{', as where the protocol changes (rendezvous)' * (found.slope < 0)}"
        )
    return "size change", f"At {where} the times leave the line over m that smaller sizes are on"


def _details(seen: Analysis, found: Change) -> str:
    """How far times jump at a switch of the algorithm, in the mean over n."""
    if not found.is_jump:
        return ""
    known = seen.factor(found.jump, found.jump_deviation)
    return (
        f"; from there on times are {times(known)} times what smaller sizes lead to expect, on "
        "average over n"
    )


def _errors(found: Change) -> tuple[float, float]:
    """Standard deviation of log time about two lines for each n, and about one."""
    exchange = found.left.exchange
    own = np.isin(
        np.arange(exchange.sizes.size), np.concatenate([found.left.places, found.right.places])
    )
    one = fit_lines(exchange.sizes, exchange.logarithms, own[None])
    points = int(exchange.is_measured[:, own].sum())
    two = float(found.left.lines.squares.sum() + found.right.lines.squares.sum())
    return float(np.sqrt(two / points)), float(np.sqrt(one.squares.sum() / points))
