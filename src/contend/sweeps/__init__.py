"""Sweeps: a trace replayed in many cases, by any executor, and what each would bring."""

from contend.sweeps.case import Case
from contend.sweeps.product import product
from contend.sweeps.record import Swept
from contend.sweeps.sweep import sweep

__all__ = ["Case", "Swept", "product", "sweep"]
