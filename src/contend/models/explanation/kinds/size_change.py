"""A size at which the exchange changes: another algorithm, a jump, or another cost of a byte.

That may be a number of bytes of all messages of a process, which moves with n.
"""

from collections.abc import Iterator
from itertools import pairwise
from typing import ClassVar

import numpy as np

from contend.base.units import format_bytes
from contend.models.explanation.case import Case
from contend.models.explanation.commands import choose, exchange
from contend.models.explanation.finding import Analysis, Finding, Kind, Try
from contend.models.explanation.lines import fit_lines
from contend.models.explanation.regime import Change, change
from contend.models.explanation.words import evidence, times


class SizeChange(Kind):
    """Where one regime ends and the next begins, unless a value of n m is what decides."""

    name, order = "size_change", 10
    slow: ClassVar = {"algorithm switch": "jump", "level jump": "jump", "rising slope": "byte"}

    def findings(self, seen: Analysis) -> Iterator[Finding]:
        """One for each change, from the smallest size on."""
        for left, right in pairwise(() if seen.totals else seen.regimes):
            found = change(left, right)
            logarithms = {
                "jump": (found.jump, found.jump_deviation),
                "byte": (found.slope, found.slope_deviation),
            }
            values = {
                name: seen.factor(*each)
                for name, each in logarithms.items()
                if np.isfinite(each).all()
            }
            factors = {name: times(value) for name, value in values.items()}
            kind, sentence = _statement(seen, found, factors)
            error, without = _errors(found)
            yield Finding(
                kind, (found.start, right.ends[1]), seen.counts,
                f"{sentence} {evidence(error, without)}.", values, error, without,
            )  # fmt: skip

    def tries(self, case: Case, found: Finding) -> Iterator[Try]:
        """Another algorithm; of dearer bytes of an exchange another way to send them."""
        if found.kind == "rising slope" and case.is_exchange:
            yield exchange(case)
        else:
            yield from choose(case, case.sizes_of(found))


def _statement(seen: Analysis, found: Change, factors: dict[str, str]) -> tuple[str, str]:
    where, several = format_bytes(found.start), seen.exchange.counts.size > 1
    before, after = found.left.explanation.best, found.right.explanation.best
    smaller = "what smaller sizes lead to expect"
    if several and before.is_forwarded != after.is_forwarded:
        text = f"At {format_bytes(found.right.ends[0])} the library switches its algorithm, from "
        text += f"{before.title} to {after.title}"
        jump = f"; from there on times are {factors.get('jump')} times {smaller}, on average over n"
        return "algorithm switch", text + jump * found.is_jump
    if found.is_jump and len(found.right.sizes) == 1:
        text = f"The largest size, {where}, takes {factors['jump']} times {smaller}; whether still "
        return "level jump", text + "larger ones do is not known"
    if found.is_jump and len(found.left.sizes) == 1:
        factor = times(seen.factor(-found.jump, found.jump_deviation))
        text = f"The smallest size, {format_bytes(found.left.ends[0])}, takes {factor} times what "
        return "level jump", text + "larger sizes lead to expect"
    if found.is_jump:
        text = f"From {where} on an exchange takes {factors['jump']} times {smaller}"
        slope = f", and a byte costs {factors.get('byte')} times what it does below"
        return "level jump", text + slope * found.is_slope
    if found.is_slope:
        falls = found.slope < 0
        text = f"From {where} on a byte costs {factors['byte']} times what it does in smaller "
        text += f"messages, without a jump{', as where the protocol changes (rendezvous)' * falls}"
        return "falling slope" if falls else "rising slope", text
    return "size change", f"At {where} the times leave the line over m that smaller sizes are on"


def _errors(found: Change) -> tuple[float, float]:
    """Standard deviation of log time about two lines for each n, and about one."""
    exchange = found.left.exchange
    both = np.concatenate([found.left.places, found.right.places])
    chosen = np.isin(np.arange(exchange.sizes.size), both)
    joined = fit_lines(exchange.sizes, exchange.logarithms, chosen[None])
    points = int(exchange.is_measured[:, chosen].sum())
    two = float(found.left.lines.squares.sum() + found.right.lines.squares.sum())
    return float(np.sqrt(two / points)), float(np.sqrt(joined.squares.sum() / points))


class TotalChange(Kind):
    name, order = "total_change", 15

    def findings(self, seen: Analysis) -> Iterator[Finding]:
        if seen.totals is None:
            return
        partition, totals = seen.totals
        error, without = partition.noise(0.0), seen.partition.noise(0.0)
        for total in totals:
            yield Finding(
                "change at a total size", seen.sizes, seen.counts,
                f"The exchange changes where n m, all messages of a process, is "
                f"{format_bytes(total)}: at smaller m the larger n is {evidence(error, without)}.",
                {}, error, without,
            )  # fmt: skip
