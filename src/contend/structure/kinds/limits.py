"""What the measured n cannot tell, and what is left when all is told."""

from collections.abc import Iterator

import numpy as np

from contend.number_text import percent
from contend.structure.finding import Analysis, Finding, Kind

_MUCH = 0.25  # of log time


class Limits(Kind):
    """Of one n nothing of growth; and times that the findings miss by far."""

    name = "limits"
    order = 100

    def findings(self, seen: Analysis) -> Iterator[Finding]:
        """One where there is a single n, and one where much is left."""
        sizes = int(seen.exchange.sizes[0]), int(seen.exchange.sizes[-1])
        errors = np.concatenate([one.explanation.best.errors for one in seen.regimes])
        left = float(np.sqrt(np.mean(errors**2)))
        if left > _MUCH:
            yield Finding(
                "not explained", sizes, seen.counts,
                f"With all of this times are still off by {percent(left)}: there is more to this "
                "exchange than is said here, or its times scatter that much.", {}, left,
            )  # fmt: skip
        if seen.exchange.counts.size != 1:
            return
        (n,) = seen.counts
        per_node = seen.exchange.processes_per_node or 1
        said = (
            f"Measured at n = {n} alone: how times grow with n, and which algorithm they are of, "
        )
        said += "is not known"
        if 1 < per_node < n:
            said += (
                f"; {per_node - 1} of its {n - 1} messages stay on the node, a smaller share "
                "the larger n is"
            )
        yield Finding("not known", sizes, seen.counts, f"{said}; a second n would tell.")
