"""Measured contention graphs in the report: with their ends, under their names, for papers too."""

from pathlib import Path

import numpy as np
import pytest

from contend.models.network import Network
from contend.report.figures.figure import Findings, drawings_of, write_figures
from contend.report.figures.sharing_errors import graph_examples
from contend.simulate.graphs.examples import examples
from contend.simulate.graphs.fit import fit_sharing
from support.graphs import SMALL, planted
from support.pictures import drawn, names


@pytest.fixture(scope="module")
def findings(tmp_path_factory: pytest.TempPathFactory) -> Findings:
    graphs = planted(SMALL, "maxmin", repetitions=3)
    source = tmp_path_factory.mktemp("graphs") / "graphs.jsonl"
    source.write_text("planted")
    sharing = fit_sharing(graphs, source, np.random.default_rng(1), folds=2)
    return Findings(Network(name="x", sharing=sharing, origin=sharing.origin), (), graphs=graphs)


def test_each_example_is_a_drawing_with_its_measured_ends(findings: Findings) -> None:
    sharing = findings.network.sharing
    assert sharing is not None
    shown = list(graph_examples(findings))
    expected = examples(sharing, findings.graphs)
    assert [one.title for one in shown] == [one.subject for one in shown]
    assert [one.title for one in shown] == [one.graph.name for one in expected]
    for drawing, example in zip(shown, expected, strict=True):
        axes, tips = drawn(drawing.panels[-1])
        assert "measured end" in names(axes)
        (marks,) = [line for line in axes.lines if line.get_label() == "measured end"]
        assert marks.get_xdata() == pytest.approx(example.graph.seconds)
        assert tips
        assert f"{len(example.graph.ends)} repetitions; off by " in drawing.remark
    places = [drawing.remark.split(" by ")[0] for drawing in shown]
    assert places == ["Predicted best", "Predicted like the middle one", "Predicted worst"]
    titles = [one.title for one in drawings_of(findings, "sharing")]
    assert titles[-len(shown) :] == [one.title for one in shown]


def test_they_are_files_named_after_their_graphs(findings: Findings, tmp_path: Path) -> None:
    paths = write_figures(findings, tmp_path)
    shown = list(graph_examples(findings))
    stems = {path.stem for path in paths if path.stem.endswith("graph-examples")}
    assert len(stems) == len(shown) > 1
    for path in paths:
        assert path.stat().st_size > 1000


def test_without_graphs_or_models_there_is_none(findings: Findings) -> None:
    assert not list(graph_examples(Findings(findings.network, ())))
    bare = findings.network.model_copy(update={"sharing": None})
    assert not list(graph_examples(Findings(bare, (), graphs=findings.graphs)))
