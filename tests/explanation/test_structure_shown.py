"""What is found is shown: on the page, in the figure, as a table; and a kind is one file."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from machines import Machine, direct, odd, switched

from contend.api.network import Network
from contend.api.network import fit as fit_network
from contend.base.errors import InvalidInputError
from contend.models.explanation.exchange import exchange_of
from contend.models.explanation.finding import Analysis
from contend.models.explanation.table import COLUMNS, sentences, table_of
from contend.models.network import Operation
from contend.models.signature import PointToPoint
from contend.report.canvas.palette import look
from contend.report.figures.structure import bound, structure_drawing
from contend.report.page import write_report
from contend.samples.reader import READERS
from support.synthesis import LASSEN, alltoall

WEEKDAY = """
from contend.models.explanation.finding import Finding, Kind


class Weekday(Kind):
    name, order = "weekday", 5

    def findings(self, seen):
        yield Finding("weekday", (1, 2), seen.counts, "It is slow on Mondays.")
"""
USE = """
import sys
import pandas as pd
import contend.models.explanation.kinds

contend.models.explanation.kinds.__path__.append(sys.argv[1])
from contend.models.explanation.exchange import exchange_of
from contend.models.explanation.finding import Analysis

rows = pd.DataFrame({"n": 4, "m": [1, 2, 4, 8], "seconds": [1e-5, 1e-5, 1e-5, 1e-5]})
print(Analysis(exchange_of(rows)).findings[0].sentence)
"""


@pytest.fixture(scope="module")
def network() -> Network:
    """Of a machine that forwards small messages, with 4 KiB that is odd."""

    def seconds(n: int, m: int) -> float:
        size = np.array([float(m)])
        return float((switched(np.array([float(n)]), size) * np.where(size == 4096, 1.6, 1))[0])

    rng = np.random.default_rng(7)
    sizes = [2**power for power in range(4, 19)]
    samples = alltoall((8, 16, 32), seconds, sizes, rng, 0.03, processes_per_node=1)
    return fit_network(samples, alpha=4e-6, beta=1e-9)


def test_a_kind_of_finding_is_one_file(tmp_path: Path) -> None:
    (tmp_path / "weekday.py").write_text(WEEKDAY)
    words = [sys.executable, "-B", "-c", USE, str(tmp_path)]
    done = subprocess.run(words, check=True, timeout=200, capture_output=True, text=True)
    assert done.stdout.strip() == "It is slow on Mondays."


def test_a_table_has_a_row_for_each_finding(network: Network) -> None:
    found = network.structure("alltoall")
    assert list(found.columns) == list(COLUMNS)
    kinds = found["kind"].tolist()
    assert kinds == ["algorithm switch", "odd size", "algorithm", "algorithm", "gamma"]
    factor = found.set_index("kind").loc["odd size"]
    assert factor["low"] <= 1.6 <= factor["high"]
    assert factor["m_from"] == factor["m_to"] == 4096
    assert factor["times_better"] > 5
    known = network.document.operations[0]
    assert found["sentence"].tolist() == sentences(network.document, known)


def test_without_measured_points_there_is_an_error_or_nothing(network: Network) -> None:
    bare = network.document.operations[0].model_copy(update={"measured": None})
    document = network.document.model_copy(update={"operations": (bare,)})
    assert sentences(document, bare) == []
    with pytest.raises(InvalidInputError, match="no measured point"):
        Network(document).structure()


def test_an_operation_that_is_no_exchange_has_no_structure(network: Network) -> None:
    known = network.document.operations[0]
    other = Operation(operation="bcast", algorithm="native", forms={}, measured=known.measured)
    assert sentences(network.document, other) == []


def test_the_page_has_every_sentence_and_the_figure(network: Network, tmp_path: Path) -> None:
    write_report(network.document, [], tmp_path)
    page = (tmp_path / "report.html").read_text("utf-8")
    for sentence in sentences(network.document, network.document.operations[0]):
        assert sentence in page
    assert "Regimes: A: up to 256 B, store-and-forward (Bruck); B: from 512 B on" in page


@pytest.mark.parametrize("known", [True, False])
def test_no_time_is_below_what_it_is_divided_by_but_for_noise(known: bool) -> None:
    exchange = Machine(direct, noise=0.02).measured(1)
    exchange = exchange if known else replace(exchange, message=PointToPoint())
    ratio = np.exp(exchange.logarithms) / bound(exchange)
    assert ratio.min() > (0.94 if known else 1 - 1e-12)


def test_the_figure_has_a_line_for_each_n_and_a_field_for_each_regime() -> None:
    found = Analysis(Machine(switched).measured(2))
    drawing = structure_drawing(found)
    with look():
        panels = [panel.figure() for panel in drawing.panels]
    (over_sizes, tips), (over_counts, _) = panels
    (axes,), (counts,) = over_sizes.axes, over_counts.axes
    names = axes.get_legend_handles_labels()[1]
    assert names == [f"n = {int(n)}" for n in found.exchange.counts]
    assert [text.get_text() for text in axes.texts] == ["A", "B"]
    assert counts.get_legend_handles_labels()[1] == [
        "A, store-and-forward (Bruck)",
        "B, direct or pairwise exchange",
    ]
    assert len(tips) == int(found.exchange.is_measured.sum())


def test_of_one_n_there_is_no_figure_over_n() -> None:
    assert len(structure_drawing(Analysis(Machine(odd, (8,)).measured(2))).panels) == 1


def test_the_library_of_lassen_forwards_small_messages(
    shared_data: Callable[[str], Path],
) -> None:
    path = shared_data("lassen_alltoall/alltoall.csv")
    measured = fit_network(list(READERS.get("csv_columns").read(path, LASSEN)))
    found = measured.structure().set_index("kind")
    assert found.loc["algorithm switch", "m_from"] == 8192
    assert "from store-and-forward (Bruck)" in found.loc["algorithm switch", "sentence"]


def test_an_empty_table_has_no_findings() -> None:
    nothing = exchange_of(Machine(direct).rows(0).iloc[:0])
    assert table_of(Analysis(nothing)).empty
