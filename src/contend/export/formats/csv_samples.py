"""Samples as a table that every tool reads: CSV with units in the names of columns.

Source: RFC 4180; Wickham, "Tidy data", 2014.
Idea: a row per repetition, with every field of the sample (`contend.samples.tidy`), which
`contend import` reads back; or a row per point, with the median over launches and its 95 % interval
(`contend.samples.table.medians`).
Restrictions: the times of each rank, where samples have them, are one cell of JSON per repetition.
"""

import csv
import io
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from operator import attrgetter

from contend.export.format import SamplesFormat, Wanted, Written
from contend.samples import Sample
from contend.samples.tidy import HEAD, POINT_HEAD, names_of, rows_of

USAGE = ("contend import FILE -o samples.jsonl",)
PROVENANCE = (
    "source",
    "date",
    "mpi_library",
    "lab",
)  # values that differ are joined


class CsvSamples(SamplesFormat):
    name = "csv"
    title = "samples as CSV, for pandas, R and spreadsheets"
    takes = frozenset({"operation", "algorithm", "processes_per_node", "by"})
    example = "samples.jsonl -o samples.csv"

    def of_samples(self, samples: Sequence[Sample], wanted: Wanted) -> Written:
        if wanted.by == "point":
            names = [*POINT_HEAD, *(f"provenance_{name}" for name in PROVENANCE)]
            return Written(_text(names, _points(samples)), usage=USAGE)
        rows = [row for sample in samples for row in rows_of(sample)]
        return Written(_text(names_of(rows), rows), usage=USAGE)

    def recognises(self, text: str) -> bool:
        return text.startswith((",".join(HEAD), ",".join(POINT_HEAD)))


def _text(names: Sequence[str], rows: Iterable[Mapping[str, object]]) -> str:
    text = io.StringIO()
    writer = csv.DictWriter(text, names, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


def _points(samples: Sequence[Sample]) -> Iterator[dict[str, object]]:
    from contend.samples.table import medians

    kind = attrgetter("experiment", "setting", "statistic")
    for (experiment, setting, statistic), group in groupby(sorted(samples, key=kind), key=kind):
        points: defaultdict[tuple[int, int, int], list[Sample]] = defaultdict(list)
        for sample in group:
            points[sample.n, sample.processes_per_node or 0, sample.m].append(sample)
        for row in medians(sample for of in points.values() for sample in of).to_dict("records"):
            n, per_node, m = (int(row[name]) for name in ("n", "processes_per_node", "m"))
            has_interval = row["low"] == row["low"]
            yield {
                "experiment": experiment,
                "algorithm": setting,
                "n": n,
                "processes_per_node": per_node or "",
                "m_bytes": m,
                "median_s": float(row["seconds"]),
                "low_s": float(row["low"]) if has_interval else "",
                "high_s": float(row["high"]) if has_interval else "",
                "bounds": row["bounds"] or "",
                "launches": int(row["launches"]),
                "repetitions": int(row["repetitions"]),
                "statistic": statistic,
                **{
                    f"provenance_{name}": _joint(points[n, per_node, m], name)
                    for name in PROVENANCE
                },
            }


def _joint(samples: Sequence[Sample], name: str) -> str:
    """What the provenances say, each once."""
    return "; ".join(
        dict.fromkeys(
            str(v) for sample in samples if (v := getattr(sample.provenance, name)) is not None
        )
    )
