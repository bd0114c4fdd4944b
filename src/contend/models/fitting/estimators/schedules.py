"""Effective pLogP parameters of algorithms of the catalogue, from their times."""

from collections.abc import Sequence

from contend.models.fitting import warnings
from contend.models.fitting.estimator import Estimator, FitOptions
from contend.models.network import Network
from contend.samples import Sample, quality
from contend.samples.by_setting import usual
from contend.samples.origin import Source, origin_of
from contend.samples.warnings import group
from contend.schedules import COLLECTIVES
from contend.schedules.fitting.record import fit_schedules
from contend.schedules.fitting.series import known_algorithm, series_of


class Schedules(Estimator):
    """Parameters of each algorithm, of each operation, and of all."""

    name = "schedules"
    title = "times of algorithms"
    takes = ("--at",)
    only_named = True

    def fit(self, samples: Sequence[Sample], source: Source, options: FitOptions) -> Network:
        """Network with parameters from times at the `counts` of processes, or at all.

        Raises
        ------
        InvalidInputError
            When there is no such time, or when all samples would be left out.
        """
        chosen = quality.trusted(samples, set(COLLECTIVES), options.include_flagged)
        kept, others = usual([sample for sample in chosen if known_algorithm(sample)])
        return Network(
            name=options.name,
            schedules=fit_schedules(series_of(kept or chosen, options.counts)),
            warnings=tuple(warnings.missing("other_conditions:series", "schedules", others)),
            sample_warnings=tuple(group(quality.check(samples))),
            origin=origin_of([sample.provenance for sample in samples], source),
        )
