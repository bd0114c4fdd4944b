"""Point-to-point models and the forms of an operation, from calls."""

from collections.abc import Sequence

from contend.models.fitting.estimator import Estimator, FitOptions
from contend.models.fitting.fit import fit_network
from contend.models.network import Network
from contend.samples import Sample
from contend.samples.origin import Source


class Operations(Estimator):
    """Hockney's and pLogP's parameters, and every form of one operation."""

    name = "operations"
    title = "samples of calls"
    takes = ("--at", "--second", "--sizes", "--operation", "--assume")

    def fit(self, samples: Sequence[Sample], source: Source, options: FitOptions) -> Network:
        return fit_network(samples, source, options, include_flagged=options.include_flagged)
