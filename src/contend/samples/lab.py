"""What an emulated network did to the messages of a sample, and whether it was as it should be.

The switch of an emulated network is a program: on a machine with too few cores it hands frames on
later than the network it stands for would. It keeps a histogram of that, and a sample that it
disturbed says so.
"""

import math
from collections.abc import Mapping, Sequence
from typing import Annotated

from pydantic import Field

from contend.base.document import LONGEST, Record
from contend.base.units import format_seconds

# Within these limits iperf reached the theoretical rate and ping-pongs spread by 1 to 2 %; beyond
# them the times followed the load of the cores.
LATENESS_MEAN_LIMIT = 50e-6  # seconds
LATE_SHARE_LIMIT = 1e-3  # of the frames, later than LATE
LATE = 1e-3  # seconds
_EDGE = 1.024  # the edge of the histogram next to 1 ms, in ms

Count = Annotated[int, Field(ge=0)]
Seconds = Annotated[float, Field(ge=0.0, le=LONGEST)]


class LabConditions(Record):
    """Frames of the emulated network while a sample was taken; lateness is against the due time.

    The untimed messages that start the repetitions are among them, and so are the repetitions
    that turned out to be warm-up.
    """

    frames: Count = Field(description="delivered to hosts")
    bytes: Count = Field(description="of these frames")
    drops: Count = Field(description="frames that met a full buffer")
    retransmissions: Count = Field(description="segments that TCP sent again")
    timeouts: Count = Field(description="of these, those that waited for a time-out")
    lateness_mean_s: Seconds
    lateness_999_s: Seconds | None = Field(
        None, description="99.9th percentile, to the next edge of the histogram; absent beyond it"
    )
    late_share: float = Field(ge=0.0, le=1.0, description="of the frames, later than 1 ms")
    unread: Count = Field(description="frames lost before the switch could read them")
    queue_peak_bytes: Count = Field(description="longest queue, largest over the links")
    paused_s: Seconds = Field(
        0.0,
        description="for which links stood still for want of room behind them, over all links; "
        "0 where full buffers drop",
    )

    @classmethod
    def from_counters(
        cls, counters: Mapping[str, int], time_dilation: float = 1.0
    ) -> "LabConditions":
        """Conditions from what the switch's counters grew by; one that is missing is 0.

        Lateness and pauses are those of the network which the lab stands for: the switch's own
        over `time_dilation`.

        >>> LabConditions.from_counters({"frames": 4, "late_ns": 8000}).lateness_mean_s
        2e-06
        """
        frames = counters.get("frames", 0)
        buckets = _buckets(counters, time_dilation) if frames else []
        late = sum(count for edge, count in buckets if edge > _EDGE * LATE)
        return cls(
            frames=frames,
            bytes=counters.get("bytes", 0),
            drops=counters.get("drops", 0),
            retransmissions=counters.get("retransmissions", 0),
            timeouts=counters.get("timeouts", 0),
            lateness_mean_s=counters.get("late_ns", 0) / 1e9 / time_dilation / frames
            if frames
            else 0.0,
            lateness_999_s=_percentile_999(buckets),
            # The counters are read one after another while they grow: late may be a little ahead.
            late_share=late / max(frames, late, 1),
            unread=counters.get("unread", 0),
            queue_peak_bytes=max(
                (value for name, value in counters.items() if name.startswith("peak:")), default=0
            ),
            paused_s=sum(value for name, value in counters.items() if name.startswith("paused:"))
            / 1e9
            / time_dilation,
        )

    @property
    def is_over_limits(self) -> bool:
        return bool(self.limits_text)

    @property
    def limits_text(self) -> str:
        """What is over which limit; empty where nothing is."""
        reasons = []
        if self.lateness_mean_s > LATENESS_MEAN_LIMIT:
            reasons.append(
                f"frames were {format_seconds(self.lateness_mean_s)} late on average, more than "
                f"{format_seconds(LATENESS_MEAN_LIMIT)}"
            )
        if self.late_share > LATE_SHARE_LIMIT:
            reasons.append(
                f"{self.late_share:.2%} of the frames were later than {format_seconds(LATE)}, "
                f"more than {LATE_SHARE_LIMIT:.1%}"
            )
        if self.unread:
            reasons.append(f"{self.unread} frames were lost before the switch could read them")
        return "; ".join(reasons)


def _buckets(counters: Mapping[str, int], time_dilation: float) -> list[tuple[float, int]]:
    """Upper edge in emulated seconds and number of frames of each bucket, the earliest first."""
    prefix = "late_le:"
    return sorted(
        (float(name.removeprefix(prefix)) / 1e9 / time_dilation, count)
        for name, count in counters.items()
        if name.startswith(prefix)
    )


def _percentile_999(buckets: Sequence[tuple[float, int]]) -> float | None:
    """Upper edge of the bucket of the 99.9th percentile; None for the last, which has none."""
    wanted, seen = 999 * sum(count for _, count in buckets), 0
    for edge, count in buckets:
        seen += 1000 * count
        if seen >= wanted:
            return edge if math.isfinite(edge) else None
    return 0.0
