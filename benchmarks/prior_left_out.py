"""What constants of `growth` would be without a machine, and how well they then predict it.

    python -W ignore -m benchmarks.prior_left_out FOLDER

Of the measured machines in FOLDER ($CONTEND_DATA), series and points of `unseen_counts`, from two n
and from one. Each constant is taken smaller and larger by `FACTOR`, one at a time; for each machine
that is taken which makes the least loss on the series of all others (mean over series of the median
error, and of its 90th percentile a third). Beside the errors with it stand those with the constants
as they are: what they owe to having seen the machine is the difference.
"""

import re
import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from pathlib import Path
from unittest.mock import patch

import numpy as np
import pandas as pd
from benchmarks.unseen_counts import Series, errors_told, of_epcc, of_lassen

from contend.cli.output import markdown
from contend.models.network.evidence import MeasuredPoints
from contend.models.signature import FORMS, PointToPoint, candidates
from contend.models.signature.algorithm_growth import usual_growth
from contend.models.signature.forms.growth import Growth
from contend.models.signature.forms.growth import _model_of as models
from contend.models.signature.operations import GROWTH
from contend.models.signature.prior import PRIOR
from contend.models.timeouts.separate import separate
from contend.samples.table import exchanges

FACTOR = 1.5
AS_IT_IS = "as they are"
OF_THE_TAIL = 1 / 3
COUNT_DOUBT = "count_doubt"  # of each operation whose algorithm is not known
MORE = "more of all-gathers"  # by which their bytes grow faster than n-1
FIXED = "fixed"  # start-ups of a call that costs the same at any n
OF_PRIOR = ("lasting", "drift", "octaves", "noise", "launch")


def values() -> dict[str, float]:
    """Return the constants that are varied."""
    gathered, usual = GROWTH["allgather"].usual, GROWTH["alltoall"].usual
    return {name: getattr(PRIOR, name) for name in OF_PRIOR} | {
        COUNT_DOUBT: usual.count_doubt,
        MORE: gathered.bytes[0] - 1,
        FIXED: candidates._FIXED,
    }


def changed(name: str, value: float) -> AbstractContextManager[object]:
    """Let a constant be `value` for all that read it."""
    if name in OF_PRIOR:
        return patch.dict(PRIOR.__dict__, {name: value})
    if name == FIXED:
        return patch.object(candidates, "_FIXED", value)
    rows = {
        operation: replace(
            growth,
            usual=replace(growth.usual, count_doubt=value)
            if name == COUNT_DOUBT
            else replace(growth.usual, bytes=(1 + value, *growth.usual.bytes[1:])),
        )
        for operation, growth in GROWTH.items()
        if name == COUNT_DOUBT or growth.is_to_all
    }
    return patch.dict(GROWTH, rows)


def variants() -> Iterator[tuple[str, AbstractContextManager[object]]]:
    """Yield what is said of each choice, and what makes it."""
    yield AS_IT_IS, nullcontext()
    for name, value in values().items():
        for factor in (1 / FACTOR, FACTOR):
            yield f"{name} {value * factor:.2g}", changed(name, value * factor)


def clear() -> None:
    """Forget what was made of other constants."""
    models.cache_clear()
    usual_growth.cache_clear()


def measured(folder: Path) -> pd.DataFrame:
    """Errors of all points by choice, machine and series."""
    every = []
    for series in (*of_lassen(folder), *of_epcc(folder)):
        samples = separate(series.samples, series.samples[0].experiment).samples
        every.append((series, MeasuredPoints.of(exchanges(samples)).table()))
    parts = []
    for choice, change in variants():
        with change:
            clear()
            for place, (series, rows) in enumerate(every):
                machine = re.split("[ _]", series.title)[0]
                kind = "two n'" if len(series.counts) > 1 else "one n'"
                part = errors(series, rows)
                parts.append(part.assign(choice=choice, machine=machine, kind=kind, series=place))
    clear()
    return pd.concat(parts, ignore_index=True)


def errors(series: Series, rows: pd.DataFrame) -> pd.DataFrame:
    """Logarithms of predicted over measured at n not fitted; half the interval in `half`."""
    first, form = series.samples[0], FORMS.get(Growth.name)
    form = form.of(first.experiment, first.algorithm, first.processes_per_node)
    is_fitted = rows["n"].isin(series.counts)
    fit = form.fit(rows[is_fitted], PointToPoint())
    n, m, seconds = (rows.loc[~is_fitted, name].to_numpy(float) for name in ("n", "m", "seconds"))
    predicted = form.seconds(fit.parameters, PointToPoint(), n, m)
    half = form.half_width(fit.parameters, n, m)
    return pd.DataFrame({"error": np.log(predicted / seconds), "half": half})


def loss(rows: pd.DataFrame) -> float:
    """Mean over series of the median error, and of its 90th percentile a third."""
    error = np.expm1(rows["error"]).abs().groupby(rows["series"])
    return float((error.median() + OF_THE_TAIL * error.quantile(0.9)).mean())


def lines(rows: pd.DataFrame) -> Iterator[dict[str, str]]:
    """Yield a row of the table for each machine and kind of fit, and for all points of a kind."""
    best = {}
    for machine in dict.fromkeys(rows["machine"]):
        others = rows[rows["machine"] != machine]
        losses = {name: loss(part) for name, part in others.groupby("choice", sort=False)}
        best[machine] = min(losses, key=lambda name: losses[name])
    rows = rows.assign(is_best=rows["choice"] == rows["machine"].map(best))
    for kind, of_kind in rows.groupby("kind", sort=False):
        for machine, choice in best.items():
            yield line(machine, str(kind), choice, of_kind[of_kind["machine"] == machine])
        yield line("all", str(kind), "each its own", of_kind)


def line(machine: str, kind: str, best: str, rows: pd.DataFrame) -> dict[str, str]:
    """Return a row of the table: errors and coverage by either choice."""
    kept, without = rows[rows["choice"] == AS_IT_IS], rows[rows["is_best"]]
    cells = {
        "left out": machine, "fitted at": kind, "points": str(len(kept)), "the others' choice": best
    }  # fmt: skip
    for name, part in {AS_IT_IS: kept, "the others'": without}.items():
        median, tail = errors_told(part["error"])
        cells |= {f"{name}: median": median, f"{name}: 90th percentile": tail}
        cells[f"{name}: inside 90 %"] = f"{(part['error'].abs() <= part['half']).mean():.0%}"
    return cells


if __name__ == "__main__":
    if len(sys.argv) != 2:
        raise SystemExit(__doc__)
    print(markdown(pd.DataFrame(lines(measured(Path(sys.argv[1]))))))
