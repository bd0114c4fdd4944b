"""Links between groups of each level, from ping-pongs, trains and bursts."""

from collections.abc import Sequence

from contend.models.fitting.estimator import Estimator, FitOptions
from contend.models.links.fit import fit_links
from contend.models.network import Network
from contend.samples.messages import OF_LINKS, MessageSample
from contend.samples.origin import Source


class Links(Estimator):
    name = "links"
    title = "measured links"
    experiments = OF_LINKS

    def fit(self, samples: Sequence[MessageSample], source: Source, options: FitOptions) -> Network:
        links = fit_links(samples, source, include_flagged=options.include_flagged)
        return Network(name=options.name, links=links, origin=links[0].origin)
