"""What the measured n cannot tell, and what is left after all other findings."""

from collections.abc import Iterator

import numpy as np

from contend.base.number_text import percent
from contend.models.explanation.finding import Analysis, Finding, Kind

_MUCH = 0.25  # of log time


class Limits(Kind):
    """One n cannot show growth; report large residuals."""

    name, order = "limits", 100

    def findings(self, seen: Analysis) -> Iterator[Finding]:
        """One where there is a single n, and one where much is left."""
        errors = np.concatenate([regime.explanation.best.errors for regime in seen.regimes])
        residual = float(np.sqrt(np.mean(errors**2)))
        if residual > _MUCH:
            yield Finding(
                "not explained", seen.sizes, seen.counts,
                f"With all of this times are still off by {percent(residual)}: there is more to "
                "this exchange than is found here, or its times scatter that much.", {}, residual,
            )  # fmt: skip
        if len(seen.counts) > 1:
            return
        (n,), per_node = seen.counts, seen.exchange.processes_per_node or 1
        text = f"Measured at n = {n} alone: how times grow with n, and which algorithm they are "
        text += "of, is not known"
        if 1 < per_node < n:
            text += f"; {per_node - 1} of its {n - 1} messages stay on the node, a smaller share "
            text += "the larger n is"
        yield Finding("not known", seen.sizes, seen.counts, f"{text}; a second n would tell.")
