"""What the times of a benchmark lose, by which suspected cause, in tables and sentences."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeAlias

import pandas as pd

from contend.base.errors import InvalidInputError
from contend.base.result import Cell, Line, Part, Result, Table
from contend.base.units import format_bytes, format_seconds, parse_latency, seconds_per_byte_at
from contend.models.explanation.case import Case, cases
from contend.models.explanation.finding import Finding, suspected
from contend.models.explanation.message import known_message
from contend.models.explanation.summary import bound_text, default_text, gaps, rates_text, shown
from contend.models.network.files import read_any_files
from contend.samples.reader import ReadOptions
from contend.samples.setting import split_conditions

Explained: TypeAlias = tuple[Case, list[Finding]]


def explain_files(
    files: Sequence[str],
    options: ReadOptions | None = None,
    *,
    reader: str | None = None,
    bandwidth: str | None = None,
    latency: str | None = None,
    operation: str | None = None,
    at: int | None = None,
) -> Result:
    """Explain measured times: against a bound, against what was expected, why, and what to try.

    Parameters
    ----------
    files
        Output of benchmarks, samples, and a network file where there is one; - is standard input.
    options, reader
        How benchmarks' output is read, and its format.
    bandwidth, latency
        Of a node's network card and of a small message, as texts, where no file has them.
    operation, at
        What to explain, where the files hold several, and the n; default the largest.

    >>> found = explain_files(["network.json", "samples.jsonl"], operation="alltoall")
    >>> found.data[0]["causes"][0]["cause"]
    'level jump'
    """
    chosen = options or ReadOptions()
    algorithm = chosen.algorithm
    if not chosen.columns and reader != "csv_columns":
        chosen = replace(chosen, algorithm=None)
    samples, network, network_file = read_any_files(files, chosen, reader)
    message = known_message(
        samples,
        network,
        parse_latency(latency) if latency else None,
        seconds_per_byte_at(bandwidth) if bandwidth else None,
    )
    selected = [
        case
        for case in cases(samples, message, network, at)
        if operation in (None, case.operation)
        and algorithm in (None, case.algorithm, split_conditions(case.algorithm)[0])
    ]
    if not selected:
        every = ", ".join(f"{each.operation}/{each.algorithm}" for each in cases(samples, message))
        raise InvalidInputError(
            f"no times of {'/'.join(filter(None, (operation, algorithm)))}", f"there is {every}"
        )
    explained = [(case, suspected(case)) for case in selected]
    return Result(
        [_data(case, causes, network_file) for case, causes in explained],
        _parts(explained, network_file),
    )


def _parts(explained: Sequence[Explained], network_file: str | None) -> Iterator[Part]:
    if len(explained) > 1:
        yield Table(explained, OVERVIEW, "operations, at their worst size")
        yield "--operation, --as algorithm= and --at choose one, with its sizes"
    else:
        yield from _one_case(*explained[0], network_file)


def _one_case(case: Case, causes: Sequence[Finding], network_file: str | None) -> Iterator[Part]:
    """Show one case, on one screen."""
    chosen = shown(case, causes)
    yield Table(chosen, sizes_of(chosen, has_bound=case.has_bound), case.title)
    if hidden := len(case.rows) - len(chosen):
        yield f"{len(chosen)} of {len(case.rows)} sizes; --json has the other {hidden} too"
    lines = [bound_text(case), rates_text(case), *filter(None, [default_text(case)]), ""]
    if not causes:
        lines.append("No cause is suspected: nothing in these times stands out.")
    for number, cause in enumerate(causes, start=1):
        lines.append(f"{number}. {cause.kind}: {cause.sentence}")
        lines += [f"   try: {each.command}\n        {each.why}" for each in cause.tries]
    unknown = list(gaps(case, network_file))
    if unknown:
        lines += ["", "Not known:"]
        lines += [f" - {gap.missing}: {gap.how.command} ({gap.how.why})" for gap in unknown]
    yield Line("\n".join(lines))


def _data(case: Case, causes: Sequence[Finding], network_file: str | None) -> dict[str, Any]:
    return {
        "operation": case.operation,
        "algorithm": case.algorithm,
        "n": case.n,
        "processes_per_node": case.processes_per_node,
        "bound_from": case.message.source or None,
        "bound": bound_text(case),
        "rates": rates_text(case),
        "by_itself": default_text(case) or None,
        "sizes": case.rows,
        "causes": [
            {
                "cause": cause.kind,
                "sizes": cause.sizes,
                "sentence": cause.sentence,
                "factor": cause.factor,
                "tries": cause.tries,
            }
            for cause in causes
        ],
        "not_known": [{"what": gap.missing, "how": gap.how} for gap in gaps(case, network_file)],
    }


_FACTOR = "{:.2f}".format


def sizes_of(table: pd.DataFrame, *, has_bound: bool) -> dict[str, Cell]:
    """Return the columns of a case, without those of which nothing is known."""
    columns: dict[str, Cell] = {
        "size": ("m", format_bytes), "measured": ("seconds", format_seconds)
    }  # fmt: skip
    if table["bound"].notna().any():
        columns["bound" if has_bound else "bytes alone"] = ("bound", format_seconds)
        columns["x bound" if has_bound else "x these"] = ("lost", _FACTOR)
    if table["expected"].notna().any():
        columns["expected"] = ("expected", format_seconds)
        columns["interval"] = lambda row: (
            f"{format_seconds(row['low'])} to {format_seconds(row['high'])}"
            if row["low"] == row["low"]
            else "–"
        )
        columns["x expected"] = ("lost_to_expected", _FACTOR)
        columns["extrapolates"] = "extrapolates"
    return columns


def _at_worst(text: Callable[[pd.Series], str]) -> Cell:
    """The row of a case that loses most; a dash where none is known to lose."""

    def cell(explained: Explained) -> str:
        case, _ = explained
        lost = case.rows["lost"]
        if not (case.has_bound and lost.notna().any()):
            return "–"
        return text(case.rows.loc[lost.idxmax()])

    return cell


def _range(explained: Explained) -> str:
    """The shortest and the longest time."""
    seconds = explained[0].rows["seconds"]
    return " to ".join(dict.fromkeys(map(format_seconds, (seconds.min(), seconds.max()))))


def _in_short(causes: Sequence[Finding]) -> str:
    """Each cause once, with its largest factor."""
    factors: dict[str, float] = {}
    for cause in causes:
        factors[cause.kind] = max(factors.get(cause.kind, 0.0), cause.factor or 0.0)
    parts = (f"{name} ({factor:.1f} x)" if factor else name for name, factor in factors.items())
    return "; ".join(parts) or "nothing"


OVERVIEW: Mapping[str, Cell] = {
    "operation": lambda row: f"{row[0].operation}/{row[0].algorithm}",
    "n": lambda row: row[0].n,
    "sizes": lambda row: len(row[0].rows),
    "measured": _range,
    "worst at": _at_worst(lambda row: format_bytes(row["m"])),
    "x bound": _at_worst(lambda row: _FACTOR(row["lost"])),
    "suspected": lambda row: _in_short(row[1]),
}
