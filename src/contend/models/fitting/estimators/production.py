"""Every operation that programs called, from the calls that watched jobs began together."""

from collections.abc import Sequence
from dataclasses import replace

from contend.base.errors import InvalidInputError
from contend.models.fitting import warnings
from contend.models.fitting.estimator import Estimator, FitOptions
from contend.models.fitting.fit import fit_network, operations_in
from contend.models.network import Network
from contend.models.network.merge import merge
from contend.samples import Sample
from contend.samples.origin import Source
from contend.samples.setting import NATIVE


class Production(Estimator):
    """The forms of all operations, which a benchmark measures one at a time."""

    name = "production"
    title = "calls of watched programs"
    only_named = True

    def fit(self, samples: Sequence[Sample], source: Source, options: FitOptions) -> Network:
        """Network with every operation that the samples allow."""
        merged: Network | None = None
        problems = {}
        for operation in sorted(operations_in(samples)):
            chosen = replace(options, operation=operation, is_of_production=True)
            try:
                network = fit_network(
                    samples, source, chosen, include_flagged=options.include_flagged
                )
            except InvalidInputError as problem:
                problems[operation] = problem
                continue
            network = _with_shown(network, samples)
            merged = merge(merged, network).network if merged else network
        if merged is None:
            raise next(iter(problems.values()), InvalidInputError("no operation", "watch others"))
        doubts = tuple(warnings.not_fitted(*entry) for entry in problems.items())
        return merged.model_copy(update={"warnings": merged.warnings + doubts})


def _with_shown(network: Network, samples: Sequence[Sample]) -> Network:
    """The same, which says of each default whether the calls showed which algorithm ran."""
    hidden = {sample.experiment for sample in samples if sample.algorithm == NATIVE}
    operations = tuple(
        operation.model_copy(update={"is_as_ruled": operation.operation not in hidden or None})
        if operation.is_default
        else operation
        for operation in network.operations
    )
    return network.model_copy(update={"operations": operations})
