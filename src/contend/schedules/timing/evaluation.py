"""Times of an algorithm from its schedule, for calls whose closed form is only a bound.

Idea: calls that differ in size alone mostly have the same messages with other bytes. Such calls
share one table of operations, and the order that the core has put it in.
Restrictions: as in `evaluate`; a schedule of too many messages is left to its closed form.
"""

from collections.abc import Sequence

import numpy as np

from contend.base.document import Floats
from contend.schedules.algorithm import Algorithm, Call
from contend.schedules.pointtopoint import PLogP
from contend.schedules.timing.evaluate import seconds_over

# About a second per schedule.
_MOST_MESSAGES = 1 << 19


def most_messages(algorithm: Algorithm, call: Call) -> int:
    """As many messages as no algorithm sends much more of: n (n + segments)."""
    segments = int(np.max(call.segments)) if "segment" in algorithm.options else 1
    return call.n * (call.n + segments)


def is_to_be_evaluated(algorithm: Algorithm, call: Call) -> bool:
    """Whether the closed form of a call is only a bound, and its schedule can be had instead."""
    return most_messages(algorithm, call) <= _MOST_MESSAGES and algorithm.claim(call) != "exact"


def evaluated(algorithm: Algorithm, plogps: Sequence[PLogP], calls: Sequence[Call]) -> Floats:
    """Time of the schedule of each call on each network; shape (plogps, calls)."""
    times = np.empty((len(plogps), len(calls)))
    evaluated_messages = None
    for place, call in enumerate(calls):
        messages = algorithm.messages(call)
        if evaluated_messages is None or not messages.differ_in_size_alone(evaluated_messages):
            evaluated_messages = messages
            schedule, message = messages.table(with_blocks=False)
        sizes = messages.bytes[message][None]
        times[:, place] = [seconds_over(schedule, sizes, plogp)[0] for plogp in plogps]
    return times
