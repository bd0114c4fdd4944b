"""A network and its validation in lines and tables."""

import os
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from shutil import which
from typing import Any

from contend.base.number_text import percent, with_interval
from contend.base.result import Cell, Line, Part, Table
from contend.models.explanation.table import sentences
from contend.models.network import Network, Operation
from contend.models.prediction.validate import COMMON, summary
from contend.models.prediction.verdict import is_usable, unusable, verdict
from contend.models.signature import FORMS
from contend.report import timeouts
from contend.report.answer import answer
from contend.report.figures.figure import Findings
from contend.report.text import between_launches, signature_sentence
from contend.samples import Sample
from contend.samples.warnings import QualityWarning

ERRORS: Mapping[str, Cell] = {
    "form": "form",
    "fitted at n": "fitted",
    "regime": lambda row: "all forms' unseen" if row["regime"] == COMMON else row["regime"],
    "points": "points",
    "median": ("median", percent),
    "90 %": ("percentile_90", percent),
    "worst": ("worst", percent),
}


def answered(network: Network, samples: Sequence[Sample], folder: Path) -> Iterator[Part]:
    """Show what was found, how sure it is, and what to run next, of a study in a folder."""
    reply = answer(Findings(network, samples), folder)
    if reply is None:
        yield from warnings(network)
        return
    for sentence in reply.sentences:
        yield Line(sentence, style="bold" if sentence is reply.sentences[0] else None)
    yield Line(f"next:   {_as_typed(reply.command)}")


def _as_typed(command: str) -> str:
    """With the path of contend, where a shell does not find it by its name."""
    if which("contend") or Path(sys.argv[0]).name != "contend":
        return command
    return f"{os.path.relpath(sys.argv[0])}{command.removeprefix('contend')}"


def network_parts(network: Network) -> Iterator[Part]:
    """Show point-to-point parameters, signatures and structure, and kinds of warnings."""
    for level in network.levels:
        if level.hockney:
            parameters = {"alpha": level.hockney.alpha, "beta": level.hockney.beta}
            values = ", ".join(
                f"{name} {with_interval(value)}" for name, value in parameters.items()
            )
            of = f"one message ({level.conditions})" if level.conditions else "one message"
            yield Line(f"{of}: {values if is_usable(level.hockney) else unusable(level.hockney)}")
    for operation in network.operations:
        yield Line(operation.title, style="bold")
        yield Line(signature_sentence(operation))
        yield from (Line(f"- {finding}") for finding in sentences(network, operation))
    yield from warnings(network)


def warnings(network: Network) -> Iterator[str]:
    return kinds((*network.warnings, *network.sample_warnings))


def kinds(warnings: Iterable[QualityWarning]) -> Iterator[str]:
    by_kind: dict[str, list[QualityWarning]] = {}
    for warning in warnings:
        by_kind.setdefault(warning.kind, []).append(warning)
    for kind, alike in sorted(by_kind.items()):
        count, first = sum(warning.count for warning in alike), alike[0]
        yield f"warning: {kind}, {count} times; e.g. {first.where}: {first.message}"
        yield f"         {first.hint}"


def errors(operation: Operation) -> Iterator[Part]:
    """Show errors of every form by regime, which form predicts, and errors of time-outs."""
    if operation.validation:
        yield Table(error_rows(operation), ERRORS, f"{operation.title}: error")
        yield f"{operation.title}: {verdict(operation).reason}"
    for sentence in (*between_launches(operation), *timeouts.accuracy(operation)):
        yield f"{operation.title}: {sentence}"


def error_rows(operation: Operation) -> list[dict[str, Any]]:
    """Return errors on points that the fit has not seen; signatures first, then by median.

    Those on the points that no compared form has seen come before those on points of its own.
    """
    rows = summary(operation)
    median = rows.drop_duplicates("form").set_index("form")["median"]
    fits = operation.forms
    ordered = rows.assign(
        is_baseline=[FORMS.get(name).role != "signature" for name in rows["form"]],
        lowest=[median[name] for name in rows["form"]],
        fitted=[" ".join(map(str, fits[name].n_fitted)) for name in rows["form"]],
    ).sort_values(["is_baseline", "lowest", "form"], kind="stable")
    return list(ordered.to_dict("records"))
