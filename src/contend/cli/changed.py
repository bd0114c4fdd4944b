"""What 'contend diff' shows of two networks or two campaigns."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from math import isnan
from pathlib import Path
from typing import TYPE_CHECKING, Any

from contend.cli import output
from contend.errors import InvalidInputError
from contend.units import format_bytes, format_seconds

if TYPE_CHECKING:
    import pandas as pd

    from contend.changes.networks import NetworkChanges
    from contend.changes.samples import Point, SampleChanges
    from contend.network import Network
    from contend.samples import Sample
    from contend.samples.reader import ReadOptions

_MOST_NAMED = 5  # series of points that one file alone has
_BY_CHANCE = 0.05  # of intervals leave 1 out where nothing changed


def parse_limit(text: str) -> float:
    """The share meant by "10%" or "0.1"; 0 for any change.

    >>> parse_limit("10%"), parse_limit("0")
    (0.1, 0.0)
    """
    try:
        share = float(text.rstrip("%")) / (100.0 if text.endswith("%") else 1.0)
    except ValueError:
        share = -1.0
    if not 0 <= share < 10:
        raise InvalidInputError(f"--fail-on {text!r}", "give a share such as 10% or 0.1")
    return share


@dataclass(frozen=True)
class Compared:
    """Rows of both files, how they are shown, and all that is said besides."""

    changes: "SampleChanges | NetworkChanges"
    table: "pd.DataFrame"
    limit: float | None
    notes: tuple[str, ...]

    @property
    def worse(self) -> int:
        """Rows that are surely worse by more than the limit."""
        return int(self.changes.rows["is_worse"].sum())

    @property
    def judged(self) -> int:
        """Rows of which something can be said."""
        return int(self.changes.rows["chance_of_worse"].notna().sum())

    def as_data(self) -> dict[str, Any]:
        """For machines."""
        named = asdict(self.changes) | {"rows": output.records(self.changes.rows)}
        for which in ("only_old", "only_new"):
            if points := getattr(self.changes, which, None):
                named[which] = [{**one.series._asdict(), "m": one.m} for one in points]
        return {"limit": self.limit, "worse": self.worse, "judged": self.judged, **named}

    def show(self, most: int | None) -> None:
        """For people: the rows that matter most, and what they mean."""
        rows = self.changes.rows
        shown = self.table if most is None else self.table.head(most)
        output.show_table(shown)
        if len(shown) < len(rows):
            output.note(f"{len(shown)} of {len(rows)} rows; --all has the others, --json too")
        for text in self.notes:
            output.note(text)
        output.show_text(self.said())

    def said(self) -> str:
        """The outcome in a sentence or two."""
        rows = self.changes.rows
        changed, leaving = rows[rows["changed"]], (rows["low"] > 1) | (rows["high"] < 1)
        up = int((changed["ratio"] > 1).sum())
        said = [
            f"{len(rows)} compared, {self.judged} judged: {up} surely up, "
            f"{len(changed) - up} surely down.",
            f"{int(leaving.sum())} of the 95 % intervals leave 1 out; "
            f"{_BY_CHANCE * self.judged:.0f} would by chance.",
        ]
        if self.limit is not None:
            said.append(
                f"{self.worse or 'Nothing is'} surely worse by more than {100 * self.limit:.4g} %."
            )
        return " ".join(said)


def compare(
    old: str, new: str, limit: float | None, options: "ReadOptions", *, include_flagged: bool
) -> Compared:
    """What changed between two files of one kind, which their content tells."""
    from contend.changes.networks import network_changes
    from contend.changes.samples import sample_changes
    from contend.network import Network

    sides = [_read(name, options) for name in (old, new)]
    first, second = sides
    if isinstance(first, Network) and isinstance(second, Network):
        networks = network_changes(first, second, limit or 0.0)
        notes = (*networks.conditions, *(f"not compared: {one}" for one in networks.not_compared))
        return Compared(networks, _of_networks(networks.rows, limit), limit, notes)
    if isinstance(first, Network) or isinstance(second, Network):
        network = old if isinstance(first, Network) else new
        raise InvalidInputError(
            f"{network} is a network file, the other holds samples",
            "give two of one kind; 'contend validate NETWORK SAMPLES' holds one against the other",
        )
    samples = sample_changes(first, second, limit or 0.0, include_flagged=include_flagged)
    return Compared(
        samples, _of_samples(samples.rows, limit), limit, tuple(_notes(samples, old, new))
    )


def _read(name: str, options: "ReadOptions") -> "Network | list[Sample]":
    from contend.cli.explained import given
    from contend.kinds import KINDS, schema_of
    from contend.network import Network
    from contend.samples.sample import Sample
    from contend.textfile import read_text

    said = schema_of(read_text(Path(name), errors="replace"))
    if said == Network.schema_name:
        return Network.load(name)
    if said in KINDS and said != Sample.schema_name:
        raise InvalidInputError(
            f"{name} is {KINDS[said][0]}",
            "give two network files or two files of samples; fit what was measured first",
        )
    return given([name], options, None)[0]


def _notes(changes: "SampleChanges", old: str, new: str) -> list[str]:
    found = [f"changed besides: {one}" for one in changes.conditions]
    for points, name in ((changes.only_old, old), (changes.only_new, new)):
        if points:
            found.append(f"{len(points)} points in {name} alone: {_named(points)}")
    for count, name in zip(changes.left_out, (old, new), strict=True):
        if count:
            found.append(
                f"{count} samples of {name} left out: the emulated network could not keep up "
                "(--include-flagged takes them)"
            )
    for doubts, name in zip(changes.doubts, (old, new), strict=True):
        if doubts:
            kinds = ", ".join(f"{kind} ({count})" for kind, count in doubts.items())
            found.append(f"doubts about {name}: {kinds}")
    return found


def _named(points: "Sequence[Point]") -> str:
    sizes: dict[str, list[int]] = {}
    for one in points:
        series = one.series
        per_node = f", {series.processes_per_node} per node" if series.processes_per_node else ""
        sizes.setdefault(
            f"{series.experiment}/{series.algorithm} n={series.n}{per_node}", []
        ).append(one.m)
    named = [
        f"{name} ({', '.join(format_bytes(m) for m in sorted(of)[:4])}"
        f"{', ...' if len(of) > 4 else ''})"
        for name, of in sizes.items()
    ]
    more = f" and {len(named) - _MOST_NAMED} more series" if len(named) > _MOST_NAMED else ""
    return "; ".join(named[:_MOST_NAMED]) + more


def _of_samples(rows: "pd.DataFrame", limit: float | None) -> "pd.DataFrame":
    import pandas as pd

    return pd.DataFrame(
        {
            "algorithm": rows["experiment"] + "/" + rows["algorithm"],
            "n": rows["n"],
            "ppn": ["" if pd.isna(one) else str(one) for one in rows["processes_per_node"]],
            "m": ["all" if pd.isna(one) else format_bytes(one) for one in rows["m"]],
            "launches": [
                f"{a}, {b}" for a, b in zip(rows["old_launches"], rows["new_launches"], strict=True)
            ],
            "old": rows["old"].map(format_seconds),
            "new": rows["new"].map(format_seconds),
            **_ratios(rows, "slower", "faster", limit),
        }
    )


def _of_networks(rows: "pd.DataFrame", limit: float | None) -> "pd.DataFrame":
    import pandas as pd

    return pd.DataFrame(
        {
            "of": rows["part"],
            "parameters": rows["name"],
            **{
                side: [
                    _value(*row)
                    for row in zip(
                        rows[side], rows[f"{side}_low"], rows[f"{side}_high"], rows["unit"],
                        strict=True,
                    )
                ]
                for side in ("old", "new")
            },
            **_ratios(rows, "more", "less", limit),
        }
    )  # fmt: skip


def _value(value: float, low: float, high: float, unit: str) -> str:
    def text(one: float) -> str:
        return format_seconds(one) if unit == "s" else f"{one:.3g}"

    known = f" ({text(low)} to {text(high)})" if not isnan(low + high) else ""
    return f"{text(value)}{f' {unit}' if unit not in ('s', '1') else ''}{known}"


def _ratios(rows: "pd.DataFrame", up: str, down: str, limit: float | None) -> dict[str, list[str]]:
    intervals = zip(rows["ratio"], rows["low"], rows["high"], strict=True)
    words = []
    for row in rows.itertuples():
        if isnan(row.chance_of_change):
            words.append("not judged: no bounds over launches")
        elif row.is_worse and limit is not None:
            words.append("worse, beyond the limit")
        else:
            words.append((up if row.ratio > 1 else down) if row.changed else "not told apart")
    return {
        "new/old": [
            f"{ratio:.3f}" + (f" ({low:.3f} to {high:.3f})" if not isnan(low) else "")
            for ratio, low, high in intervals
        ],
        "verdict": words,
    }
