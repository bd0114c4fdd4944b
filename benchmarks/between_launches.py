"""How far launches of measured machines lie apart, beside which errors of predictions stand.

    python -m benchmarks.between_launches FOLDER

Of the measured machines in FOLDER ($CONTEND_DATA) that have several launches: at each n that
`benchmarks.unseen_counts` predicts, a launch of a point against the median of the others.
"""

import sys
from pathlib import Path

import pandas as pd
from benchmarks.unseen_counts import of_lassen

from contend.cli.output import markdown
from contend.models.prediction.between_launches import by_launch, launch_errors


def main(folder: Path) -> None:
    """Print the table."""
    lines = []
    for series in of_lassen(folder):
        if len(series.counts) == 1:
            continue  # the same samples, predicted from fewer
        rows = by_launch(one for one in series.samples if one.n not in series.counts)
        for title, part in (*((str(n), own) for n, own in rows.groupby("n")), ("all", rows)):
            found = launch_errors(part)
            assert found is not None
            told = {"median": found.median, "90th percentile": found.percentile_90}
            lines.append(
                {"series": series.title, "n": title, "points": str(found.points)}
                | {"launches": str(found.launches)}
                | {name: f"{error:.3f}" for name, error in told.items()}
            )
    print(markdown(pd.DataFrame(lines)))


if __name__ == "__main__":
    if len(sys.argv) != 2:
        raise SystemExit(__doc__)
    main(Path(sys.argv[1]))
