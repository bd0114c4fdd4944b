"""A first design: what to measure of an exchange of which nothing is known.

Idea: a curve over the sizes at one n' is the least that tells anything. From there on points are
chosen as later ones are: the process says before any measurement how wide its intervals would be.
Every n' is tried, and the design that ends narrowest is taken.
Restrictions: before the first message its cost is a guess, which `Assumed` says. It decides where
start-ups end and bytes begin to count, and how long it all takes.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import pandas as pd

from contend.base.document import Floats
from contend.base.errors import InvalidInputError
from contend.base.units import format_seconds
from contend.measure.probes.cost import Cost
from contend.measure.probes.greedy import Limits, Narrowed, narrowed
from contend.measure.probes.places import Places, candidates, spread
from contend.measure.probes.proposal import OF_THE_PAPERS, Proposal, Step
from contend.measure.probes.propose import Known, require_few
from contend.models.signature import FORMS, PointToPoint, require_exchange
from contend.models.signature.forms.growth import Growth
from contend.models.signature.layout import FEWEST_OF_A_CURVE

SIZES = tuple(4**power for power in range(3, 11))  # 64 B to 1 MiB
MOST_COUNTS = 8  # numbers of processes tried as n'
NEAR_LEAST = 1.15  # times the narrowest high/low that there is: enough where nothing is asked for
ALIKE = 0.01  # log high/low; designs that differ by less are ranked by cost


@dataclass(frozen=True)
class Assumed:
    """An exchange before it is measured: (n-1)(alpha + beta m), as over 8 Gbit/s."""

    alpha: float = 20e-6
    beta: float = 1e-9

    def seconds(self, places: Places) -> Floats:
        return np.asarray((places.n - 1) * (self.alpha + self.beta * places.m))


@dataclass(frozen=True)
class FirstDesign:
    """A design for predictions at `targets`, measured at numbers of processes `counts`.

    Without `limits` it ends where intervals are nearly as narrow as they can become.
    """

    targets: Places
    counts: Sequence[int]
    limits: Limits | None = None
    operation: str = "alltoall"
    algorithm: str = "native"
    processes_per_node: int | None = None
    cost: Cost = field(default_factory=Cost)
    assumed: Assumed = field(default_factory=Assumed)
    criterion: Narrowed = "mean"

    def proposal(self) -> Proposal:
        """The design by the n' that serves the limits best.

        Raise InvalidInputError where the operation is no all-to-all, the sizes are too few for a
        curve, or the limits allow none.
        """
        require_exchange(self.operation, "a first design")
        if len(self._sizes) < FEWEST_OF_A_CURVE:
            raise InvalidInputError(
                f"{len(self._sizes)} sizes for a first design",
                f"give at least {FEWEST_OF_A_CURVE}, e.g. -m 64,1KiB,16KiB,256KiB",
            )
        require_few(self.targets, Places.of([]))
        several = [n for n in self.counts if n > 2] or self.counts  # two disturb nobody
        tried = spread(several, MOST_COUNTS)
        self._require_curve(tried)
        designs = [self._at(n) for n in tried if self._spent(n) <= self._most_seconds]

        def merit(design: Proposal) -> tuple[float, float]:
            width = float(narrowed(design.steps[-1].widths, self.criterion))
            return (-math.inf if design.is_narrow else round(width / ALIKE)), design.seconds

        return min(designs, key=merit)

    @property
    def _sizes(self) -> list[int]:
        return sorted({int(size) for size in self.targets.m})

    @property
    def _most_seconds(self) -> float:
        return self.limits.seconds if self.limits else math.inf

    def _curve(self, n: int) -> Places:
        """The fewest points by which times go with m at some n."""
        return Places.grid([n], spread(self._sizes, FEWEST_OF_A_CURVE))

    def _spent(self, n: int) -> float:
        return self.cost.total(self._curve(n), self.assumed.seconds(self._curve(n)))

    def _require_curve(self, tried: Sequence[int]) -> None:
        if self.limits and self.limits.points < FEWEST_OF_A_CURVE:
            raise InvalidInputError(
                f"{self.limits.points} points for a first design",
                f"give at least {FEWEST_OF_A_CURVE}, for a curve over the sizes",
            )
        least = min(self._spent(n) for n in tried)
        if least > self._most_seconds:
            raise InvalidInputError(
                f"{FEWEST_OF_A_CURVE} sizes at one n take {format_seconds(least)}, the budget is "
                f"{format_seconds(self._most_seconds)}",
                "give more time or smaller sizes",
            )

    def _at(self, n_fit: int) -> Proposal:
        form = FORMS.get(Growth.name).of(self.operation, self.algorithm)
        assert isinstance(form, Growth)
        curve, nothing = self._curve(n_fit), PointToPoint()
        seconds = self.assumed.seconds(curve)
        rows = pd.DataFrame({"n": curve.n, "m": curve.m, "seconds": seconds})
        fitted = Known(form, form.fit(rows, nothing), nothing, n_fit)
        start = fitted.foreseen(Places.of([]), self.targets)
        usual = Limits(until=NEAR_LEAST * math.exp(start.least))
        limits, first = self.limits or usual, self._first(curve, seconds, start.widths())
        remaining = replace(
            limits, seconds=limits.seconds - self._spent(n_fit), points=limits.points - len(first)
        )
        more = candidates(self.counts, self._sizes, curve.pairs())
        return Proposal(
            operation=self.operation,
            algorithm=self.algorithm,
            processes_per_node=self.processes_per_node,
            targets=self.targets,
            start=np.full(len(self.targets), np.nan),
            steps=(
                *first,
                *fitted.steps(more, self.targets, self.cost, remaining, self.criterion, [n_fit]),
            ),
            cost=self.cost,
            least=start.least,
            criterion=self.criterion,
            n_fit=n_fit,
            until=limits.until,
            whole_grid=self.cost.repeated(OF_THE_PAPERS).total(
                self.targets, self.assumed.seconds(self.targets)
            ),
        )

    def _first(self, curve: Places, seconds: Floats, widths: Floats) -> list[Step]:
        """Steps of the curve, the launch with the first; widths are known after the last."""
        costs = self.cost.of_points(seconds)
        costs[0] += self.cost.of_launches(1)
        unknown = np.full(len(self.targets), np.nan)
        return [
            Step(n, m, float(time), float(paid), widths if m == curve.m.max() else unknown)
            for (n, m), time, paid in zip(curve.pairs(), seconds, costs, strict=True)
        ]
