"""Charts of the page as plotly figures: plain dictionaries, drawn by the script of the page.

Colours of text and grids are left to that script, which knows the reader's colour scheme.
"""

from contend.report.charts.algorithms import algorithm_chart
from contend.report.charts.axes import Figure
from contend.report.charts.curve import curve_chart
from contend.report.charts.decision import decision_chart
from contend.report.charts.error import error_chart
from contend.report.charts.message import message_chart, plogp_chart
from contend.report.charts.sharing import sharing_chart
from contend.report.charts.threshold import parameter_chart, threshold_chart
from contend.report.charts.utilisation import utilisation_chart

__all__ = [
    "Figure",
    "algorithm_chart",
    "curve_chart",
    "decision_chart",
    "error_chart",
    "message_chart",
    "parameter_chart",
    "plogp_chart",
    "sharing_chart",
    "threshold_chart",
    "utilisation_chart",
]
