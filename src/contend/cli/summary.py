"""A network and its validation on the console."""

import os
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from shutil import which

import pandas as pd

from contend.cli import output
from contend.document import Quantity
from contend.explanation.table import sentences
from contend.figures.figure import Findings
from contend.network import Network, Operation
from contend.number_text import interval, quantity
from contend.prediction.validate import COMMON, summary
from contend.prediction.verdict import is_usable, unusable, verdict
from contend.report import timeouts
from contend.report.answer import answer
from contend.report.text import between_launches, signature_sentence
from contend.samples import Sample
from contend.samples.warnings import QualityWarning
from contend.signature import FORMS


def show_answer(network: Network, samples: Sequence[Sample], folder: Path) -> None:
    """What was found, how sure it is, and what to run next, of a study in a folder."""
    found = answer(Findings(network, samples), folder)
    if found is None:
        show_warnings(network)
        return
    first, *others = found.sentences
    output.console().print(first, style="bold", markup=False)
    for sentence in others:
        output.console().print(sentence, markup=False)
    output.console().print(f"next:   {_as_typed(found.command)}", markup=False)


def _as_typed(command: str) -> str:
    """With the path of contend, where a shell does not find it by its name."""
    if which("contend") or Path(sys.argv[0]).name != "contend":
        return command
    return f"{os.path.relpath(sys.argv[0])}{command.removeprefix('contend')}"


def show_network(network: Network) -> None:
    """Point-to-point parameters, signatures and structure in sentences, and kinds of warnings."""
    for level in network.levels:
        if level.hockney:
            known = {"alpha": level.hockney.alpha, "beta": level.hockney.beta}
            said = (f"{name} {_with_bounds(value)}" for name, value in known.items())
            of = f"one message ({level.conditions})" if level.conditions else "one message"
            line = f"{of}: {', '.join(said)}"
            if not is_usable(level.hockney):
                line = f"{of}: {unusable(level.hockney)}"
            output.console().print(line, markup=False)
    for operation in network.operations:
        output.console().print(operation.title, style="bold", markup=False)
        output.console().print(signature_sentence(operation), markup=False)
        for finding in sentences(network, operation):
            output.console().print(f"- {finding}", markup=False)
    show_warnings(network)


def _with_bounds(known: Quantity) -> str:
    """Value with its bounds, and of what these are."""
    return quantity(known) + (f" ({interval(known)})" if interval(known) else "")


def show_warnings(network: Network) -> None:
    """Warnings about the fits and the samples of a network."""
    show_kinds((*network.warnings, *network.sample_warnings))


def show_kinds(warnings: Iterable[QualityWarning]) -> None:
    """A line per kind of warning: how often, and one example."""
    kinds: dict[str, list[QualityWarning]] = {}
    for warning in warnings:
        kinds.setdefault(warning.kind, []).append(warning)
    for kind, found in sorted(kinds.items()):
        count, first = sum(warning.count for warning in found), found[0]
        output.note(f"warning: {kind}, {count} times; e.g. {first.where}: {first.message}")
        output.note(f"         {first.hint}")


def show_errors(operation: Operation) -> None:
    """Table of the errors of every form by regime, which form predicts, and those of time-outs."""
    if operation.validation:
        title = f"{operation.title}: error"
        output.show_table(error_table(operation), title)
        output.note(f"{operation.title}: {verdict(operation).reason}")
    for sentence in (*between_launches(operation), *timeouts.accuracy(operation)):
        output.note(f"{operation.title}: {sentence}")


def error_table(operation: Operation) -> pd.DataFrame:
    """Errors on points that the fit has not seen, as text; signatures first, then by median.

    Those on the points that no compared form has seen come before those on points of its own.
    """
    rows = summary(operation)
    median = rows.drop_duplicates("form").set_index("form")["median"]
    ordered = rows.assign(
        is_baseline=[FORMS.get(name).role != "signature" for name in rows["form"]],
        lowest=[median[name] for name in rows["form"]],
    ).sort_values(["is_baseline", "lowest", "form"], kind="stable")
    return pd.DataFrame(
        {
            "form": row["form"],
            "fitted at n": " ".join(map(str, operation.forms[row["form"]].n_fitted)),
            "regime": "all forms' unseen" if row["regime"] == COMMON else row["regime"],
            "points": row["points"],
            "median": f"{row['median']:.1%}",
            "90 %": output.percent(row["percentile_90"]),
            "worst": f"{row['worst']:.1%}",
        }
        for row in ordered.to_dict("records")
    )
