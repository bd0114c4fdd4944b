"""Models of one message between two processes, one file each."""

from contend.schedules.pointtopoint.hockney import Hockney
from contend.schedules.pointtopoint.plogp import PLogP

__all__ = ["Hockney", "PLogP"]
