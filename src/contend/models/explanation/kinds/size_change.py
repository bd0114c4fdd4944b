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
        for before, after in pairwise(() if seen.totals else seen.regimes):
            transition = change(before, after)
            logarithms = {
                "jump": (transition.jump, transition.jump_deviation),
                "byte": (transition.slope, transition.slope_deviation),
            }
            values = {
                name: seen.factor(*each)
                for name, each in logarithms.items()
                if np.isfinite(each).all()
            }
            factors = {name: times(value) for name, value in values.items()}
            kind, sentence = _statement(seen, transition, factors)
            error, without = _errors(transition)
            yield Finding(
                kind, (transition.start, after.ends[1]), seen.counts,
                f"{sentence} {evidence(error, without)}.", values, error, without,
            )  # fmt: skip

    def tries(self, case: Case, finding: Finding) -> Iterator[Try]:
        """Another algorithm; of dearer bytes of an exchange another way to send them."""
        if finding.kind == "rising slope" and case.is_exchange:
            yield exchange(case)
        else:
            yield from choose(case, case.sizes_of(finding))


def _statement(seen: Analysis, transition: Change, factors: dict[str, str]) -> tuple[str, str]:
    where, several = format_bytes(transition.start), seen.exchange.counts.size > 1
    before, after = transition.before.explanation.best, transition.after.explanation.best
    smaller = "what smaller sizes lead to expect"
    if several and before.is_forwarded != after.is_forwarded:
        text = (
            f"At {format_bytes(transition.after.ends[0])} the library switches its algorithm, from "
        )
        text += f"{before.title} to {after.title}"
        jump = f"; from there on times are {factors.get('jump')} times {smaller}, on average over n"
        return "algorithm switch", text + jump * transition.is_jump
    if transition.is_jump and len(transition.after.sizes) == 1:
        text = f"The largest size, {where}, takes {factors['jump']} times {smaller}; whether still "
        return "level jump", text + "larger ones do is not known"
    if transition.is_jump and len(transition.before.sizes) == 1:
        factor = times(seen.factor(-transition.jump, transition.jump_deviation))
        smallest = format_bytes(transition.before.ends[0])
        text = f"The smallest size, {smallest}, takes {factor} times what "
        return "level jump", text + "larger sizes lead to expect"
    if transition.is_jump:
        text = f"From {where} on an exchange takes {factors['jump']} times {smaller}"
        slope = f", and a byte costs {factors.get('byte')} times what it does below"
        return "level jump", text + slope * transition.is_slope
    if transition.is_slope:
        falls = transition.slope < 0
        text = f"From {where} on a byte costs {factors['byte']} times what it does in smaller "
        text += f"messages, without a jump{', as where the protocol changes (rendezvous)' * falls}"
        return "falling slope" if falls else "rising slope", text
    return "size change", f"At {where} the times leave the line over m that smaller sizes are on"


def _errors(transition: Change) -> tuple[float, float]:
    """Standard deviation of log time about two lines for each n, and about one."""
    exchange = transition.before.exchange
    both = np.concatenate([transition.before.places, transition.after.places])
    chosen = np.isin(np.arange(exchange.sizes.size), both)
    joined = fit_lines(exchange.sizes, exchange.logarithms, chosen[None])
    points = int(exchange.is_measured[:, chosen].sum())
    two = float(transition.before.lines.squares.sum() + transition.after.lines.squares.sum())
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
