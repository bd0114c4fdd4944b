"""Algorithms of the catalogue ranked for calls, beside the library's default and its rules."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import isnan
from typing import Any

from contend.base.result import Cell, Part, Result, Table
from contend.base.units import format_bytes, format_seconds
from contend.models.network import Network
from contend.models.prediction.catalogue import parameters_of
from contend.models.prediction.predict import predicted
from contend.schedules import algorithms
from contend.schedules.option_text import options_text
from contend.tune.choose.decide import decide
from contend.tune.choose.ranking import Ranking, rank
from contend.tune.choose.rivals import defaults
from contend.tune.choose.rules import Decisions
from contend.tune.choose.summary import conditions, sentences
from contend.tune.choose.text import described, interval_note, interval_text
from contend.tune.choose.timing import Placement, timing_of


@dataclass(frozen=True)
class Answer:
    """A ranking, rows of the library's default, and what is decided of the call."""

    ranking: Ranking
    defaults: list[dict[str, float]]
    decisions: list[Decisions]

    def data(self) -> dict[str, Any]:
        """Return the ranking with the library's default and what was decided of the call."""
        return vars(self.ranking) | {
            "as_fast_as_best": self.ranking.as_fast_as_best,
            "default": self.defaults,
            "decisions": [rule for decisions in self.decisions for rule in decisions.rules],
        }

    def parts(self) -> Iterator[Part]:
        ranking, best = self.ranking, self.ranking.ranked[0]
        default = {"algorithm": "the library's default", "claim": "measured"}
        rows = [vars(candidate) | {"is_best": candidate is best} for candidate in ranking.ranked]
        rows += [default | row | {"ratio": row["seconds"] / best.seconds} for row in self.defaults]
        title = f"{ranking.collective}, n = {ranking.n}, m = {format_bytes(ranking.m)}"
        yield Table(rows, COLUMNS, title)
        yield _verdict(ranking)
        for decisions in self.decisions:
            yield from sentences(decisions)
        for name, reason in ranking.refused.items():
            yield f"left out: {name}: {reason}"


def rank_calls(
    network: Network,
    collective: str,
    calls: Sequence[tuple[int, int]],
    ports: str,
    where: Placement,
    *,
    all_commute: bool,
) -> Result:
    """Rank the algorithms of an operation for calls (n, m), each with its best options."""
    parameters = parameters_of(network, collective)
    timing = timing_of(network, collective, ports, where)
    answers = [
        _answer(
            network,
            rank(collective, parameters, n, m, timing, where.groups),
            all_commute=all_commute,
        )
        for n, m in calls
    ]
    about = {"timing": described(timing)}

    def parts() -> Iterator[Part]:
        for answer in answers:
            yield from answer.parts()
        yield from conditions(network, [collective])
        claims = [each.claim for answer in answers for each in answer.ranking.ranked]
        yield interval_note(timing, ports, calls, claims)
        others = [
            algorithm.name for algorithm in algorithms(collective).all() if algorithm.needs_groups
        ]
        if others and not where.groups:
            yield f"--with groups= says which ranks are close, for {', '.join(others)}"

    return Result([answer.data() | about for answer in answers], parts())


def _answer(network: Network, ranking: Ranking, *, all_commute: bool) -> Answer:
    name, n, m = ranking.collective, ranking.n, ranking.m
    measured = [operation for operation in defaults(network) if operation.operation == name]
    rows = [predicted(network, operation, [n], [m]) for operation in measured]
    times = [{key: float(row[key][0]) for key in ("seconds", "low", "high")} for row in rows]
    rules = [decide(network, [name], [n], [m], all_commute=all_commute)] if measured else []
    return Answer(ranking, times, rules)


def _remarks(row: Mapping[str, Any]) -> str:
    is_clear = row.get("is_best") or row.get("is_told_from_best") is not False
    return "" if is_clear else "no significant difference"


COLUMNS: dict[str, Cell] = {
    "algorithm": "algorithm",
    "options": lambda row: options_text(row.get("options", {})),
    "time": ("seconds", format_seconds),
    "interval": interval_text,
    "to the best": lambda row: "best" if row.get("is_best") else f"{row['ratio']:.3g}",
    "form": "claim",
    "parameters of": lambda row: row.get("parameters") or "",
    "remarks": _remarks,
}


def _verdict(ranking: Ranking) -> str:
    best = ranking.ranked[0].algorithm
    if isnan(ranking.ranked[0].low):
        return f"{best} is the fastest; how sure that is is not known without bounds of pLogP"
    if others := ranking.as_fast_as_best:
        return f"no significant difference between {best} and {', '.join(others)}"
    return f"{best} is the fastest: no other interval overlaps with its own"
