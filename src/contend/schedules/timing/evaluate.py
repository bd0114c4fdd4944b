"""When each operation of a schedule is done, under pLogP without contention.

Source: pLogP: Kielmann, Bal, Verstoep 2000; ports as in LogP: Culler et al. 1993.
Idea: a rank sends one message at a time and receives one at a time, both at once if need be, each
in the order of the table. Reception is the mirror image of sending, so that a gather takes as long
as the scatter that it mirrors. The core puts the operations in order once per schedule; after that
a size, or a network, is one pass over them.
Cost: with S the start of a send and R the end of a receive of m bytes: a send is done at S + g(m),
when the next one can start; R = max(S + L(m), R of the receive before) + g(m), and not before what
it requires is done.
Restrictions: copying and combining take no time.
"""

import numpy as np

from contend.base.document import Floats
from contend.base.errors import InvalidInputError
from contend.schedules.pointtopoint import PLogP
from contend.schedules.ragged_rows import Ints
from contend.schedules.schedule import Schedule
from contend.schedules.timing.levels import Parameters, costs

_AT_ONCE = 1 << 18  # gaps that are held at a time, 2 MiB


def seconds(schedule: Schedule, network: Parameters) -> float:
    """Time from the common start until the last operation is done."""
    gap, latency = costs(schedule, network)
    return float(schedule.order.ends(gap=gap[None], latency=latency[None])[0])


def seconds_over(schedule: Schedule, sizes: Ints, plogp: PLogP) -> Floats:
    """Times of the schedule with other bytes: (cases,) for `sizes` (cases, n_ops).

    >>> from contend.schedules import algorithms
    >>> from contend.schedules.timing.timeline import fast_ethernet
    >>> chain = algorithms("bcast").get("chain").build(3, 1024)
    >>> times = seconds_over(chain, np.array([[0] * 4, [8] * 4]), fast_ethernet())
    >>> [f"{time * 1e6:.2f} us" for time in times]
    ['140.00 us', '141.36 us']
    """
    if sizes.ndim != 2 or sizes.shape[1] != schedule.kind.size:
        raise InvalidInputError(
            f"sizes of shape {sizes.shape} for {schedule.kind.size} operations",
            "give a row per case and a column per operation",
        )
    rows = max(_AT_ONCE // max(schedule.kind.size, 1), 1)
    parts = [sizes[begin : begin + rows] for begin in range(0, len(sizes), rows)]
    ends = [
        schedule.order.ends(gap=plogp.gap_at(part), latency=plogp.latency_at(part))
        for part in parts
    ]
    seconds: Floats = np.concatenate([np.zeros(0), *ends])
    return seconds


def finish_times(schedule: Schedule, network: Parameters) -> Floats:
    """When each operation is done, seconds; shape (n_ops,).

    >>> from contend.schedules import algorithms
    >>> from contend.schedules.groups import given
    >>> from contend.schedules.timing.levels import Levels
    >>> from contend.schedules.timing.timeline import fast_ethernet
    >>> lg = algorithms("alltoall").get("lg").grouped(given((0, 0, 1, 1))).build(4, 100)
    >>> times = finish_times(lg, Levels((0, 0, 1, 1), fast_ethernet(), fast_ethernet()))
    >>> f"{times.max() * 1e6:.0f} us"
    '174 us'
    """
    gap, latency = costs(schedule, network)
    times = schedule.order.finish_times(gap=gap[None], latency=latency[None])
    return times.reshape(schedule.kind.shape)
