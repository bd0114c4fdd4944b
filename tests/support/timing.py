"""Timings on a lab, judged by how late the lab itself was: a busy machine proves nothing.

A claim about a time that does not hold counts only where the switch was on time. Where it was late
beyond its limits the claim is tried again, and in the end the test is skipped with its figures.
"""

from collections.abc import Callable
from dataclasses import dataclass

import pytest

ATTEMPTS = 4


@dataclass(frozen=True)
class Timing:
    """Whether a claim held, its figures, and what the lab says of its lateness.

    `late` is `LabConditions.limits_text`: empty where the lab was within its limits.
    """

    is_right: bool
    figures: str
    late: str


def require_right(attempt: Callable[[], Timing], attempts: int = ATTEMPTS) -> None:
    """Fail where a claim is wrong on a lab that was on time; skip where none of them was."""
    seen = []
    for _ in range(attempts):
        timing = attempt()
        if timing.is_right:
            return
        seen.append(f"{timing.figures} ({timing.late})")
        assert timing.late, timing.figures
    pytest.skip(f"could not judge on so busy a machine: {'; '.join(seen)}")
