"""Where bursts over a link begin to lose messages, by their times.

Idea: without a loss the time of a burst is a + V/B, so that it grows by no larger factor than its
bytes do. A repetition that took longer than that has waited for a time-out; where a quarter of the
repetitions did, and at least two, bursts of these bytes lose. What a loss costs is what these took
beyond the line of the bursts without one.
Restrictions: a loss that is mended within a few round trips is none. A stall of one repetition,
which any machine has, is none either.
"""

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from contend.base.document import Floats
from contend.base.errors import InvalidInputError
from contend.schedules.pointtopoint import Hockney, hockney

SHARE = 0.25  # of the repetitions that took too long
FEWEST = 2  # of them
ONE_WAYS = 3.0  # of an empty link: a stream that opens its window waits for two of them
LEAST = 5e-3  # seconds; TCP waits for no less before it sends again
POINTS = 3  # bursts that a line takes


@dataclass(frozen=True)
class Burst:
    """Times of all repetitions until the last message came, of `volume` bytes in all."""

    volume: int
    seconds: Floats

    @property
    def usual(self) -> float:
        return float(np.median(self.seconds))

    @property
    def fastest(self) -> float:
        """The least, which has waited for nothing if any has not."""
        return float(self.seconds.min())


@dataclass(frozen=True)
class Divided:
    """Bursts by ascending bytes: those before the first that loses, and the others."""

    clean: tuple[Burst, ...]
    lossy: tuple[Burst, ...]

    @property
    def between(self) -> tuple[int, int | None]:
        """Bytes of the largest burst that lost nothing, and of the smallest that did."""
        return self.clean[-1].volume, self.lossy[0].volume if self.lossy else None

    @property
    def patience(self) -> float:
        """Seconds beyond what is expected from which on a repetition has waited for a loss."""
        return max(ONE_WAYS * self.clean[0].usual, LEAST)

    def line(self) -> Hockney:
        """Start-up and seconds per byte of the fastest repetitions, which waited for nothing."""
        rows = [(burst.volume, burst.fastest) for burst in self.clean]
        if len(rows) < POINTS:
            rows += [(burst.volume, burst.fastest) for burst in self.lossy]
        return hockney.fit(pd.DataFrame(rows, columns=["m", "seconds"]))

    def cost(self, clean: Hockney) -> float:
        """Seconds that a loss costs: the median excess of repetitions with one; NaN without any."""
        excess = [burst.seconds - _expected(clean, burst.volume) for burst in self.lossy]
        late = np.concatenate(
            [np.empty(0), *(seconds[seconds > self.patience] for seconds in excess)]
        )
        return float(np.median(late)) if late.size else float("nan")


def divided(bursts: Sequence[Burst]) -> Divided:
    """The bursts, of which the smallest is taken to lose nothing.

    >>> times = {512: 1.0, 1024: 1.1, 2048: 9.0}
    >>> divided([Burst(v, np.full(4, t)) for v, t in times.items()]).between
    (1024, 2048)
    """
    if not bursts:
        raise InvalidInputError("no bursts over the link", "measure them: contend measure links")
    ordered = sorted(bursts, key=lambda burst: burst.volume)
    lossless = Divided(tuple(ordered), ())
    for number, (before, burst) in enumerate(itertools.pairwise(ordered), start=1):
        most = before.usual * burst.volume / before.volume + lossless.patience
        late = int((burst.seconds > most).sum())
        if late >= FEWEST and late >= SHARE * burst.seconds.size:
            return Divided(tuple(ordered[:number]), tuple(ordered[number:]))
    return lossless


def _expected(clean: Hockney, volume: int) -> float:
    seconds = float(clean.seconds(volume))
    if clean.step is None or clean.step_from is None or volume < float(clean.step_from):
        return seconds
    return seconds + float(clean.step)
