"""How long a campaign may take, how often it measures anew, and when it gives up."""

import time
from dataclasses import dataclass, replace

from contend.base.errors import LaunchError

ROUNDS = 2  # a disturbance that outlasts two more tries is no accident
AGAIN_SHARE = 0.5  # of the time spent so far, for measuring anew
AGAIN_LEAST = 60.0  # seconds
BUSY_POINTS = 12  # fewer say nothing about the machine
BUSY_SHARE = 0.5  # of the points disturbed: the rest is then no fair choice among all
FRUITLESS_OF_LAUNCH = 2  # losses in a row without a point between them, after which it is left out
FRUITLESS = 6  # the same of a campaign: whatever it starts is lost


class TooBusyError(LaunchError):
    """Most points of a campaign were disturbed: the machine has no time for the emulation."""


@dataclass(frozen=True)
class Limits:
    """Limits of one campaign; `begin` and `deadline` by the monotonic clock, in seconds."""

    begin: float = 0.0
    deadline: float = float("inf")
    rounds: int = ROUNDS
    is_watched: bool = False
    bears_losses: bool = False

    @classmethod
    def of(
        cls, minutes: float | None, *, is_watched: bool = False, bears_losses: bool = False
    ) -> "Limits":
        """Limits from now on.

        With `is_watched` a campaign ends early when it is disturbed; with `bears_losses` it goes
        on without the points at which a launch died or hung.
        """
        now = time.monotonic()
        end = now + 60.0 * minutes if minutes is not None else float("inf")
        return cls(begin=now, deadline=end, is_watched=is_watched, bears_losses=bears_losses)

    @property
    def is_over(self) -> bool:
        return time.monotonic() >= self.deadline

    @property
    def seconds_left(self) -> float:
        return self.deadline - time.monotonic()

    @property
    def in_words(self) -> str:
        """What is done about disturbed points and about time, for people."""
        tries = f"points that are disturbed are measured again, up to {self.rounds} times"
        minutes = round((self.deadline - self.begin) / 60.0, 1)
        unit = "minute" if minutes == 1.0 else "minutes"
        return tries if minutes == float("inf") else f"{tries}; {minutes:g} {unit} at most"

    def for_another_try(self) -> "Limits":
        now = time.monotonic()
        spent = now - self.begin if self.begin else 0.0
        end = min(now + max(AGAIN_SHARE * spent, AGAIN_LEAST), self.deadline)
        return replace(self, deadline=end, is_watched=False)

    def is_too_busy(self, flagged: int, measured: int) -> bool:
        """Whether so many points disturbed of so many mean that all are in vain."""
        return self.is_watched and measured >= BUSY_POINTS and flagged > BUSY_SHARE * measured
