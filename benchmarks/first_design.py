"""First designs against every point a hundred times: time to measure, and intervals.

    python -m benchmarks.first_design

n = 4, 8, 16, 32, 64 and eight sizes from 64 B to 1 MiB, over networks of 20 us and several rates.
Intervals are those foreseen before anything is measured, in the median over the 40 points: times
that are assumed lie on a line, and must not tell how little the machine scatters.
"""

import numpy as np
import pandas as pd

from contend.base.document import Floats
from contend.cli.output import markdown
from contend.measure.probes.cost import Cost
from contend.measure.probes.first import SIZES, Assumed, FirstDesign
from contend.measure.probes.interval_forecast import Foreseen
from contend.measure.probes.places import Places, doublings
from contend.measure.probes.proposal import OF_THE_PAPERS, Proposal
from contend.measure.probes.text import clock
from contend.models.signature import FORMS, PointToPoint
from contend.models.signature.forms.growth import Growth
from contend.models.signature.layout import Points

COUNTS = doublings(4, 64)
TARGETS = Places.grid(COUNTS, SIZES)
NETWORKS = {"Fast Ethernet": 8e-8, "Gigabit Ethernet": 8e-9, "8 Gbit/s": 1e-9}


def high_over_low(chosen: Places, assumed: Assumed) -> Floats:
    """Of each target once some points are measured, as it is foreseen from those at n' alone."""
    form, seconds = FORMS.get(Growth.name), assumed.seconds(chosen)
    assert isinstance(form, Growth)
    own = chosen.n == Points(chosen.n, chosen.m, seconds).reference
    rows = pd.DataFrame({"n": chosen.n, "m": chosen.m, "seconds": seconds})[own]
    fit = form.fit(rows, PointToPoint())
    known = form.foresight(fit.parameters, TARGETS.n, TARGETS.m)
    rest = Places(chosen.n[~own], chosen.m[~own])
    foreseen = Foreseen.of(*known, rest, TARGETS)
    for place in range(len(rest)):
        foreseen = foreseen.after(place)
    return np.exp(foreseen.widths())


def row(name: str, what: str, points: str, seconds: float, width: Floats) -> dict[str, str]:
    """Of the table."""
    return {"network": name, "measured": what, "points": points, "time": clock(seconds),
            "high/low": f"{np.median(width):.2f}", "largest": f"{width.max():.2f}"}  # fmt: skip


def of(found: Proposal, name: str, assumed: Assumed) -> dict[str, str]:
    """Of a design."""
    chosen = Places.of((step.n, step.m) for step in found.steps)
    points = f"{len(found.steps)} at n = {', '.join(map(str, found.counts))}"
    return row(name, "a first design", points, found.seconds, high_over_low(chosen, assumed))


def main() -> None:
    """Print the table."""
    rows = []
    for name, beta in NETWORKS.items():
        assumed = Assumed(beta=beta)
        seconds, whole = assumed.seconds(TARGETS), high_over_low(TARGETS, assumed)
        for repetitions in (OF_THE_PAPERS, Cost().repetitions):
            cost = Cost(repetitions=repetitions).total(TARGETS, seconds)
            rows.append(row(name, f"all, {repetitions} times", "40", cost, whole))
        rows.append(of(FirstDesign(TARGETS, COUNTS, assumed=assumed).proposal(), name, assumed))
    print(markdown(pd.DataFrame(rows)))


if __name__ == "__main__":
    main()
