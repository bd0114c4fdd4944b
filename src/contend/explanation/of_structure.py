"""Causes that the structure of the times over n and m tells.

Source: `contend.structure`, whose sentence is taken as it stands, with its evidence.
Restrictions: what makes an exchange shorter than expected is no cause. Of what is no exchange only
odd sizes and steps over m are looked at.
"""

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from typing import ClassVar

from contend.explanation.case import Case
from contend.explanation.cause import Cause, Suspicion, Try, covers
from contend.structure.finding import Finding

LEAST = 1.25  # times longer


class OfStructure(Cause):
    """Findings of some kinds, as suspicions; `value` names what they say of the time."""

    kinds: ClassVar[tuple[str, ...]]
    value: ClassVar[str]
    over_n: ClassVar[bool] = False

    def suspicions(self, case: Case, before: Sequence[Suspicion]) -> Iterator[Suspicion]:
        """One for each finding that makes the times longer."""
        if case.analysis is None or (self.over_n and not case.is_exchange):
            return
        for finding in case.analysis.findings:
            if finding.kind not in self.kinds or not self.is_of(case, finding):
                continue
            factor = self.factor(case, finding)
            if factor is None or factor < LEAST:
                continue
            if covers(before, finding.sizes, "time-outs", "poor algorithm"):
                continue
            sentence = finding.sentence
            if not case.is_exchange:
                sentence = sentence.replace("an exchange takes", "it takes")
            yield Suspicion(self.name, finding.sizes, sentence, factor, self.tries(case, finding))

    def is_of(self, case: Case, finding: Finding) -> bool:
        """Whether a finding holds at the n of the case."""
        return case.n in finding.counts

    def factor(self, case: Case, finding: Finding) -> float | None:
        """How many times longer it makes the times."""
        known = finding.values.get(self.value)
        return None if known is None else float(known)

    @abstractmethod
    def tries(self, case: Case, finding: Finding) -> tuple[Try, ...]:
        """What to try."""


def sizes_in(case: Case, finding: Finding) -> list[float]:
    """Sizes of the case that a finding holds at."""
    return [float(m) for m in case.sizes if finding.sizes[0] <= m <= finding.sizes[1]]
