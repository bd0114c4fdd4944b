"""How messages share the network, from contention graphs."""

from collections.abc import Sequence

import numpy as np

from contend.models.fitting.estimator import Estimator, FitOptions
from contend.models.network import Network
from contend.samples.messages import MessageSample
from contend.samples.origin import Source
from contend.simulate.graphs.fit import fit_sharing

SEED = 1  # of the folds of the cross-validation


class Sharing(Estimator):
    """Sharing models, their errors, and penalties of every measured shape."""

    name = "sharing"
    title = "measured graphs"
    experiments = ("graph",)

    def fit(self, samples: Sequence[MessageSample], source: Source, options: FitOptions) -> Network:
        rng, flagged = np.random.default_rng(SEED), options.include_flagged
        sharing = fit_sharing(samples, source, rng, include_flagged=flagged)
        return Network(name=options.name, sharing=sharing, origin=sharing.origin)
