"""Defaults of a library predicted at n left out, where it is shown which algorithm ran, or not.

    python -m benchmarks.defaults_as_run SAMPLES...

Of campaigns with the library's own choice (`native`) each n in turn is left out, and predicted by
what the other n took: by all times of the default alone, and weighed with the times of what its
rules name there, as of watched programs that showed it. Points count at which that is known.
"Error" is |predicted / measured - 1|.
"""

import sys
import warnings
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pandas as pd
from benchmarks.watched_machines import summary

from contend.base.document import Columns
from contend.cli.output import markdown
from contend.models.fitting.estimator import FitOptions
from contend.models.fitting.fit import fit_network, operations_in
from contend.models.network import Network
from contend.models.prediction.library_default import predicted_as_run
from contend.samples import Sample, quality, read_samples
from contend.samples.by_setting import by_setting
from contend.samples.origin import Unsaved
from contend.samples.setting import NATIVE
from contend.samples.table import exchanges

WAYS = {"its own times": None, "what ran": True}


def without(samples: Sequence[Sample], operation: str, n: int) -> Network:
    """Return the network of an operation, without one n."""
    left = [one for one in samples if one.n != n]
    options = FitOptions(operation, n_fit=max(one.n for one in left))
    with warnings.catch_warnings(action="ignore"):
        return fit_network(left, Unsaved("samples", b""), options)


def predictions(samples: Sequence[Sample], operation: str) -> Iterator[pd.DataFrame]:
    """Yield predictions at each n left out, both ways, where what ran is known."""
    for n, points in exchanges(samples).groupby("n"):
        network, rows = without(samples, operation, int(str(n))), dict[str, Columns]()
        for way, is_as_ruled in WAYS.items():
            default = network.find(operation, NATIVE).model_copy(
                update={"is_as_ruled": is_as_ruled}
            )
            rows[way] = predicted_as_run(network, default, points["n"], points["m"], "growth")
        is_known = np.char.startswith(rows["what ran"]["regime"], "as ")
        seconds = points["seconds"].to_numpy()
        for way, found in rows.items():
            low, high = found["low"], found["high"]
            every = pd.DataFrame(
                {
                    "by": way,
                    "error": np.abs(found["seconds"] / seconds - 1),
                    "is_inside": (low <= seconds) & (seconds <= high),
                    "width": high / low,
                }
            )
            yield every[is_known]


def compared(path: Path) -> pd.DataFrame:
    """Return predictions of all defaults in a file of samples."""
    every = read_samples(path)
    operations = operations_in(every)
    own = [one for one in by_setting(quality.trusted(every, operations)) if one.algorithm == NATIVE]
    return pd.concat(
        part
        for operation in sorted(operations)
        for part in predictions([one for one in own if one.experiment == operation], operation)
    )


def main() -> None:
    """Print the table."""
    rows = []
    for path in map(Path, sys.argv[1:]):
        for way, own in compared(path).groupby("by"):
            rows.append({"samples": path.parent.name, "predicted by": str(way), **summary(own)})
    print(markdown(pd.DataFrame(rows)))


if __name__ == "__main__":
    main()
