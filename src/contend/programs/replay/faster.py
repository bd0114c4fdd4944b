"""A network whose links are faster by a factor: its messages take as much less for their bytes.

Restrictions: latencies, overheads and ports that serve one message at a time for less than a byte's
time stay as they are; of measured pLogP parameters the gap of an empty message does.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from contend.base.document import Floats
from contend.base.errors import InvalidInputError
from contend.programs.replay.message_times import MessageTimes
from contend.schedules.ragged_rows import Ints


@dataclass(frozen=True)
class Faster:
    """The times of messages over links that carry `factor` times as many bytes a second.

    >>> from contend.programs.replay import Line
    >>> Faster(Line(1e-6, 1e6), 2.0).columns(np.array([1000]))["work"].tolist()
    [0.0005]
    """

    times: MessageTimes
    factor: float

    def __post_init__(self) -> None:
        if not (np.isfinite(self.factor) and self.factor > 0):
            raise InvalidInputError(f"links {self.factor:g} times as fast", "give a factor above 0")

    @property
    def eager(self) -> float:
        return self.times.eager

    @property
    def handshake(self) -> float:
        return self.times.handshake

    @property
    def has_handshake(self) -> bool:
        return self.times.has_handshake

    @property
    def takes_overheads(self) -> bool:
        return self.times.takes_overheads

    @property
    def bandwidth(self) -> float:
        return self.times.bandwidth * self.factor

    def columns(self, sizes: Ints) -> Mapping[str, Floats]:
        """Work and gap are cut, what an empty message has of them is not."""
        columns = dict(self.times.columns(sizes))
        empty = self.times.columns(np.zeros(1, dtype=np.int64))
        for name in ("work", "gap"):
            least = np.minimum(np.broadcast_to(empty[name], (1,))[0], columns[name])
            columns[name] = least + (columns[name] - least) / self.factor
        return columns
