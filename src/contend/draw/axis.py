"""The axis of time below a chart: round times, thin lines up, and text that has room."""

from collections.abc import Iterator
from dataclasses import dataclass

from contend.draw.scene import Line, Shape, Text, text_width
from contend.draw.schedule import ticks
from contend.units import format_seconds

PIXELS_PER_TICK = 75.0
HEIGHT = 24.0  # below the chart
SIZE = 12.0


@dataclass(frozen=True)
class TimeAxis:
    """Times from 0 to `seconds` on `left` to `left + width` pixels."""

    left: float
    width: float
    seconds: float

    def at(self, time: float) -> float:
        """Place of a time."""
        return self.left + self.width * time / self.seconds

    def shapes(self, top: float, bottom: float) -> Iterator[Shape]:
        """Lines from `top` to `bottom`, and the times below."""
        yield Line("axis", (self.left, bottom), (self.left + self.width, bottom))
        used = float("-inf")
        for time in ticks(self.seconds, max(2, int(self.width / PIXELS_PER_TICK))):
            x, text = self.at(time), format_seconds(time)
            yield Line("grid", (x, top), (x, bottom + 4))
            half = text_width(text, SIZE) / 2
            if x - half > used:
                yield Text("note", text, (x, bottom + 18), 0)
                used = x + half + 8
