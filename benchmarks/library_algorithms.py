"""Errors and intervals of a library's own algorithms at n that no fit has seen.

    python -m benchmarks.library_algorithms SAMPLES...

SAMPLES are of `contend measure --collective ... --library-algorithms`, at three numbers of
processes or more. Each algorithm of each operation, the default too, is fitted by the form `growth`
at the two n below the largest, and predicts that. Samples that an overburdened emulation disturbed
are left out. A row for each operation, and one of all.
"""

import sys
import warnings
from collections.abc import Iterator
from pathlib import Path

import pandas as pd
from benchmarks.unseen_counts import Series, points, row

from contend.cli.output import markdown
from contend.samples import Sample, quality, read_samples
from contend.samples.by_setting import by_setting

SHOWN = ("points", "growth median", "90th percentile", "inside 90 %", "high/low")


def of_library(path: Path) -> Iterator[Series]:
    """Algorithms that were measured at the largest n and at two others."""
    found: dict[tuple[str, str], list[Sample]] = {}
    samples = read_samples(path)
    operations = {one.experiment for one in samples}
    for one in by_setting(quality.trusted(samples, operations)):
        found.setdefault((one.experiment, one.algorithm), []).append(one)
    largest = max(one.n for one in samples)
    for (operation, _), own in sorted(found.items()):
        few = sorted({one.n for one in own} - {largest}, reverse=True)
        if largest in {one.n for one in own} and len(few) >= 2:
            yield Series(operation, own, tuple(few[:2]), is_tuned_on=False)


def main(paths: list[Path]) -> None:
    """Print the table."""
    found: dict[str, list[pd.DataFrame]] = {}
    for path in paths:
        for series in of_library(path):
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                part = points(series, 0)
            for title in (series.title, "all operations"):
                found.setdefault(title, []).append(part)
    lines = []
    for title in sorted(found, key=lambda one: (one == "all operations", one)):
        known = row(title, (), 0, pd.concat(found[title]))
        lines.append(
            {"operation": title} | {name.removeprefix("growth "): known[name] for name in SHOWN}
        )
    print(markdown(pd.DataFrame(lines)))


if __name__ == "__main__":
    if len(sys.argv) < 2:
        raise SystemExit(__doc__)
    main([Path(word) for word in sys.argv[1:]])
