"""Every form of an operation by one algorithm at one placement, with what its fits lack."""

from dataclasses import dataclass, field
from functools import partial

import numpy as np
import pandas as pd

from contend.base.errors import InvalidInputError
from contend.models.bounds import beaten_bound
from contend.models.fitting import warnings
from contend.models.fitting.by_count import signatures_by_count
from contend.models.fitting.estimator import FitOptions
from contend.models.fitting.over_launches import SomeLaunches
from contend.models.fitting.series import to_fit
from contend.models.network import Operation, title_of
from contend.models.network.evidence import MeasuredPoints
from contend.models.signature import DEFAULT_FORM, EXCHANGES, FORMS, FittedForm, Form
from contend.models.signature.form import FEWEST_SIZES
from contend.models.signature.forms.growth import Growth
from contend.samples.warnings import QualityWarning, warning

_SIZES_OF_A_LINE = 3  # two coefficients, and one size to judge them by


@dataclass
class OperationFit:
    """The fit of one series, whose `rows` are its medians; `doubts` come with it."""

    algorithm: str
    placed: int | None  # processes per node
    rows: pd.DataFrame
    launches: SomeLaunches
    options: FitOptions
    doubts: list[QualityWarning] = field(default_factory=list)

    @property
    def title(self) -> str:
        return title_of(self.options.operation, self.algorithm, self.placed)

    def operation(self) -> Operation:
        """The operation with every form that the rows allow; an error where they allow none."""
        training, operation = to_fit(self.rows, self.options), self.options.operation
        message = self.launches.repeats.message
        if training.empty:
            raise InvalidInputError(
                "none of the sizes to fit was measured",
                "choose among those of the samples, or leave -m out",
            )
        n_fit = self._process_count(training)
        forms = self._forms(training, n_fit, self._second_count(training, n_fit))
        at_fit = {n_fit: forms[DEFAULT_FORM]} if DEFAULT_FORM in forms else {}
        has_signatures = operation in EXCHANGES and not self.options.is_of_production
        return Operation(
            operation=operation,
            algorithm=self.algorithm,
            processes_per_node=self.placed,
            forms=forms,
            measured=MeasuredPoints.of(self.rows),
            is_of_production=self.options.is_of_production or None,
            signatures=(
                signatures_by_count(
                    training,
                    message,
                    partial(self.launches.with_bounds, algorithm=self.algorithm, ppn=self.placed),
                    at_fit,
                )
                if has_signatures
                else ()
            ),
            beaten_bound=(
                beaten_bound(self.rows, message.hockney, operation) if message.hockney else None
            ),
        )

    def _forms(
        self, training: pd.DataFrame, n_fit: int, n_second: int | None
    ) -> dict[str, FittedForm]:
        message, forms = self.launches.repeats.message, dict[str, FittedForm]()
        problems: dict[str, InvalidInputError] = {}
        for entry in forms_for(self.options):
            form = entry.of(self.options.operation, self.algorithm, self.placed)
            counts = [n_fit] if form.process_counts == 1 else [n_fit, n_second]
            if form.takes_fewer:
                counts = [n for n in counts if n is not None]
            is_known = (
                message.plogp or not form.needs_plogp,
                message.hockney or not form.needs_hockney,
            )
            if None in counts or not all(is_known):
                continue
            try:
                fit = form.fit(training[training["n"].isin(counts)], message)
            except InvalidInputError as problem:
                problems[form.name] = problem
                continue
            forms[form.name] = self.launches.with_bounds(fit, counts, self.algorithm, self.placed)
        if not forms:
            raise next(iter(problems.values()))
        sizes = training.loc[training["n"] == n_fit, "m"].nunique()
        if problems and sizes < FEWEST_SIZES:
            counted, names = f"{sizes} message size{'s' if sizes > 1 else ''}", ", ".join(problems)
            few = warning("not_fitted:sizes", self.title, sizes=counted, n=n_fit, forms=names)
            self.doubts.append(few)
        else:
            self.doubts.extend(
                warnings.not_fitted(f"{self.title}, {name}", problem)
                for name, problem in problems.items()
            )
        return forms

    def _process_count(self, rows: pd.DataFrame) -> int:
        """The n' wanted where it has the sizes that a signature takes, else the default."""
        wanted, usual = self.options.n_fit, _best_process_count(self._on_several_nodes(rows))
        sizes = rows.groupby("n")["m"].nunique()
        if wanted is None or sizes.get(wanted, 0) >= min(FEWEST_SIZES, sizes[usual]):
            return wanted or usual
        self.doubts.append(warning("another_n", self.title, wanted=wanted, taken=usual))
        return usual

    def _on_several_nodes(self, rows: pd.DataFrame) -> pd.DataFrame:
        """Return the rows that cross between nodes, or all where none does.

        One node is another network: its processes exchange through memory.
        """
        several = rows[rows["n"] > (self.placed or 0)]
        return rows if several.empty or self.placed == 1 else several

    def _second_count(self, rows: pd.DataFrame, n_fit: int) -> int | None:
        """The second n wanted where it was measured, else the one farthest from n'."""
        on_nodes = self._on_several_nodes(rows)
        wanted, farthest = self.options.n_second, _farthest(on_nodes, n_fit)
        if wanted in set(rows["n"]):
            return wanted
        if wanted is not None and farthest is not None:
            self.doubts.append(warning("another_n", self.title, wanted=wanted, taken=farthest))
        return farthest


def forms_for(options: FitOptions) -> list[Form]:
    if options.is_of_production:
        return [FORMS.get(Growth.name)]
    return [form for form in FORMS.all() if options.operation in form.operations]


def _best_process_count(rows: pd.DataFrame) -> int:
    """The largest n among those with the most sizes: contention must be saturated to be seen."""
    sizes = rows.groupby("n")["m"].nunique()
    return int(max(sizes[sizes == sizes.max()].index))


def _farthest(rows: pd.DataFrame, n_fit: int) -> int | None:
    """The n farthest from n' by ratio, for the forms that need two; the smaller of two alike.

    It shares with n' as many sizes as a line through one n takes.
    """
    common = rows[rows["m"].isin(rows.loc[rows["n"] == n_fit, "m"])]
    sizes = common.groupby("n")["m"].nunique()
    others = [int(n) for n in sorted(sizes[sizes >= _SIZES_OF_A_LINE].index) if n != n_fit]
    return max(others, key=lambda n: abs(np.log(n / n_fit)), default=None)
