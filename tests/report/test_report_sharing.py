"""Contention graphs in the report: models and their errors, and measured graphs."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from contend.report.canvas.drawing import Drawing
from contend.report.figures.figure import Findings, drawings_of
from contend.report.figures.sharing_errors import error_drawing
from contend.report.page import write_report
from contend.report.sections.sharing import models, section
from contend.samples.messages import MessageSample
from contend.simulate.graphs.examples import errors_by_edges, examples
from contend.simulate.graphs.fit import fit_sharing
from contend.simulate.graphs.measurements import measured_graphs
from contend.simulate.graphs.record import FittedSharing
from support.graphs import SMALL, planted
from support.pictures import drawn, names

TRUE = {"beta_e": 1.25, "beta_s": 0.8, "gamma": 1.6}
HOSTILE = "</script><script>alert(1)</script><b>"


@pytest.fixture(scope="module")
def graphs() -> list[MessageSample]:
    graphs = {f"{HOSTILE}{name}": edges for name, edges in SMALL.items()}
    return planted(graphs, "penalty3", TRUE, 0.01, 5, np.random.default_rng(1))


@pytest.fixture(scope="module")
def sharing(graphs, tmp_path_factory: pytest.TempPathFactory) -> FittedSharing:
    path = tmp_path_factory.mktemp("graphs") / "graphs.jsonl"
    path.write_text("planted")
    return fit_sharing(graphs, path, np.random.default_rng(2), folds=2)


@pytest.fixture
def errors() -> pd.DataFrame:
    return pd.DataFrame(
        [
            {"model": model, "edges": edges, "graphs": 3, "average": average,
             "worst_graph": 2 * average, "worst": 3 * average}
            for model, average in (("far", 0.4), ("near", 0.01))
            for edges in (1, 2, 5)
        ]
    )  # fmt: skip


def test_a_line_per_model_the_best_first_and_strongest(errors: pd.DataFrame) -> None:
    _, panel = error_drawing(errors, "near").panels
    axes, tips = drawn(panel)
    assert names(axes) == ["near", "far"]
    near, far = axes.lines
    assert near.get_xdata().tolist() == [1, 2, 5]
    assert far.get_ydata() == pytest.approx([120, 120, 120])
    assert near.get_linewidth() > far.get_linewidth()
    for look in ("color", "linestyle", "marker"):
        assert getattr(near, f"get_{look}")() != getattr(far, f"get_{look}")()
    assert tips[1].text == (
        "near, 2 messages: 3.0 %\n3 graphs: average 1.0 %, worst graph 2.0 %, worst message 3.0 %"
    )


def test_both_errors_are_drawn(errors: pd.DataFrame) -> None:
    panels = error_drawing(errors, "near").panels
    average, worst = (drawn(panel)[0].lines[0].get_ydata() for panel in panels)
    assert worst == pytest.approx(3 * average)


def test_models_are_listed_with_the_least_error_first(sharing: FittedSharing) -> None:
    markup = models(sharing)
    names = re.findall(r'<th scope="row">([^<]*)', markup)
    by_error = sorted(sharing.models, key=lambda known: known.errors.average)
    assert names == [known.name for known in by_error]
    assert "12.5 MB/s" in markup
    assert "beta_e 1.2" in markup


def test_graphs_are_shown_from_best_to_worst_and_only_those_that_meet(sharing, graphs) -> None:
    shown = examples(sharing, graphs)
    assert len(shown) == 3
    found = [example.error for example in shown]
    assert found == sorted(found)
    assert all(len(example.graph.edges) > 1 for example in shown)
    known = {graph.name: graph.seconds for graph in measured_graphs(graphs)}
    worst = shown[-1]
    difference = np.abs(worst.solution.end / known[worst.graph.name] - 1)
    assert worst.error == pytest.approx(difference.mean())


def drawings(measure, sharing: FittedSharing, graphs: list[MessageSample]) -> list[Drawing]:
    network = measure().network.model_copy(update={"sharing": sharing})
    return drawings_of(Findings(network, (), graphs=graphs), "sharing")


def test_the_section_says_what_was_found_and_names_stay_text(measure, sharing, graphs) -> None:
    shown = drawings(measure, sharing, graphs)
    assert len(shown) == 1 + 3
    markup = section(sharing, shown)
    assert "<b>" not in markup
    assert "<script>" not in markup
    assert "12 graphs were measured" in markup
    assert "Errors by the number of messages" in markup


def test_without_measured_graphs_the_models_and_their_errors_are_there(measure, sharing) -> None:
    shown = drawings(measure, sharing, [])
    assert [drawing.title for drawing in shown] == ["Errors by the number of messages"]
    assert "Sharing models" in section(sharing, shown)


def test_errors_by_messages_are_those_of_the_file(sharing: FittedSharing) -> None:
    table = errors_by_edges(sharing)
    assert table is not None
    for known in sharing.models:
        own = table[table["model"] == known.name]
        mean = np.average(own["average"], weights=own["graphs"])
        assert mean == pytest.approx(known.errors.average)
        assert own["worst"].max() == known.errors.worst


def test_a_file_without_errors_by_messages_says_what_adds_them(sharing: FittedSharing) -> None:
    markup = section(sharing.model_copy(update={"by_edges": None}))
    assert "contend fit GRAPHS" in markup


def test_the_page_has_the_section_where_the_network_has_sharing_models(
    measure, sharing, graphs, tmp_path: Path
) -> None:
    found = measure()
    network = found.network.model_copy(update={"sharing": sharing})
    with_graphs = write_report(network, found.samples, tmp_path / "with", graphs=graphs)
    without = write_report(found.network, found.samples, tmp_path / "without", graphs=graphs)
    for page in (with_graphs, without):
        assert 'href="#sharing"' in page.read_text("utf-8")
        assert 'id="sharing"' in page.read_text("utf-8")
    assert "holds no sharing models" in without.read_text("utf-8")
    assert "holds no sharing models" not in with_graphs.read_text("utf-8")
