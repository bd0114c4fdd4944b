"""Sweeps: a trace replayed in many cases, by any executor, and what each would bring."""

from contend.programs.sweeps.case import Case
from contend.programs.sweeps.product import product
from contend.programs.sweeps.record import Swept
from contend.programs.sweeps.sweep import sweep

__all__ = ["Case", "Swept", "product", "sweep"]
