"""What-ifs of a replay: changes of network, placement, algorithms or program, each replayed.

Idea: a kind of change offers settings that differ from the one at hand, with the command of each.
All are replayed; those that save most are what pays most. Nothing is estimated.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from contend.errors import ContendError
from contend.registry import Registry
from contend.replay.replay import Replay
from contend.replay.setting import Setting

PAYS = 3  # that a page shows first
LEAST = 1e-9  # of the time; less is rounding


@dataclass(frozen=True)
class Candidate:
    """A changed setting, and what it changes, as the end of a sentence: "links twice as fast"."""

    title: str
    setting: Setting
    is_bound: bool = False  # cannot be had, as a network without contention


@dataclass(frozen=True)
class WhatIf:
    """A candidate that was replayed; seconds of the whole run."""

    candidate: Candidate
    seconds: float
    saved: float
    share: float  # of the time at hand that is saved


class Change(ABC):
    """Base of the kinds; a module in `replay/whatifs` that defines a subclass is one."""

    name: ClassVar[str]

    @abstractmethod
    def candidates(self, setting: Setting, found: Replay) -> Iterator[Candidate]:
        """What it offers for a setting whose replay is at hand; nothing where it does not apply."""


CHANGES: Registry[Change] = Registry("kind of what-if", Change, "contend.replay.whatifs")


def what_ifs(setting: Setting, found: Replay) -> list[WhatIf]:
    """All candidates, replayed: those that save most first.

    A candidate that cannot be replayed, as an algorithm that does not serve the number of ranks, is
    none.
    """
    measured = []
    for change in CHANGES.all():
        for candidate in change.candidates(setting, found):
            try:
                seconds = candidate.setting.replay(is_compared=False).seconds
            except ContendError:
                continue
            saved = found.seconds - seconds
            share = saved / found.seconds if found.seconds else 0.0
            measured.append(WhatIf(candidate, seconds, saved, share))
    return sorted(measured, key=lambda one: one.seconds)


def paying(measured: list[WhatIf]) -> list[WhatIf]:
    """The three that save most and can be had, without those that save nothing."""
    real = [one for one in measured if not one.candidate.is_bound and one.share > LEAST]
    return real[:PAYS]
