"""The figures of a report: section of the page, name in files, and what draws it, in order."""

from collections.abc import Callable, Iterable

from contend.report.canvas.drawing import Drawing
from contend.report.figures.algorithms import algorithms
from contend.report.figures.curves import operation_curves
from contend.report.figures.decisions import decision_maps
from contend.report.figures.errors import errors
from contend.report.figures.figure import Findings
from contend.report.figures.gains import gains
from contend.report.figures.lab import lab_picture
from contend.report.figures.link_load import utilisation
from contend.report.figures.message import ping_pong, plogp_curves
from contend.report.figures.overview import overview
from contend.report.figures.sharing_errors import graph_examples, sharing_errors
from contend.report.figures.signature_over_n import signature_over_n
from contend.report.figures.structure import structure

FIGURES: tuple[tuple[str, str, Callable[[Findings], Iterable[Drawing]]], ...] = (
    ("answer", "overview", overview),
    ("choice", "gains", gains),
    ("operation", "curves", operation_curves),
    ("operation", "structure", structure),
    ("operation", "errors", errors),
    ("operation", "signature-over-n", signature_over_n),
    ("sharing", "sharing-errors", sharing_errors),
    ("sharing", "graph-examples", graph_examples),
    ("message", "ping-pong", ping_pong),
    ("message", "plogp", plogp_curves),
    ("decisions", "decisions", decision_maps),
    ("algorithms", "algorithms", algorithms),
    ("lab", "lab", lab_picture),
    ("lab", "utilisation", utilisation),
)
