"""What-ifs of a replay: changes of network, placement, algorithms or program, each replayed.

Idea: a kind of change offers settings that differ from the one at hand, with the command of each,
and what it can save at most: what the critical path has of that which it changes. They are replayed
in this order until no other one can be among the three that save most. Nothing is estimated.
Restriction: where rates are shared the critical path's seconds are a derivative and no bound.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from contend.base.errors import ContendError
from contend.base.registry import Registry
from contend.programs.replay.replay import Replay
from contend.programs.replay.setting import Setting

PAYS = 3  # that a page shows first
LEAST = 1e-9  # of the time; less is rounding


@dataclass(frozen=True)
class Candidate:
    """A changed setting, and what it changes, as the end of a sentence: "links twice as fast"."""

    title: str
    setting: Setting
    is_bound: bool = False  # cannot be had, as a network without contention
    most: float = np.inf  # seconds that it saves at most, by the critical path


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
    def candidates(self, setting: Setting, replay: Replay) -> Iterator[Candidate]:
        """What it offers for a setting whose replay is at hand; nothing where it does not apply."""


CHANGES: Registry[Change] = Registry(
    "kind of what-if", Change, "contend.programs.replay.whatifs", group="contend.replay.whatifs"
)


def what_ifs(setting: Setting, replay: Replay) -> list[WhatIf]:
    """Candidates that were replayed: those that save most first.

    Those that can save less than the three best did are left out, as is a candidate that cannot be
    replayed, for example an algorithm that does not serve the number of ranks.
    """
    offered = [
        candidate for change in CHANGES.all() for candidate in change.candidates(setting, replay)
    ]
    measured: list[WhatIf] = []
    for candidate in sorted(offered, key=lambda candidate: -candidate.most):
        best = paying(sorted(measured, key=lambda whatif: whatif.seconds))
        least = best[-1].saved if len(best) == PAYS else LEAST * replay.seconds
        if candidate.most <= least and not candidate.is_bound:
            continue
        try:
            seconds = candidate.setting.replay(is_compared=False).seconds
        except ContendError:
            continue
        saved = replay.seconds - seconds
        share = saved / replay.seconds if replay.seconds else 0.0
        measured.append(WhatIf(candidate, seconds, saved, share))
    return sorted(measured, key=lambda whatif: whatif.seconds)


def paying(measured: list[WhatIf]) -> list[WhatIf]:
    """The three that save most and can be had, without those that save nothing."""
    real = [whatif for whatif in measured if not whatif.candidate.is_bound and whatif.share > LEAST]
    return real[:PAYS]


def most_saved(replay: Replay, *kinds: str, share: float = 1.0) -> float:
    """Seconds of the critical path for that share of these kinds of parts; inf if not known."""
    if replay.derivatives is None or not replay.derivatives.is_steady:
        return float(np.inf)
    return share * sum(replay.derivatives.seconds[kind] for kind in kinds)
