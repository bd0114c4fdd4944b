"""Why predictions are wide: said where they are, in a sentence, and nowhere else."""

import numpy as np
import pytest

from contend.models.fitting.estimator import FitOptions
from contend.models.fitting.fit import fit_network
from contend.models.network import Network
from contend.models.prediction.predict import predicted
from contend.models.prediction.width import why_wide
from contend.samples import Provenance, Sample
from contend.samples.origin import Unsaved


def network(counts: tuple[int, ...]) -> Network:
    """Sixteen processes on each node, of a straight machine."""
    rng = np.random.default_rng(1)
    samples = [
        Sample(
            experiment="alltoall", algorithm="native", n=n, processes_per_node=16, m=m,
            times_s=((n - 1) * (1e-6 + 1e-9 * m) * float(np.exp(0.02 * rng.standard_normal())),),
            provenance=Provenance(source="simulated"),
        )
        for n in counts
        for m in (2**k for k in range(0, 21, 2))
    ]  # fmt: skip
    return fit_network(samples, Unsaved("simulated", b""), FitOptions())


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    ("counts", "n", "reason"),
    [
        ((32, 64, 128), 64, ""),
        ((512,), 4096, "one n does not tell how times grow"),
    ],
)
def test_wide_intervals_have_a_reason(counts: tuple[int, ...], n: int, reason: str) -> None:
    known = network(counts)
    (operation,) = known.operations
    rows = predicted(known, operation, n, [1024, 65536], "growth")
    found = why_wide(operation, rows)
    assert reason in found
    assert bool(found) == bool(reason)
    assert not found or f"at n = {n}" in found
