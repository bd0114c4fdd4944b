"""Two networks, or two campaigns point by point, compared: rows, notes and the outcome."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import isnan
from pathlib import Path
from typing import Any

import pandas as pd

from contend.base.errors import InvalidInputError
from contend.base.kinds import KINDS, schema_of
from contend.base.result import Cell, Line, Part, Result, Table
from contend.base.textfile import read_text
from contend.base.units import format_bytes, format_seconds
from contend.models.changes.networks import NetworkChanges, network_changes
from contend.models.changes.samples import Point, SampleChanges, sample_changes
from contend.models.network import Network
from contend.models.network.files import read_any_files
from contend.samples import Sample
from contend.samples.reader import ReadOptions


def compare_files(
    old: str,
    new: str,
    limit: float | None = None,
    options: ReadOptions | None = None,
    *,
    most: int | None = None,
    include_flagged: bool = False,
) -> Result:
    """Compare two network files, or two files of samples or of benchmarks' output.

    The exit code of the result is 1 where something is significantly worse by more than `limit`;
    so many rows are shown at `most`.

    >>> compare_files("before.jsonl", "after.jsonl", limit=1.1).code
    0
    """
    compared = _compared(old, new, limit, options or ReadOptions(), include_flagged=include_flagged)
    if limit is not None and not compared.judged:
        raise InvalidInputError(_UNJUDGED, _SEVERAL)
    code = int(limit is not None and compared.worse > 0)
    return Result(compared.data(), compared.parts(most), code=code)


_UNJUDGED = "nothing could be judged: of one launch it is not known how far others differ"
_SEVERAL = "measure several: contend measure --launches 3"
_MOST_NAMED = 5  # series of points that one file alone has
_BY_CHANCE = 0.05  # of intervals leave 1 out where nothing changed


@dataclass(frozen=True)
class Compared:
    """Rows of both files, and notes on the others."""

    changes: SampleChanges | NetworkChanges
    limit: float | None
    notes: tuple[str, ...]

    @property
    def worse(self) -> int:
        """Rows that are significantly worse by more than the limit."""
        return int(self.changes.rows["is_worse"].sum())

    @property
    def judged(self) -> int:
        """Rows that can be judged."""
        return int(self.changes.rows["chance_of_worse"].notna().sum())

    def data(self) -> dict[str, Any]:
        """Return the rows with the limit, and how many are worse or could be judged."""
        named = vars(self.changes).copy()
        for which in ("only_old", "only_new"):
            if points := getattr(self.changes, which, None):
                named[which] = [{**point.series._asdict(), "m": point.m} for point in points]
        return {"limit": self.limit, "worse": self.worse, "judged": self.judged, **named}

    def parts(self, most: int | None) -> Iterator[Part]:
        """Show the rows that matter most, and what they mean."""
        rows = self.changes.rows
        columns = OF_SAMPLES if "m" in rows else OF_NETWORKS
        shown = rows if most is None else rows.head(most)
        yield Table(shown, columns | _ratios(columns, self.limit))
        if len(shown) < len(rows):
            yield f"{len(shown)} of {len(rows)} rows; --all has the others, --json too"
        yield from self.notes
        yield Line(self.summary())

    def summary(self) -> str:
        """The outcome in a sentence or two."""
        rows = self.changes.rows
        if not self.judged:
            return f"{len(rows)} compared, but {_UNJUDGED}; {_SEVERAL}."
        changed, leaving = rows[rows["changed"]], (rows["low"] > 1) | (rows["high"] < 1)
        up = int((changed["ratio"] > 1).sum())
        sentences = [
            f"{len(rows)} compared, {self.judged} judged: {up} significantly up and "
            f"{len(changed) - up} down after correction for so many comparisons.",
            f"Before correction for {self.judged} comparisons {int(leaving.sum())} of the 95 % "
            f"intervals leave 1 out; {_BY_CHANCE * self.judged:.0f} would by chance.",
        ]
        if self.limit is not None:
            limit = f"{100 * self.limit:.4g} %"
            sentences.append(
                f"{self.worse or 'Nothing is'} significantly worse by more than {limit}."
            )
        return " ".join(sentences)


def _compared(
    old: str, new: str, limit: float | None, options: ReadOptions, *, include_flagged: bool
) -> Compared:
    """What changed between two files of one kind, which their content tells."""
    sides = [_read(name, options) for name in (old, new)]
    first, second = sides
    if isinstance(first, Network) and isinstance(second, Network):
        networks = network_changes(first, second, limit or 0.0)
        notes = (
            *networks.conditions,
            *(f"not compared: {reason}" for reason in networks.not_compared),
        )
        return Compared(networks, limit, notes)
    if isinstance(first, Network) or isinstance(second, Network):
        network = old if isinstance(first, Network) else new
        raise InvalidInputError(
            f"{network} is a network file, the other holds samples",
            "give two of one kind; 'contend validate NETWORK SAMPLES' holds one against the other",
        )
    samples = sample_changes(first, second, limit or 0.0, include_flagged=include_flagged)
    return Compared(samples, limit, tuple(_notes(samples, old, new)))


def _read(name: str, options: ReadOptions) -> Network | list[Sample]:
    schema = schema_of(read_text(Path(name), errors="replace"))
    if schema == Network.schema_name:
        return Network.load(name)
    if schema in KINDS and schema != Sample.schema_name:
        raise InvalidInputError(
            f"{name} is {KINDS[schema][0]}",
            "give two network files or two files of samples; fit what was measured first",
        )
    return read_any_files([name], options, None)[0]


def _notes(changes: SampleChanges, old: str, new: str) -> list[str]:
    notes = [f"changed besides: {condition}" for condition in changes.conditions]
    for points, name in ((changes.only_old, old), (changes.only_new, new)):
        if points:
            notes.append(f"{len(points)} points in {name} alone: {_named(points)}")
    for count, name in zip(changes.left_out, (old, new), strict=True):
        if count:
            notes.append(
                f"{count} samples of {name} left out: the emulated network could not keep up "
                "(--include-flagged takes them)"
            )
    for doubts, name in zip(changes.doubts, (old, new), strict=True):
        if doubts:
            kinds = ", ".join(f"{kind} ({count})" for kind, count in doubts.items())
            notes.append(f"doubts about {name}: {kinds}")
    return notes


def _named(points: Sequence[Point]) -> str:
    sizes: dict[str, list[int]] = {}
    for point in points:
        sizes.setdefault(point.series.title, []).append(point.m)
    named = [
        f"{name} ({', '.join(format_bytes(m) for m in sorted(of)[:4])}"
        f"{', ...' if len(of) > 4 else ''})"
        for name, of in sizes.items()
    ]
    more = f" and {len(named) - _MOST_NAMED} more series" if len(named) > _MOST_NAMED else ""
    return "; ".join(named[:_MOST_NAMED]) + more


def _side(side: str) -> Cell:
    """A parameter with its unit and bounds."""

    def cell(row: dict[str, Any]) -> str:
        low, high, unit = row[f"{side}_low"], row[f"{side}_high"], row["unit"]
        text = format_seconds if unit == "s" else "{:.3g}".format
        interval = f" ({text(low)} to {text(high)})" if not isnan(low + high) else ""
        return f"{text(row[side])}{f' {unit}' if unit not in ('s', '1') else ''}{interval}"

    return cell


OF_SAMPLES: dict[str, Cell] = {
    "algorithm": lambda row: f"{row['experiment']}/{row['algorithm']}",
    "n": "n",
    "ppn": lambda row: "" if pd.isna(row["processes_per_node"]) else row["processes_per_node"],
    "m": lambda row: "all" if pd.isna(row["m"]) else format_bytes(row["m"]),
    "launches": lambda row: f"{row['old_launches']}, {row['new_launches']}",
    "old": ("old", format_seconds),
    "new": ("new", format_seconds),
}
OF_NETWORKS: dict[str, Cell] = {
    "of": "part",
    "parameters": "name",
    "old": _side("old"),
    "new": _side("new"),
}


def _ratios(columns: dict[str, Cell], limit: float | None) -> dict[str, Cell]:
    """The ratio of a row with its interval, and what that says."""
    up, down = ("slower", "faster") if columns is OF_SAMPLES else ("more", "less")

    def verdict(row: dict[str, Any]) -> str:
        if isnan(row["chance_of_change"]):
            return "not judged: no bounds over launches"
        if row["is_worse"] and limit is not None:
            return "worse, beyond the limit"
        return (up if row["ratio"] > 1 else down) if row["changed"] else "no significant change"

    def ratio(row: dict[str, Any]) -> str:
        interval = "" if isnan(row["low"]) else f" ({row['low']:.3f} to {row['high']:.3f})"
        return f"{row['ratio']:.3f}{interval}"

    return {"new/old": ratio, "verdict": verdict}
