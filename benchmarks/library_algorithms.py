"""Errors and intervals of a library's own algorithms at n that no fit has seen.

    python -m benchmarks.library_algorithms SAMPLES...

SAMPLES are of `contend measure library --collective ...`, at three numbers of
processes or more. Each algorithm of each operation, the default too, is fitted by the form `growth`
at all n but one, and predicts that. Samples that an overburdened emulation disturbed are left out.
A row for each operation, and one of all: of the largest n alone, which lies beyond all others, and
of every n in turn.
"""

import sys
import warnings
from collections.abc import Iterator, Mapping
from itertools import product
from pathlib import Path

import pandas as pd
from benchmarks.unseen_counts import Series, points, row

from contend.cli.output import markdown
from contend.samples import Sample, quality, read_samples
from contend.samples.by_setting import by_setting
from contend.samples.setting import NATIVE

SHOWN = {"points": "points", "median": "growth median", "90 %": "90th percentile",
         "inside": "inside 90 %", "high/low": "high/low"}  # fmt: skip
LARGEST, EVERY, ALL = "largest n", "every n", "all operations"


def of_library(path: Path) -> Iterator[tuple[str, Series]]:
    """Series that lack one n of three or more, and which n that is of all."""
    found: dict[tuple[str, str], list[Sample]] = {}
    samples = read_samples(path)
    operations = {one.experiment for one in samples}
    for one in by_setting(quality.trusted(samples, operations)):
        found.setdefault((one.experiment, one.algorithm), []).append(one)
    largest = max(one.n for one in samples)
    for (operation, algorithm), own in sorted(found.items()):
        beside = _of_others(found, operation) if algorithm == NATIVE else ()
        counts = sorted({one.n for one in own}, reverse=True)
        for n in counts if len(counts) >= 3 else ():
            others = tuple(other for other in counts if other != n)
            yield LARGEST if n == largest else EVERY, Series(operation, own, others, False, beside)


def _of_others(found: Mapping[tuple[str, str], list[Sample]], operation: str) -> list[Sample]:
    """What was measured of the algorithms that a default may be."""
    return [
        one
        for (other, algorithm), samples in found.items()
        if other == operation and algorithm != NATIVE
        for one in samples
    ]


def main(paths: list[Path]) -> None:
    """Print the table."""
    found: dict[tuple[str, str], list[pd.DataFrame]] = {}
    for path in paths:
        for which, series in of_library(path):
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                part = points(series, 0)
            for title, scope in product((series.title, ALL), {which, EVERY}):
                found.setdefault((title, scope), []).append(part)
    lines = []
    for title in sorted({title for title, _ in found}, key=lambda one: (one == ALL, one)):
        cells = {"operation": title}
        for scope in (LARGEST, EVERY):
            known = row(title, (), 0, pd.concat(found[title, scope]))
            cells |= {f"{scope}: {name}": known[of] for name, of in SHOWN.items()}
        lines.append(cells)
    print(markdown(pd.DataFrame(lines)))


if __name__ == "__main__":
    if len(sys.argv) < 2:
        raise SystemExit(__doc__)
    main([Path(word) for word in sys.argv[1:]])
