"""The gap of a message from the time of a train of them.

Source: Kielmann, Bal, Verstoep 2000 take the time of a long train over its length for g(0).
Idea: a train of one message is a round trip RTT(m) of m bytes there and none back, and every
further message adds a gap, so that k messages take T(k) = RTT(m) + (k-1) g(m). Short trains of
large messages give the gap then, without the part of a round trip in the time over the length.
Cost: g(m) = (T(k) - RTT(m)) / (k-1).
Restrictions: k >= 2, and a round trip of the same size.
"""

from collections.abc import Iterable, Mapping

import numpy as np

from contend.samples import Sample


def gaps(trains: Iterable[Sample], round_trips: Mapping[int, float]) -> list[Sample]:
    """Samples of g(m), from those of T(k)/k that say their k and have a round trip of their size.

    `round_trips` is RTT(m) in seconds by size. A train that is no longer than the round trip gives
    none: one of the two was disturbed, for no message follows another after no time.
    """
    return [
        gap
        for sample in trains
        if sample.m in round_trips and (gap := _gap(sample, round_trips[sample.m])) is not None
    ]


def _gap(sample: Sample, round_trip: float) -> Sample | None:
    length = (sample.parameters or {}).get("train", 1)
    if length < 2:
        return None
    train = np.asarray(sample.times_s) * length
    gap = np.maximum((train - round_trip) / (length - 1), 0.0)
    is_found = float(np.median(gap)) > 0
    return sample.model_copy(update={"times_s": tuple(gap.tolist())}) if is_found else None
