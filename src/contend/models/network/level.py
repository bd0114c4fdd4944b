"""Parameters of one message, by the level of the machine and the conditions it was sent under."""

from collections.abc import Sequence

from pydantic import Field

from contend.base.document import Record
from contend.models.signature import PointToPoint
from contend.samples.setting import nearest, split_conditions
from contend.schedules.pointtopoint import Hockney, PLogP

ALL = "all"  # levels that were not distinguished


class Level(Record):
    """Parameters of one message between two processes at one level of the machine."""

    name: str = Field(
        description="'all' where levels were not distinguished; 'all@memory=cuda' under conditions"
    )
    hockney: Hockney | None = None
    plogp: PLogP | None = None

    @property
    def conditions(self) -> str:
        """What its messages were sent under, as a setting has it."""
        return split_conditions(self.name)[1]


def messages_under(levels: Sequence[Level], conditions: str) -> PointToPoint:
    """Parameters of the outermost level of the conditions that are most alike these."""
    outermost = {level.conditions: level for level in levels}
    if not outermost:
        return PointToPoint()
    level = outermost[nearest(conditions, outermost)]
    return PointToPoint(level.hockney, level.plogp)
