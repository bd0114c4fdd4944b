"""The signature fitted at each number of processes by itself, beside what the network lost there.

    python -m benchmarks.signature_over_n NETWORK SAMPLES [ALGORITHM]

Of the all-to-all by ALGORITHM (default rotated) on an emulated network: parameters with their
bounds from the network file, and from the samples frames, drops and what TCP made of them. Flagged
samples count for these, since late frames were sent too.
"""

import sys
from collections.abc import Sequence

import numpy as np
import pandas as pd

from contend.base.document import Quantity
from contend.base.number_text import count, with_bounds
from contend.base.units import format_seconds
from contend.cli.output import markdown
from contend.models.network import Network
from contend.samples import Sample, quality, read_samples, table

OPERATION = "alltoall"


def row(n: int, parameters: dict[str, Quantity], samples: Sequence[Sample]) -> dict[str, str]:
    """The signature at n and the sums over its samples."""
    conditions = [sample.lab for sample in samples if sample.lab]
    delta = parameters.get("delta")
    modal = sum(_has_two_modes(sample) for sample in samples)
    return {
        "n": str(n),
        **{name: _shown(parameters.get(name)) for name in ("gamma", "delta", "M")},
        "(n-1) delta": format_seconds((n - 1) * float(delta)) if delta and float(delta) else "",
        "frames": count(sum(one.frames for one in conditions)),
        "drops": count(sum(one.drops for one in conditions)),
        "retransmissions": count(sum(one.retransmissions for one in conditions)),
        "time-outs": count(sum(one.timeouts for one in conditions)),
        "samples with two modes": f"{modal} of {len(samples)}",
    }


def _has_two_modes(sample: Sample) -> bool:
    return quality.split_modes(np.asarray(sample.times_s)) is not None


def _shown(known: Quantity | None) -> str:
    if known is None or not float(known):
        return "none"
    return with_bounds(known)


def main(network_file: str, samples_file: str, algorithm: str = "rotated") -> None:
    """Print the table."""
    operation = Network.load(network_file).find(OPERATION, algorithm)
    samples = table.select(quality.standing(read_samples(samples_file)), OPERATION, algorithm)
    own = {n: [sample for sample in samples if sample.n == n] for n in {s.n for s in samples}}
    known = operation.signatures or ()
    print(markdown(pd.DataFrame(row(one.n, one.parameters, own[one.n]) for one in known)))


if __name__ == "__main__":
    if len(sys.argv) not in (3, 4):
        raise SystemExit(__doc__)
    main(*sys.argv[1:])
