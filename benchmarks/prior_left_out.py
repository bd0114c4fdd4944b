"""What the prior of `growth` would be without a machine, and how well it then predicts that one.

    python -W ignore -m benchmarks.prior_left_out FOLDER

Of the measured machines in FOLDER ($CONTEND_DATA), series and points of `unseen_counts` that are
fitted at two n. Each number of the prior is taken smaller and larger by `FACTOR`, one at a time;
for each machine that is taken which makes the least loss on the series of all others (mean over
series of the median error, and of its 90th percentile a third). Beside the errors with it stand
those with the prior as it is: what the prior owes to having seen the machine is the difference.
"""

import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import fields
from pathlib import Path

import numpy as np
import pandas as pd
from benchmarks.unseen_counts import errors_told, of_epcc, of_lassen, points

from contend.cli.output import markdown
from contend.models.signature.forms.growth import _model_of as models
from contend.models.signature.prior import PRIOR, Prior

FACTOR = 1.5
AS_IT_IS = "as it is"
OF_THE_TAIL = 1 / 3


@contextmanager
def changed(name: str, factor: float) -> Iterator[None]:
    """Let a number of the prior be `factor` times what it is, for all that read it."""
    kept = dict(PRIOR.__dict__)
    PRIOR.__dict__.update({name: kept[name] * factor} if name else {})
    models.cache_clear()
    try:
        yield
    finally:
        PRIOR.__dict__.update(kept)
        models.cache_clear()


def variants() -> Iterator[tuple[str, str, float]]:
    """Yield what is said of each prior, the number that it changes, and by how much."""
    yield AS_IT_IS, "", 1.0
    for one in fields(Prior):
        for factor in (1 / FACTOR, FACTOR):
            yield f"{one.name} {getattr(PRIOR, one.name) * factor:.2g}", one.name, factor


def measured(folder: Path) -> pd.DataFrame:
    """Errors of all points by prior, machine and series."""
    series = [one for one in (*of_lassen(folder), *of_epcc(folder)) if len(one.counts) > 1]
    found = []
    for said, name, factor in variants():
        with changed(name, factor):
            for place, one in enumerate(series):
                machine = re.split("[ _]", one.title)[0]
                found.append(points(one, 0).assign(prior=said, machine=machine, series=place))
    return pd.concat(found, ignore_index=True)


def loss(rows: pd.DataFrame) -> float:
    """Mean over series of the median error, and of its 90th percentile a third."""
    error = np.expm1(rows["error"]).abs().groupby(rows["series"])
    return float((error.median() + OF_THE_TAIL * error.quantile(0.9)).mean())


def lines(rows: pd.DataFrame) -> Iterator[dict[str, str]]:
    """Yield a row of the table for each machine, and one for all points together."""
    chosen = []
    for machine in dict.fromkeys(rows["machine"]):
        others, own = rows[rows["machine"] != machine], rows[rows["machine"] == machine]
        losses = {said: loss(part) for said, part in others.groupby("prior", sort=False)}
        best = min(losses, key=lambda said: losses[said])
        chosen.append(own[own["prior"] == best])
        yield line(machine, best, own[own["prior"] == AS_IT_IS], chosen[-1])
    kept = rows[rows["prior"] == AS_IT_IS]
    yield line("all", "each its own", kept, pd.concat(chosen))


def line(machine: str, best: str, kept: pd.DataFrame, without: pd.DataFrame) -> dict[str, str]:
    """Return a row of the table: errors and coverage by either prior."""
    cells = {"left out": machine, "points": str(len(kept)), "the others' prior": best}
    for said, rows in {"as it is": kept, "the others'": without}.items():
        inside = (rows["error"].abs() <= rows["half"]).mean()
        told = dict(zip(("median", "90th percentile"), errors_told(rows["error"]), strict=True))
        cells |= {f"{said}: {name}": value for name, value in told.items()}
        cells[f"{said}: inside 90 %"] = f"{inside:.0%}"
    return cells


if __name__ == "__main__":
    if len(sys.argv) != 2:
        raise SystemExit(__doc__)
    print(markdown(pd.DataFrame(lines(measured(Path(sys.argv[1]))))))
