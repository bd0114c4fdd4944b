"""Why a predicted time is what it is: by which form, and where its interval is from."""

import pandas as pd

from contend.models.network import Operation
from contend.models.prediction.library_default import AS
from contend.models.prediction.verdict import verdict
from contend.schedules.timing import predict as schedule
from contend.tune.choose.validation import Validated


def and_errors(timing: schedule.Timing) -> str:
    """What else an interval is of."""
    if isinstance(timing, Validated) and timing.is_validated:
        return f" and errors of {timing.points} measured times"
    return ""


def reasons(operation: Operation, form: str | None, rows: pd.DataFrame) -> list[str]:
    """By which form, in which regime, whence each interval is, and under which conditions."""
    chosen = verdict(operation)
    conditions = f"; {operation.conditions}" if operation.conditions else ""
    by = f"{form}, as asked" if form else (
        f"{chosen.form}, best on points that none has seen" if chosen.is_validated
        else f"{chosen.form} by default"
    )  # fmt: skip
    return [
        f"{'by the rules of its library' if regime.startswith(AS) else by}; {regime}; "
        f"interval from {source}{conditions}"
        for regime, source in zip(rows["regime"], rows["interval_from"], strict=True)
    ]
