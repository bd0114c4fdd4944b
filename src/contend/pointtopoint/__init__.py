"""Models of one message between two processes, one file each."""

from contend.pointtopoint.hockney import Hockney
from contend.pointtopoint.plogp import PLogP

__all__ = ["Hockney", "PLogP"]
