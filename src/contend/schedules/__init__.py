"""Collective algorithms as schedules: one file each, in the folder of its operation."""

from contend.schedules.algorithm import Algorithm, Call, algorithms, choosable, in_groups
from contend.schedules.collective import COLLECTIVES, Collective
from contend.schedules.schedule import Kind, Schedule

__all__ = [
    "COLLECTIVES",
    "Algorithm",
    "Call",
    "Collective",
    "Kind",
    "Schedule",
    "algorithms",
    "choosable",
    "in_groups",
]
